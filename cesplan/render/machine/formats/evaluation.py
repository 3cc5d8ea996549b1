"""The report of an evaluation run as JSON, and that of an export of evaluations."""

from collections.abc import Sequence
from typing import Literal, Self

from pydantic import ValidationError

from cesplan.domain.features.evaluation import (
    AdkExport,
    Channel,
    EvaluationVerdict,
    ExportedCase,
    FoundEvaluation,
    Latency,
    Method,
    PersonaTasks,
    Problem,
    RunReport,
    RunSettings,
    ToolBehavior,
)
from cesplan.render.machine.formats.base import Document, Format, check_version, json_object, problems
from cesplan.render.machine.formats.scores import JudgeCallsJson, MetricScoreJson


class EvaluationProblemJson(Format):
    """Why something did not pass."""

    message: str
    """The reason."""
    verdict: EvaluationVerdict
    """`failed` or `inconclusive`."""

    @classmethod
    def of(cls, item: Problem) -> Self:
        return cls.from_value(item, message=item.text)


class EvaluationStepJson(Format):
    """Expected and observed values at one place of a conversation."""

    turn: int
    """The turn, from 1; 0 for a scenario."""
    what: str
    """The type of step: `tool call`, `agent response`, `agent transfer`, and others."""
    expected: str
    """What was expected; `nothing` if there was no expectation."""
    observed: str
    """What was observed; `nothing` for a missed expectation."""
    outcome: str
    """`PASS`, `FAIL`, or `SKIPPED`; empty if the service does not report it."""
    note: str
    """The note of the expectation."""


class EvaluationScoreJson(Format):
    """A score from the service."""

    name: str
    """The name of the score."""
    turn: int
    """The turn, from 1; 0 for the whole conversation."""
    value: float
    """The score."""
    threshold: float | None
    """The minimum score that passes; null if there is none."""
    outcome: str
    """`PASS`, `FAIL`, or `SKIPPED`; empty if the service does not report it."""
    explanation: str
    """The reason that the model gave."""


class EvaluationExpectationJson(Format):
    """An expectation about the whole conversation that a model judged."""

    prompt: str
    """What was asked."""
    outcome: str
    """`PASS`, `FAIL`, or `SKIPPED`; empty if the service does not report it."""
    explanation: str
    """The reason that the model gave."""


class EvaluationResultJson(Format):
    """One repeat of one evaluation."""

    name: str
    """The resource name of the result."""
    verdict: EvaluationVerdict
    """The verdict."""
    problems: tuple[EvaluationProblemJson, ...]
    """Why it did not pass."""
    steps: tuple[EvaluationStepJson, ...]
    """Expected and observed, turn by turn."""
    scores: tuple[EvaluationScoreJson, ...]
    """The scores."""
    expectations: tuple[EvaluationExpectationJson, ...]
    """The expectations that a model judged."""
    persona: str = ""
    """The name of the persona that played the user; empty if there was none."""


class EvaluationJson(Format):
    """One evaluation with all its repeats."""

    evaluation: str
    """`evaluations/<key>`."""
    name: str
    """The resource name."""
    display_name: str
    """The display name."""
    kind: Literal["golden", "scenario"]
    """Whether a conversation is replayed or simulated."""
    verdict: EvaluationVerdict
    """`passed` only if every repeat passed."""
    passed: int
    """How many repeats passed."""
    repeats: int
    """How many repeats are required."""
    thresholds: dict[str, str | float]
    """The required thresholds."""
    problems: tuple[EvaluationProblemJson, ...]
    """Why it did not pass as a whole."""
    results: tuple[EvaluationResultJson, ...]
    """The repeats."""
    criteria: tuple[MetricScoreJson, ...] = ()
    """The requested ADK criteria; those that were not met are problems, too."""

    @classmethod
    def of(cls, item: FoundEvaluation) -> Self:
        demanded = item.demanded
        kind = "golden" if demanded.is_golden else "scenario"
        return cls.from_value(item, demanded, evaluation=demanded.reference, kind=kind)


class EvaluationLatencyJson(Format):
    """The latency of one thing."""

    what: str
    """`turns`, or a tool, a callback, a guardrail, or a model."""
    p50_seconds: float
    """The median."""
    p90_seconds: float
    """The 90th percentile."""
    calls: int
    """How many were measured."""

    @classmethod
    def of(cls, item: Latency) -> Self:
        return cls.from_value(item, p50_seconds=item.p50, p90_seconds=item.p90)


class EvaluationComparisonJson(Format):
    """The run against a baseline."""

    baseline: str
    """The baseline of the comparison."""
    regressions: tuple[str, ...]
    """Evaluations that passed in the baseline and not in this run."""
    fixes: tuple[str, ...]
    """Evaluations that passed in this run and not in the baseline."""
    added: tuple[str, ...]
    """Evaluations that the baseline does not have."""
    missing: tuple[str, ...]
    """Evaluations that only the baseline has."""
    notices: tuple[str, ...]
    """Why the two may not be comparable."""


class EvaluationPersonaJson(Format):
    """A persona that plays the user of scenarios."""

    persona: str
    """Its resource name."""
    title: str
    """Its display name; empty if unknown."""
    tasks: int
    """How many times it plays each scenario."""


class EvaluationSettingsJson(Format):
    """How the evaluations were run; every setting was sent."""

    version: str
    """The id of the version; empty for the draft."""
    version_name: str
    """The display name of the version."""
    channel: Channel
    """Text or audio."""
    method: Method
    """How golden conversations are replayed."""
    tools: ToolBehavior
    """Whether tools really ran."""
    repeats: int
    """How often each evaluation was run; 0 if the run left it to the service."""
    dataset: str
    """The resource name of the evaluated dataset; empty if evaluations were named."""
    personas: tuple[EvaluationPersonaJson, ...] = ()
    """The personas that played the users of scenarios; empty if the service chose."""


class EvaluationSummaryJson(Format):
    """The numbers of a report."""

    evaluations: int
    """How many evaluations were requested."""
    passed: int
    """How many passed."""
    failed: int
    """How many failed."""
    inconclusive: int
    """How many are inconclusive."""
    sessions_expected: int
    """The minimum number of sessions that the run takes."""
    sessions: int | None
    """How many sessions the service counted; null if it reports none."""

    @classmethod
    def of(cls, report: RunReport) -> Self:
        return cls(
            evaluations=len(report.evaluations),
            **{str(verdict): report.count(verdict) for verdict in EvaluationVerdict},
            sessions_expected=report.demand.sessions,
            sessions=report.sessions,
        )


class EvaluationReport(Document):
    """`cesplan evaluate --format json`."""

    app: str
    """The key of the app."""
    environment: str
    """The environment of `cesplan.yaml`; empty if none was selected."""
    project: str
    """The id of the Google Cloud project."""
    location: str
    """The location of the app."""
    endpoint: str
    """The endpoint of the API: empty for the default, `regional`, or a URL."""
    emulated: bool
    """Whether the service is an emulator."""
    run: str
    """The resource name of the run."""
    display_name: str
    """The display name of the run."""
    state: str
    """The state of the run when it was last read."""
    create_time: str
    """When it was started (RFC 3339)."""
    initiated_by: str
    """Who started it."""
    settings: EvaluationSettingsJson
    """How the evaluations were run."""
    verdict: EvaluationVerdict
    """`passed` only if every evaluation passed and there is no objection to the run."""
    exit_code: int
    """The exit code of the command."""
    summary: EvaluationSummaryJson
    """The numbers."""
    problems: tuple[EvaluationProblemJson, ...]
    """Objections to the run as a whole."""
    evaluations: tuple[EvaluationJson, ...]
    """The evaluations."""
    latencies: tuple[EvaluationLatencyJson, ...]
    """The latencies."""
    comparison: EvaluationComparisonJson | None
    """The comparison with the baseline; null without one."""
    notices: tuple[str, ...]
    """Further notices."""
    judge_calls: JudgeCallsJson | None = None
    """The requests to judges; null if there were none."""

    @classmethod
    def of(cls, report: RunReport, *, exit_code: int) -> Self:
        service, demand = report.service, report.demand
        return cls.from_value(
            report,
            service,
            service.place,
            app=demand.app_key,
            settings=EvaluationSettingsJson.from_value(demand.settings, demand),
            exit_code=exit_code,
            summary=report,
        )


class TurnLossJson(Format):
    """The parts of a turn that the files cannot hold."""

    turn: int
    """The turn, from 1."""
    lost: tuple[str, ...]
    """What is left out."""
    incomparable: dict[str, str]
    """By metric, why the turn is not comparable."""


class ExportedCaseJson(Format):
    """One evaluation as a case of the eval set."""

    eval_id: str
    """The id of the case."""
    evaluation: str
    """The evaluation: `evaluations/<key>`."""
    kind: Literal["golden", "scenario"]
    """Whether the case has turns, or a plan for a simulated user."""
    lost: tuple[str, ...]
    """Parts of the evaluation as a whole that are left out."""
    turns: tuple[TurnLossJson, ...]
    """The turns that lost something."""

    @classmethod
    def of(cls, item: ExportedCase) -> Self:
        kind = "scenario" if item.is_scenario else "golden"
        return cls.from_value(item, evaluation=item.reference, kind=kind)


class EvaluationExportReport(Document):
    """`cesplan evaluate --export adk --format json`."""

    app: str
    """The key of the app."""
    source: Literal["tree", "live"]
    """Whether the evaluations are those of the tree, or live ones."""
    files: tuple[str, ...]
    """The files that were written: the eval set, and the test configuration."""
    cases: tuple[ExportedCaseJson, ...]
    """The evaluations."""
    lost: tuple[str, ...]
    """What the test configuration cannot express."""

    @classmethod
    def of(cls, export: AdkExport, files: Sequence[str]) -> Self:
        return cls.from_value(export, files=tuple(files))


def read_evaluation(text: str) -> tuple[dict[str, EvaluationVerdict], RunSettings]:
    """
    The verdicts of a report by `evaluations/<key>`, and its settings.

    Raises ValueError, with why, for what is not a report of this format.
    """
    check_version(json_object(text))
    try:
        report = EvaluationReport.model_validate_json(text)
    except ValidationError as error:
        raise ValueError("\n".join(list(problems(error))[:5])) from error
    personas = tuple(item.to_value(PersonaTasks) for item in report.settings.personas)
    settings = report.settings.to_value(RunSettings, personas=personas)
    return {item.evaluation: item.verdict for item in report.evaluations}, settings
