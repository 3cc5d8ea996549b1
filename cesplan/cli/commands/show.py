"""`cesplan show`: a plan that was saved to a file, as `cesplan plan` showed it."""

import os
from pathlib import Path

import click

from cesplan.cli.commands import shared_options as shared
from cesplan.cli.commands.plan import file_hints, show_plan
from cesplan.cli.exit_codes import ExitCode
from cesplan.cli.group import define
from cesplan.cli.reports import report_options
from cesplan.cli.session import Session
from cesplan.domain.lazily import lazily

with lazily():
    from cesplan.workflow import saving


@define(
    "show",
    epilog="""
\b
Examples:
  cesplan show plan.json
  cesplan show --full plan.json
  cesplan show plan.json --format json | jq '.resource_changes[].address'
""",
)
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@shared.full(help="Show everything in full.")
@report_options("text", "json", "jsonl", "markdown", "junit", "html")
def command(session: Session, file: Path, full: bool) -> int:
    """
    Show the plan that `cesplan plan --out` saved in FILE.

    The output is the same as when the plan was made. Works offline and needs no variables. A file that was
    edited is refused (exit code 7).
    """
    session.reports.check_apart(file)
    reviewed = saving.show(file)
    if reviewed.plan.settings.emulated and not os.environ.get("CES_EMULATOR_HOST"):
        session.emulator = True  # for the suggested command
    hints = file_hints(session, reviewed, file)
    whole = session.command("show", "--full", str(file))
    show_plan(session, reviewed.plan, reviewed.seconds, hints, full=full, whole=whole)
    return ExitCode.DONE
