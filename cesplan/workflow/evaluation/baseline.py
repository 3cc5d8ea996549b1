"""The baseline: what an earlier run found, from the report of it in a file, or from the service."""

import os
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from cesplan.config.files import read_regular
from cesplan.domain.errors import UsageError
from cesplan.domain.features.evaluation import EvaluationVerdict, RunReport, RunSettings
from cesplan.features.evaluation.choice import EvaluationChoice
from cesplan.features.evaluation.compare import compared
from cesplan.workflow.evaluation.evaluating import AskedSettings, Evaluating
from cesplan.workflow.evaluation.finding import find_run, newest_run_of

_MOST_BYTES = 1 << 28
_NOTHING = EvaluationChoice()


@dataclass(frozen=True, slots=True, kw_only=True)
class Baseline:
    """What there was before: verdicts by `evaluations/<key>`."""

    label: str
    verdicts: Mapping[str, EvaluationVerdict]
    settings: RunSettings

    def against(self, report: RunReport) -> RunReport:
        """The report with its comparison."""
        return replace(report, comparison=compared(report, self.verdicts, self.settings, self.label))


def read_baseline(text: str, app: Evaluating) -> Baseline:
    """
    The baseline that a person means: a file, else a run, else the newest completed run of a version.

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
                summary=f"`{text}` is neither a file nor an evaluation run nor a version.",
                detail=f"{no_run.summary}\n{no_version.summary}",
            ) from no_version
        run = newest_run_of(version.id, app.live.app.name, app.client)
    report = app.judged(app.demand_of(run, _NOTHING, AskedSettings()), run)
    return Baseline(
        label=f"run {report.run_id}",
        verdicts={item.demanded.reference: item.verdict for item in report.evaluations},
        settings=report.demand.settings,
    )


def _of_file(path: Path) -> Baseline:
    from cesplan.render.machine.formats.evaluation import read_evaluation  # lazily: pydantic is for JSON alone

    try:
        text = read_regular(path, _MOST_BYTES + 1).decode("utf-8-sig")
    except OSError as error:
        raise UsageError(
            summary=f"Cannot read {path}: {error.strerror or os.strerror(error.errno or 0)}."
        ) from error
    except UnicodeDecodeError as error:
        raise UsageError(summary=f"{path} is not an evaluation report.", detail="It is not UTF-8.") from error
    if len(text) > _MOST_BYTES:
        raise UsageError(summary=f"{path} is larger than {_MOST_BYTES >> 20} MiB.")
    try:
        verdicts, settings = read_evaluation(text)
    except ValueError as error:
        raise UsageError(summary=f"{path} is not an evaluation report.", detail=str(error)) from error
    return Baseline(label=str(path), verdicts=verdicts, settings=settings)
