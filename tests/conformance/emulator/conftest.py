"""
Google's own Python client over REST, against the emulator, or against any endpoint:

    CESPLAN_CONFORMANCE_ENDPOINT=ces.us.rep.googleapis.com \\
    CESPLAN_CONFORMANCE_PROJECT=my-project CESPLAN_CONFORMANCE_LOCATION=us \\
    pytest tests/conformance/emulator -n 0

Credentials are the application default ones; an endpoint that begins with http:// is called without.
Everything is made inside apps whose names begin with `conformance`, and these are deleted at the end.
"""

import os
import uuid
from collections.abc import Iterator
from dataclasses import dataclass, field
from importlib import import_module
from types import ModuleType
from typing import Any
from urllib.parse import urlsplit

import pytest
from google.auth.credentials import AnonymousCredentials

from cesplan.emulator import EmbeddedEmulator
from cesplan.emulator.errors import Refused
from cesplan.emulator.http.routing import route

ENDPOINT = os.environ.get("CESPLAN_CONFORMANCE_ENDPOINT", "")
PROJECT = os.environ.get("CESPLAN_CONFORMANCE_PROJECT", "acme")
PLACE = os.environ.get("CESPLAN_CONFORMANCE_LOCATION", "us")
LOCATION = f"projects/{PROJECT}/locations/{PLACE}"
# Creating an app of the real service can take minutes.
PATIENCE = 900 if ENDPOINT else 20
SERVICES = ("Agent", "Evaluation", "Session", "Tool", "Widget")


@dataclass(frozen=True, slots=True, kw_only=True)
class Google:
    """The client library of one API version, its clients, and the app to work in."""

    version: str
    ces: ModuleType
    agents: Any
    sessions: Any
    tools: Any
    widgets: Any
    app: str
    evaluations: Any = None
    emulator: EmbeddedEmulator | None = None
    called: list[str] = field(default_factory=list)

    @property
    def played(self) -> EmbeddedEmulator:
        """The emulator, for what only it can be told; a real endpoint has none."""
        if self.emulator is None:
            pytest.skip("the endpoint cannot be told what conversations there are, nor what is evaluated")
        return self.emulator


def fresh(word: str) -> str:
    """Return an id that nothing has."""
    return f"{word}-{uuid.uuid4().hex[:8]}"


@pytest.fixture(scope="session")
def running() -> Iterator[EmbeddedEmulator | None]:
    if ENDPOINT:
        yield None
        return
    with EmbeddedEmulator() as emulator:
        yield emulator


@pytest.fixture(scope="session")
def desk(running: EmbeddedEmulator | None) -> Iterator[str]:
    """The name of an app of this session, which is gone afterwards with all that is in it."""
    agents = client(running, "v1beta", "Agent", [])
    ces = import_module("google.cloud.ces_v1beta")
    app = ces.App(display_name=fresh("conformance"), model_settings={"model": "gemini-2.5-flash"})
    made = agents.create_app(parent=LOCATION, app=app, app_id=fresh("conformance")).result(timeout=PATIENCE)
    yield made.name
    agents.delete_app(name=made.name).result(timeout=PATIENCE)


@pytest.fixture(scope="session")
def libraries(running: EmbeddedEmulator | None, desk: str) -> dict[str, Google]:
    return {version: library(running, version, desk) for version in ("v1", "v1beta")}


@pytest.fixture(params=["v1", "v1beta"])
def google(request: pytest.FixtureRequest, libraries: dict[str, Google]) -> Google:
    """The library of each version in turn."""
    libraries[request.param].called.clear()
    return libraries[request.param]


@pytest.fixture
def beta(libraries: dict[str, Google]) -> Google:
    """The library of v1beta."""
    libraries["v1beta"].called.clear()
    return libraries["v1beta"]


def library(running: EmbeddedEmulator | None, version: str, app: str) -> Google:
    """Return the clients of a version, which note in `called` what they call."""
    called: list[str] = []
    names = SERVICES if version == "v1beta" else tuple(name for name in SERVICES if name != "Evaluation")
    clients = {f"{name.lower()}s": client(running, version, name, called) for name in names}
    ces = import_module(f"google.cloud.ces_{version}")
    return Google(version=version, ces=ces, app=app, emulator=running, called=called, **clients)


def client(running: EmbeddedEmulator | None, version: str, service: str, called: list[str]) -> Any:
    """Return a REST client of a service."""
    client_class = getattr(import_module(f"google.cloud.ces_{version}"), f"{service}ServiceClient")
    transport_class = client_class.get_transport_class("rest")
    address = running.address if running else ENDPOINT.removeprefix("https://").removeprefix("http://")
    if running is None and not ENDPOINT.startswith("http://"):
        transport = transport_class(host=address)
    else:
        transport = transport_class(host=address, url_scheme="http", credentials=AnonymousCredentials())

    def note(response: Any, *_: Any, **__: Any) -> None:
        try:
            called.append(route(response.request.method, urlsplit(response.request.path_url).path)[0].name)
        except Refused:
            called.append("")

    transport._session.hooks["response"].append(note)
    return client_class(transport=transport)
