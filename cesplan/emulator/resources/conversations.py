"""
Conversations: read, listed by source, deleted one by one or many at once.

They come from scripted sessions and from `POST /emulator/resources`.
"""

from cesplan.emulator.contract import load
from cesplan.emulator.errors import invalid, not_found
from cesplan.emulator.http.calls import Call
from cesplan.emulator.http.filters import Predicate
from cesplan.emulator.resources.core import Methods
from cesplan.emulator.storage.store import Row
from cesplan.emulator.switches import Switches

_SOURCES = "Conversation.Source"
_UNSPECIFIED = "SOURCE_UNSPECIFIED"
_LIVE = "LIVE"
_VIEWS = ("", "CONVERSATION_VIEW_UNSPECIFIED", "CONVERSATION_VIEW_BASIC", "CONVERSATION_VIEW_FULL")


def check_source(call: Call, row: Row) -> None:
    """Raise Refused if a get asks for another source, or for an unknown view."""
    requested = _read("source", call.query.get("source", ""))
    if requested and requested != source_of(row):
        raise not_found(row.name)
    if call.query.get("view", "") not in _VIEWS:
        raise invalid("view", f"'{call.query['view']}' is not a view")


def of_sources(call: Call, switches: Switches) -> Predicate:
    """
    Return the predicate of a list. According to the reference, the default of `source` is LIVE, and the default
    of its successor `sources` is all. If both are absent, a switch decides.
    """
    requested = [*call.all("sources"), *call.all("source")]
    sources = {_read("sources", text) for text in requested} - {""}
    if not sources and switches.conversations_without_source == "live":
        sources = {_LIVE}
    return lambda row: not sources or source_of(row) in sources


def source_of(row: Row) -> str:
    """Return the source of a conversation; the default is live."""
    source: str = row.body.get("source", _UNSPECIFIED)
    return _LIVE if source == _UNSPECIFIED else source


class Conversations(Methods):
    """Deletes conversations."""

    def delete(self, call: Call) -> str:
        """Delete one. Without a source, it must be a live one (reference)."""
        row = self._core.lookup.resource(call.target.name)
        source = _read("source", call.query.get("source", "")) or _LIVE
        if source_of(row) != source:
            raise not_found(row.name)
        self._core.store.delete(row.name)
        return "{}"

    def batch_delete(self, call: Call) -> str:
        """Delete many, and report which did not exist."""
        app = self._core.lookup.resource(call.target.app)
        request = self._core.request_body(call)
        deleted, failed, errors = [], [], []
        for name in request["conversations"]:
            row = self._core.store.get(name)
            if row is None or (row.parent, row.kind) != (app.name, "conversations"):
                failed.append(name)
                errors.append(not_found(name).message)
            else:
                self._core.store.delete(name)
                deleted.append(name)
        response = {
            "deletedConversations": deleted,
            "failedConversations": failed,
            "errorMessages": errors,
        }
        found = {key: names for key, names in response.items() if names}
        return self._core.operations.started(call, found)


def _read(parameter: str, text: str) -> str:
    """Return a source by name, '' for none. Raise Refused for an invalid one."""
    names = load().enums[_SOURCES]
    by_number = {str(number): name for name, number in names.items()}
    name = by_number.get(text, text)
    if name and name not in names:
        raise invalid(parameter, f"'{text}' is not a value of the enum {_SOURCES}")
    return "" if name == _UNSPECIFIED else name
