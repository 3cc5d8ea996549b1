"""
Reading and listing locations, which a switch defines.

Only the id of a location is returned. Filters are refused, because the reference names no fields.
"""

from cesplan.emulator.errors import invalid, not_found
from cesplan.emulator.http.calls import Call
from cesplan.emulator.http.encoding import encode
from cesplan.emulator.http.pages import read_size, read_token, token_of
from cesplan.emulator.schema.messages import Body
from cesplan.emulator.switches import Switches

# Stands for all locations in the parent of a list (AIP-159).
_EVERY = "-"


class Locations:
    """Answers requests about the locations in the switches."""

    def __init__(self, switches: Switches) -> None:
        self._switches = switches

    def check(self, parent: str, *, every: bool = False) -> None:
        """Raise Refused for a name outside the existing locations; `every` allows `-`."""
        location = parent.split("/")[3]
        if location not in self._switches.locations and not (every and location == _EVERY):
            known = ", ".join(self._switches.locations)
            raise invalid("parent", f"there is no location '{location}'; the locations are {known}")

    def get(self, call: Call) -> str:
        """Return a location."""
        name = call.target.name
        if name.rpartition("/")[2] not in self._switches.locations:
            raise not_found(name)
        return encode(_location(name))

    def listing(self, call: Call) -> str:
        """Return a page of the locations of a project, in the order of the switch."""
        for word in ("filter", "extraLocationTypes"):
            if call.query.get(word):
                raise invalid(word, "the emulator's locations cannot be filtered")
        head = f"{call.target.parent}/locations"
        names = [f"{head}/{at}" for at in self._switches.locations]
        size = read_size(call.query.get("pageSize", ""), self._switches)
        after = read_token(call.query.get("pageToken", ""), head)
        start = 0 if after is None else int(after[0])
        answer: Body = {"locations": [_location(name) for name in names[start : start + size]]}
        if start + size < len(names):
            answer["nextPageToken"] = token_of(head, start + size, names[start + size])
        return encode(answer)


def _location(name: str) -> Body:
    return {"name": name, "locationId": name.rpartition("/")[2]}
