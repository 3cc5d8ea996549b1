"""What an answer shows of what a step expects: passed, failed, or not to be seen."""

import pytest

from cesplan.domain.features.release import SmokeExpectation, ToolsetStep, ToolStep
from cesplan.features.smoke import words
from cesplan.features.smoke.replies import reply_of
from cesplan.features.smoke.verdict import holds, reply_problems, response_problems, tool_problems
from tests.unit.features.smoke.desk import CANCEL, DIRECTORY, END, LOOKUP, answer, call, moved, said

QUIET = answer("Hi.", messages=[said("user", "hello"), said("Front desk", "Hi.")])
BUSY = answer(
    "One moment.",
    "On its\n way.",
    messages=[
        said("user", "where"),
        said("Front desk", call(LOOKUP, order="7"), {"toolResponse": LOOKUP | {"response": {"state": "sent"}}}),
        said("Front desk", "One moment.", moved("id-orders")),
        said("Orders", call(CANCEL), "On its\n way."),
    ],
)
ENDED = answer("Bye.", {"endSession": {}}, messages=[said("Front desk", call(END), "Bye.")])
BLIND = answer("On its way.")
WAITING = {"outputs": [{"toolCalls": {"toolCalls": [LOOKUP]}}]}
PASSED, FAILED, UNCLEAR = "passed", "failed", "inconclusive"


def judged(body, **expect):
    reply = reply_of(body, DIRECTORY)
    problems = reply_problems(SmokeExpectation(**expect), reply, reply.speaker)
    return {problem.verdict.value for problem in problems} or {PASSED}


@pytest.mark.parametrize(
    ("body", "expect", "verdict"),
    [
        (QUIET, {}, PASSED),
        (QUIET, {"tools": ()}, PASSED),
        (QUIET, {"tools": ("lookup",)}, FAILED),
        (BUSY, {"tools": ("lookup",)}, PASSED),
        (BUSY, {"tools": ("lookup_order", "cancelOrder")}, PASSED),
        (BUSY, {"tools": ("id-lookup", "Shop/cancelOrder")}, PASSED),
        (BUSY, {"tools": ("cancelOrder", "lookup")}, FAILED),
        (BUSY, {"tools": ("lookup", "lookup")}, FAILED),
        (BUSY, {"tools": ("look",)}, FAILED),
        (BUSY, {"tools": ()}, FAILED),
        (BLIND, {"tools": ("lookup",)}, UNCLEAR),
        (BLIND, {"tools": ()}, UNCLEAR),
        (ENDED, {"tools": ()}, PASSED),
        (ENDED, {"tools": ("end_session",)}, PASSED),
        (BUSY, {"transfers": ("orders",)}, PASSED),
        (BUSY, {"transfers": ("Front desk",)}, FAILED),
        (BUSY, {"transfers": ()}, FAILED),
        (QUIET, {"transfers": ()}, PASSED),
        (BLIND, {"transfers": ()}, UNCLEAR),
        (BUSY, {"agent": "orders"}, PASSED),
        (BUSY, {"agent": "Orders"}, PASSED),
        (BUSY, {"agent": "front"}, FAILED),
        (BLIND, {"agent": "front"}, UNCLEAR),
        (BUSY, {"says": ("ON ITS WAY",)}, PASSED),
        (BUSY, {"says": ("moment. on its",)}, PASSED),
        (BUSY, {"says": ("lost",)}, FAILED),
        (BUSY, {"never_says": ("lost",)}, PASSED),
        (BUSY, {"never_says": ("way",)}, FAILED),
        (BLIND, {"says": ("way",)}, PASSED),
        (ENDED, {"ends": True}, PASSED),
        (ENDED, {"ends": False}, FAILED),
        (QUIET, {"ends": True}, FAILED),
        (QUIET, {"ends": False}, PASSED),
        (WAITING, {}, UNCLEAR),
        (WAITING, {"says": ("way",)}, UNCLEAR),
        ({}, {}, UNCLEAR),
        ({"outputs": [{"turnCompleted": True}]}, {"tools": (), "ends": False}, UNCLEAR),
    ],
)
def test_the_verdict_of_a_reply(body, expect, verdict):
    """What is shown otherwise has failed; what cannot be seen is inconclusive and never passes."""
    assert judged(body, **expect) == {verdict}


@pytest.mark.parametrize(
    "body",
    [
        {"outputs": "no"},
        {"outputs": [None, 1, {"text": 7}, {"toolCalls": {"toolCalls": {}}}, {"diagnosticInfo": []}]},
        {"outputs": [{"diagnosticInfo": {"messages": [{"role": None, "chunks": [{"toolCall": 1}, "x"]}]}}]},
    ],
)
def test_an_answer_of_another_shape_shows_nothing(body):
    """What is not understood is left out: no expectation of something passes on it."""
    assert judged(body, tools=("lookup",)) != {PASSED}
    assert judged(body, says=("x",)) != {PASSED}


def test_what_is_reported_of_a_reply():
    """Calls with arguments and responses, transfers, texts in order."""
    reply = reply_of(BUSY, DIRECTORY)
    assert [(item.tool.shown, item.args, item.response) for item in reply.calls] == [
        ("lookup", {"order": "7"}, {"state": "sent"}),
        ("id-shop/cancelOrder", {}, None),
    ]
    assert ([who.shown for who in reply.transfers], reply.texts) == (
        ["orders"],
        ("One moment.", "On its\n way."),
    )
    assert reply.speaker.shown == "orders"


def test_what_happened_is_told_in_one_order():
    """With the agent that says it; where the diagnostics lack a text, one kind after the other."""
    assert [sign for sign, _ in words.reply_rows(reply_of(BUSY, DIRECTORY))] == ["→", "←", "“", "⇒", "→", "“"]
    rows = [text for sign, text in words.reply_rows(reply_of(BUSY, DIRECTORY)) if sign == "“"]
    assert rows == ["front: One moment.", "orders: On its\n way."]
    lacking = {"outputs": [*BUSY["outputs"], {"text": "And more."}]}
    rows = list(words.reply_rows(reply_of(lacking, DIRECTORY)))
    assert [sign for sign, _ in rows] == ["→", "←", "→", "⇒", "“", "“", "“"]
    assert rows[-1] == ("“", "And more.")


@pytest.mark.parametrize(
    ("response", "expected", "verdict"),
    [
        ({"state": "sent"}, None, True),
        ({"error": "down"}, None, False),
        ({"state": "sent", "n": 1.0}, {"n": 1}, True),
        ({"state": "sent"}, {"state": "lost"}, False),
        ({}, {"state": "lost"}, False),
    ],
)
def test_the_response_of_a_tool(response, expected, verdict):
    """An `error` fails; more than is expected does not matter."""
    assert (response_problems(ToolStep(tool="lookup", response=expected), response) == ()) is verdict


def test_the_tools_of_a_toolset():
    """Ids are equal up to runs of underscores, as the service makes them."""
    step = ToolsetStep(toolset="shop", tool_ids=("get__order", "cancelOrder"))
    there = [
        {"name": "a/toolsets/s/tools/get_order"},
        {"name": "a/toolsets/s/tools/x", "displayName": "cancelOrder"},
    ]
    assert tool_problems(step, there) == ()
    (problem,) = tool_problems(step, there[:1])
    assert "does not have cancelOrder. It has get_order." in problem.text


def test_values_hold_patterns():
    """Objects may have more members, lists may not; true is not 1."""
    assert holds({"a": [1, {"b": 2, "c": 3}]}, {"a": [1.0, {"b": 2}]})
    assert not holds({"a": [1, 2]}, {"a": [1]})
    assert not holds({"a": True}, {"a": 1})
