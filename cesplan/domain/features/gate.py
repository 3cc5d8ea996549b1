"""
The gate: the findings about a candidate, compared with its release file.

All findings are data, and one place decides the verdict from all of them. A requested part without findings
never passes.
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
    """A problem with the candidate, and where it was found. `verdict` is failed or inconclusive."""

    where: str
    text: str
    verdict: EvaluationVerdict = EvaluationVerdict.FAILED


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgedEvaluation:
    """One evaluation of a suite over all runs: how many repeats passed, failed, or are undecided."""

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

    If `value` is None there is no score, and `reason` says why. If `applies` is false, there is nothing to
    compare.
    """

    demand: ScoreDemand
    reference: str
    value: float | None = None
    reason: str = ""
    applies: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundSuite:
    """The findings of a suite: its runs, oldest first, and the scores of their results."""

    suite: Suite
    runs: tuple[RunReport, ...] = ()
    scores: tuple[FoundScore, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundBaseline:
    """What passed before, by `evaluations/<key>`. `is_file`: from a reviewed file; all of it must be run."""

    label: str
    verdicts: Mapping[str, EvaluationVerdict] = field(default_factory=dict)
    problem: str = ""
    """Why the requested baseline is missing; empty if it is there."""
    is_file: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """All findings about a candidate. None: the part was not run."""

    suites: tuple[FoundSuite, ...] = ()
    baseline: FoundBaseline | None = None
    smoke: PartReport | None = None
    judges: PartReport | None = None
    blockers: tuple[Objection, ...] = ()
    """Problems found before anything was run, such as a live golden that differs from the tree's."""
    stopped: tuple[Objection, ...] = ()
    """Why something was not run, such as a spent budget."""


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgedSuite:
    """A suite: how many of all results passed. `bound` is Wilson's lower bound, if one was requested."""

    suite: Suite
    verdict: EvaluationVerdict
    evaluations: tuple[JudgedEvaluation, ...] = ()
    bound: float | None = None
    runs: tuple[RunReport, ...] = ()

    @property
    def passed(self) -> int:
        return sum(item.passed for item in self.evaluations)

    @property
    def results(self) -> int:
        return sum(item.repeats for item in self.evaluations)

    @property
    def undecided(self) -> int:
        return sum(item.undecided for item in self.evaluations)


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
    """A description of the baseline; empty if there is none."""
    smoke: PartReport | None = None
    judges: PartReport | None = None
    sessions: int = 0
    """The sessions that the runs and the smoke test took, as counted by the service or else by the demand."""
    judge_calls: int = 0
    time: datetime
    """When it was judged."""
    oldest: datetime | None = None
    """When the oldest run of the candidate began."""
    digests: Mapping[str, str] = field(default_factory=dict)
    """The digest of everything judged: the release file, and each evaluation with its thresholds."""
    notices: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedRun:
    """
    A run that a gate needs.

    `run` is an earlier run for exactly this demand. If it is empty, a new run is started under `display_name`.
    """

    suite: str
    demand: Demand
    display_name: str
    run: str = ""
    is_baseline: bool = False

    @property
    def sessions(self) -> int:
        """The sessions that it will take; 0 if the run exists already."""
        return 0 if self.run else self.demand.sessions


@dataclass(frozen=True, slots=True, kw_only=True)
class GatePlan:
    """What a gate would do, and what prevents it. Nothing was started."""

    service: Settings
    release: Release
    version: str
    """The id of the candidate; empty if it is not live."""
    version_name: str
    served: str = ""
    """
    The reference of the version that the deployment serves; empty if there is no version or no deployment.
    """
    runs: tuple[PlannedRun, ...] = ()
    blockers: tuple[Objection, ...] = ()
    smoke_sessions: int = 0
    judge_calls: int = 0
    baseline: str = ""
    """A description of the baseline; empty if there is none."""
    has_baseline: bool = True
    """False if the baseline would be the served version, and none is served."""

    @property
    def sessions(self) -> int:
        """The minimum number of sessions to start."""
        return sum(item.sessions for item in self.runs) + self.smoke_sessions

    @property
    def spent(self) -> int:
        """The minimum number of sessions that its earlier runs took."""
        return sum(item.demand.sessions for item in self.runs if item.run and not item.is_baseline)

    @property
    def over_limit(self) -> tuple[str, ...]:
        """Why it would exceed the limits of the release file; empty if it would not."""
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
