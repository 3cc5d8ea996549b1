"""Moves of the traffic: a kill, a lost answer or another person at any request, and what becomes of them."""

import contextlib
from datetime import timedelta

import pytest

from cesplan.emulator import Switches
from cesplan.remote.calling import Calling
from cesplan.remote.client import Client
from cesplan.workflow.releases.releasing import Releasing
from tests.releases.conftest import APP, RELEASE, WEB

YES = "--auto-approve"
WHOLE = (
    {"release-1": 100},
    {"release-1": 95, "release-2": 5},
    {"release-1": 75, "release-2": 25},
    {"release-2": 100},
)
"""Every state that somebody has asked for."""


class Killed(BaseException):
    """The process ends here; nothing after it runs."""


def prepared(desk, action):
    """A desk where the action is due."""
    desk.write("apps/help-desk/releases/web.yaml", RELEASE.replace(", conversations: 20", ", require: {}"))

    def act():
        desk.candidate()
        assert action == "start" or desk.release("start", YES).code == 0

    desk.once(("prepared", action == "start"), act)
    if action == "step":
        desk.clock.ahead = timedelta(hours=2)
    return {"start": {"release-1": 95, "release-2": 5}, "step": {"release-1": 75, "release-2": 25}}.get(
        action, {"release-1": 100}
    )


def kill_at(monkeypatch, number):
    """
    The process dies once the service has acted on its request of this number.

    The request may be one of another thread: no later one is sent, and nothing is written into the evidence.
    """
    verbs = []
    send = Calling.call
    keep = Releasing._keep

    def dying(self, call, *more, **named):
        if len(verbs) >= number:
            raise Killed
        verbs.append(str(call.verb))
        answer = send(self, call, *more, **named)
        if len(verbs) >= number:
            raise Killed
        return answer

    def forgotten(self, *given):
        if len(verbs) < number:
            keep(self, *given)

    monkeypatch.setattr(Calling, "call", dying)
    monkeypatch.setattr(Releasing, "_keep", forgotten)

    def undo():
        monkeypatch.setattr(Calling, "call", send)
        monkeypatch.setattr(Releasing, "_keep", keep)
        return verbs

    return undo


@pytest.mark.parametrize("action", ["start", "step", "abort"])
def test_a_kill_at_any_request_ends_like_no_kill(desk, monkeypatch, action):
    """
    Whichever request is the last (right before the next one is the same): the traffic is whole and asked for,
    and the same command once more ends where it would have ended.
    """
    wanted = prepared(desk, action)
    undo = kill_at(monkeypatch, 10**6)
    assert desk.release(action, YES).code == 0
    verbs = undo()
    assert verbs.count("update") >= 2  # the deployment, and the record of the write
    assert desk.traffic == wanted
    for number in sorted(telling(verbs)):
        put(desk, action)
        undo = kill_at(monkeypatch, number)
        with contextlib.suppress(Killed):
            desk.release(action, YES)
        undo()
        assert desk.traffic in WHOLE, number
        assert desk.web["appVersion"]
        again = desk.release(action, YES)
        assert (again.code, desk.traffic) in ((0, wanted), (8, wanted)), (number, again.out, again.err)


def telling(verbs):
    """
    The numbers of requests after which a kill tells something: those that write or start, and their neighbors.

    Of those that only read, every eighth.
    """
    acts = [at for at, verb in enumerate(verbs, 1) if verb not in ("list", "get")]
    near = {at + more for at in acts for more in (-1, 0, 1)}
    return {at for at in near | set(range(1, len(verbs), 8)) if 1 <= at <= len(verbs)}


def put(desk, action):
    """The deployment as it was before the action, without a trace of it."""
    split = {
        "versionRelease": {
            "state": "RUNNING",
            "trafficAllocations": [
                {
                    "id": "cesplan-web-served",
                    "trafficPercentage": 95,
                    "appVersion": f"{APP}/versions/release-1",
                },
                {
                    "id": "cesplan-web-candidate",
                    "trafficPercentage": 5,
                    "appVersion": f"{APP}/versions/release-2",
                },
            ],
        }
    }
    row = desk.emulator.store.get(WEB)
    body = {key: value for key, value in row.body.items() if key != "experimentConfig"}
    more = {} if action == "start" else {"experimentConfig": split}
    desk.emulator.seed({**body, "name": WEB, "appVersion": f"{APP}/versions/release-1", **more})


@pytest.mark.parametrize("action", ["start", "step", "abort"])
def test_a_lost_answer_is_resolved_by_a_look(desk, action):
    """The update took effect and its answer is gone: it is not sent twice, and all ends as if it came."""
    wanted = prepared(desk, action)
    sent = len(desk.writes_to("deployments/web-chat"))
    desk.emulator.break_with({"method": "UpdateDeployment", "reset": {"after": True}})
    ran = desk.release(action, YES)
    assert (ran.code, desk.traffic) == (0, wanted), ran.err
    assert len(desk.writes_to("deployments/web-chat")) == sent + 1


@pytest.mark.parametrize("action", ["start", "step", "abort"])
def test_somebody_else_moves_the_traffic_right_before_the_write(desk, action):
    """One of the two gets 4, and nothing of the other is overwritten."""
    prepared(desk, action)
    desk.emulator.break_with(
        {
            "method": "UpdateDeployment",
            "edit": {
                "body": {"appVersion": f"{APP}/versions/release-2", "experimentConfig": {}},
                "author": "bob@acme.example",
            },
        }
    )
    ran = desk.release(action, YES)
    assert ran.code == 4, ran.out + ran.err
    assert desk.traffic == {"release-2": 100}


def test_two_people_step_at_once(desk, monkeypatch):
    """The second one decided by what it read before the first one wrote."""
    wanted = prepared(desk, "step")
    from cesplan.workflow.releases import releasing

    plan_move = releasing.plan_move
    first = {"is_on": True}

    def interleaved(*args):
        if first["is_on"]:
            first["is_on"] = False
            assert desk.release("step", YES).code == 0
        return plan_move(*args)

    monkeypatch.setattr(releasing, "plan_move", interleaved)
    ran = desk.release("step", YES)
    assert (ran.code, desk.traffic) == (4, wanted), ran.out + ran.err


def test_a_split_that_no_release_made_is_left_alone(desk):
    """Every command but `plan` and `gate` ends with 4 and writes nothing."""
    prepared(desk, "step")
    row = desk.emulator.store.get(WEB)
    split = {
        "versionRelease": {
            "state": "RUNNING",
            "trafficAllocations": [
                {"id": "console", "trafficPercentage": 50, "appVersion": f"{APP}/versions/release-1"},
                {"id": "other", "trafficPercentage": 50, "appVersion": f"{APP}/versions/release-2"},
            ],
        }
    }
    desk.emulator.seed({**row.body, "name": WEB, "experimentConfig": split})
    sent = len(desk.writes_to("deployments/web-chat"))
    for action in ("start", "step", "status", "abort"):
        ran = desk.release(action, *([] if action == "status" else [YES]))
        assert ran.code == 4, (action, ran.out)
        assert "Someone else moved the traffic" in ran.out
    assert len(desk.writes_to("deployments/web-chat")) == sent


def test_where_nothing_is_due_the_status_says_what_serves(desk):
    """Before the first step and after the last one; a reference keeps its spelling."""
    assert "\nNothing is due: versions/release-1 serves all traffic.\n" in desk.release("status").out
    desk.candidate()
    assert "\nNothing is due: versions/release-1 serves all traffic.\n" in desk.release("status").out


def test_another_candidate_is_ended_first(desk):
    """The tree names release-3 while release-2 has a share: abort gives it back, then start begins anew."""
    prepared(desk, "step")
    desk.candidate("release-3", "Help.")
    assert desk.traffic == {"release-1": 95, "release-2": 5}
    ran = desk.release("start", YES)
    assert (ran.code, "Another release is under way" in ran.out) == (4, True)
    assert desk.release("abort", YES).code == 0
    assert desk.release("start", YES).code == 0
    assert desk.traffic == {"release-1": 95, "release-3": 5}


def test_a_version_of_a_policy_is_asked_for(desk):
    """A move is an operation like any other: a rule may refuse it, or want it approved."""
    text = (desk.root / "cesplan.yaml").read_text()
    rule = (
        'policy:\n- name: freeze\n  when: kind == "deployments" && action == "update"\n'
        '  deny: "true"\n  severity: needs-approval\n'
    )
    prepared(desk, "step")
    desk.write("cesplan.yaml", text + rule.replace('"true"', "action == 'update'"))
    ran = desk.release("step", YES)
    assert (ran.code, desk.traffic) == (5, {"release-1": 95, "release-2": 5}), ran.out
    assert "--allow-policy freeze" in ran.err
    assert desk.release("step", YES, "--allow-policy", "freeze").code == 0


@pytest.mark.parametrize("switches", [Switches(etag_on_update="ignore"), Switches(deployment_etags=False)])
def test_without_etags_the_look_before_the_write_still_holds(desk):
    """Somebody who moved the traffic before the look is seen; only the window of one request is left."""
    wanted = prepared(desk, "step")
    assert desk.release("step", YES).code == 0
    assert desk.traffic == wanted


@pytest.mark.parametrize("switches", [Switches(filter_fields="documented")])
def test_conversations_are_found_without_a_filter(desk):
    """Whether a list can be filtered by time is not documented."""
    desk.candidate()
    desk.release("start", YES)
    desk.talk("release-2", 20)
    desk.talk("release-1", 20)
    desk.clock.ahead = timedelta(hours=2)
    assert desk.release("step", YES).code == 0
    assert desk.traffic == {"release-1": 75, "release-2": 25}


def test_a_client_that_reads_cannot_write(desk, monkeypatch):
    """plan, status and a holding step send nothing but reads."""
    desk.candidate()
    desk.release("start", YES)
    monkeypatch.setattr(Client, "update", lambda *args, **more: pytest.fail("it wrote"))
    assert desk.release("plan").code == 0
    assert desk.release("status").code == 8
    assert desk.release("step", YES).code == 8


def test_a_locked_app_is_unlocked_only_if_that_is_allowed(desk):
    """And locked again: a lock must not keep anybody from going back, nor be lost by it."""
    prepared(desk, "abort")
    row = desk.emulator.store.get(APP)
    desk.emulator.seed({**row.body, "name": APP, "locked": True})
    refused = desk.release("abort", YES)
    assert (refused.code, "--allow-unlock" in refused.err) == (5, True)
    assert desk.traffic == {"release-1": 95, "release-2": 5}
    ran = desk.release("abort", YES, "--allow-unlock")
    assert (ran.code, desk.traffic) == (0, {"release-1": 100}), ran.out + ran.err
    assert desk.emulator.store.get(APP).body["locked"] is True
