"""Files of ADK are read as ADK reads them; what it does not load is invalid here too."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from pydantic import ValidationError

from cesplan.domain.errors import InvalidConfiguration
from cesplan.domain.features.scores import Criterion, MatchType, StepKind, ToolUse, Turn, TurnStep
from cesplan.features.scores.adk.criteria import DEFAULTS, read_criteria
from cesplan.features.scores.adk.eval_sets import read_eval_set
from cesplan.features.scores.adk.results import read_results
from tests.unit.features.scores.adk.files import camel, content, eval_set, invocation, results, text
from tests.unit.features.scores.reference import cases

LOOKUP = {"name": "lookup", "args": {"order_id": "A-1"}}
TURN = invocation("Where is it?", "It ships.", calls=[LOOKUP])
READ = Turn(
    user="Where is it?",
    response="It ships.",
    calls=(ToolUse(name="lookup", args={"order_id": "A-1"}),),
    steps=(TurnStep(kind=StepKind.CALL, name="lookup", content={"order_id": "A-1"}),),
)

Adk = Callable[[str], Any]
"""A model of ADK by its name."""


@pytest.fixture
def adk() -> Adk:
    """Imported by tests that use it: that takes a second, and every process collects all tests."""
    from google.adk.evaluation import eval_config, eval_metrics, eval_result, eval_set

    modules = (eval_config, eval_metrics, eval_result, eval_set)
    return lambda name: next(getattr(module, name) for module in modules if hasattr(module, name))


def turns(document: Any) -> Any:
    return read_eval_set(text(document), "f").cases[0].turns


@pytest.mark.parametrize("spelled", [lambda found: found, camel])
def test_keys_are_camel_or_snake_case(spelled: Callable[[Any], Any]) -> None:
    """In eval sets and in results; keys of arguments stay what they are."""
    assert turns({**eval_set(), "eval_cases": spelled(eval_set(x=[TURN])["eval_cases"])}) == (READ,)
    (run,) = read_results(text(spelled(results(("x", [TURN]), response_match_score=0.5))), "r", "desk")
    assert (run.turns, run.recorded, run.problem) == ((READ,), {"response_match_score": 0.5}, "")


def test_calls_are_found_in_events_too() -> None:
    """In the order of their parts; text between them is not an answer."""
    parts = [{"text": "one moment"}, {"function_call": LOOKUP}, {"functionCall": {"name": "g"}}]
    turn = {
        "user_content": content("Where is it?"),
        "final_response": content("It ships."),
        "intermediate_data": {
            "invocation_events": [{"author": "a", "content": {"parts": parts}}, {"author": "b"}]
        },
    }
    (found,) = turns(eval_set(x=[turn]))
    assert found.calls == (*READ.calls, ToolUse(name="g", args=None))


@pytest.mark.parametrize("case", cases("response_match")["conversations"], ids=lambda case: case["id"])
def test_texts_of_several_parts_are_one_answer(case: dict[str, Any]) -> None:
    """Joined by line feeds; parts that are calls are not text."""
    for side in ("reference", "candidate"):
        said = [item[side] for item in case["turns"]]
        lists = [[one] if isinstance(one, str) else one or [] for one in said]
        found = turns(eval_set(x=[invocation("Hi", *parts) for parts in lists]))
        assert [turn.response for turn in found] == ["\n".join(filter(None, parts)) for parts in lists]


def test_a_scenario_has_no_expected_turns() -> None:
    """It is read, and cannot be scored."""
    scenario = {"starting_prompt": "Hi", "conversation_plan": "Ask."}
    document = {"eval_set_id": "d", "eval_cases": [{"eval_id": "x", "conversation_scenario": scenario}]}
    (case,) = read_eval_set(text(document), "f").cases
    assert case.unsupported == "the case is a scenario for a simulated user and has no expected turns"


def test_an_eval_set_can_hold_the_actual_turns() -> None:
    """Of the same set: results of another one prove nothing."""
    (run,) = read_results(text(eval_set(x=[TURN])), "r", "desk")
    assert (run.turns, run.problem) == ((READ,), "")
    (run,) = read_results(text(eval_set(x=[TURN])), "r", "other")
    assert run.problem == "the results are of the eval set `desk`"


def test_results_that_are_encoded_twice_are_read() -> None:
    """As older versions of ADK wrote them."""
    (run,) = read_results(text(text(results(("x", [TURN])))), "r", "desk")
    assert run.turns == (READ,)


WRONG: list[tuple[str, str, Any]] = [
    ("no id", "EvalSet", {"eval_cases": []}),
    ("no cases", "EvalSet", {"eval_set_id": "x"}),
    ("a list", "EvalSet", []),
    ("unknown key of a turn", "EvalSet", eval_set(x=[{**TURN, "nope": 1}])),
    ("unknown key of the calls", "EvalSet", eval_set(x=[{**TURN, "intermediate_data": {"nope": 1}}])),
    ("unknown key of a part", "EvalSet", eval_set(x=[{"user_content": {"parts": [{"nope": 1}]}}])),
    ("unknown key of a call", "EvalSet", eval_set(x=[invocation("x", calls=[{"name": "f", "nope": 1}])])),
    ("a turn without a user", "EvalSet", eval_set(x=[{"final_response": content("x")}])),
    ("neither conversation nor scenario", "EvalSet", {"eval_set_id": "x", "eval_cases": [{"eval_id": "x"}]}),
    ("arguments that are a list", "EvalSet", eval_set(x=[invocation("x", calls=[{"name": "f", "args": []}])])),
    ("a name that is a number", "EvalSet", eval_set(x=[invocation("x", calls=[{"name": 1}])])),
    ("no metrics", "EvalSetResult", {**results(), "eval_case_results": [{"eval_id": "x"}]}),
    ("unknown key of a result", "EvalSetResult", results(("x", [{**TURN, "nope": 1}]))),
    ("no threshold", "EvalConfig", {"criteria": {"response_match_score": {}}}),
    ("a threshold that is a word", "EvalConfig", {"criteria": {"response_match_score": "high"}}),
    ("criteria that are a list", "EvalConfig", {"criteria": []}),
]


READERS: dict[str, Callable[[str, str], Any]] = {
    "EvalSet": read_eval_set,
    "EvalSetResult": lambda found, name: read_results(found, name, "desk"),
    "EvalConfig": read_criteria,
}


@pytest.mark.parametrize(("shape", "document"), [item[1:] for item in WRONG], ids=[item[0] for item in WRONG])
def test_what_adk_does_not_load_is_invalid(adk: Adk, shape: str, document: Any) -> None:
    """The file is named, and the path of what is wrong."""
    with pytest.raises(ValidationError):
        adk(shape).model_validate_json(text(document))
    with pytest.raises(InvalidConfiguration, match=r"^f ") as caught:
        READERS[shape](text(document), "f")
    assert caught.value.exit_code == 7
    assert caught.value.detail


RIGHT: list[tuple[str, str, Any]] = [
    ("unknown key of a set", "EvalSet", {**eval_set(x=[TURN]), "nope": 1}),
    (
        "unknown key of a case",
        "EvalSet",
        {"eval_set_id": "x", "eval_cases": [{**eval_set(x=[])["eval_cases"][0], "n": 1}]},
    ),
    (
        "unknown key of an event",
        "EvalSet",
        eval_set(
            x=[{**TURN, "intermediate_data": {"invocation_events": [{"author": "a", "invocationIndex": 1}]}}]
        ),
    ),
    (
        "no content",
        "EvalSet",
        eval_set(x=[{"user_content": {}, "final_response": None, "intermediate_data": None}]),
    ),
]


@pytest.mark.parametrize("document", [item[2] for item in RIGHT], ids=[item[0] for item in RIGHT])
def test_what_adk_loads_is_read(adk: Adk, document: Any) -> None:
    """Where ADK allows more, so does this."""
    adk("EvalSet").model_validate_json(text(document))
    assert len(read_eval_set(text(document), "f").cases) == 1


def test_two_cases_of_one_id_are_invalid() -> None:
    """Which of them a result is of, nothing says."""
    twice = {"eval_set_id": "x", "eval_cases": eval_set(x=[])["eval_cases"] * 2}
    with pytest.raises(InvalidConfiguration, match="f has two cases with the id `x`"):
        read_eval_set(text(twice), "f")


@pytest.mark.parametrize(
    "spelling", cases("trajectory")["match_type_spellings"], ids=lambda item: str(item["written"])
)
def test_match_types_are_spelled_as_adk_allows(adk: Adk, spelling: dict[str, Any]) -> None:
    """By name in any case, or by number; anything else is invalid."""
    said = {"threshold": 1, "matchType": spelling["written"]}
    document = text({"criteria": {"tool_trajectory_avg_score": said}})
    if spelling["read"] is None:
        with pytest.raises(ValidationError):
            adk("ToolTrajectoryCriterion").model_validate(said)
        with pytest.raises(InvalidConfiguration, match="criterion `tool_trajectory_avg_score` is wrong"):
            read_criteria(document, "f")
    else:
        assert adk("ToolTrajectoryCriterion").model_validate(said).match_type.name == spelling["read"]
        assert read_criteria(document, "f")[0].match_type is MatchType(spelling["read"])


def test_thresholds_are_numbers_or_objects() -> None:
    """With the settings of the trajectory in either case."""
    document = {
        "criteria": {
            "tool_trajectory_avg_score": {"threshold": 0.5, "match_type": "ANY_ORDER", "ignoreArgs": True},
            "response_match_score": 1,
        }
    }
    assert read_criteria(text(document), "f") == (
        Criterion(
            metric="tool_trajectory_avg_score",
            threshold=0.5,
            match_type=MatchType.ANY_ORDER,
            ignore_args=True,
        ),
        Criterion(metric="response_match_score", threshold=1.0),
    )


@pytest.mark.parametrize(
    ("metric", "why"),
    [
        ("final_response_match_v2", "needs a judge, and none was asked: add --judge"),
        ("token_usage_v1", "informational: ADK gives no verdict"),
        ("response_match_scor", "not a metric of ADK that is known here"),
        ("own", "a metric of your own, whose code is not run here"),
        ("response_match_score", "a metric of your own, whose code is not run here"),
        ("tool_trajectory_avg_score", "a metric of your own, whose code is not run here"),
    ],
)
def test_what_cannot_be_computed_here_is_read_and_says_why(metric: str, why: str) -> None:
    """A metric of one's own may have the name of one that is known."""
    own = {"custom_metrics": {metric: {"code_config": {"name": "m.f"}}}} if "your own" in why else {}
    (found,) = read_criteria(text({"criteria": {metric: 0.5}, **own}), "f")
    assert found.unsupported == why


def test_the_defaults_are_those_of_adk() -> None:
    """Trajectory 1.0, response 0.8."""
    from google.adk.evaluation.eval_config import get_evaluation_criteria_or_default

    assert get_evaluation_criteria_or_default(None).criteria == {
        item.metric: item.threshold for item in DEFAULTS
    }


def test_the_metrics_of_adk_are_all_known() -> None:
    """A new one in google-adk is not called unknown."""
    from google.adk.evaluation.eval_metrics import PrebuiltMetrics

    document = text({"criteria": {item.value: 1 for item in PrebuiltMetrics}})
    assert [item.metric for item in read_criteria(document, "f") if "known here" in item.unsupported] == []


HOSTILE = {
    "deep": '{"eval_set_id": "x", "eval_cases": ' + "[" * 100_000,
    "deep arguments": text(
        eval_set(x=[invocation("x", calls=[{"name": "f", "args": {"a": json.loads("[" * 98 + "]" * 98)}}])])
    ),
    "NaN": '{"eval_set_id": "x", "eval_cases": [], "creation_timestamp": NaN}',
    "surrogate": '{"eval_set_id": "\\ud800", "eval_cases": []}',
    "twice": '{"eval_set_id": "x", "eval_set_id": "y", "eval_cases": []}',
    "empty": "",
    "binary": "\x00\x01",
    "large number": '{"eval_set_id": "x", "eval_cases": [], "creation_timestamp": 1e999}',
}


@pytest.mark.parametrize("document", HOSTILE.values(), ids=HOSTILE.keys())
def test_hostile_json_is_invalid_and_no_crash(document: str) -> None:
    """Depth, numbers that are none, halves of characters, members that are there twice."""
    for read in (read_eval_set, lambda found, name: read_results(found, name, "x"), read_criteria):
        with pytest.raises(InvalidConfiguration, match=r"^f "):
            read(document, "f")


def test_problems_are_few_and_short() -> None:
    """A file with a million mistakes, or one with a key of a megabyte, has a message of some lines."""
    for number, told in ((100, 5), (100_000, 1)):
        many = {"eval_set_id": "x", "eval_cases": [1] * number}
        with pytest.raises(InvalidConfiguration) as caught:
            read_eval_set(text(many), "f")
        assert len(caught.value.detail.splitlines()) == told
    assert caught.value.detail == "It has 100,000 problems."
    long = eval_set(x=[{**TURN, "n" * 1_000_000: 1}])
    with pytest.raises(InvalidConfiguration) as caught:
        read_eval_set(text(long), "f")
    assert len(caught.value.detail) <= 300
