"""The client against the emulator, over HTTP; and against a server that misbehaves."""

import inspect
import threading

import pytest

from cesplan.domain import errors
from cesplan.domain.field_path import mask_path
from cesplan.emulator import EmbeddedEmulator, Switches
from cesplan.engine.applying.ports import Service
from cesplan.model.kinds import app_kinds, kind_of
from cesplan.remote.client import Client
from cesplan.remote.connecting import connect

LOCATION = "projects/acme-dev/locations/us"
APP = f"{LOCATION}/apps/support-desk"
APPS, AGENTS, VERSIONS = kind_of("apps"), kind_of("agents"), kind_of("versions")


def _quietly(_seconds):
    """Nobody watches."""


@pytest.fixture
def app(writer):
    """An app on the emulator."""
    return writer.create(APPS, LOCATION, "support-desk", {"displayName": "Support"}, _quietly)


def test_the_client_has_the_port_of_the_engine():
    """Same methods, same parameters in the same order; neither side imports the other."""
    for name in ("get", "create", "update", "delete"):
        asked = list(inspect.signature(getattr(Service, name)).parameters)
        assert list(inspect.signature(getattr(Client, name)).parameters) == asked


def test_the_life_of_a_resource(writer, app):
    """Create, read, update by mask, delete by etag: each answer is the resource as the server has it."""
    made = writer.create(
        AGENTS, app["name"], "front-desk", {"displayName": "Front", "description": "d"}, _quietly
    )
    assert made["name"] == f"{APP}/agents/front-desk"
    body = {"displayName": "Reception", "etag": made["etag"]}
    changed = writer.update(AGENTS, made["name"], body, (mask_path("displayName"), mask_path("description")))
    assert changed["displayName"] == "Reception"
    assert "description" not in changed
    assert changed["etag"] != made["etag"]
    assert writer.get(AGENTS, made["name"]) == changed
    writer.delete(AGENTS, made["name"], changed["etag"], False, _quietly)
    with pytest.raises(errors.NotFound):
        writer.get(AGENTS, made["name"])


def test_errors_of_the_service_arrive_as_ours(writer, app):
    """Taken id, stale etag, unknown field, missing reference target."""
    made = writer.create(AGENTS, app["name"], "front-desk", {"displayName": "Front"}, _quietly)
    with pytest.raises(errors.AlreadyExists):
        writer.create(AGENTS, app["name"], "front-desk", {"displayName": "Other"}, _quietly)
    stale = {"displayName": "x", "etag": "c3RhbGU="}
    with pytest.raises(errors.Conflict):
        writer.update(AGENTS, made["name"], stale, (mask_path("displayName"),))
    with pytest.raises(errors.Conflict):
        writer.delete(AGENTS, made["name"], "c3RhbGU=", False, _quietly)
    with pytest.raises(errors.InvalidRequest):
        writer.update(AGENTS, made["name"], {}, (mask_path("noSuchField"),))


def test_force_deletes_what_is_referred_to(writer, app):
    """Without it the service refuses, with it the reference goes too."""
    made = writer.create(AGENTS, app["name"], "front-desk", {"displayName": "Front"}, _quietly)
    writer.update(APPS, app["name"], {"rootAgent": made["name"]}, (mask_path("rootAgent"),))
    with pytest.raises(errors.FailedPrecondition):
        writer.delete(AGENTS, made["name"], "", False, _quietly)
    writer.delete(AGENTS, made["name"], "", True, _quietly)
    assert "rootAgent" not in writer.get(APPS, app["name"])


def test_operations_are_awaited(settings):
    """The create of an app is a long-running operation: what comes back is the app."""
    with (
        EmbeddedEmulator(switches=Switches(operation_polls=1)) as emulator,
        connect(settings, emulator=emulator.address, read_only=False) as client,
    ):
        told = []
        app = client.create(APPS, LOCATION, "support-desk", {"displayName": "S"}, told.append)
        assert (app["name"], app["displayName"], "@type" in app) == (APP, "S", False)
        assert len(told) == 1
        assert [entry.method for entry in emulator.journal.entries] == ["POST", "GET"]


def test_a_plan_costs_a_request_a_kind(writer, app, emulator):
    """Lists only: one for the apps and one for each kind, however many resources there are."""
    for number in range(5):
        writer.create(AGENTS, app["name"], f"agent-{number}", {"displayName": f"A{number}"}, _quietly)
    emulator.journal.clear()
    before = writer.requests
    kinds = app_kinds("v1beta")
    [found] = writer.list_apps(_place(writer))
    children = writer.list_children(found.name, kinds)
    assert list(children) == [kind.name for kind in kinds]
    assert [agent.id for agent in children[AGENTS.name]] == [f"agent-{number}" for number in range(5)]
    assert writer.requests - before == len(emulator.journal.entries) == 1 + len(kinds)
    assert {entry.method for entry in emulator.journal.entries} == {"GET"}


def _place(_client):
    from cesplan.domain.resource_name import Place

    return Place(project="acme-dev", location="us")


def test_small_pages_change_nothing_but_the_count(settings):
    """The server may give fewer than asked for: the result is the same, and each page is one request."""
    with EmbeddedEmulator(switches=Switches(page_size_cap=2)) as emulator:
        emulator.seed(
            {"name": APP, "displayName": "S"},
            *({"name": f"{APP}/agents/agent-{number}", "displayName": f"A{number}"} for number in range(5)),
        )
        with connect(settings, emulator=emulator.address) as client:
            children = client.list_children(APP, [AGENTS])
            assert [agent.id for agent in children[AGENTS.name]] == [f"agent-{number}" for number in range(5)]
            assert client.requests == 3
            kept = client.list_children(APP, [AGENTS], lambda kind, body: {"name": body["name"], "kind": kind})
            assert [agent.body["kind"] for agent in kept[AGENTS.name]] == [AGENTS.name] * 5
            assert all(len(agent.body) == 2 for agent in kept[AGENTS.name])


def test_snapshots_stay_out_of_lists(writer, app):
    """A version is listed without its snapshot, and read with it."""
    writer.create(VERSIONS, app["name"], "version-1", {"displayName": "one"}, _quietly)
    [listed] = writer.list_children(app["name"], [VERSIONS])[VERSIONS.name]
    assert "snapshot" not in listed.body
    assert listed.body["displayName"] == "one"
    assert "snapshot" in writer.get(VERSIONS, listed.name)


def test_an_app_that_is_not_there_has_no_children(writer):
    """Every kind asked for is there, and empty."""
    found = writer.list_children(f"{LOCATION}/apps/nowhere", app_kinds("v1"))
    assert found == {kind.name: () for kind in app_kinds("v1")}


def test_no_kinds_no_requests(writer):
    """Nothing is asked when nothing is wanted."""
    assert writer.list_children(APP, []) == {}
    assert writer.requests == 0


def test_security_settings_of_a_location(writer):
    """The one resource a location has once: read and updated, never created."""
    row = kind_of("securitySettings")
    found = writer.get_singleton(_place(writer), row)
    assert found.name == f"{LOCATION}/securitySettings"
    body = {"endpointControlPolicy": {"enforcementScope": "ALWAYS"}}
    changed = writer.update(row, found.name, body, (mask_path("endpointControlPolicy"),))
    assert changed["endpointControlPolicy"]["enforcementScope"] == "ALWAYS"


def test_a_404_for_one_kind_of_an_app_that_is_there_is_an_error(odd_server, dialled):
    """A collection that cannot be read is not an empty one."""
    missing = (404, {"error": {"code": 404, "status": "NOT_FOUND", "message": "Method not found."}})
    client = dialled(odd_server(missing, (200, {"name": APP})))
    with pytest.raises(errors.NotFound, match="Method not found"):
        client.list_children(APP, [AGENTS])


def test_the_error_of_the_first_kind_is_raised(odd_server, dialled):
    """Whichever thread is faster: errors do not depend on timing."""
    server = odd_server((403, {"error": {"code": 403, "status": "PERMISSION_DENIED", "message": "No."}}))
    for _ in range(5):
        with pytest.raises(errors.PermissionDenied) as caught:
            dialled(server).list_children(APP, app_kinds("v1beta"))
        assert "ces.tools.list" in caught.value.detail


def test_a_storm_of_429_is_survived(odd_server, dialled, hourglass):
    """Many are refused at first; together they slow down, and each kind gets its answer."""
    # Six: even if all of them hit the same kind, its seventh try is the last and gets through.
    storm = [(429, {"error": {"code": 429, "status": "RESOURCE_EXHAUSTED", "message": "Slow."}})] * 6
    server = odd_server(*storm, (200, {}))
    found = dialled(server).list_children(APP, app_kinds("v1beta"))
    assert set(found.values()) == {()}
    assert len(server.requests) == 6 + len(app_kinds("v1beta"))
    assert hourglass.slept


def test_the_change_log_is_read_newest_first(writer, app):
    """Who did what, when; without the resources that entries repeat whole."""
    for number in range(3):
        writer.create(AGENTS, app["name"], f"agent-{number}", {"displayName": f"A{number}"}, _quietly)
    before = writer.requests
    found = writer.list_changes(app["name"], condition="resource_type:agent", at_most=2)
    assert writer.requests - before == 1
    assert [entry["resource"].rpartition("/")[2] for entry in found] == ["agent-2", "agent-1"]
    assert found[0]["author"] == "emulator@localhost"
    assert int(found[0]["sequenceNumber"]) > int(found[1]["sequenceNumber"])
    assert "newResource" not in found[0]


@pytest.mark.parametrize("fault", ["drop", "reset", "truncate", (502, b"<html>"), (200, b"{")])
def test_reads_survive_a_bad_moment(odd_server, dialled, fault):
    """Over a real connection that breaks in the middle."""
    client = dialled(odd_server(fault, (200, {"name": "n"})))
    assert client.get(AGENTS, "n") == {"name": "n"}
    assert client.requests == 2


@pytest.mark.parametrize("fault", ["drop", "reset", "truncate", (502, b"<html>"), (200, b"{")])
def test_writes_are_sent_once_and_lost(odd_server, dialled, fault):
    """The same faults, and a create is never sent twice."""
    server = odd_server(fault, (200, {}))
    with pytest.raises(errors.LostResponse):
        dialled(server).create(AGENTS, APP, "front-desk", {}, _quietly)
    assert len(server.requests) == 1


def test_a_write_that_times_out_is_lost(odd_server, dialled):
    """Silence is not a no."""
    server = odd_server("stall")
    with pytest.raises(errors.LostResponse, match="timed out"):
        dialled(server, read_seconds=0.1).delete(AGENTS, f"{APP}/agents/a", "", False, _quietly)
    assert len(server.requests) == 1


def test_many_threads_share_a_client(writer, app):
    """Concurrent creates all arrive, and each is counted."""
    before = writer.requests
    made = []

    def create(number):
        made.append(
            writer.create(AGENTS, app["name"], f"agent-{number:02}", {"displayName": f"{number}"}, _quietly)
        )

    threads = [threading.Thread(target=create, args=(number,)) for number in range(24)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len({body["name"] for body in made}) == 24
    assert writer.requests - before == 24
