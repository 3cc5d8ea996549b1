"""`cesplan init`: a small tree to start from."""

from pathlib import Path

import click

from cesplan.cli.exit_codes import ExitCode
from cesplan.cli.group import CONTEXT, Command
from cesplan.cli.lazily import lazily
from cesplan.cli.options import common_options, format_option
from cesplan.cli.session import Session

with lazily():
    from cesplan.render.machine.formats import files as files_json
    from cesplan.render.text import init
    from cesplan.workflow import starting


@click.command(
    "init",
    cls=Command,
    context_settings=CONTEXT,
    epilog="""
\b
Examples:
  cesplan init
  cesplan init my-agents
""",
)
@click.argument("folder", metavar="[DIR]", default=".", type=click.Path(file_okay=False, path_type=Path))
@format_option
@common_options
@click.pass_obj
def command(session: Session, folder: Path) -> int:
    """
    Create a small tree to start from: one app, one agent, one tool, one guardrail.

    DIR is created if needed. Existing files are never overwritten: if one exists, nothing is written.
    """
    files = [str(path) for path in starting.start(folder)]
    console = session.console
    if session.json:
        console.data(files_json.InitReport.of(str(folder), files).text())
    else:
        session.chdir = "" if str(folder) == "." else str(Path(session.chdir) / folder)
        hints = {
            "To check it": session.command("validate"),
            "To try it without a Google account": session.command("apply", "--emulator"),
            "To see what it would change in your project": session.command("plan"),
        }
        console.data(init.started_text(str(folder), files, hints, console.out_view))
    return ExitCode.DONE
