"""`cesplan validate`: everything that is wrong with a tree, without asking anyone."""

from typing import TYPE_CHECKING, Any

import click

from cesplan.cli.exit_codes import ExitCode
from cesplan.cli.export_options import export_options
from cesplan.cli.group import CONTEXT, Command
from cesplan.cli.lazily import lazily
from cesplan.cli.loading import load_tree
from cesplan.cli.options import TreeChoice, common_options, tree_options
from cesplan.cli.report_formats import validation_renderers
from cesplan.cli.reports import report_options
from cesplan.cli.session import Session
from cesplan.domain.diagnostic import Severity, has_errors
from cesplan.domain.errors import UsageError

if TYPE_CHECKING:
    from cesplan.config.tree.load import Loaded

with lazily():
    from cesplan.config import codes as check_codes


with lazily():
    from cesplan.features.typed_diffs import codes as typed_diff_codes
    from cesplan.features.weakening import codes as weakening_codes
    from cesplan.render import documents
    from cesplan.render.machine.formats import files
    from cesplan.render.text import diagnostics as diagnostics_words
    from cesplan.render.text import explanation


@click.command(
    "validate",
    cls=Command,
    context_settings=CONTEXT,
    epilog="""
\b
Examples:
  cesplan validate
  cesplan validate -e prod --format json
  cesplan validate --report sarif=cesplan.sarif --report junit=cesplan.xml
  cesplan validate --explain CES021
""",
)
@tree_options
@export_options
@report_options("text", "json", "jsonl", "markdown", "junit", "sarif")
@click.option("--explain", metavar="CODE", help="Explain a code, such as CES012, and how to fix the problem.")
@common_options
@click.pass_obj
def command(session: Session, tree: TreeChoice, explain: str | None) -> int:
    """
    Check the tree offline and report every problem.

    Checks files, fields, references, variables and embedded code in one run. Each problem has a location, a
    code and, where possible, a suggestion. Exit code 7 if there are errors; 0 if there are only warnings.
    """
    if explain:
        return _explain(session, explain)
    loaded = load_tree(session, tree, tell=False)
    _show(session, loaded)
    return ExitCode.INVALID if has_errors(loaded.diagnostics) else ExitCode.DONE


def _show(session: Session, loaded: "Loaded") -> None:
    console, diagnostics = session.console, loaded.diagnostics
    console.tell(diagnostics_words.diagnostics_text(diagnostics, console.err_view))
    worst = sorted(diagnostics, key=lambda item: (list(Severity).index(item.severity), item.sort_key))
    explain = session.command("validate", "--explain", worst[0].code) if worst else ""

    def summary() -> str:
        return diagnostics_words.summary_text(diagnostics, loaded.files, console.out_view, command=explain)

    reports = session.reports
    reports.give(console, validation_renderers(loaded, reports.environment, {"text": summary}))


def _explain(session: Session, code: str) -> int:
    codes = {**check_codes.CODES, **typed_diff_codes.RULES, **weakening_codes.WEAKENING_CODES}
    known = codes.get(code.upper())
    if known is None:
        listing = ", ".join(sorted(codes))
        raise UsageError(summary=f"Unknown code `{code}`.", detail=f"Known codes: {listing}.")
    console = session.console
    told: dict[str, Any] = {
        name: getattr(known, name) for name in ("code", "title", "severity", "silenceable", "page")
    }
    if session.json:
        console.data(files.CodeReport(**documents.opening(), **told).text())
    else:
        console.data(explanation.explanation_text(**told, view=console.out_view))
    return ExitCode.DONE
