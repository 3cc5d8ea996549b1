"""The reports of each command: renderers of its values by format, imported only when they are used."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from cesplan.cli.reports import Renderers, Reports
from cesplan.cli.session import Session
from cesplan.domain.diagnostic import Diagnostic, Fix
from cesplan.domain.errors import CesplanError, InvalidConfiguration
from cesplan.domain.lazily import lazily
from cesplan.render.text.layout import View

if TYPE_CHECKING:
    from cesplan.cli.progress import FinishedApply
    from cesplan.config.tree.load import Loaded
    from cesplan.domain.plan import Plan
    from cesplan.render.html.picture import Picture

with lazily():
    from cesplan.config import codes
    from cesplan.features.impact import graph as impact_graph
    from cesplan.features.impact import mermaid, picture
    from cesplan.render.html import error as error_page
    from cesplan.render.html import outcomes as outcomes_page
    from cesplan.render.html import plan as plan_page
    from cesplan.render.machine.formats import diagnostics as diagnostics_json
    from cesplan.render.machine.formats import outcomes as outcomes_json
    from cesplan.render.machine.formats import plan as plan_json
    from cesplan.render.services import junit, markdown, markdown_outcomes, sarif
    from cesplan.render.text import diagnostics, errors, plan

FILE_VIEW = View(width=100)
"""A text file: no color, and wide enough for code."""


def write_report(session: Session, text: Callable[[View], str], **others: Callable[[], str]) -> None:
    """Give the report of a command: as text, on this console and in files, and in other formats."""
    in_words = {"text": lambda: text(session.console.out_view), "text file": lambda: text(FILE_VIEW)}
    session.reports.write_final(session.console, {**in_words, **others})


def plan_renderers(
    planned: "Plan", view: View, duration: float | None, hints: dict[str, str], whole: str = ""
) -> Renderers:
    """The renderers of a plan; `whole` is the command that shows what a shorter view leaves out."""

    def text(view: View) -> str:
        return plan.plan_text(planned, view, duration=duration, hints=hints, whole=whole)

    def on_a_page() -> str:
        if view.full:
            return markdown.full_markdown(planned)
        graph = impact_graph.graph_of_changes(planned)
        return markdown.plan_markdown(
            planned, whole=whole, diagram=mermaid.mermaid(graph) if graph.edges else ""
        )

    return {
        "text": lambda: text(view),
        "text file": lambda: text(replace(FILE_VIEW, full=view.full)),
        "json": lambda: plan_json.PlanReport.of(planned).text(),
        "markdown": on_a_page,
        "junit": lambda: junit.plan_junit(planned),
        "html": lambda: plan_page.plan_html(planned, drawn(planned)),
    }


def apply_renderers(
    plan: "Plan",
    finished: "FinishedApply | None",
    exit_code: int,
    text: Renderers,
    *,
    is_all: bool = True,
    hints: Mapping[str, str] = {},
) -> Renderers:
    """
    The renderers of an apply; `text` is its text. Without `finished`, there was nothing to do.

    `is_all` is true if the plan was complete; `hints` are the next commands.
    """
    outcomes = finished.outcomes if finished else ()
    undone = finished.undone if finished else ()
    duration = finished.seconds if finished else 0.0
    return {
        **text,
        "json": lambda: outcomes_json.ApplyReport.of(plan, outcomes, exit_code=exit_code, undone=undone).text(),
        "markdown": lambda: markdown_outcomes.outcomes_markdown(
            plan, outcomes, exit_code=exit_code, undone=undone
        ),
        "junit": lambda: junit.outcomes_junit(outcomes),
        "html": lambda: outcomes_page.outcomes_html(
            plan, outcomes, duration=duration, is_all=is_all, undone=undone, hints=hints, picture=drawn(plan)
        ),
    }


def validation_renderers(
    loaded: "Loaded", environment: str, text: Renderers, fixed: "Sequence[Fix] | None" = None
) -> Renderers:
    """
    The renderers of a validation; `text` is its text. `fixed` is what was repaired before, None without
    `--fix`.
    """
    found, files = loaded.diagnostics, loaded.files
    return {
        **text,
        "text file": lambda: (
            diagnostics.diagnostics_text(found, FILE_VIEW) + diagnostics.summary_text(found, files, FILE_VIEW)
        ),
        "json": lambda: diagnostics_json.ValidationReport.of(found, files, fixed).text(),
        "markdown": lambda: markdown_outcomes.diagnostics_markdown(found, files, environment=environment),
        "junit": lambda: junit.validation_junit(found, _resources(loaded)),
        "sarif": lambda: _sarif(found, loaded.root),
    }


def drawn(plan: "Plan") -> "Picture":
    """The graph of what a plan changes."""
    return picture.picture_of(impact_graph.graph_of_changes(plan))


def error_renderers(reports: Reports, error: CesplanError) -> Renderers:
    """The renderers of a command that ended in an error. As text, it is reported on stderr."""
    found = error.diagnostics if isinstance(error, InvalidConfiguration) else ()
    return {
        "text file": lambda: (
            diagnostics.diagnostics_text(found, FILE_VIEW) + errors.error_text(error, FILE_VIEW)
        ),
        "json": lambda: outcomes_json.ErrorReport.from_value(error=error, exit_code=error.exit_code).text(),
        "markdown": lambda: markdown_outcomes.error_markdown(
            reports.command, error, exit_code=error.exit_code, environment=reports.environment
        ),
        "junit": lambda: (
            junit.validation_junit(found, {}) if found else junit.error_junit(reports.command, error)
        ),
        "sarif": lambda: sarif.error_sarif(error),
        "html": lambda: error_page.error_html(
            reports.command, error, environment=reports.environment, findings=found
        ),
    }


def _resources(loaded: "Loaded") -> dict[str, str]:
    """The files of resources, and the resource of each."""
    tree = loaded.tree
    if tree is None:
        return {}
    files = [item for app in tree.apps for item in app.all()]
    return {item.path: str(item.address) for item in (*files, *tree.location_resources)}


def _sarif(found: Sequence[Diagnostic], root: Path | None) -> str:
    return sarif.sarif(found, [*codes.CODES.values()], folder=_folder(root) if root else "")


def _folder(root: Path) -> str:
    """The path of the tree in its repository, for services that show code."""
    top = next((item for item in (root, *root.parents) if (item / ".git").exists()), root)
    path = root.relative_to(top).as_posix()
    return "" if path == "." else path
