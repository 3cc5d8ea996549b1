"""
The result of each tool: a report as in `--format json`, what was left out of it, and for some tools a text for
people.
"""

from typing import Any, Self

from cesplan.domain.resource_name import last_id
from cesplan.domain.value import Body
from cesplan.features.impact.json_report import GraphReport
from cesplan.render.machine.formats.base import Format
from cesplan.render.machine.formats.diagnostics import ValidationReport
from cesplan.render.machine.formats.drift import DriftReportJson
from cesplan.render.machine.formats.evaluation import EvaluationReport
from cesplan.render.machine.formats.files import CodeListReport, CodeReport
from cesplan.render.machine.formats.outcomes import ApplyReport
from cesplan.render.machine.formats.plan import PlanReport
from cesplan.render.machine.formats.tree import TreeReport


class Result(Format):
    """The result of a tool."""

    left_out: tuple[str, ...] = ()
    """
    What is missing or shortened because the result would be too large, one line each; empty if nothing is.
    """


class ValidationResult(Result):
    """The problems of the tree."""

    report: ValidationReport
    """As `cesplan validate --format json`."""


class PlanResult(Result):
    """A plan."""

    text: str
    """The plan as `cesplan plan` shows it to people."""
    report: PlanReport
    """As `cesplan plan --format json`; `plan_digest` is the checksum."""


class ResourcesResult(Result):
    """Resources of the tree."""

    report: TreeReport
    """As `cesplan render --format json`."""


class DriftResult(Result):
    """What was edited live."""

    text: str
    """The report as `cesplan drift` shows it to people."""
    report: DriftReportJson
    """As `cesplan drift --format json`."""


class GraphResult(Result):
    """Which resources refer to which."""

    notices: tuple[str, ...]
    """Apps that are not shown, and why."""
    report: GraphReport
    """As `cesplan graph --format json`."""


class RunJson(Format):
    """An evaluation run."""

    run: str
    """The id."""
    display_name: str
    """The display name."""
    state: str
    """`QUEUED`, `RUNNING`, `COMPLETED`, `ERROR`."""
    create_time: str
    """When it was started (RFC 3339)."""
    initiated_by: str
    """Who started it."""
    version: str
    """The id of the version; empty for the draft."""

    @classmethod
    def of(cls, run: Body) -> Self:
        return cls(
            run=last_id(str(run.get("name") or "")),
            display_name=str(run.get("displayName") or ""),
            state=str(run.get("state") or ""),
            create_time=str(run.get("createTime") or ""),
            initiated_by=str(run.get("initiatedBy") or ""),
            version=last_id(str(run.get("appVersion") or "")),
        )


class RunsResult(Result):
    """The newest evaluation runs of an app."""

    app: str
    """The key of the app."""
    runs: tuple[RunJson, ...]
    """The runs, newest first."""


class RunResult(Result):
    """The results of an evaluation run."""

    report: EvaluationReport
    """As `cesplan evaluate --run RUN --format json`."""


class CodeResult(Result):
    """The explanation of a code."""

    report: CodeReport
    """As `cesplan explain CODE --format json`."""


class CodesResult(Result):
    """All codes."""

    report: CodeListReport
    """As `cesplan explain --format json`."""


class SchemaResult(Result):
    """A JSON Schema."""

    file: str
    """The name of the file that `cesplan schema` writes."""
    json_schema: dict[str, Any]
    """The schema."""


class ApplyResult(Result):
    """What an apply did."""

    text: str
    """The report as `cesplan apply` shows it to people."""
    report: ApplyReport
    """As `cesplan apply --format json`."""
