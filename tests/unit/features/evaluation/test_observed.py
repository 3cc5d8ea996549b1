"""What a result shows, as texts, whatever a service or an attacker wrote into it."""

from hypothesis import given
from hypothesis import strategies as st

from cesplan.domain.naming import Naming
from cesplan.domain.resource_name import Place
from cesplan.features.evaluation.observed import (
    expectations_of,
    scores_of,
    seconds,
    seconds_of,
    steps_of,
    turns_of,
)

APP = "projects/acme/locations/us/apps/desk1"
NAMING = Naming(place=Place(project="acme", location="us"), app_id="desk1")
CALL = {"tool": f"{APP}/tools/lookup", "args": {"b": [1], "a": "x"}}


def steps(*outcomes):
    return steps_of({"goldenResult": {"turnReplayResults": [{"expectationOutcome": [*outcomes]}]}}, NAMING)


def test_expected_and_observed_are_side_by_side():
    """Tools by their keys, arguments in a fixed order, toolsets with their tool."""
    toolset = {"toolsetTool": {"toolset": f"{APP}/toolsets/orders", "toolId": "getOrder"}}
    found = steps(
        {"expectation": {"toolCall": CALL, "note": "first"}, "observedToolCall": toolset, "outcome": "FAIL"},
        {"expectation": {"noToolCalls": True}, "observedToolCall": CALL, "outcome": "FAIL"},
        {"expectation": {"agentResponse": {"chunks": [{"text": "Hi"}]}}, "outcome": "FAIL"},
        {"expectation": {"agentTransfer": {"targetAgent": f"{APP}/agents/a"}}, "observedPayload": {"x": 1}},
        {"observedToolCall": CALL},
    )
    assert [(item.what, item.expected, item.observed, item.note) for item in found] == [
        ("tool call", 'lookup(a: "x", b: [1])', "orders/getOrder()", "first"),
        ("tool call", "no tool call", 'lookup(a: "x", b: [1])', ""),
        ("agent response", "Hi", "nothing", ""),
        ("agent transfer", "agents/a", '{"x": 1}', ""),
        ("tool call", "nothing", 'lookup(a: "x", b: [1])', ""),
    ]


def test_a_skipped_expectation_says_so():
    (found,) = steps({"expectation": {"toolCall": CALL, "skipEvaluation": True}, "outcome": "PASS"})
    assert found.outcome == "SKIPPED"


def test_scores_have_their_thresholds_and_zero_is_a_score():
    """A zero is left out in JSON."""
    turn = {
        "semanticSimilarityResult": {"outcome": "FAIL"},
        "overallToolInvocationResult": {"toolInvocationScore": 0.5},
        "hallucinationResult": {"score": True},
    }
    found = scores_of({"goldenResult": {"turnReplayResults": [turn]}}, {"semantic similarity": 3.0})
    assert [(item.name, item.value, item.threshold) for item in found] == [
        ("semantic similarity", 0.0, 3.0),
        ("tool calls", 0.5, None),
    ]


def test_durations_are_seconds():
    assert [seconds(text) for text in ("1.5s", "0s", "1.5", None, 7, "xs")] == [
        1.5,
        0.0,
        None,
        None,
        None,
        None,
    ]


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                [
                    *(
                        "goldenResult",
                        "turnReplayResults",
                        "expectationOutcome",
                        "expectation",
                        "toolCall",
                        "args",
                    ),
                    *(
                        "observedToolCall",
                        "agentResponse",
                        "chunks",
                        "scenarioResult",
                        "rubricOutcomes",
                        "score",
                    ),
                    *(
                        "expectationOutcomes",
                        "toolExpectation",
                        "expectedToolCall",
                        "toolsetTool",
                        "turnLatency",
                    ),
                ]
            ),
            inner,
            max_size=4,
        )
    ),
    max_leaves=20,
)


@given(st.dictionaries(st.sampled_from(["goldenResult", "scenarioResult"]), VALUES))
def test_no_result_breaks_the_report(result):
    """Whatever has another type than documented is left out."""
    (
        turns_of(result),
        steps_of(result, NAMING),
        scores_of(result, {}),
        expectations_of(result),
        seconds_of(result),
    )
