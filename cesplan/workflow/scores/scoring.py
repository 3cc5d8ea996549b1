"""Scoring: an eval set of ADK, the results of its runs, and the criteria they must meet."""

import os
from collections.abc import Sequence
from pathlib import Path

from cesplan.config.files import read_regular
from cesplan.domain.errors import InvalidConfiguration, UsageError
from cesplan.domain.features.judges import Judge, JudgeCase, JudgeLimits
from cesplan.domain.features.scores import Criterion, ObservedCase, ScoreReport
from cesplan.domain.frozen import dataclass
from cesplan.features.judges.judging import judged
from cesplan.features.judges.spending import expected_calls
from cesplan.features.scores.adk.criteria import DEFAULTS, read_criteria
from cesplan.features.scores.adk.eval_sets import EvalSet, read_eval_set
from cesplan.features.scores.adk.results import read_results
from cesplan.features.scores.judged import cases_to_judge, criteria_to_judge, with_judgments
from cesplan.features.scores.scoring import scored

MOST_BYTES = 16 << 20
"""Of one file: results repeat the whole conversation for each run, and hold sessions."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Scoring:
    """An eval set, the runs of it, and the criteria, as their files have them; nothing is computed yet."""

    eval_set: EvalSet
    observed: Sequence[ObservedCase]
    criteria: Sequence[Criterion]
    runs: int = 0
    """How many runs each case must have; 0: at least one."""
    has_default_criteria: bool = False

    def scored(self) -> ScoreReport:
        """
        What can be computed; criteria that need a judge have no score.

        Raises InvalidConfiguration where a score needs a library that is not installed.
        """
        return scored(
            self.eval_set.eval_set_id,
            self.eval_set.cases,
            self.observed,
            self.criteria,
            runs=self.runs,
            has_default_criteria=self.has_default_criteria,
        )

    @property
    def judge_calls(self) -> int:
        """How many requests to judges are expected."""
        return expected_calls(criteria_to_judge(self.criteria), self._cases)

    def judged(self, judge: Judge, limits: JudgeLimits) -> ScoreReport:
        """The same with what a judge says of the rest. Raises CesplanError."""
        report = self.scored()
        return with_judgments(report, judged(criteria_to_judge(self.criteria), self._cases, judge, limits))

    @property
    def _cases(self) -> tuple[JudgeCase, ...]:
        return cases_to_judge(self.eval_set.cases, self.observed, self.runs)


def read_scoring(
    eval_set: Path,
    results: Sequence[Path],
    *,
    config: Path | None = None,
    metrics: Sequence[str] = (),
    runs: int = 0,
) -> Scoring:
    """
    Read the files. `metrics` limits the criteria; `runs` is how many runs each case must have.

    Raises InvalidConfiguration for a file that cannot be read or is not what it should be; UsageError for a
    metric that is not in the configuration, and for a file that is named twice.
    """
    _check_apart([eval_set, *results])
    expected = read_eval_set(text_of_file(eval_set), str(eval_set))
    criteria = read_criteria(text_of_file(config), str(config)) if config else DEFAULTS
    observed = [
        item for path in results for item in read_results(text_of_file(path), str(path), expected.eval_set_id)
    ]
    return Scoring(
        eval_set=expected,
        observed=observed,
        criteria=_chosen(criteria, metrics),
        runs=runs,
        has_default_criteria=config is None,
    )


def _check_apart(paths: Sequence[Path]) -> None:
    """What is compared with itself passes, and a run that is counted twice hides another."""
    seen: set[Path] = set()
    for path in paths:
        if (real := path.resolve()) in seen:
            raise UsageError(
                summary=f"{path} is named twice.", detail="Name the eval set and each file of results once."
            )
        seen.add(real)


def _chosen(criteria: Sequence[Criterion], metrics: Sequence[str]) -> Sequence[Criterion]:
    known = [item.metric for item in criteria]
    for name in metrics:
        if name not in known:
            raise UsageError(
                summary=f"`{name}` is not a criterion of the configuration.",
                detail=f"It has: {', '.join(known)}." if known else "It has none.",
            )
    return [item for item in criteria if not metrics or item.metric in metrics]


def text_of_file(path: Path) -> str:
    """The text of a file of ADK, within the limits. Raises InvalidConfiguration."""
    try:
        content = read_regular(path, MOST_BYTES + 1)
    except OSError as error:
        why = error.strerror or os.strerror(error.errno or 0)
        raise InvalidConfiguration(summary=f"Cannot read {path}: {why}.") from error
    if len(content) > MOST_BYTES:
        raise InvalidConfiguration(summary=f"{path} is larger than {MOST_BYTES >> 20} MiB.")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InvalidConfiguration(summary=f"{path} cannot be read: it is not UTF-8.") from error
