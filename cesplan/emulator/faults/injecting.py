"""Injecting faults while one request is answered."""

import asyncio
import socket
import struct
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar, assert_never

from starlette.types import Receive, Scope, Send

from cesplan.emulator.faults.editing import edit_as_somebody_else
from cesplan.emulator.faults.specs import Edit, Effect, Late, Latency, Reset, Stale, Status, Truncate
from cesplan.emulator.http.calls import Call
from cesplan.emulator.http.replies import Reply, refusal_reply
from cesplan.emulator.service import Service

E = TypeVar("E", bound=Effect)
_LINGER_NOT = struct.pack("ii", 1, 0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Bent:
    """The result of a request: its response, or how its connection ends."""

    reply: Reply | None
    keep_bytes: int | None = None


def can_happen(call: Call, effect: Effect) -> bool:
    """Say whether an effect applies to the call: to its list, operation, or resource."""
    match effect:
        case Stale():
            return call.rpc.action == "list"
        case Late():
            return bool(call.rpc.operation)
        case Edit():
            return bool(effect.name or call.target.name)
        case Status() | Latency() | Reset() | Truncate():
            return True
        case _:
            assert_never(effect)


async def bend(
    call: Call, effects: Sequence[Effect], service: Service, answer: Callable[[Call, Late | None], Reply]
) -> Bent:
    """
    Answer a call with its faults. `answer` does the work. A reply of None means that the connection is reset.
    """
    await _wait(effects, after=False)
    _edit(effects, call, service, after=False)
    status, reset, cut = _one(effects, Status), _one(effects, Reset), _one(effects, Truncate)
    if reset is not None and not reset.after:
        return Bent(reply=None)
    if status is not None and not status.after:
        return Bent(reply=_refusal(status))
    stale = _one(effects, Stale)
    reply = answer(replace(call, stale=stale.writes) if stale else call, _one(effects, Late))
    _edit(effects, call, service, after=True)
    await _wait(effects, after=True)
    if reset is not None:
        return Bent(reply=None)
    if status is not None:
        return Bent(reply=_refusal(status))
    return Bent(reply=reply, keep_bytes=cut.bytes if cut else None)


async def reset_connection(scope: Scope, receive: Receive) -> None:
    """Break the connection so that the caller sees a reset, not a normal end."""
    transport = scope["state"]["transport"]
    found: socket.socket | None = transport.get_extra_info("socket")
    if found is not None:
        found.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _LINGER_NOT)
    transport.abort()
    await _until_gone(receive)


async def send_part(reply: Reply, size: int, scope: Scope, receive: Receive, send: Send) -> None:
    """Send only the head of a response and its first bytes, then close the connection."""
    await send({"type": "http.response.start", "status": reply.status, "headers": reply.head()})
    await send({"type": "http.response.body", "body": reply.data[:size], "more_body": True})
    scope["state"]["transport"].close()
    await _until_gone(receive)


async def _until_gone(receive: Receive) -> None:
    """Wait until the server has noticed that the connection is closed, so that it reports nothing."""
    while (await receive())["type"] != "http.disconnect":
        pass


async def _wait(effects: Sequence[Effect], *, after: bool) -> None:
    latency = _one(effects, Latency)
    if latency is not None and latency.after == after:
        await asyncio.sleep(latency.seconds)


def _one(effects: Sequence[Effect], kind: type[E]) -> E | None:
    return next((effect for effect in effects if isinstance(effect, kind)), None)


def _refusal(status: Status) -> Reply:
    refused = status.refused()
    headers = () if status.retryAfter is None else ((b"retry-after", f"{status.retryAfter:g}".encode()),)
    return refusal_reply(refused, headers)


def _edit(effects: Sequence[Effect], call: Call, service: Service, *, after: bool) -> None:
    edit = _one(effects, Edit)
    if edit is None or edit.after != after:
        return
    name = edit.name or call.target.name
    if name and not name.startswith("projects/"):
        name = f"{call.target.app}/{name}"
    with service.store.writing():
        edit_as_somebody_else(service, name, edit)
