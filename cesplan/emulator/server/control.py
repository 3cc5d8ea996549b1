"""
The control routes, which the real service does not have:

    POST   /emulator/resources    {"resources": [...]}: put resources there past every rule
    GET    /emulator/requests     the requests so far, with counts;  DELETE forgets them
    POST   /emulator/faults       {"faults": [...]}: see `faults.specs`
    GET    /emulator/faults       each fault, whether and when it happened;  DELETE forgets all
    PUT    /emulator/evaluations  {"evaluations": [...]}: see `evaluating.script`;  DELETE forgets it
    PUT    /emulator/sessions     {"sessions": [...], "tools": [...]}: see `sessions.script`;  DELETE forgets it
    PUT    /emulator/judges       {"judges": [...]}: see `judging.script`;  DELETE forgets it
    PUT    /emulator/objects      ?uri=gs://…: put an object there;  GET returns it
    POST   /emulator/reset        be as at the start, with nothing stored
"""

from collections.abc import Awaitable, Callable

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from cesplan.emulator.errors import Refused
from cesplan.emulator.evaluating.script import Script
from cesplan.emulator.faults.registry import Faults
from cesplan.emulator.judging.script import JudgeScript
from cesplan.emulator.schema.bodies import parsed
from cesplan.emulator.seeding import seed
from cesplan.emulator.server.journal import Journal
from cesplan.emulator.service import Service
from cesplan.emulator.sessions.script import SessionScript
from cesplan.emulator.storage import objects

Handler = Callable[[Request], Awaitable[Response]]


class Control:
    """Handles requests to the emulator itself."""

    def __init__(self, service: Service, journal: Journal, faults: Faults, reset: Callable[[], None]) -> None:
        self._service = service
        self._journal = journal
        self._faults = faults
        self._reset_all = reset

    def routes(self) -> Starlette:
        """Return the application of the control routes."""
        found: list[tuple[str, Handler, list[str]]] = [
            ("resources", self._resources, ["POST"]),
            ("requests", self._requests, ["GET", "DELETE"]),
            ("faults", self._answer_faults, ["POST", "GET", "DELETE"]),
            ("evaluations", self._evaluations, ["PUT", "POST", "DELETE"]),
            ("sessions", self._sessions, ["PUT", "POST", "DELETE"]),
            ("judges", self._judges, ["PUT", "POST", "DELETE"]),
            ("objects", self._objects, ["PUT", "GET"]),
            ("reset", self._reset, ["POST"]),
        ]
        return Starlette(
            routes=[
                Route(f"/emulator/{name}", _refusing(handler), methods=verbs) for name, handler, verbs in found
            ]
        )

    async def _resources(self, request: Request) -> Response:
        asked = parsed(await request.body())
        names = seed(self._service, asked.get("resources") if isinstance(asked, dict) else None)
        return JSONResponse({"names": names})

    async def _requests(self, request: Request) -> Response:
        summary = self._journal.summary()
        if request.method == "DELETE":
            self._journal.clear()
        return JSONResponse(summary)

    async def _answer_faults(self, request: Request) -> Response:
        if request.method == "POST":
            ids = self._faults.add(parsed(await request.body()))
            return JSONResponse({"ids": ids})
        report = self._faults.report()
        if request.method == "DELETE":
            self._faults.clear()
        return JSONResponse({"faults": report})

    async def _evaluations(self, request: Request) -> Response:
        remove = request.method == "DELETE"
        self._service.runs.script = Script() if remove else Script.parse(parsed(await request.body()))
        return JSONResponse({"evaluations": len(self._service.runs.script.parts)})

    async def _sessions(self, request: Request) -> Response:
        remove = request.method == "DELETE"
        script = SessionScript() if remove else SessionScript.parse(parsed(await request.body()))
        self._service.play_sessions(script)
        return JSONResponse({"sessions": len(script.entries), "tools": len(script.tools)})

    async def _judges(self, request: Request) -> Response:
        remove = request.method == "DELETE"
        script = JudgeScript() if remove else JudgeScript.parse(parsed(await request.body()))
        self._service.judging.script = script
        return JSONResponse({"judges": len(script.parts)})

    async def _objects(self, request: Request) -> Response:
        uri = request.query_params.get("uri", "")
        if request.method == "GET":
            return Response(objects.read(self._service.store, uri), media_type="application/octet-stream")
        objects.write(self._service.store, uri, await request.body())
        return JSONResponse({"uri": uri})

    async def _reset(self, request: Request) -> Response:
        self._reset_all()
        return JSONResponse({})


def _refusing(handler: Handler) -> Handler:
    """Return a handler that returns errors in the form of the API."""

    async def answered(request: Request) -> Response:
        try:
            return await handler(request)
        except Refused as refused:
            return JSONResponse(refused.body(), refused.http_status)

    return answered
