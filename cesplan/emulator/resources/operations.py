"""Long-running operations, stored for both API versions and rendered for the requested one."""

import uuid
from dataclasses import dataclass
from typing import Any

from cesplan.emulator.contract import load
from cesplan.emulator.errors import NUMBERS, Refused, invalid, not_found
from cesplan.emulator.http.calls import Call
from cesplan.emulator.http.encoding import Answers, Form, encode
from cesplan.emulator.http.pages import read_size, read_token, token_of
from cesplan.emulator.resources.locations import Locations
from cesplan.emulator.resources.writer import Clock
from cesplan.emulator.schema.messages import Body, Checker
from cesplan.emulator.storage.store import Store
from cesplan.emulator.switches import Switches

_EMPTY = "google.protobuf.Empty"
_DONE = {"": None, "done=true": True, "done:true": True, "done=false": False, "done:false": False}


@dataclass(frozen=True, slots=True)
class Operations:
    """
    Starts and reads operations. The work is done when the operation starts. The switch `operation_polls` says
    how many reads still show it as unfinished.
    """

    store: Store
    answers: Answers
    switches: Switches
    clock: Clock
    checker: Checker

    def started(
        self,
        call: Call,
        response: Body,
        *,
        name: str = "",
        metadata: Body | None = None,
        error: Refused | None = None,
        polls: int | None = None,
    ) -> str:
        """
        Record the operation of a call with its result or final error, and return the response of the starting
        call.
        """
        operation = call.rpc.operation
        body: Body = {
            "metadataType": operation["metadata"],
            "metadata": self._metadata(operation["metadata"], metadata or {}),
            "responseType": operation["response"],
            "response": response,
        }
        if error is not None:
            body["error"] = status_of(error)
        name = name or self.new_name(call.target.location)
        polls = self.switches.operation_polls if polls is None else polls
        self.store.put_operation(name, body, polls)
        return encode(self._rendered(name, body, polls, call.form))

    def new_name(self, location: str) -> str:
        """Return an unused name for an operation."""
        return f"{location}/operations/operation-{uuid.uuid4()}"

    def failing(self, call: Call, started: Body, error: Refused, polls: int) -> str:
        """Let an operation that was just started end with an error, after this many reads."""
        metadata = {key: value for key, value in started["metadata"].items() if key != "@type"}
        return self.started(call, {}, name=started["name"], metadata=metadata, error=error, polls=polls)

    def get(self, call: Call) -> str:
        """Return an operation; each read of an unfinished one advances it."""
        name = call.target.name
        body, left = self._shown(call)
        if left:
            left -= 1
            self.store.put_operation(name, body, left)
        return encode(self._rendered(name, body, left, call.form))

    def listing(self, call: Call) -> str:
        """Return a page of a location's operations, without advancing them."""
        if call.flag("returnPartialSuccess"):
            raise Refused("UNIMPLEMENTED", "returnPartialSuccess is not supported.")
        is_done = _DONE.get(call.query.get("filter", "").replace(" ", ""), ...)
        if is_done is ...:
            raise invalid("filter", "the only filters of operations are done=true and done=false")
        Locations(self.switches).check(call.target.parent)
        digest = f"{call.target.parent} {call.query.get('filter', '')}"
        size = read_size(call.query.get("pageSize", ""), self.switches)
        after = read_token(call.query.get("pageToken", ""), digest)
        names = self.store.operations(call.target.parent)
        found = [(n, *self._found(n)) for n in names if after is None or n > after[1]]
        shown = [one for one in found if self._is_of(one[1], call.form)]
        bodies = [self._rendered(*one, call.form) for one in shown]
        kept = [body for body in bodies if is_done is None or body.get("done", False) == is_done]
        answer: Body = {"operations": kept[:size]} if kept else {}
        if len(kept) > size:
            answer["nextPageToken"] = token_of(digest, "", kept[size - 1]["name"])
        return encode(answer)

    def delete(self, call: Call) -> str:
        """Delete an operation. Its work is not undone."""
        self._shown(call)
        self.store.delete_operation(call.target.name)
        return "{}"

    def cancel(self, call: Call) -> str:
        """Record a requested cancellation. It is best effort by definition, and the work is already done."""
        if call.body is not None:
            self.checker.check(call.rpc.request, call.body)
        body, left = self._shown(call)
        specs = load().messages.get(body["metadataType"], {})
        flags = {"requestedCancellation", "cancelRequested"} & set(specs)
        if left:
            body["metadata"] |= dict.fromkeys(sorted(flags), True)
            self.store.put_operation(call.target.name, body, left)
        return "{}"

    def _is_of(self, body: Body, form: Form) -> bool:
        """Say whether a version has methods with such operations; other versions cannot read their types."""
        types = {"metadata": body["metadataType"], "response": body["responseType"]}
        return any(rpc.operation == types for rpc in load().rpcs[form.version])

    def _shown(self, call: Call) -> tuple[Body, int]:
        """Return an operation that the requested version can read. Raise Refused if there is none."""
        body, left = self._found(call.target.name)
        if not self._is_of(body, call.form):
            raise not_found(call.target.name)
        return body, left

    def _found(self, name: str) -> tuple[Body, int]:
        found = self.store.operation(name)
        if found is None:
            raise not_found(name)
        return found

    def _metadata(self, message: str, given: Body) -> Body:
        """Return the usual metadata that this message has, with the given fields."""
        now = self.clock.now()
        usual = {"createTime": now, "endTime": now}
        specs = load().messages.get(message, {})
        return {key: value for key, value in usual.items() if key in specs} | given

    def _rendered(self, name: str, body: Body, left: int, form: Form) -> Body:
        metadata = dict(body["metadata"])
        if left:
            metadata.pop("endTime", None)
        metadata = self.answers.message(body["metadataType"], metadata, form)
        shown: Body = {
            "name": name,
            "metadata": {"@type": _type_url(body["metadataType"], form), **metadata},
        }
        if left:
            return shown
        if "error" in body:
            return shown | {"done": True, "error": body["error"]}
        response: dict[str, Any] = {"@type": _type_url(body["responseType"], form)}
        result = self.answers.message(body["responseType"], body["response"], form)
        return shown | {"done": True, "response": response | result}


def status_of(error: Refused) -> Body:
    """Return an error as a google.rpc.Status with a numeric google.rpc.Code."""
    details = error.body()["error"].get("details", [])
    status: Body = {"code": NUMBERS[error.code], "message": error.message}
    return status | ({"details": details} if details else {})


def _type_url(message: str, form: Form) -> str:
    full = message if message == _EMPTY else f"google.cloud.ces.{form.version}.{message}"
    return f"type.googleapis.com/{full}"
