"""`cesplan validate`: everything that is wrong with a tree, without asking anyone."""

from typing import TYPE_CHECKING

import click

from cesplan.cli.commands.explain import explain as explain_code
from cesplan.cli.exit_codes import ExitCode
from cesplan.cli.export_options import export_options
from cesplan.cli.group import CONTEXT, Command
from cesplan.cli.lazily import lazily
from cesplan.cli.loading import load_tree
from cesplan.cli.options import TreeChoice, common_options, complete_code, tree_options
from cesplan.cli.report_formats import validation_renderers
from cesplan.cli.reports import report_options
from cesplan.cli.session import Session
from cesplan.domain.diagnostic import Severity, has_errors

if TYPE_CHECKING:
    from cesplan.config.tree.load import Loaded

with lazily():
    from cesplan.render.text import diagnostics as diagnostics_words


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
@click.option(
    "--explain",
    metavar="CODE",
    shell_complete=complete_code,
    help="Explain a code, such as CES012, and how to fix the problem; the same as `cesplan explain CODE`.",
)
@common_options
@click.pass_obj
def command(session: Session, tree: TreeChoice, explain: str | None) -> int:
    """
    Check the tree offline and report every problem.

    Checks files, fields, references, variables and embedded code in one run. Each problem has a location, a
    code and, where possible, a suggestion. Exit code 7 if there are errors; 0 if there are only warnings.
    """
    if explain:
        return explain_code(session, explain)
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
