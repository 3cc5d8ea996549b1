"""
The gate: what was found about a candidate, compared with its release file.

Everything found is data; the verdict is decided in one place, from all of it. A part that was asked for
and has shown nothing is never a pass.
"""

from collections.abc import Mapping
from dataclasses import field
from datetime import datetime

from cesplan.domain.features.evaluation import Demand, EvaluationVerdict, RunReport
from cesplan.domain.features.release import PartReport, Release, ScoreDemand, Suite
from cesplan.domain.frozen import dataclass
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
    """The verdict of a gate. `version` is the id of the candidate, empty if it is not live."""

    service: Settings
    release: Release
    version: str
    version_name: str
    verdict: EvaluationVerdict
    objections: tuple[Objection, ...] = ()
    suites: tuple[JudgedSuite, ...] = ()
    scores: tuple[FoundScore, ...] = ()
    baseline: str = ""
    """What the run was compared with; empty if nothing."""
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


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedRun:
    """
    A run that a gate needs.

    `run` is the one that was already made for exactly this demand, empty if there is none: then it is started
    under `display_name`.
    """

    suite: str
    demand: Demand
    display_name: str
    run: str = ""
    is_baseline: bool = False

    @property
    def sessions(self) -> int:
        """What it will take; nothing for one that was made."""
        return 0 if self.run else self.demand.sessions


@dataclass(frozen=True, slots=True, kw_only=True)
class GatePlan:
    """What a gate would do, and what stands in its way. Nothing was started."""

    service: Settings
    release: Release
    version: str
    """The id of the candidate; empty if it is not live."""
    version_name: str
    served: str = ""
    """The reference of the version that the deployment serves; empty: none, or it does not exist."""
    runs: tuple[PlannedRun, ...] = ()
    blockers: tuple[Objection, ...] = ()
    smoke_sessions: int = 0
    judge_calls: int = 0
    baseline: str = ""
    """What the candidate is compared with, in words; empty: nothing."""
    has_baseline: bool = True
    """False if the baseline would be the version that is served, and none is."""

    @property
    def sessions(self) -> int:
        """How many sessions would be started at least."""
        return sum(item.sessions for item in self.runs) + self.smoke_sessions

    @property
    def spent(self) -> int:
        """How many the runs that were already made for it took at least."""
        return sum(item.demand.sessions for item in self.runs if item.run and not item.is_baseline)

    @property
    def over_limit(self) -> tuple[str, ...]:
        """Why it would exceed what the release file allows; empty if it would not."""
        limits = self.release.limits
        found = []
        if self.sessions + self.spent > limits.sessions:
            spent = f", {self.spent:,} were taken by earlier runs" if self.spent else ""
            found.append(
                f"At least {self.sessions:,} sessions are needed{spent}, and the limit is {limits.sessions:,}."
            )
        if self.judge_calls > limits.judge_calls:
            found.append(
                f"At least {self.judge_calls:,} calls of judges are needed, and the limit is"
                f" {limits.judge_calls:,}."
            )
        return tuple(found)
