"""Long-running operations: kept for both API versions, rendered for the one that asks."""

import uuid
from typing import Any

from cesplan.emulator.answers import Answers, Form
from cesplan.emulator.errors import not_found
from cesplan.emulator.messages import Body
from cesplan.emulator.store import Store

_EMPTY = "google.protobuf.Empty"


class Operations:
    """
    Starts and reads operations. The work itself is done when the operation starts; `polls` says
    how many reads still find it unfinished.
    """

    def __init__(self, store: Store, answers: Answers, polls: int) -> None:
        self._store = store
        self._answers = answers
        self._polls = polls

    def start(self, location: str, rpc: dict[str, str], response: Body, now: str, form: Form) -> Body:
        """Record an operation with its result, and return what the starting call answers."""
        name = f"{location}/operations/operation-{uuid.uuid4()}"
        body = {
            "metadataType": rpc["metadata"],
            "metadata": {"createTime": now, "endTime": now},
            "responseType": rpc["response"],
            "response": response,
        }
        self._store.put_operation(name, body, self._polls)
        return self._rendered(name, body, self._polls, form)

    def read(self, name: str, form: Form) -> Body:
        """Return an operation as it stands; each read of an unfinished one brings it nearer."""
        found = self._store.operation(name)
        if found is None:
            raise not_found(name)
        body, left = found
        if left:
            left -= 1
            self._store.put_operation(name, body, left)
        return self._rendered(name, body, left, form)

    def listed(self, location: str, form: Form) -> list[Body]:
        """Return a location's operations, without bringing any nearer."""
        names = self._store.operations(location)
        found = ((name, self._store.operation(name)) for name in names)
        return [self._rendered(name, row[0], row[1], form) for name, row in found if row]

    def _rendered(self, name: str, body: Body, left: int, form: Form) -> Body:
        metadata = dict(body["metadata"])
        if left:
            metadata.pop("endTime")
        shown: Body = {
            "name": name,
            "metadata": {"@type": _type_url(body["metadataType"], form), **metadata},
        }
        if left:
            return shown
        response: dict[str, Any] = {"@type": _type_url(body["responseType"], form)}
        result = self._answers.message(body["responseType"], body["response"], form)
        return shown | {"done": True, "response": response | result}


def _type_url(message: str, form: Form) -> str:
    full = message if message == _EMPTY else f"google.cloud.ces.{form.version}.{message}"
    return f"type.googleapis.com/{full}"
