"""`cesplan explain`: what a code means and what to do, or the list of all codes."""

import click

from cesplan.cli.exit_codes import ExitCode
from cesplan.cli.group import define
from cesplan.cli.options import complete_code, format_option
from cesplan.cli.session import Session
from cesplan.domain.lazily import lazily

with lazily():
    from cesplan.render.machine.formats import files
    from cesplan.render.text import explanation
    from cesplan.workflow.reference import explaining


@define(
    "explain",
    epilog="""
\b
Examples:
  cesplan explain CES021
  cesplan explain                # the list of all codes
""",
)
@click.argument("code", required=False, default="", shell_complete=complete_code)
@format_option
def command(session: Session, code: str) -> int:
    """
    Explain a code of a finding or a change, and how to fix the problem.

    CES codes are findings of `validate`; OAS, JSC, PYD, and INS codes are interface changes in a plan; WEA
    codes are ways in which a plan weakens protection. Without CODE, lists all codes.
    """
    return explain(session, code) if code else _list(session)


def explain(session: Session, code: str) -> int:
    """Show the page of a code. Raises UsageError if there is none."""
    known, console = explaining.code_named(code), session.console
    if session.json:
        console.data(files.CodeReport.from_value(known).text())
    else:
        console.data(explanation.explanation_text(known, console.out_view))
    return ExitCode.DONE


def _list(session: Session) -> int:
    codes = explaining.all_codes().values()
    if session.json:
        session.console.data(files.CodeListReport.from_value(codes=codes).text())
    else:
        rows = (f"{item.code}  {item.severity:<7}  {item.title}\n" for item in codes)
        session.console.data("".join(rows))
    return ExitCode.DONE
