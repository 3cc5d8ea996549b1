"""
google-adk itself, as the judge of scores: what it computes for turns of ours.

It is imported when it judges: that takes a second, and each process that runs tests imports all of them.
"""

from collections.abc import Sequence
from typing import Any

from cesplan.domain.features.scores import RESPONSE_MATCH, TRAJECTORY, Criterion, Turn
from cesplan.features.scores.adk.invocations import invocation_of


def judged(criterion: Criterion, actual: Sequence[Turn], expected: Sequence[Turn]) -> tuple[Any, str]:
    """The score that google-adk gives, and its status in lower case."""
    found = _evaluator(criterion).evaluate_invocations(_invocations(actual), _invocations(expected))
    return found.overall_score, found.overall_eval_status.name.lower().replace("_", "-")


def _evaluator(criterion: Criterion) -> Any:
    from google.adk.evaluation.eval_metrics import BaseCriterion, EvalMetric, ToolTrajectoryCriterion
    from google.adk.evaluation.final_response_match_v1 import RougeEvaluator
    from google.adk.evaluation.trajectory_evaluator import TrajectoryEvaluator

    if criterion.metric == TRAJECTORY:
        said = ToolTrajectoryCriterion(
            threshold=criterion.threshold,
            match_type=criterion.match_type.value,  # type: ignore[arg-type]
            ignore_args=criterion.ignore_args,
        )
        return TrajectoryEvaluator(eval_metric=EvalMetric(metric_name=TRAJECTORY, criterion=said))
    criterion_of_rouge = BaseCriterion(threshold=criterion.threshold)
    return RougeEvaluator(EvalMetric(metric_name=RESPONSE_MATCH, criterion=criterion_of_rouge))


def _invocations(turns: Sequence[Turn]) -> list[Any]:
    from google.adk.evaluation.eval_case import Invocation

    return [Invocation.model_validate(invocation_of(turn, str(number))) for number, turn in enumerate(turns)]
