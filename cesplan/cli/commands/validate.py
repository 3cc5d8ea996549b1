"""`cesplan validate`: every problem of a tree, offline, and repairs."""

from typing import TYPE_CHECKING, Any

import click

from cesplan.cli.commands import shared_options as shared
from cesplan.cli.commands.explain import explain as explain_code
from cesplan.cli.exit_codes import ExitCode, worst
from cesplan.cli.export_options import export_options
from cesplan.cli.group import define
from cesplan.cli.loading import load_tree, show_loaded, showing_errors
from cesplan.cli.options import TreeChoice, complete_code, tree_options
from cesplan.cli.report_formats import validation_renderers
from cesplan.cli.reports import report_options
from cesplan.cli.session import Session
from cesplan.domain.diagnostic import Severity, has_errors
from cesplan.domain.errors import CesplanError
from cesplan.domain.lazily import lazily

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cesplan.config.tree.load import Loaded
    from cesplan.domain.diagnostic import Fix
    from cesplan.workflow.fixes.fixing import Fixes

with lazily():
    from cesplan.cli import confirming
    from cesplan.features.fixes import text_report
    from cesplan.render.text import diagnostics as diagnostics_words
    from cesplan.render.text import errors
    from cesplan.workflow import validating
    from cesplan.workflow.fixes import fixing


@define(
    "validate",
    epilog="""
\b
Examples:
  cesplan validate
  cesplan validate -e prod --format json
  cesplan validate --fix                       # shows a diff and asks
  cesplan validate --report sarif=cesplan.sarif --report junit=cesplan.xml
  cesplan validate --explain CES021
""",
)
@tree_options
@export_options
@report_options("text", "json", "jsonl", "markdown", "junit", "sarif")
@click.option(
    "--fix",
    is_flag=True,
    help="Repair misspelled keys, values, and references that can mean only one thing. Shows a diff and asks.",
)
@shared.auto_approve(help="With --fix: write without asking.")
@click.option(
    "--explain",
    metavar="CODE",
    shell_complete=complete_code,
    help="Explain a code, such as CES012, and how to fix the problem; the same as `cesplan explain CODE`.",
)
def command(session: Session, tree: TreeChoice, fix: bool, auto_approve: bool, explain: str | None) -> int:
    """
    Check the tree offline and report every problem.

    Checks files, fields, references, variables, and embedded code in one run. Each problem has a location, a
    code and, where possible, a suggestion. Exit code 7 if there are errors; 0 if there are only warnings.

    With --fix, words that can mean only one thing are replaced: misspelled or outdated keys, values, and
    references with a single close match. Nothing else in the files changes. The tree is then checked again, and
    the exit code reports what remains.
    """
    if auto_approve and not fix:
        raise click.UsageError("--auto-approve requires --fix.")
    if explain:
        return explain_code(session, explain)
    if fix:
        return _fix(session, tree, auto_approve=auto_approve)
    loaded = load_tree(session, tree, show=False)
    _show(session, tree, loaded)
    return _exit_code(loaded)


def _exit_code(loaded: "Loaded") -> ExitCode:
    return ExitCode.INVALID if has_errors(loaded.diagnostics) else ExitCode.DONE


def _fix(session: Session, tree: TreeChoice, *, auto_approve: bool) -> int:
    """Show what can be repaired, ask, write, and report what remains."""
    if tree.export:
        raise click.UsageError("--fix edits a tree; it cannot be combined with --from.")
    console = session.console
    with showing_errors(session):
        fixes = fixing.find_fixes(tree.target(session.root))
    console.notify(text_report.left_text(fixes.left, console.err_view))
    if not fixes.edits:
        console.notify("There is nothing to fix.\n")
        return _report(session, tree, fixes.loaded, ())
    is_text = session.reports.stdout == "text"
    write, view = (console.data, console.out_view) if is_text else (console.notify, console.err_view)
    write(text_report.diff_text(fixes.edits, view))
    try:
        _approve(session, tree, fixes, auto_approve=auto_approve)
        fixing.write_fixes(fixes)
    except CesplanError as error:
        code = _report(session, tree, validating.validate(session.root, **_where(tree)), ())
        console.notify(errors.error_text(error, console.err_view))
        return worst((code, error.exit_code))
    console.notify(f"Wrote {text_report.number_of(fixes.edits)}.\n")
    applied = [item for edit in fixes.edits for item in edit.fixes]
    return _report(session, tree, validating.validate(session.root, **_where(tree)), applied)


def _where(tree: TreeChoice) -> "dict[str, Any]":
    return {"environment": tree.environment, "variables": tree.variables}


def _approve(session: Session, tree: TreeChoice, fixes: "Fixes", *, auto_approve: bool) -> None:
    """Ask for approval. Raises Declined."""
    if auto_approve:
        return
    command = session.command("validate", "--fix", "--auto-approve", *tree.words)
    confirming.agree(
        session.console,
        f"{text_report.number_of(fixes.edits)}. Type `yes` to write: ",
        otherwise="Nothing was written",
        verb="write",
        unattended=f"To write without a prompt:\n\n    {command}",
    )


def _report(session: Session, tree: TreeChoice, loaded: "Loaded", fixed: "Sequence[Fix]") -> ExitCode:
    """Report what remains."""
    show_loaded(session, tree, loaded, show=False)
    _show(session, tree, loaded, fixed)
    return _exit_code(loaded)


def _show(session: Session, tree: TreeChoice, loaded: "Loaded", fixed: "Sequence[Fix] | None" = None) -> None:
    """In text, findings are the result, on stdout; next to another format, they go to stderr for people."""
    console, diagnostics = session.console, loaded.diagnostics
    worst_first = sorted(diagnostics, key=lambda item: (list(Severity).index(item.severity), item.sort_key))
    explain = session.command("validate", "--explain", worst_first[0].code) if worst_first else ""
    fix = session.command("validate", "--fix", *tree.words) if fixed is None else ""

    def text() -> str:
        return diagnostics_words.diagnostics_text(
            diagnostics, console.out_view
        ) + diagnostics_words.summary_text(
            diagnostics, loaded.files, console.out_view, command=explain, fix=fix
        )

    if session.reports.stdout != "text":
        console.notify(diagnostics_words.diagnostics_text(diagnostics, console.err_view))
    reports = session.reports
    reports.write_final(console, validation_renderers(loaded, reports.environment, {"text": text}, fixed))
