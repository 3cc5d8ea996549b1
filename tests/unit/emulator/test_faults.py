"""Scripted faults: each kind happens as it says, to the requests it says, and reports it."""

import http.client
import threading

import pytest
import urllib3

from cesplan.emulator import EmbeddedEmulator
from tests.unit.emulator.wire import APP, APPS, FRONT, Wire


@pytest.fixture
def wire():
    with EmbeddedEmulator() as emulator:
        yield Wire(emulator)


def test_a_status_comes_with_details_and_retry_after(wire):
    """A status is answered in the shape of every error, with its details and the header."""
    info = {"@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": "RATE_LIMIT_EXCEEDED"}
    status = {"code": "RESOURCE_EXHAUSTED", "message": "slow down", "details": [info], "retryAfter": 2}
    wire.emulator.break_with({"method": "GetAgent", "status": status})
    code, headers, body = wire.get()
    assert (code, headers["Retry-After"]) == (429, "2")
    expected = {"code": 429, "message": "slow down", "status": "RESOURCE_EXHAUSTED", "details": [info]}
    assert body == {"error": expected}
    assert wire.get()[0] == 200


@pytest.mark.parametrize(("after", "instruction"), [(False, ""), (True, "new")])
def test_a_status_before_or_after_the_write(wire, after, instruction):
    """With `after` the write took effect although its answer is an error; else it did not."""
    wire.emulator.break_with({"method": "UpdateAgent", "status": {"code": "UNAVAILABLE", "after": after}})
    assert wire.update(instruction="new")[0] == 503
    assert wire.instruction() == instruction


@pytest.mark.parametrize(("after", "instruction"), [(False, ""), (True, "new")])
def test_a_reset_before_or_after_the_write(wire, after, instruction):
    """The caller sees its connection reset; whether the write took effect is as the fault says."""
    wire.emulator.break_with({"method": "UpdateAgent", "reset": {"after": after}})
    with pytest.raises(ConnectionResetError):
        wire.update(instruction="new")
    assert wire.emulator.journal.entries[-1].status == 0
    assert wire.instruction() == instruction


def test_a_truncated_answer_ends_early(wire):
    """The head announces the whole body, of which only the first bytes come; the write took effect."""
    wire.emulator.break_with({"method": "UpdateAgent", "truncate": {"bytes": 9}})
    with pytest.raises(http.client.IncompleteRead) as caught:
        wire.update(instruction="new")
    assert len(caught.value.partial) == 9
    assert wire.instruction() == "new"


@pytest.mark.parametrize("after", [False, True])
def test_latency_holds_up_one_request_and_no_other(wire, after):
    """While one request waits, others are answered; before or after its own effect."""
    wire.emulator.break_with({"method": "UpdateAgent", "latency": {"seconds": 0.4, "after": after}})
    waiting = threading.Thread(target=wire.update, kwargs={"instruction": "new"})
    waiting.start()
    while not wire.hits()[0]:
        assert wire.get()[0] == 200
    if not after:
        assert wire.instruction() == ""
    waiting.join()
    assert wire.instruction() == "new"


def test_a_stale_list_is_as_it_was(wire):
    """A list lags behind by so many writes to the collection: creates, updates and deletes."""
    agents = f"v1beta/{APP}/agents"
    wire.emulator.break_with(
        {"method": "ListAgents", "stale": {"writes": 1}}, {"method": "ListAgents", "stale": {"writes": 3}}
    )
    wire.update(instruction="new")
    wire.send("POST", f"{agents}?agentId=second", {"displayName": "S", "llmAgent": {}})
    wire.send("DELETE", f"v1beta/{FRONT}")

    def listed():
        found = wire.send("GET", agents)[2].get("agents", [])
        return [(one["displayName"], one.get("instruction", "")) for one in found]

    assert [listed(), listed(), listed()] == [[("Front", "new"), ("S", "")], [("Front", "")], [("S", "")]]


def test_a_stale_list_keeps_its_pages(wire):
    """Pages of a list that lags have their size and a token that leads on."""
    agents = f"v1beta/{APP}/agents"
    wire.emulator.break_with({"method": "ListAgents", "stale": {"writes": 1}, "times": 2})
    for key in ("alpha", "bravo"):
        wire.send("POST", f"{agents}?agentId={key}", {"displayName": key, "llmAgent": {}})
    first = wire.send("GET", f"{agents}?pageSize=1&orderBy=name")[2]
    second = wire.send("GET", f"{agents}?pageSize=1&orderBy=name&pageToken={first['nextPageToken']}")[2]
    names = [one["name"].rpartition("/")[2] for page in (first, second) for one in page["agents"]]
    assert names == ["alpha", "front"]
    assert "nextPageToken" not in second


@pytest.mark.parametrize(("effect", "status"), [(False, 404), (True, 200)])
def test_an_operation_that_fails_late(wire, effect, status):
    """The operation is found unfinished, then ends with the error; `effect` decides about its work."""
    late = {"code": "INTERNAL", "message": "no luck", "polls": 2, "effect": effect}
    wire.emulator.break_with({"method": "CreateApp", "late": late})
    started = wire.send("POST", f"{APPS}?appId=desk2", {"displayName": "Two"})[2]
    reads = [wire.send("GET", f"v1beta/{started['name']}")[2] for _ in range(2)]
    assert [read.get("done", False) for read in (started, *reads)] == [False, False, True]
    assert reads[-1]["error"] == {"code": 13, "message": "no luck"}
    assert wire.get("projects/p/locations/us/apps/desk2")[0] == status


def test_a_late_failure_leaves_a_refusal_alone(wire):
    """A request that is refused at once starts no operation, so nothing can fail late."""
    wire.emulator.break_with({"method": "CreateApp", "late": {}})
    assert wire.send("POST", f"{APPS}?appId=desk1", {"displayName": "Again"})[0] == 409


def test_an_etag_moves_behind_the_callers_back(wire):
    """An edit without a body moves the etag only: the update that was sent is a conflict."""
    etag = wire.get()[2]["etag"]
    wire.emulator.break_with({"method": "UpdateAgent", "resource": "agents/front", "edit": {}})
    assert wire.update(instruction="mine", etag=etag)[0] == 409
    now = wire.get()[2]
    assert now["etag"] != etag
    assert wire.update(instruction="mine", etag=now["etag"])[0] == 200


def test_a_foreign_edit_is_in_the_change_log(wire):
    """An edit with a body changes those fields in someone else's name before the request."""
    edit = {"body": {"instruction": "theirs"}, "author": "mallory@acme.example"}
    wire.emulator.break_with({"method": "GetAgent", "edit": edit})
    assert wire.get()[2]["instruction"] == "theirs"
    entries = wire.send("GET", f"v1beta/{APP}/changelogs")[2]["changelogs"]
    assert (entries[-1]["author"], entries[-1]["resource"]) == ("mallory@acme.example", FRONT)


@pytest.mark.parametrize(
    "edit",
    [
        {"body": {"displayName": 5}},
        {"name": "agents/other", "body": {"llmAgent": 1}},
        {"name": "agents", "body": {"displayName": "x"}},
    ],
)
def test_an_edit_that_nobody_could_make_is_told(wire, edit):
    """The request meets an INTERNAL error that says whose mistake it is, and changes nothing."""
    wire.emulator.break_with({"method": "UpdateAgent", "edit": edit})
    before = wire.get()[2]
    status, _, body = wire.update(instruction="new")
    assert (status, body["error"]["status"]) == (500, "INTERNAL")
    assert body["error"]["message"].startswith("The scripted fault cannot be applied: ")
    assert (wire.hits(), wire.get()[2]) == ([1], before)


def test_a_foreign_edit_can_be_elsewhere_later_and_a_deletion(wire):
    """Another resource can be meant, the edit can follow the request, and it can make or delete."""
    made = {"name": "agents/other", "body": {"displayName": "Other"}}
    wire.emulator.break_with(
        {"method": "GetAgent", "edit": made},
        {"method": "GetAgent", "edit": {"delete": True, "after": True}},
    )
    assert wire.get()[0] == 200
    assert wire.get(f"{APP}/agents/other")[2]["displayName"] == "Other"
    entry = wire.send("GET", f"v1beta/{APP}/changelogs")[2]["changelogs"][-2]
    assert (entry["action"], entry["author"]) == ("Create", "somebody-else@localhost")
    assert wire.hits() == [1, 1]
    assert wire.get(f"{APP}/agents/other")[0] == 404


def test_a_fault_waits_for_its_method_resource_and_turn(wire):
    """`method` and `resource` are patterns, `skip` lets some through, `times` ends it."""
    wire.emulator.break_with(
        {"method": "*Agent", "resource": "agents/fr*", "skip": 1, "times": 2, "status": {"code": "ABORTED"}}
    )
    seen = [wire.get(APP)[0], *(wire.get()[0] for _ in range(4)), wire.get(f"{APP}/agents/x")[0]]
    assert seen == [200, 200, 409, 409, 200, 404]


def test_a_fault_waits_for_what_it_can_happen_to(wire):
    """Without a method: stale waits for a list, late for an operation, an edit for a resource."""
    wire.emulator.break_with({"stale": {}}, {"late": {"polls": 0}}, {"edit": {}})
    wire.send("POST", f"v1beta/{APP}/agents", {"displayName": "S", "llmAgent": {}})
    assert wire.hits() == [0, 0, 0]
    wire.get()
    assert wire.hits() == [0, 0, 1]
    wire.send("DELETE", f"v1beta/{FRONT}")
    assert len(wire.send("GET", f"v1beta/{APP}/agents")[2]["agents"]) == 2
    operation = wire.send("POST", f"{APPS}?appId=desk2", {"displayName": "Two"})[2]
    assert (operation["done"], operation["error"]["code"]) == (True, 13)
    assert wire.hits() == [1, 1, 1]


def test_a_create_is_known_by_the_id_that_it_asks_for(wire):
    """The resource of a create is the name that is to be; of a list it is the collection."""
    wire.emulator.break_with(
        {"resource": "agents/second", "status": {"code": "UNAVAILABLE"}},
        {"resource": f"{APP}/agents", "method": "List*", "status": {"code": "INTERNAL"}},
    )
    body = {"displayName": "S", "llmAgent": {}}
    assert wire.send("POST", f"v1beta/{APP}/agents?agentId=second", body)[0] == 503
    assert wire.send("GET", f"v1beta/{APP}/agents")[0] == 500


def test_one_answer_at_a_time_but_edits_and_waits_beside_it(wire):
    """Two statuses happen to two requests; latency and an edit happen together with a status."""
    wire.emulator.break_with(
        {"method": "UpdateAgent", "status": {"code": "UNAVAILABLE"}},
        {"method": "UpdateAgent", "reset": {"after": True}},
        {"method": "UpdateAgent", "latency": {"seconds": 0}},
        {"method": "UpdateAgent", "edit": {"body": {"description": "theirs"}}},
    )
    assert wire.update(instruction="new")[0] == 503
    assert wire.hits() == [1, 0, 1, 1]
    with pytest.raises(ConnectionResetError):
        wire.update(instruction="new")
    assert wire.hits() == [1, 1, 1, 1]


def test_each_fault_says_whether_and_when_it_happened(wire):
    """GET /emulator/faults shows hits with time, request, method and resource; DELETE forgets them."""
    asked = {"faults": [{"method": "GetAgent", "times": 2, "status": {"code": "INTERNAL"}}]}
    assert wire.send("POST", "emulator/faults", asked)[2] == {"ids": ["fault-1"]}
    assert wire.get()[0] == 500
    (fault,) = wire.send("GET", "emulator/faults")[2]["faults"]
    assert (fault["id"], fault["method"], fault["times"], fault["consumed"]) == (
        "fault-1",
        "GetAgent",
        2,
        False,
    )
    (hit,) = fault["hits"]
    assert (hit["method"], hit["resource"], hit["request"]) == ("GetAgent", FRONT, 1)
    assert hit["time"].endswith("Z")
    wire.get()
    assert wire.send("GET", "emulator/faults")[2]["faults"][0]["consumed"] is True
    wire.send("DELETE", "emulator/faults")
    assert wire.send("GET", "emulator/faults")[2] == {"faults": []}


def test_a_list_lags_behind_writes_from_before_the_fault(wire):
    """What was written before the fault was added counts; a refused write does not, and a reset forgets all."""
    agents = f"v1beta/{APP}/agents"
    wire.send("POST", f"{agents}?agentId=second", {"displayName": "S", "llmAgent": {}})
    wire.send("POST", f"{agents}?agentId=third", {"displayName": ""})
    wire.emulator.break_with({"method": "ListAgents", "stale": {}})
    assert [one["displayName"] for one in wire.send("GET", agents)[2]["agents"]] == ["Front"]
    wire.emulator.reset()
    wire.emulator.break_with({"method": "ListAgents", "stale": {"writes": 9}})
    Wire(wire.emulator)
    assert wire.send("GET", agents)[2] == {}


def test_clients_that_keep_their_connection_survive_a_reset(wire):
    """After a reset the same pool opens another connection and goes on."""
    wire.emulator.break_with({"method": "GetAgent", "reset": {"after": False}})
    with urllib3.PoolManager(retries=False) as pool:
        url = f"http://{wire.emulator.address}/v1beta/{FRONT}"
        with pytest.raises(urllib3.exceptions.ProtocolError):
            pool.request("GET", url)
        assert pool.request("GET", url).status == 200
