"""
The ASGI application: the API under `/v1` and `/v1beta`, control routes under `/emulator`.

Control routes, which the real service does not have:

    POST   /emulator/resources   {"resources": [...]}: put resources there past every rule
    GET    /emulator/requests    the requests so far, with counts
    DELETE /emulator/requests    forget them
    POST   /emulator/reset       forget every resource, operation and request

The author of a write is taken from the header `x-emulator-author`.
"""

import json
import logging
from typing import Any
from urllib.parse import parse_qsl

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from cesplan.emulator.answers import encode
from cesplan.emulator.calls import Call
from cesplan.emulator.contract import Rpc
from cesplan.emulator.errors import Refused
from cesplan.emulator.journal import Entry, Journal
from cesplan.emulator.partial import selected
from cesplan.emulator.routing import route
from cesplan.emulator.seeding import seed
from cesplan.emulator.service import Service
from cesplan.emulator.store import Store
from cesplan.emulator.switches import Switches

_LOG = logging.getLogger(__name__)
_JSON = (b"content-type", b"application/json; charset=UTF-8")


class Application:
    """One emulator: a store, its rules, its journal."""

    def __init__(self, store: Store, switches: Switches) -> None:
        self._switches = switches
        self.service = Service(store, switches)
        self.journal = Journal()
        self._control = Starlette(
            routes=[
                Route("/emulator/resources", self._seed, methods=["POST"]),
                Route("/emulator/requests", self._requests, methods=["GET", "DELETE"]),
                Route("/emulator/reset", self._reset, methods=["POST"]),
            ]
        )

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["path"].startswith("/emulator/"):
            await self._control(scope, receive, send)
            return
        raw = b"" if scope["method"] == "GET" else await _read(receive)
        status, text = self.respond(scope, raw)
        data = text.encode()
        length = (b"content-length", str(len(data)).encode())
        await send({"type": "http.response.start", "status": status, "headers": [_JSON, length]})
        await send({"type": "http.response.body", "body": data})

    def respond(self, scope: Scope, raw: bytes) -> tuple[int, str]:
        """Return status and JSON text for one request to the API, and write it down."""
        rpc: Rpc | None = None
        body: Any = None
        try:
            rpc, target = route(scope["method"], scope["path"])
            query = dict(parse_qsl(scope["query_string"].decode(), keep_blank_values=True))
            body = _parsed(raw)
            call = Call(rpc=rpc, target=target, author=self._author(scope), query=query, body=body)
            status, text = 200, self.service.answer(call)
            if "fields" in query or "$fields" in query:
                text = selected(self.service.contract, call, text)
        except Refused as refused:
            status, text = refused.http_status, encode(refused.body())
        except Exception:
            _LOG.exception("%s %s", scope["method"], scope["path"])
            fault = Refused("INTERNAL", "The emulator failed; its log has the trace.")
            status, text = fault.http_status, encode(fault.body())
        self.journal.add(
            Entry(
                method=scope["method"],
                path=scope["path"],
                query=scope["query_string"].decode(),
                rpc=rpc.name if rpc else "",
                status=status,
                body=body,
            )
        )
        return status, text

    def reset(self) -> None:
        """Forget every resource, operation, learned field and request."""
        self.service.store.reset()
        self.service.checker.learned.clear()
        self.journal.clear()

    def _author(self, scope: Scope) -> str:
        for name, value in scope["headers"]:
            if name == b"x-emulator-author":
                return str(value.decode())
        return self._switches.author

    async def _seed(self, request: Request) -> JSONResponse:
        try:
            asked = _parsed(await request.body())
            names = seed(self.service, asked.get("resources") if isinstance(asked, dict) else None)
        except Refused as refused:
            return JSONResponse(refused.body(), refused.http_status)
        return JSONResponse({"names": names})

    async def _requests(self, request: Request) -> JSONResponse:
        summary = self.journal.summary()
        if request.method == "DELETE":
            self.journal.clear()
        return JSONResponse(summary)

    async def _reset(self, request: Request) -> JSONResponse:
        self.reset()
        return JSONResponse({})


async def _read(receive: Receive) -> bytes:
    parts = []
    more = True
    while more:
        message = await receive()
        parts.append(message.get("body", b""))
        more = message.get("more_body", False)
    return b"".join(parts)


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is not JSON")


def _parsed(raw: bytes) -> Any:
    if not raw.strip():
        return None
    try:
        return json.loads(raw, parse_constant=_no_constant)
    except ValueError as error:
        raise Refused("INVALID_ARGUMENT", f"The body is not JSON: {error}.") from error
