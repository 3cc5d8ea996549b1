"""
The gate: what was found of a candidate, held against its release file.

Everything found is data; what it comes to is decided in one place, from all of it. A part that was asked for
and has shown nothing is never a pass.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from cesplan.domain.features.evaluation import EvaluationVerdict, RunReport
from cesplan.domain.features.release import PartReport, Release, ScoreDemand, Suite
from cesplan.domain.settings import Settings


@dataclass(frozen=True, slots=True, kw_only=True)
class Objection:
    """What speaks against the candidate, and where it was found; `verdict` is failed or inconclusive."""

    where: str
    text: str
    verdict: EvaluationVerdict = EvaluationVerdict.FAILED


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgedEvaluation:
    """One evaluation of a suite over all runs: of so many repeats, so many passed, failed or are undecided."""

    reference: str
    display_name: str
    repeats: int
    passed: int
    failed: int
    verdict: EvaluationVerdict
    is_critical: bool = False
    problems: tuple[str, ...] = ()

    @property
    def undecided(self) -> int:
        return max(0, self.repeats - self.passed - self.failed)


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundScore:
    """
    A computed score of one evaluation.

    `value` None: there is none, and `reason` says why. One that `applies` not has nothing to be compared.
    """

    demand: ScoreDemand
    reference: str
    value: float | None = None
    reason: str = ""
    applies: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundSuite:
    """What was found of a suite: its runs, oldest first, and the scores of their results."""

    suite: Suite
    runs: tuple[RunReport, ...] = ()
    scores: tuple[FoundScore, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundBaseline:
    """What passed before, by `evaluations/<key>`; `is_file`: a reviewed file, all of which must be run."""

    label: str
    verdicts: Mapping[str, EvaluationVerdict] = field(default_factory=dict)
    problem: str = ""
    """Why there is none although one was asked for; empty: there is."""
    is_file: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """Everything that was found of a candidate. None: the part was not run."""

    suites: tuple[FoundSuite, ...] = ()
    baseline: FoundBaseline | None = None
    smoke: PartReport | None = None
    judges: PartReport | None = None
    blockers: tuple[Objection, ...] = ()
    """What was found before anything was run, such as a golden that is not that of the tree."""
    stopped: tuple[Objection, ...] = ()
    """Why something was not run, such as a budget that is spent."""


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgedSuite:
    """A suite: of all results so many passed; `bound` is Wilson's, where one was asked for."""

    suite: Suite
    verdict: EvaluationVerdict
    evaluations: tuple[JudgedEvaluation, ...] = ()
    passed: int = 0
    results: int = 0
    bound: float | None = None
    runs: tuple[RunReport, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class GateReport:
    """What a gate comes to. `version` is the id of the candidate, empty if it is not live."""

    service: Settings
    release: Release
    version: str
    version_name: str
    verdict: EvaluationVerdict
    objections: tuple[Objection, ...] = ()
    suites: tuple[JudgedSuite, ...] = ()
    scores: tuple[FoundScore, ...] = ()
    baseline: str = ""
    """What it was compared with; empty: nothing."""
    smoke: PartReport | None = None
    judges: PartReport | None = None
    sessions: int = 0
    """Sessions that the runs and the smoke test took, as far as the service or the demand says."""
    judge_calls: int = 0
    time: datetime
    """When it was judged."""
    oldest: datetime | None = None
    """When the oldest run of the candidate began."""
    digests: Mapping[str, str] = field(default_factory=dict)
    """Of what was judged: the release file, and each evaluation with its thresholds."""
    notices: tuple[str, ...] = ()
