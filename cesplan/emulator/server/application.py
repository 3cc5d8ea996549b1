"""
The ASGI application: the API under `/v1` and `/v1beta`, its tools under `/mcp`, control routes under
`/emulator` (see `control`).

The author of a write is taken from the header `x-emulator-author`.
"""

from functools import partial
from urllib.parse import parse_qsl

from starlette.types import Message, Receive, Scope, Send

from cesplan.emulator.errors import Refused
from cesplan.emulator.evaluating.script import Script
from cesplan.emulator.faults.failures import as_refusals
from cesplan.emulator.faults.injecting import Bent, bend, can_happen, reset_connection, send_part
from cesplan.emulator.faults.registry import Faults
from cesplan.emulator.faults.specs import Late
from cesplan.emulator.http.calls import Call
from cesplan.emulator.http.partial import selected
from cesplan.emulator.http.replies import Reply, html_reply, json_reply, refusal_reply
from cesplan.emulator.http.routing import route
from cesplan.emulator.judging.evaluate_instances import route as judging_route
from cesplan.emulator.judging.script import JudgeScript
from cesplan.emulator.schema.bodies import parsed
from cesplan.emulator.server.control import Control
from cesplan.emulator.server.guard import check_caller
from cesplan.emulator.server.journal import Entry, Journal
from cesplan.emulator.server.mcp import Mcp
from cesplan.emulator.service import Service
from cesplan.emulator.sessions.script import SessionScript
from cesplan.emulator.storage.store import Store
from cesplan.emulator.switches import Switches

_MIB = 2**20
# The journal's status for a request whose connection broke before the response.
NO_ANSWER = 0


class Application:
    """One emulator: a store, its rules, its journal, its faults."""

    def __init__(
        self,
        store: Store,
        switches: Switches,
        faults: Faults | None = None,
        script: Script | None = None,
        sessions: SessionScript | None = None,
        judges: JudgeScript | None = None,
    ) -> None:
        self._switches = switches
        self._first_script = script or Script()
        self._first_sessions = sessions or SessionScript()
        self._first_judges = judges or JudgeScript()
        self.service = Service(store, switches)
        self._play_from_the_start()
        self.journal = Journal()
        self.faults = faults or Faults()
        self._mcp = Mcp(self.service)
        self._control = Control(self.service, self.journal, self.faults, self.reset).routes()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            check_caller(scope, self._switches.allowed_hosts)
            raw = await _read(scope, receive, self._switches.largest_body * _MIB)
        except Refused as refused:
            await self._turn_away(refused, scope, send)
            return
        if raw is None:
            return  # the caller closed the connection in the middle of a request
        if scope["path"].startswith("/emulator/"):
            await self._control(scope, _again(raw, receive), send)
        elif self.faults.any:
            await self._answer_bent(scope, raw, receive, send)
        else:
            await _send(send, self.respond(scope, raw))

    def respond(self, scope: Scope, raw: bytes) -> Reply:
        """Return the response to one request, and record it in the journal."""
        call: Call | None = None
        try:
            if scope["path"] == "/mcp":
                return self._tool(scope, raw)
            call = self._call(scope, raw)
            reply = self._answered(call)
        except Refused as refused:
            reply = self._refusal(refused, scope, raw)
        self._note(scope, call, reply.status, raw)
        return reply

    def reset(self) -> None:
        """Return to the initial state, with an empty store."""
        self.service.store.reset()
        self.service.core.checker.learned.clear()
        self.service.sessions.forget()
        self._play_from_the_start()
        self.faults.rearm()
        self.journal.clear()

    def _play_from_the_start(self) -> None:
        self.service.runs.script = self._first_script
        self.service.play_sessions(self._first_sessions)
        self.service.judging.script = self._first_judges.again()

    async def _turn_away(self, refused: Refused, scope: Scope, send: Send) -> None:
        """Respond without reading the body. The connection cannot be used afterwards."""
        if not scope["path"].startswith("/emulator/"):
            self._note(scope, None, refused.http_status, b"")
        await _send(send, refusal_reply(refused, ((b"connection", b"close"),)))

    async def _answer_bent(self, scope: Scope, raw: bytes, receive: Receive, send: Send) -> None:
        """Answer a request that faults may affect."""
        try:
            call = self._call(scope, raw)
        except Refused:
            await _send(send, self.respond(scope, raw))
            return
        possible = partial(can_happen, call)
        effects = self.faults.consume(call.rpc.name, _names(call), self.journal.count + 1, possible)
        try:
            bent = await bend(call, effects, self.service, self._answered)
        except Refused as refused:
            wrong = Refused("INTERNAL", f"The scripted fault cannot be applied: {refused.message}")
            bent = Bent(reply=refusal_reply(wrong))
        self._note(scope, call, bent.reply.status if bent.reply else NO_ANSWER, raw)
        if bent.reply is None:
            await reset_connection(scope, receive)
        elif bent.keep_bytes is not None:
            await send_part(bent.reply, bent.keep_bytes, scope, receive, send)
        else:
            await _send(send, bent.reply)

    def _call(self, scope: Scope, raw: bytes) -> Call:
        """Return the call of a request. Raise Refused for an unknown route and for invalid JSON."""
        verb, path = scope["method"], scope["path"]
        rpc, target = judging_route(verb, path) or route(verb, path)
        if raw and rpc.verb in ("GET", "DELETE"):
            raise Refused("INVALID_ARGUMENT", f"{rpc.name} takes no body.")
        text = scope["query_string"].decode()
        pairs = tuple(parse_qsl(text, keep_blank_values=True)) if text else ()
        query = dict(pairs)
        return Call(
            rpc=rpc, target=target, author=self._author(scope), query=query, pairs=pairs, body=parsed(raw)
        )

    def _answered(self, call: Call, late: Late | None = None) -> Reply:
        """Return the response to a call, including errors and failures of the emulator."""
        try:
            with as_refusals(call.rpc.name, call.target.name or call.target.parent):
                if late is not None and call.rpc.operation:
                    error = late.refused()
                    text = self.service.answer_failing(call, error, late.polls, effect=late.effect)
                else:
                    text = self.service.answer(call)
                if "fields" in call.query or "$fields" in call.query:
                    text = selected(call, text)
            return json_reply(200, text)
        except Refused as refused:
            return refusal_reply(refused)

    def _refusal(self, refused: Refused, scope: Scope, raw: bytes) -> Reply:
        """Return the response to a request that never reached a method."""
        front_end = refused.code == "NOT_FOUND" or (raw and scope["method"] == "GET")
        if front_end and self._switches.front_end_errors == "html":
            return html_reply(refused.http_status, refused.code, refused.message)
        return refusal_reply(refused)

    def _tool(self, scope: Scope, raw: bytes) -> Reply:
        accept = _header(scope, b"accept")
        reply, called = self._mcp.answer(scope["method"], accept, raw, self._author(scope))
        self.journal.add(_entry(scope, called, reply.status, b""))
        return reply

    def _note(self, scope: Scope, call: Call | None, status: int, raw: bytes) -> None:
        self.journal.add(_entry(scope, call.rpc.name if call else "", status, raw if call else b""))

    def _author(self, scope: Scope) -> str:
        return _header(scope, b"x-emulator-author") or self._switches.author


def _entry(scope: Scope, rpc: str, status: int, raw: bytes) -> Entry:
    return Entry(
        method=scope["method"],
        path=scope["path"],
        query=scope["query_string"].decode(),
        rpc=rpc,
        status=status,
        raw=raw,
    )


def _names(call: Call) -> tuple[str, ...]:
    """Return the names by which a fault can match the target of a call."""
    if call.target.name:
        return (call.target.name,)
    collection = f"{call.target.parent}/{call.target.kind}"
    ids = [value for key, value in call.query.items() if key.endswith("Id")]
    return (collection, *(f"{collection}/{value}" for value in ids))


def _header(scope: Scope, header: bytes) -> str:
    for name, value in scope["headers"]:
        if name == header:
            return str(value.decode(errors="replace"))
    return ""


async def _send(send: Send, reply: Reply) -> None:
    await send({"type": "http.response.start", "status": reply.status, "headers": reply.head()})
    await send({"type": "http.response.body", "body": reply.data})


async def _read(scope: Scope, receive: Receive, limit: int) -> bytes | None:
    """
    Return the whole body, or None if the connection ends before it does.

    Raise Refused for a body of more than `limit` bytes, and for an encoded one, because bodies are not
    decompressed.
    """
    announced = _header(scope, b"content-length")
    if scope["method"] == "GET" and announced in ("", "0") and not _header(scope, b"transfer-encoding"):
        return b""
    if _header(scope, b"content-encoding") not in ("", "identity"):
        raise Refused("INVALID_ARGUMENT", "The emulator does not accept a body with a Content-Encoding.")
    if announced.isdecimal() and int(announced) > limit:
        raise _too_large(limit)
    parts, size = [], 0
    more = True
    while more:
        message = await receive()
        if message["type"] == "http.disconnect":
            return None
        parts.append(message.get("body", b""))
        size += len(parts[-1])
        if size > limit:
            raise _too_large(limit)
        more = message.get("more_body", False)
    return b"".join(parts)


def _too_large(limit: int) -> Refused:
    return Refused("INVALID_ARGUMENT", f"The request has more than {limit} bytes (switch largest_body).")


def _again(raw: bytes, receive: Receive) -> Receive:
    """Return a receiver that first returns a body that was already read, and then the connection's messages."""
    messages = [{"type": "http.request", "body": raw, "more_body": False}]

    async def given() -> Message:
        return messages.pop() if messages else await receive()

    return given
