"""
Facts are judged over HTTP, on an emulator of this process that every test finds empty.

Emulators are kept for the session, one for each position of the switches.
"""

import json
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

import pytest
import urllib3

from cesplan.emulator import EmbeddedEmulator, Switches

LOCATION = "projects/acme/locations/us"
APP = f"{LOCATION}/apps/desk1"


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    status: int
    body: dict[str, Any]

    @property
    def code(self) -> str:
        """The google.rpc.Code name of an error, '' for a success."""
        return str(self.body.get("error", {}).get("status", ""))

    @property
    def fields(self) -> list[str]:
        """The fields that an error names."""
        details = self.body["error"].get("details", [])
        return [v["field"] for detail in details for v in detail["fieldViolations"]]


class Server:
    """Requests to one emulator; paths are resource names, the version v1beta unless said."""

    def __init__(self, emulator: EmbeddedEmulator) -> None:
        self.emulator = emulator
        self._pool = urllib3.PoolManager()

    def send(
        self,
        verb: str,
        path: str,
        body: Any = None,
        *,
        version: str = "v1beta",
        headers: Any = None,
        **query: Any,
    ) -> Answer:
        text = f"?{urlencode(query)}" if query else ""
        data = None if body is None else json.dumps(body)
        url = f"http://{self.emulator.address}/{version}/{path}{text}"
        answer = self._pool.request(verb, url, body=data, headers=headers)
        return Answer(status=answer.status, body=answer.json())

    def get(self, name: str, **more: Any) -> Answer:
        return self.send("GET", name, **more)

    def create(self, collection: str, body: Any, **more: Any) -> Answer:
        return self.send("POST", collection, body, **more)

    def update(self, name: str, body: Any, **more: Any) -> Answer:
        return self.send("PATCH", name, body, **more)

    def delete(self, name: str, **more: Any) -> Answer:
        return self.send("DELETE", name, **more)

    def app(self, **body: Any) -> dict[str, Any]:
        """Create the app `desk1` and return it."""
        made = self.create(f"{LOCATION}/apps", {"displayName": "Desk"} | body, appId="desk1")
        assert made.status == 200, made.body
        return dict(self.get(APP).body)

    def agent(self, key: str, **body: Any) -> dict[str, Any]:
        """Create an agent of `desk1` and return it."""
        made = self.create(f"{APP}/agents", {"displayName": key, "llmAgent": {}} | body, agentId=key)
        assert made.status == 200, made.body
        return made.body

    def tool(self, key: str) -> dict[str, Any]:
        """Create a python tool of `desk1` and return it."""
        code = f"def {key}(order: str):\n    return order\n"
        made = self.create(f"{APP}/tools", {"pythonFunction": {"pythonCode": code}}, toolId=key)
        assert made.status == 200, made.body
        return made.body

    def made(self, kind: str, body: Any, **more: Any) -> dict[str, Any]:
        """Create any resource of `desk1` and return it."""
        answer = self.create(f"{APP}/{kind}", body, **more)
        assert answer.status == 200, answer.body
        return answer.body


@pytest.fixture(scope="session")
def servers() -> Iterator[Callable[[Switches], Server]]:
    with ExitStack() as stack:
        known: dict[Switches, Server] = {}

        def server(switches: Switches) -> Server:
            if switches not in known:
                emulator = stack.enter_context(EmbeddedEmulator(switches=switches))
                known[switches] = Server(emulator)
            known[switches].emulator.reset()
            return known[switches]

        yield server


@pytest.fixture
def serving(servers: Callable[[Switches], Server]) -> Callable[..., Server]:
    """Return an empty server with these switches."""
    return lambda **switches: servers(Switches(**switches))


@pytest.fixture
def server(serving: Callable[..., Server]) -> Server:
    """Return an empty server as it is by default."""
    return serving()
