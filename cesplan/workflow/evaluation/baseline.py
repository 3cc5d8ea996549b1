"""The baseline: the results of an earlier run, from its report in a file, or from the service."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from cesplan.config.files import read_report
from cesplan.domain.errors import UsageError
from cesplan.domain.features.evaluation import EvaluationChoice, EvaluationVerdict, RunReport, RunSettings
from cesplan.domain.frozen import dataclass
from cesplan.features.evaluation.verdict import compared
from cesplan.workflow.evaluation.evaluating import Evaluating, RequestedSettings, find_run, newest_run_of

_NOTHING = EvaluationChoice()


@dataclass(frozen=True, slots=True, kw_only=True)
class Baseline:
    """The earlier verdicts, by `evaluations/<key>`."""

    label: str
    verdicts: Mapping[str, EvaluationVerdict]
    settings: RunSettings

    def against(self, report: RunReport) -> RunReport:
        """The report with its comparison."""
        return replace(report, comparison=compared(report, self.verdicts, self.settings, self.label))


def read_baseline(text: str, app: Evaluating) -> Baseline:
    """
    The requested baseline: a file, else a run, else the newest completed run of a version.

    Raises UsageError, and what the service answers.
    """
    path = Path(text)
    if path.is_file():
        return _of_file(path)
    try:
        run = find_run(text, app.live.app.name, app.client)
    except UsageError as no_run:
        try:
            version = app.version(text)
        except UsageError as no_version:
            raise UsageError(
                summary=f"`{text}` is not a file, an evaluation run, or a version.",
                detail=f"{no_run.summary}\n{no_version.summary}",
            ) from no_version
        run = newest_run_of(version.id, app.live.app.name, app.client)
    report = app.judged(app.demand_of(run, _NOTHING, RequestedSettings()), run)
    return Baseline(
        label=f"run {report.run_id}",
        verdicts={item.demanded.reference: item.verdict for item in report.evaluations},
        settings=report.demand.settings,
    )


def _of_file(path: Path) -> Baseline:
    from cesplan.render.machine.formats.evaluation import read_evaluation  # lazily: pydantic is for JSON alone

    verdicts, settings = read_report(path, read_evaluation, "an evaluation report")
    return Baseline(label=str(path), verdicts=verdicts, settings=settings)
