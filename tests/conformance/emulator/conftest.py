"""Google's own Python client, over plain HTTP, against an emulator that every test finds empty."""

from collections.abc import Iterator
from dataclasses import dataclass
from importlib import import_module
from types import ModuleType
from typing import Any

import pytest
from google.auth.credentials import AnonymousCredentials

from cesplan.emulator import EmbeddedEmulator


@dataclass(frozen=True, slots=True, kw_only=True)
class Google:
    """The client library of one API version and its clients."""

    version: str
    ces: ModuleType
    agents: Any
    evaluations: Any = None


@pytest.fixture(scope="session")
def running() -> Iterator[EmbeddedEmulator]:
    with EmbeddedEmulator() as emulator:
        yield emulator


@pytest.fixture
def emulator(running: EmbeddedEmulator) -> EmbeddedEmulator:
    running.reset()
    return running


def client(address: str, version: str, service: str) -> Any:
    """Return a REST client of a service that talks to the address."""
    ces = import_module(f"google.cloud.ces_{version}")
    client_class = getattr(ces, f"{service}ServiceClient")
    transport = client_class.get_transport_class("rest")
    credentials = AnonymousCredentials()
    return client_class(transport=transport(host=address, url_scheme="http", credentials=credentials))


@pytest.fixture(scope="session")
def clients(running: EmbeddedEmulator) -> dict[str, Google]:
    return {
        "v1": Google(
            version="v1",
            ces=import_module("google.cloud.ces_v1"),
            agents=client(running.address, "v1", "Agent"),
        ),
        "v1beta": Google(
            version="v1beta",
            ces=import_module("google.cloud.ces_v1beta"),
            agents=client(running.address, "v1beta", "Agent"),
            evaluations=client(running.address, "v1beta", "Evaluation"),
        ),
    }


@pytest.fixture(params=["v1", "v1beta"])
def google(request: pytest.FixtureRequest, clients: dict[str, Google], emulator: EmbeddedEmulator) -> Google:
    """The library of each version in turn, on an empty emulator."""
    return clients[request.param]


@pytest.fixture
def beta(clients: dict[str, Google], emulator: EmbeddedEmulator) -> Google:
    """The library of v1beta, on an empty emulator."""
    return clients["v1beta"]
