"""Steps are run one after another, once each, within limits; an error shows nothing."""

from itertools import count

import pytest

from cesplan.domain.errors import InvalidRequest, LostResponse, PermissionDenied, Unavailable
from cesplan.domain.features.release import SayStep, SmokeExpectation, ToolsetStep, ToolStep
from cesplan.features.smoke.requests import SessionChoice
from cesplan.features.smoke.running import SmokeContext, SmokeLimits, StepRunner
from tests.unit.features.smoke.desk import APP, DIRECTORY, NAMING, answer, moved, said

HI = SayStep(say="hi")
OK = answer("Hi.", messages=[said("Front desk", "Hi.")])


class Service:
    """Answers in turn; an exception is raised."""

    def __init__(self, *answers):
        self.answers = list(answers)
        self.asked = []

    def _next(self, *asked):
        self.asked.append(asked)
        found = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        if isinstance(found, Exception):
            raise found
        return found

    def run_session(self, session_name, body):
        return self._next(session_name, body)

    def execute_tool(self, app_name, body):
        return self._next(app_name, body)

    def retrieve_tools(self, toolset_name, tool_ids):
        return self._next(toolset_name, tuple(tool_ids))


def run(service, *steps, limits=None, unlike="", tick=1.0):
    choice = SessionChoice(deployment=f"{APP}/deployments/web", fakes=True)
    stage = SmokeContext(
        app=APP, naming=NAMING, directory=DIRECTORY, choice=choice, unlike=lambda _: unlike, redact=lambda x: x
    )
    clock = count(step=tick)
    runner = StepRunner(
        stage=stage, talker=service, limits=limits or SmokeLimits(), monotonic=lambda: next(clock)
    )
    return runner.run(steps, lambda number, step: None), runner


def verdicts(reports):
    return [report.verdict.value for report in reports]


def test_steps_go_on_in_one_session_until_one_begins_another():
    """Ids are new and within what ids of resources may be; the deployment and the fakes are sent."""
    service = Service(OK)
    reports, runner = run(service, HI, HI, SayStep(say="new", starts_session=True, variables={"vip": True}))
    first, second, third = (name for name, _ in service.asked)
    assert first == second != third
    assert runner.sessions == 2
    session = first.rpartition("/")[2]
    assert session.startswith("smoke-")
    assert len(session) <= 36
    assert service.asked[2][1] == {
        "config": {"useToolFakes": True, "deployment": f"{APP}/deployments/web"},
        "inputs": [{"variables": {"vip": True}}, {"text": "new"}],
    }
    assert verdicts(reports) == ["passed"] * 3


@pytest.mark.parametrize("error", [Unavailable(summary="down"), LostResponse(summary="lost")])
def test_an_error_is_inconclusive_and_so_is_the_rest_of_its_session(error):
    """A new session begins anew."""
    service = Service(error, OK)
    reports, _ = run(service, HI, HI, SayStep(say="new", starts_session=True))
    assert verdicts(reports) == ["inconclusive", "inconclusive", "passed"]
    assert len(service.asked) == 2


def test_no_permission_ends_the_test():
    with pytest.raises(PermissionDenied):
        run(Service(PermissionDenied(summary="no")), HI)


def test_what_the_agent_ended_cannot_go_on():
    """It did what it should not have done: a step that follows has failed."""
    ended = answer("Bye.", {"endSession": {}}, messages=[])
    reports, _ = run(Service(ended), HI, HI)
    assert verdicts(reports) == ["passed", "failed"]


def test_limits_of_sessions_and_of_time():
    """What is beyond them is not run and inconclusive."""
    service = Service(OK)
    fresh = SayStep(say="x", starts_session=True)
    reports, _ = run(service, fresh, fresh, HI, limits=SmokeLimits(sessions=1))
    assert verdicts(reports) == ["passed", "inconclusive", "inconclusive"]
    reports, _ = run(service, HI, HI, HI, limits=SmokeLimits(seconds=4), tick=1.0)
    assert verdicts(reports) == ["passed", "inconclusive", "inconclusive"]


def test_who_has_the_conversation_is_known_over_the_steps():
    """The root agent at first, then who it was handed to; without diagnostics nobody knows."""
    orders = SayStep(say="x", expect=SmokeExpectation(agent="orders"))
    front = SayStep(say="x", expect=SmokeExpectation(agent="front"))
    moving = answer("…", messages=[said("agent", "…"), said("agent", moved("id-orders"))])
    mute = answer("…", messages=[])
    assert verdicts(run(Service(mute, moving, mute), front, orders, orders)[0]) == ["passed"] * 3
    assert verdicts(run(Service(moving, answer("…"), mute), orders, orders, orders)[0]) == [
        *("passed", "inconclusive", "inconclusive"),
    ]


def test_a_tool_is_executed_with_mocks_that_must_match():
    """Keys become names, and a call that no mock matches fails."""
    mocks = ({"toolId": "lookup", "mockResponse": {"a": 1}}, {"toolset": {"toolset": "shop", "toolId": "x"}})
    service = Service({"response": {"ok": True}})
    reports, _ = run(service, ToolStep(tool="lookup", args={"n": 1}, mocks=mocks, response={"ok": True}))
    assert verdicts(reports) == ["passed"]
    assert service.asked == [
        (
            APP,
            {
                "tool": f"{APP}/tools/id-lookup",
                "args": {"n": 1},
                "mockConfig": {
                    "mockedToolCalls": [
                        {
                            "expectedArgsPattern": {},
                            "toolId": f"{APP}/tools/id-lookup",
                            "mockResponse": {"a": 1},
                        },
                        {
                            "expectedArgsPattern": {},
                            "toolset": {"toolset": f"{APP}/toolsets/shop", "toolId": "x"},
                        },
                    ],
                    "unmatchedToolCallBehavior": "FAIL",
                },
            },
        )
    ]


def test_tool_ids_are_looked_for_among_all_where_the_service_refuses_one():
    """An unknown id may be an error or be left out: both have failed."""
    step = ToolsetStep(toolset="shop", tool_ids=("a", "b"))
    there = ({"name": "x/tools/a"},)
    for service in (Service(there), Service(InvalidRequest(summary="no b"), there)):
        assert verdicts(run(service, step)[0]) == ["failed"]
    assert verdicts(run(Service(Unavailable(summary="down")), step)[0]) == ["inconclusive"]


@pytest.mark.parametrize("step", [ToolStep(tool="lookup"), ToolsetStep(toolset="shop", tool_ids=("a",))])
def test_a_draft_that_is_not_the_version_shows_nothing(step):
    """Only the draft's tools can be executed."""
    service = Service({})
    assert verdicts(run(service, step, unlike="it differs")[0]) == ["inconclusive"]
    assert service.asked == []
