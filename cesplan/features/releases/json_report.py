"""A release for machines: the evidence of its gate, and the report of every command."""

from typing import Any, Literal, Self

from cesplan.domain.features.evaluation import EvaluationVerdict, RunReport
from cesplan.domain.features.gate import (
    FoundScore,
    GateReport,
    JudgedEvaluation,
    JudgedSuite,
    Objection,
    PlannedRun,
)
from cesplan.domain.features.release import Release
from cesplan.domain.settings import Settings
from cesplan.domain.text.times import moment, timestamp
from cesplan.features.releases.canary import CanaryReport
from cesplan.features.releases.report import Move, Record, ReleaseReport
from cesplan.features.releases.split import Position
from cesplan.render.machine.formats.base import Document, Format, check_version, json_object, optional

_Verdict = Literal["passed", "failed", "inconclusive"]


class ReleaseJson(Format):
    """A release of an app."""

    name: str
    """The name of its file."""
    app: str
    """The key of the app."""
    file: str
    """The file, relative to the root of the tree."""
    deployment: str
    """The key of the deployment."""
    candidate: str
    """The version that the deployment's file names: `versions/<key>`."""
    digest: str
    """SHA-256 of the release file with the overlay of the environment."""


class PlaceJson(Format):
    """Where it is."""

    environment: str
    """The environment; empty if none was chosen."""
    project: str
    """The project."""
    location: str
    """The location."""
    service: str
    """The endpoint, or EMULATOR; empty for the default one."""

    @classmethod
    def of(cls, item: Settings) -> Self:
        return cls.from_value(item, item.place, service=item.where)


class ObjectionJson(Format):
    """Objections to the candidate."""

    where: str
    """The part of the release file, or the resource."""
    text: str
    """What was found."""
    verdict: Literal["failed", "inconclusive"]
    """The verdict."""

    @classmethod
    def of(cls, item: Objection) -> Self:
        return cls.from_value(item, verdict=_worse(item.verdict))


def _worse(verdict: EvaluationVerdict) -> Literal["failed", "inconclusive"]:
    return "inconclusive" if verdict is EvaluationVerdict.INCONCLUSIVE else "failed"


class CaseJson(Format):
    """One evaluation of a suite, over all of its runs."""

    evaluation: str
    """Its reference: `evaluations/<key>`."""
    display_name: str
    """The display name."""
    verdict: _Verdict
    """The verdict."""
    repeats: int
    """How many results were required."""
    passed: int
    """How many passed."""
    failed: int
    """How many failed."""
    undecided: int
    """How many are undecided because of an infrastructure error."""
    critical: bool
    """Whether no repeat may fail."""
    problems: tuple[str, ...]
    """Objections to its results."""

    @classmethod
    def of(cls, item: JudgedEvaluation) -> Self:
        return cls.from_value(item, evaluation=item.reference)


class RunJson(Format):
    """A run that was judged."""

    name: str
    """Its resource name."""
    create_time: str
    """When it was created, as the service says."""
    state: str
    """Its state."""
    repeats: int
    """How many times each evaluation was run."""

    @classmethod
    def of(cls, item: RunReport) -> Self:
        return cls.from_value(item, item.demand.settings, name=item.run)


class SuiteJson(Format):
    """A suite of the release."""

    name: str
    """Its name in the release file."""
    verdict: _Verdict
    """The verdict."""
    passed: int
    """How many results passed."""
    results: int
    """How many results were required."""
    lower_bound: float | None = optional()
    """Wilson's one-sided lower bound of the rate; null without `confidence`."""
    method: str
    """`stable` or `naive`."""
    tools: str
    """`real` or `fake`."""
    runs: tuple[RunJson, ...]
    """The first run, and those that replaced undecided results."""
    evaluations: tuple[CaseJson, ...]
    """Every evaluation."""

    @classmethod
    def of(cls, item: JudgedSuite) -> Self:
        return cls.from_value(item, item.suite, lower_bound=item.bound)


class ScoreJson(Format):
    """A score that was computed from the observed turns."""

    metric: str
    """The criterion of ADK."""
    evaluation: str
    """The evaluation."""
    score: float | None
    """The mean over all comparable turns of all repeats; null if there is none."""
    threshold: float
    """The threshold."""
    required: bool
    """False if it is only reported."""
    applies: bool
    """False if the evaluation has nothing to compare with."""
    reason: str
    """Why there is no score."""

    @classmethod
    def of(cls, item: FoundScore) -> Self:
        demand = item.demand
        return cls.from_value(item, demand, demand.criterion, evaluation=item.reference, score=item.value)


class FindingJson(Format):
    """What a smoke step or a judge found."""

    subject: str
    """The step, or the case."""
    verdict: _Verdict
    """The verdict."""
    text: str
    """The expected and the observed values."""
    required: bool
    """False if it is only reported."""


class PartJson(Format):
    """The smoke test, or the judges."""

    findings: tuple[FindingJson, ...]
    """What was found."""
    sessions: int
    """How many sessions it took."""
    calls: int
    """How many calls to judges it made."""


class GateJson(Format):
    """The result of a gate."""

    verdict: _Verdict
    """Passed only without an objection."""
    version: str
    """The id of the version that was judged; empty if it is not live."""
    version_name: str
    """Its display name."""
    time: str
    """When it was judged (RFC 3339)."""
    oldest_run: str | None
    """When the oldest run of the candidate began; the age of the evidence counts from it."""
    valid_until: str | None
    """When the evidence expires."""
    objections: tuple[ObjectionJson, ...]
    """Objections to the candidate."""
    suites: tuple[SuiteJson, ...]
    """The suites."""
    scores: tuple[ScoreJson, ...]
    """The computed scores."""
    baseline: str
    """The baseline of the comparison; empty if there was none."""
    smoke: PartJson | None = optional()
    """The smoke test."""
    judges: PartJson | None = optional()
    """The judges."""
    sessions: int
    """How many sessions were used: as counted by the service, or else as requested."""
    judge_calls: int
    """How many calls to judges were made."""
    digests: dict[str, str]
    """SHA-256 of the release file and of each evaluation with its thresholds."""

    @classmethod
    def of(cls, item: GateReport) -> Self:
        age = item.release.evidence_age
        return cls.from_value(
            item,
            time=timestamp(item.time),
            oldest_run=timestamp(item.oldest) if item.oldest else None,
            valid_until=timestamp((item.oldest or item.time) + age),
        )


class MoveJson(Format):
    """One move of the traffic."""

    action: Literal["start", "step", "abort"]
    """The command."""
    percent: int
    """The candidate's share after the move."""
    time: str | None
    """When it was written; null if it is unknown whether it was."""

    @classmethod
    def of(cls, item: Move) -> Self:
        return cls.from_value(item, time=timestamp(item.time) if item.time else None)


class EvidenceDocument(Document):
    """
    The evidence of a release: written by `gate` and `start`, read by policies and by `abort`.

    It is void once the release file, an evaluation, or a threshold changes, and when it is older than
    `evidenceAge`.
    """

    release: ReleaseJson
    """The release."""
    place: PlaceJson
    """Where."""
    gate: GateJson | None = optional()
    """The result of the newest gate."""
    before: dict[str, Any] | None = optional()
    """`appVersion` and `experimentConfig` of the deployment before the release, which `abort` restores."""
    moves: tuple[MoveJson, ...]
    """The moves of the traffic by this release, oldest first."""

    @classmethod
    def made(cls, release: Release, service: Settings, gate: GateJson | None, record: Record) -> Self:
        return cls.from_value(record, release=release, place=service, gate=gate)

    @property
    def record(self) -> Record:
        return Record(
            before=self.before,
            moves=tuple(
                Move(action=item.action, percent=item.percent, time=moment(item.time) if item.time else None)
                for item in self.moves
            ),
        )


def read_evidence(text: str) -> EvidenceDocument:
    """The document that a text holds. Raises ValueError (pydantic.ValidationError is one) for another text."""
    check_version(json_object(text))
    return EvidenceDocument.model_validate_json(text)


class ShareJson(Format):
    """A share of the traffic."""

    id: str
    """Its id in the deployment."""
    version: str
    """The version."""
    percent: int
    """The share."""


class PositionJson(Format):
    """The position of the release, according to the live deployment."""

    stage: Literal["absent", "not started", "step", "done", "other candidate", "foreign"]
    """`step`: a step of the canary; `foreign`: a split that no release made."""
    served: str
    """The version that serves the rest of the traffic."""
    percent: int
    """The share of the candidate."""
    step: int | None
    """The number of the step, from 1; null beside `step`."""
    shares: tuple[ShareJson, ...]
    """The split; empty if one version serves all."""

    @classmethod
    def of(cls, item: Position) -> Self:
        return cls.from_value(item, step=item.step + 1 if item.step >= 0 else None)


class PlannedRunJson(Format):
    """A run that the gate needs."""

    suite: str
    """The suite."""
    baseline: bool
    """Whether it runs the version that is currently served."""
    version: str
    """The id of the version."""
    evaluations: int
    """How many evaluations it has."""
    repeats: int
    """How many times each is run."""
    sessions: int
    """The minimum number of sessions that it will take; 0 if the run exists."""
    run: str
    """The existing run; empty if it must be started."""

    @classmethod
    def of(cls, item: PlannedRun) -> Self:
        return cls.from_value(item, item.demand.settings, evaluations=len(item.demand.evaluations))


class GatePlanJson(Format):
    """The plan of a gate."""

    version: str
    """The id of the candidate; empty if it is not live."""
    runs: tuple[PlannedRunJson, ...]
    """The runs that it needs."""
    blockers: tuple[ObjectionJson, ...]
    """Blockers: nothing starts until they are resolved."""
    over_limit: tuple[str, ...]
    """Why it would exceed the limits of the release file."""
    sessions: int
    """The minimum number of sessions that it would start."""
    judge_calls: int
    """The minimum number of calls to judges that it would make."""
    baseline: str
    """The version that the candidate is compared with; empty if none."""


class CanaryFindingJson(Format):
    """One requirement of a step."""

    what: str
    """`time`, `conversations`, or a metric."""
    verdict: _Verdict
    """Inconclusive while it cannot be decided."""
    text: str
    """What was found."""


class MetricJson(Format):
    """
    A metric in both versions: the number of conversations in which it occurred, and the number that can be
    judged.
    """

    metric: str
    """`errors`, `escalations`, or `unfinished`."""
    candidate: tuple[int, int]
    """The numbers of the candidate."""
    served: tuple[int, int]
    """The numbers of the version that serves the rest."""


class CanaryJson(Format):
    """What is due at a step of the canary."""

    due: Literal["hold", "abort", "advance"]
    """What is due."""
    findings: tuple[CanaryFindingJson, ...]
    """Why."""
    metrics: tuple[MetricJson, ...]
    """The numbers."""
    conversations: dict[str, int]
    """The number of conversations, by `candidate` and `served`."""
    until: str | None
    """When the hold time of the step ends; null if it has ended."""

    @classmethod
    def of(cls, item: CanaryReport) -> Self:
        return cls.from_value(item, metrics=item.shares, until=timestamp(item.until) if item.until else None)


class ReleaseReportJson(Document):
    """`cesplan release … --format json`."""

    action: Literal["plan", "gate", "start", "step", "status", "abort"]
    """The command."""
    exit_code: int
    """The exit code."""
    ending: Literal["done", "refused", "inconclusive", "holding", "foreign", "partial"]
    """The outcome in one word."""
    summary: str
    """The outcome in a sentence."""
    release: ReleaseJson
    """The release."""
    place: PlaceJson
    """Where."""
    position: PositionJson
    """The position of the release."""
    moved_from: PositionJson | None = optional()
    """The previous position, if this command moved it."""
    plan: GatePlanJson | None = optional()
    """The plan of the gate; for `release plan`, and for a gate that did not start."""
    gate: GateJson | None = optional()
    """The result of the gate."""
    canary: CanaryJson | None = optional()
    """The action that is due at the step."""
    not_converged: tuple[str, ...]
    """Fields whose live value differs from what was written."""
    notices: tuple[str, ...]
    """Notices."""

    @classmethod
    def of(cls, item: ReleaseReport, *, exit_code: int) -> Self:
        return cls.from_value(item, place=item.service, exit_code=exit_code)
