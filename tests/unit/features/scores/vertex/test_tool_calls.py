"""Vertex's tool call metrics: certain scores, and refusals where the documentation leaves two readings."""

import json
from typing import Any

import pytest

from cesplan.domain.features.scores import NotEvaluated
from cesplan.features.scores.vertex import tool_calls
from tests.unit.features.scores.reference import cases

CASES = cases("vertex_tool_calls")
METRICS = {
    "toolCallValid": lambda prediction, reference: tool_calls.tool_call_valid(prediction),
    "toolNameMatch": tool_calls.tool_name_match,
    "toolParameterKeyMatch": tool_calls.tool_parameter_key_match,
    "toolParameterKvMatch": tool_calls.tool_parameter_kv_match,
}
OPEN = {
    "one-key-of-two": ("which side is counted", {"toolParameterKeyMatch", "toolParameterKvMatch"}),
    "key-missing": ("which side is counted", {"toolParameterKeyMatch", "toolParameterKvMatch"}),
    "other-name-same-arguments": ("the tools differ", {"toolParameterKeyMatch", "toolParameterKvMatch"}),
    "no-arguments-both": ("0 of 0", {"toolParameterKeyMatch", "toolParameterKvMatch"}),
    "nested-partly": ("count in parts", {"toolParameterKvMatch"}),
    "second-call": ("no call or several", {"toolParameterKeyMatch", "toolParameterKvMatch"}),
}


def message(**arguments: Any) -> str:
    return json.dumps({"content": "", "tool_calls": [{"name": "book", "arguments": arguments}]})


@pytest.mark.parametrize("case", CASES["cases"], ids=lambda case: case["id"])
def test_what_every_reading_of_the_definition_gives_is_the_score(case: dict[str, Any]) -> None:
    """Valid and name by the first call; parameters where both sides have the same names, or none in common."""
    found = {name: METRICS[name](case["prediction"], case["reference"]) for name in case["expected"]}
    assert found == pytest.approx(case["expected"], abs=1e-6)


@pytest.mark.parametrize("case", CASES["undefined"], ids=lambda case: case["id"])
def test_what_the_definition_leaves_open_has_no_score(case: dict[str, Any]) -> None:
    """The reason says what is open."""
    why, metrics = OPEN[case["id"]]
    refused = {}
    for name, metric in METRICS.items():
        try:
            metric(case["prediction"], case["reference"])
        except NotEvaluated as error:
            refused[name] = str(error)
    assert refused.keys() == metrics
    assert all(why in said for said in refused.values())


@pytest.mark.parametrize(("one", "other"), [("Berlin", "berlin"), (1, 1.0), ("3", 3), (True, 1)])
def test_values_that_only_some_comparisons_call_equal_have_no_score(one: Any, other: Any) -> None:
    """Case, white space, and the spelling of numbers."""
    with pytest.raises(NotEvaluated):
        tool_calls.tool_parameter_kv_match(message(city=one), message(city=other))


def test_strict_matching_decides_about_texts() -> None:
    """`useStrictStringMatch` leaves one reading of `Berlin` and `berlin`."""
    one, other = message(city="Berlin"), message(city="berlin")
    assert tool_calls.tool_parameter_kv_match(one, other, strict=True) == 0.0


@pytest.mark.parametrize(
    "text", ["", "hello", "[]", '{"content": ""}', '{"tool_calls": NaN}', '{"tool_calls":' + "[" * 100_000]
)
def test_what_is_not_a_message_of_tool_calls_has_no_score(text: str) -> None:
    """Whatever a model wrote there, it is an answer and not a crash."""
    with pytest.raises(NotEvaluated, match="is not a JSON object of"):
        tool_calls.tool_call_valid(text)
