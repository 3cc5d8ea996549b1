"""`tool_trajectory_avg_score` of one turn, as google-adk computes it."""

from typing import Any

import pytest

from cesplan.domain.features.scores import MatchType, ToolUse
from cesplan.features.scores.trajectory import trajectory_score
from tests.unit.features.scores.reference import calls, cases

CASES = cases("trajectory")["cases"]
EXPECTED = [ToolUse(name="lookup", args={"order": "A-1"})]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_every_turn_has_the_score_that_google_adk_gives(case: dict[str, Any]) -> None:
    """Under each of the three match types, with and without arguments."""
    for name, score in case["scores"].items():
        match_type, ignore_args = MatchType(name.removesuffix("_names")), name.endswith("_names")
        found = [
            trajectory_score(
                calls(turn["actual"]), calls(turn["expected"]), match_type, ignore_args=ignore_args
            )
            for turn in case["turns"]
        ]
        told = score.get("turns", [] if score["overall"] is None else [score["overall"]])
        assert found == told, name


def test_many_equal_looking_calls_are_compared_in_linear_time() -> None:
    """Any order is a comparison of counts: 20,000 calls beside 20,000 would be 400 million comparisons."""
    many = [ToolUse(name="f", args={"n": [number * (2**61 - 1)]}) for number in range(20_000)]
    assert trajectory_score(many, [*reversed(many)], MatchType.ANY_ORDER) == 1.0


@pytest.mark.parametrize("match_type", [MatchType.IN_ORDER, MatchType.ANY_ORDER])
def test_where_nothing_is_expected_only_exact_demands_no_call(match_type: MatchType) -> None:
    """So it is defined; a report says it."""
    assert trajectory_score(EXPECTED, [], match_type) == 1.0
    assert trajectory_score(EXPECTED, [], MatchType.EXACT) == 0.0
