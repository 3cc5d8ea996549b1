"""The table of fidelity is about the routes that there are, and tells the truth about them."""

import json

import pytest

from cesplan.emulator.contract import VERSIONS, load
from cesplan.emulator.fidelity import FIDELITY, table
from cesplan.emulator.server.application import Application
from cesplan.emulator.storage.store import Store
from cesplan.emulator.switches import Switches

ROUTES = [(version, rpc) for version in VERSIONS for rpc in load().rpcs[version]]


@pytest.fixture(scope="module")
def application():
    store = Store()
    yield Application(store, Switches())
    store.close()


def test_each_method_has_one_row():
    """Rows and methods of the contract are the same."""
    assert set(FIDELITY) == {rpc.name for _, rpc in ROUTES}


@pytest.mark.parametrize(("version", "rpc"), ROUTES, ids=lambda value: getattr(value, "name", value))
def test_what_is_said_to_be_served_is(application, version, rpc):
    """
    UNIMPLEMENTED with its note is the answer of those that are not served, and of no other.

    Those that are refuse a query parameter that they do not have before anything is looked up.
    """

    def error(query):
        path = f"/{version}/{rpc.path.replace('*', 'some1')}"
        scope = {"method": rpc.verb, "path": path, "query_string": query, "headers": []}
        body = b"{}" if rpc.verb in ("POST", "PATCH") else b""
        return json.loads(application.respond(scope, body).data).get("error", {})

    row, found = FIDELITY[rpc.name], error(b"")
    if row.level == "not served":
        assert found["status"] == "UNIMPLEMENTED"
        assert row.note in found["message"]
        return
    assert found.get("status") not in ("UNIMPLEMENTED", "INTERNAL")
    refused = error(b"colour=red")
    assert refused["status"] == "INVALID_ARGUMENT"
    assert refused["message"].startswith("colour: ")


def test_claims_have_sources_and_gaps_have_notes():
    """A faithful row has no [?]; one that is not says what is missing."""
    for name, row in FIDELITY.items():
        assert row.source, name
        assert row.level != "faithful" or "?" not in row.source, name
        assert row.level == "faithful" or row.note, name


def test_the_table_has_a_line_for_each_method():
    """The table of the documentation is made from the rows, with every route of the contract."""
    lines = table().splitlines()
    assert len(lines) == len(FIDELITY) + 2
    told = {
        (version, *cells[1].strip("`").split(" "))
        for cells in (line.strip("| ").split(" | ") for line in lines[2:])
        for version in cells[2].split(", ")
    }
    assert told == {(version, rpc.verb, rpc.path) for version, rpc in ROUTES}
    route = "`POST projects/*/locations/*/apps/*:runEvaluation`"
    assert f"| `RunEvaluation` | {route} | v1beta | in part | D | verdicts come from a script" in table()
