"""Vertex's trajectory metrics: certain scores, and refusals where the documentation leaves two readings."""

from typing import Any

import pytest

from cesplan.domain.features.scores import NotEvaluated
from cesplan.features.scores.vertex import trajectories
from tests.unit.features.scores.reference import cases

CASES = cases("vertex_trajectories")
METRICS = {
    "exact": trajectories.trajectory_exact_match,
    "inOrder": trajectories.trajectory_in_order_match,
    "anyOrder": trajectories.trajectory_any_order_match,
    "precision": trajectories.trajectory_precision,
    "recall": trajectories.trajectory_recall,
}
REPEATED = "how repeated calls count is not documented"
SPELLED = "whether they are compared as text or as JSON is not documented"


def scored(case: dict[str, Any]) -> dict[str, Any]:
    """Every score of a case, or the reason why there is none."""
    found: dict[str, Any] = {}
    for name, metric in METRICS.items():
        try:
            found[name] = metric(case["predictedTrajectory"], case["referenceTrajectory"])
        except NotEvaluated as error:
            found[name] = str(error)
    return found


@pytest.mark.parametrize("case", CASES["cases"], ids=lambda case: case["id"])
def test_what_every_reading_of_the_definition_gives_is_the_score(case: dict[str, Any]) -> None:
    """Exact, in order, any order, precision, recall."""
    assert scored(case) == pytest.approx(case["expected"], abs=1e-6)


@pytest.mark.parametrize("case", CASES["singleToolUse"], ids=lambda case: case["id"])
def test_a_single_tool_is_used_or_not(case: dict[str, Any]) -> None:
    """With any input, any number of times."""
    found = trajectories.trajectory_single_tool_use(case["predictedTrajectory"], case["spec"]["toolName"])
    assert found == case["expected"]


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("repeated-in-prediction", {"precision": REPEATED}),
        ("repeated-in-reference", {"anyOrder": REPEATED, "recall": REPEATED}),
        ("key-order", dict.fromkeys(METRICS, SPELLED)),
        ("white-space", dict.fromkeys(METRICS, SPELLED)),
        ("number-spelling", dict.fromkeys(METRICS, SPELLED)),
    ],
)
def test_what_the_definition_leaves_open_has_no_score(name: str, told: dict[str, str]) -> None:
    """The reason says what is open; the other metrics of the case have their score."""
    (case,) = [item for item in CASES["undefined"] if item["id"] == name]
    refused = {metric: said for metric, said in scored(case).items() if isinstance(said, str)}
    assert refused.keys() == told.keys()
    assert all(told[metric] in said for metric, said in refused.items())


@pytest.mark.parametrize("case", CASES["refused"], ids=lambda case: case["id"])
def test_an_empty_trajectory_is_refused_as_the_service_does(case: dict[str, Any]) -> None:
    """The service answers with 400."""
    assert set(scored(case).values()) == {"a trajectory has no call, which the service refuses"}
