"""What the reports of each command say: values into renderers by format, imported only when they are used."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from cesplan.cli.reports import Renderers, Reports
from cesplan.domain.diagnostic import Diagnostic
from cesplan.domain.errors import CesplanError, InvalidConfiguration
from cesplan.render.text.layout import View

if TYPE_CHECKING:
    from cesplan.cli.progress import Finished
    from cesplan.config.tree.load import Loaded
    from cesplan.domain.plan import Plan

FILE_VIEW = View(width=100)
"""A text in a file: no colour, and wide enough for a page of code."""


def plan_renderers(
    made: "Plan", view: View, duration: float | None, hints: dict[str, str], whole: str = ""
) -> Renderers:
    """A plan; `whole` is the command that shows what a shorter view leaves out."""

    def text(view: View) -> str:
        from cesplan.render.text.plan import plan_text

        return plan_text(made, view, duration=duration, hints=hints, whole=whole)

    def json() -> str:
        from cesplan.render.machine.formats.plan import PlanReport

        return PlanReport.of(made).text()

    def markdown() -> str:
        from cesplan.features.impact.graph import graph_of_changes
        from cesplan.features.impact.mermaid import mermaid
        from cesplan.render.services.markdown import full_markdown, plan_markdown

        if view.full:
            return full_markdown(made)
        graph = graph_of_changes(made)
        return plan_markdown(made, whole=whole, diagram=mermaid(graph) if graph.edges else "")

    def junit() -> str:
        from cesplan.render.services.junit import plan_junit

        return plan_junit(made)

    return {
        "text": lambda: text(view),
        "text file": lambda: text(replace(FILE_VIEW, full=view.full)),
        "json": json,
        "markdown": markdown,
        "junit": junit,
    }


def apply_renderers(made: "Plan", finished: "Finished | None", exit_code: int, text: Renderers) -> Renderers:
    """An apply; `text` says it in words. Without `finished` there was nothing to do."""
    outcomes = finished.outcomes if finished else ()
    undone = finished.undone if finished else ()

    def json() -> str:
        from cesplan.render.machine.formats.outcomes import ApplyReport

        return ApplyReport.of(made, outcomes, exit_code=exit_code, undone=undone).text()

    def markdown() -> str:
        from cesplan.render.services.markdown_outcomes import outcomes_markdown

        return outcomes_markdown(made, outcomes, exit_code=exit_code, undone=undone)

    def junit() -> str:
        from cesplan.render.services.junit import outcomes_junit

        return outcomes_junit(outcomes)

    return {**text, "json": json, "markdown": markdown, "junit": junit}


def validation_renderers(loaded: "Loaded", environment: str, text: Renderers) -> Renderers:
    """A validation; `text` is its summary."""
    found, files = loaded.diagnostics, loaded.files

    def text_file() -> str:
        from cesplan.render.text.diagnostics import diagnostics_text, summary_text

        return diagnostics_text(found, FILE_VIEW) + summary_text(found, files, FILE_VIEW)

    def json() -> str:
        from cesplan.render.machine.formats.diagnostics import ValidationReport

        return ValidationReport.of(found, files).text()

    def markdown() -> str:
        from cesplan.render.services.markdown_outcomes import diagnostics_markdown

        return diagnostics_markdown(found, files, environment=environment)

    def junit() -> str:
        from cesplan.render.services.junit import validation_junit

        return validation_junit(found, _resources(loaded))

    return {
        **text,
        "text file": text_file,
        "json": json,
        "markdown": markdown,
        "junit": junit,
        "sarif": lambda: _sarif(found, loaded.root),
    }


def error_renderers(reports: Reports, error: CesplanError) -> Renderers:
    """A command that ended in an error. In words it is reported on stderr."""
    found = error.diagnostics if isinstance(error, InvalidConfiguration) else ()

    def text_file() -> str:
        from cesplan.render.text.diagnostics import diagnostics_text
        from cesplan.render.text.errors import error_text

        return diagnostics_text(found, FILE_VIEW) + error_text(error, FILE_VIEW)

    def json() -> str:
        from cesplan.render.machine.formats.outcomes import ErrorReport

        return ErrorReport.of(error, exit_code=error.exit_code).text()

    def markdown() -> str:
        from cesplan.render.services.markdown_outcomes import error_markdown

        return error_markdown(
            reports.command, error, exit_code=error.exit_code, environment=reports.environment
        )

    def junit() -> str:
        from cesplan.render.services.junit import error_junit, validation_junit

        return validation_junit(found, {}) if found else error_junit(reports.command, error)

    def sarif() -> str:
        from cesplan.render.services.sarif import error_sarif

        return error_sarif(error)

    return {
        "text file": text_file,
        "json": json,
        "markdown": markdown,
        "junit": junit,
        "sarif": sarif,
    }


def _resources(loaded: "Loaded") -> dict[str, str]:
    """The files of resources, and whose they are."""
    tree = loaded.tree
    if tree is None:
        return {}
    files = [item for app in tree.apps for item in (app.app, *app.resources)]
    return {item.path: str(item.address) for item in (*files, *tree.location_resources)}


def _sarif(found: Sequence[Diagnostic], root: Path | None) -> str:
    from cesplan.config.codes import CODES
    from cesplan.render.services.sarif import SarifRule, sarif

    rules = [
        SarifRule(code=item.code, title=item.title, severity=item.severity, page=item.page)
        for item in CODES.values()
    ]
    return sarif(found, rules, folder=_folder(root) if root else "")


def _folder(root: Path) -> str:
    """Where the tree is in its repository, as services that show code want it."""
    top = next((item for item in (root, *root.parents) if (item / ".git").exists()), root)
    path = root.relative_to(top).as_posix()
    return "" if path == "." else path
