"""The JSON Schemas of all files of a tree, from the models and from features, and of all reports."""

from pathlib import Path

from cesplan.config.writing.outputs import check_output_folder
from cesplan.config.writing.saving import save
from cesplan.features.drift.alarm.messages import NotificationJson
from cesplan.features.impact.json_report import GraphReport
from cesplan.features.merge.json_report import MergeReport
from cesplan.features.policy.json_report import PolicyTestReport
from cesplan.features.promotion.json_report import PromotionReport
from cesplan.features.releases.json_report import EvidenceDocument, ReleaseReportJson
from cesplan.features.timeline.json_report import HistoryReport
from cesplan.model.editor_schemas.files import schema_text
from cesplan.model.editor_schemas.values import JsonSchema
from cesplan.render.machine.formats.base import Document
from cesplan.render.machine.formats.diagnostics import ValidationReport
from cesplan.render.machine.formats.drift import DriftReportJson
from cesplan.render.machine.formats.evaluation import EvaluationExportReport, EvaluationReport
from cesplan.render.machine.formats.files import (
    CodeListReport,
    CodeReport,
    ComparisonReport,
    ConversionReport,
    InitReport,
    PipelineReport,
    PullAllReport,
    PullReport,
)
from cesplan.render.machine.formats.going_back import RollbackReportJson
from cesplan.render.machine.formats.outcomes import ApplyReport, ErrorReport
from cesplan.render.machine.formats.plan import PlanReport
from cesplan.render.machine.formats.plan_files.plan_file import PlanFile
from cesplan.render.machine.formats.schemas import document_schema, events_schema
from cesplan.render.machine.formats.scores import ScoreReportJson
from cesplan.render.machine.formats.smoke import SmokeReportJson
from cesplan.render.machine.formats.stale import StaleReport
from cesplan.render.machine.formats.tree import AppListReport, TreeReport
from cesplan.workflow.reference.editor import file_schemas

REPORTS: dict[str, type[Document]] = {
    "plan": PlanReport,
    "plan_file": PlanFile,
    "apply": ApplyReport,
    "stale": StaleReport,
    "error": ErrorReport,
    "validate": ValidationReport,
    "explain": CodeReport,
    "explain_list": CodeListReport,
    "drift": DriftReportJson,
    "drift_notification": NotificationJson,
    "pull": PullReport,
    "pull_all": PullAllReport,
    "list": AppListReport,
    "history": HistoryReport,
    "merge": MergeReport,
    "promote": PromotionReport,
    "evaluate": EvaluationReport,
    "evaluate_export": EvaluationExportReport,
    "rollback": RollbackReportJson,
    "score": ScoreReportJson,
    "smoke": SmokeReportJson,
    "release": ReleaseReportJson,
    "release_evidence": EvidenceDocument,
    "policy_test": PolicyTestReport,
    "render": TreeReport,
    "graph": GraphReport,
    "convert": ConversionReport,
    "init": InitReport,
    "ci_init": PipelineReport,
    "ci_compare": ComparisonReport,
}
"""Every output that is one JSON document, by the name of its schema."""


def schemas() -> dict[str, JsonSchema]:
    """Every schema by the path of its file: those of the files of a tree, and those of reports."""
    return dict(sorted({**file_schemas(), **report_schemas()}.items()))


def report_schemas() -> dict[str, JsonSchema]:
    """The schemas of machine-readable output; `reports/events.schema.json` describes one line."""
    found = {**{name: document_schema(model) for name, model in REPORTS.items()}, "events": events_schema()}
    return {f"reports/{name}.schema.json": found[name] for name in sorted(found)}


def write_schemas(folder: Path) -> tuple[Path, ...]:
    """Write all schemas into a folder, which is created if it is missing. Returns the paths."""
    check_output_folder(folder)
    texts = {name: schema_text(schema) for name, schema in schemas().items()}
    save(folder, texts)
    return tuple(folder / name for name in texts)
