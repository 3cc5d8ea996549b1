"""From settings to a client: the emulator without credentials, the service with them."""

import subprocess
import sys
from dataclasses import replace

import pytest

from cesplan.domain import errors
from cesplan.domain.field_path import mask_path
from cesplan.domain.service.quota import Quota, Quotas
from cesplan.model.kinds import kind_of
from cesplan.remote.calls import get
from cesplan.remote.connecting import Shared, connect
from cesplan.remote.transport import ForbiddenMethod

LOCATION = "projects/acme-dev/locations/us"
AGENTS = kind_of("agents")


def test_the_emulator_needs_no_credentials(settings, odd_server):
    """Plain HTTP, and no Authorization even where the machine has credentials."""
    server = odd_server((200, {}))
    with connect(settings, emulator=server.address) as client:
        client.list_apps(settings.place)
    [(_, target, headers, _)] = server.requests
    assert target == f"/v1beta/{LOCATION}/apps?pageSize=1000&orderBy=name"
    assert "authorization" not in {name.lower() for name in headers}


def test_the_version_of_the_api_is_the_settings(settings, odd_server):
    """v1 and v1beta differ by their first path segment."""
    server = odd_server((200, {}))
    with connect(replace(settings, api_version="v1"), emulator=server.address) as client:
        client.list_apps(settings.place)
    assert server.requests[0][1].startswith("/v1/projects/")


@pytest.mark.parametrize("attempt", ["create", "update", "delete"])
def test_a_client_reads_only_unless_it_is_asked_to_write(settings, odd_server, attempt):
    """The default cannot write: nothing reaches the server."""
    server = odd_server((200, {}))
    with connect(settings, emulator=server.address) as client:
        tries = {
            "create": lambda: client.create(AGENTS, LOCATION, "x", {}, print),
            "update": lambda: client.update(AGENTS, "n", {}, (mask_path("displayName"),)),
            "delete": lambda: client.delete(AGENTS, "n", "", False, print),
        }
        with pytest.raises(ForbiddenMethod):
            tries[attempt]()
        assert client.requests == 0
    assert server.requests == []


def test_an_emulator_that_is_not_there(settings, free_address):
    """One try, and the commands that help."""
    with connect(settings, emulator=free_address) as client, pytest.raises(errors.Unavailable) as caught:
        client.list_apps(settings.place)
    assert client.requests == 1
    assert f"No emulator is running at {free_address}" in caught.value.detail
    assert "cesplan emulator serve" in caught.value.detail


def test_the_emulator_has_no_quotas_and_the_service_those_of_the_settings(settings, odd_server):
    """Reads and writes have a bucket each, which all clients of a run share."""
    own = replace(settings, reads_per_minute=1200, writes_per_minute=60)
    shared = Shared()
    assert shared.throttles("https://x", own.quotas) is shared.throttles("https://x", own.quotas)
    assert own.quotas == Quotas(reads=Quota(1200), writes=Quota(60))
    assert replace(own, emulated=True).quotas == Quotas()
    server = odd_server((200, {}))
    with connect(own, emulator=server.address, shared=shared) as free:
        read = get(AGENTS, f"{LOCATION}/apps/a/agents/b")
        assert free._calling._throttles.of(read)._interval == 0


def test_the_log_hears_of_every_request(settings, odd_server):
    """`--debug` hangs here."""
    told = []
    with connect(settings, emulator=odd_server((200, {})).address, log=told.append) as client:
        client.list_apps(settings.place)
    assert [exchange.number for exchange in told] == [1]


def test_without_credentials_it_says_what_to_do(settings, monkeypatch, tmp_path):
    """Exit code 6, and three ways out."""
    monkeypatch.setenv("GOOGLE_APPLICATION_CREDENTIALS", str(tmp_path / "missing.json"))
    with pytest.raises(errors.NotAuthenticated) as caught:
        connect(settings)
    assert caught.value.exit_code == 6
    for way in ("gcloud auth application-default login", "GOOGLE_APPLICATION_CREDENTIALS", "--emulator"):
        assert way in caught.value.detail


def test_a_bad_endpoint_comes_before_credentials(settings, monkeypatch, tmp_path):
    """A mistake in the settings is reported as such, logged in or not."""
    monkeypatch.setenv("GOOGLE_APPLICATION_CREDENTIALS", str(tmp_path / "missing.json"))
    with pytest.raises(errors.UsageError):
        connect(replace(settings, endpoint="http://ces.example"))


def test_google_auth_is_not_imported_for_the_emulator():
    """It costs more time than the rest together."""
    script = (
        "import sys\n"
        "from cesplan.domain.resource_name import Place\n"
        "from cesplan.domain.settings import Settings\n"
        "from cesplan.remote.connecting import connect\n"
        "connect(Settings(place=Place(project='p', location='us')), emulator='127.0.0.1:1').close()\n"
        "print([name for name in sys.modules if name.startswith(('google.auth', 'requests', 'pydantic'))])\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


@pytest.fixture
def free_address():
    """An address on which nobody listens: taken, and never listened on."""
    import socket

    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        yield f"127.0.0.1:{taken.getsockname()[1]}"
