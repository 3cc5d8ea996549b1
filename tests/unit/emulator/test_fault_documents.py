"""Documents of faults: mistakes are reported with their place, files give the faults of the start."""

import pytest

from cesplan.emulator import EmbeddedEmulator, Faults
from tests.unit.emulator.wire import Wire


@pytest.fixture
def wire():
    with EmbeddedEmulator() as emulator:
        yield Wire(emulator)


@pytest.mark.parametrize(
    ("fault", "place"),
    [
        ({}, "faults[0]"),
        ({"status": {}}, "faults[0].status.code"),
        ({"status": {"code": "TEAPOT"}}, "faults[0].status.code"),
        ({"status": {"code": "ABORTED"}, "reset": {"after": True}}, "faults[0]"),
        ({"status": {"code": "ABORTED", "details": [1]}}, "faults[0].status.details"),
        ({"late": {"details": [{"reason": "x"}]}}, "faults[0].late.details"),
        ({"reset": {}}, "faults[0].reset.after"),
        ({"reset": {"after": 1}}, "faults[0].reset.after"),
        ({"latency": {"seconds": -1}}, "faults[0].latency.seconds"),
        ({"latency": {"seconds": True}}, "faults[0].latency.seconds"),
        ({"truncate": {"bytes": 1.5}}, "faults[0].truncate.bytes"),
        ({"edit": {"bodies": {}}}, "faults[0].edit.bodies"),
        ({"edit": []}, "faults[0].edit"),
        ({"metod": "x", "stale": {}}, "faults[0].metod"),
        ({"method": "UpdateAgnt", "stale": {}}, "faults[0].method"),
        ({"method": "Patch*", "stale": {}}, "faults[0].method"),
        ("x", "faults[0]"),
    ],
)
def test_a_mistake_in_a_fault_is_told_with_its_place(wire, fault, place):
    """What is not a fault is INVALID_ARGUMENT and names the place; nothing is added."""
    status, _, body = wire.send("POST", "emulator/faults", {"faults": [fault]})
    assert (status, body["error"]["status"]) == (400, "INVALID_ARGUMENT")
    assert body["error"]["details"][0]["fieldViolations"][0]["field"] == place
    assert wire.emulator.faults.report() == []


def test_a_method_that_is_nearly_one_is_suggested(wire):
    """A fault of a method that there is not would wait for ever."""
    _, _, body = wire.send("POST", "emulator/faults", {"faults": [{"method": "UpdateAgnt", "stale": {}}]})
    assert body["error"]["message"].endswith("no method 'UpdateAgnt'; did you mean UpdateAgent?")


@pytest.mark.parametrize("document", [None, [], {}, {"faults": {}}, {"faults": [], "more": 1}])
def test_what_is_no_list_of_faults_is_refused(wire, document):
    """The document is an object with one list."""
    assert wire.send("POST", "emulator/faults", document)[0] == 400


def test_faults_come_from_a_file(tmp_path):
    """A YAML file gives the faults of the start; reset lets them wait again, others are gone."""
    path = tmp_path / "faults.yaml"
    path.write_text("faults:\n- method: GetAgent\n  status: {code: NOT_FOUND, message: hidden}\n")
    with EmbeddedEmulator(faults=Faults.load(path)) as emulator:
        for _ in range(2):
            wire = Wire(emulator)
            assert [wire.get()[0], wire.get()[0]] == [404, 200]
            emulator.break_with({"status": {"code": "INTERNAL"}})
            emulator.reset()
        assert len(emulator.faults.report()) == 1


@pytest.mark.parametrize("text", ["faults: [{}]", "faults: {", "[]", ""])
def test_a_file_that_is_wrong_is_a_value_error_with_its_path(tmp_path, text):
    """What is wrong with a file is said in one line that begins with its path."""
    path = tmp_path / "faults.yaml"
    path.write_text(text)
    with pytest.raises(ValueError, match=r"faults\.yaml: "):
        Faults.load(path)
