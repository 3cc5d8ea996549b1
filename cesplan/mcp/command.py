"""`cesplan mcp`: a server of the Model Context Protocol for coding agents, on stdin and stdout."""

import os
import sys
from importlib.util import find_spec

import click

from cesplan.cli.commands import shared_options as shared
from cesplan.cli.exit_codes import ExitCode
from cesplan.cli.group import define
from cesplan.cli.options import ENVIRONMENT, variables_option
from cesplan.cli.session import Session
from cesplan.domain.errors import CesplanError, Extra, UsageError
from cesplan.domain.lazily import lazily

with lazily():
    from cesplan.config.project import project
    from cesplan.mcp import serving, workspace
    from cesplan.render.machine import checksums
    from cesplan.workflow import emulating


_MOST_BYTES = 60_000
_LEAST_BYTES = 10_000


@define(
    "mcp",
    epilog="""
\b
Examples:
  cesplan mcp -C agents                      # as an MCP client starts it
  cesplan mcp -e dev -e prod                 # tools may name these environments
  cesplan mcp -e dev --allow-apply sha256:…  # and apply this plan, once
""",
)
@shared.environments(
    help="An environment from cesplan.yaml that tools may name; the first is the default. Can be repeated."
)
@variables_option
@click.option(
    "--allow-apply",
    metavar="CHECKSUM",
    help="Offer a tool that applies the plan with this checksum, once (see `cesplan plan --checksum`). "
    "Without it, no tool writes.",
)
@click.option(
    "--max-bytes",
    type=click.IntRange(min=_LEAST_BYTES),
    default=_MOST_BYTES,
    show_default=True,
    help="Maximum size of the result of a tool. A larger one is shortened and says so.",
)
def command(
    session: Session,
    environments: tuple[str, ...],
    variables: dict[str, str],
    allow_apply: str | None,
    max_bytes: int,
) -> int:
    """
    Serve the tree to coding agents over the Model Context Protocol (MCP), on stdin and stdout.

    An MCP client starts this command. Its tools validate, plan, show, and explain; they report drift,
    evaluation results, and references, and return the schema of each kind. The tools write nothing, neither to
    the service nor to the tree, and read no files outside the tree. Results are those of `--format json`.

    With `--allow-apply`, one more tool plans again, and applies the plan if it has this checksum.

    Needs the extra `mcp`. Ends at the end of the input or on Ctrl-C. Messages go to stderr.
    """
    if find_spec("mcp") is None:
        raise CesplanError(
            summary="The MCP server needs packages that are not installed.",
            detail=Extra.MCP.advice,
        )
    root = project.find_root(session.root)
    if root is None:
        raise UsageError(summary="There is no cesplan.yaml here.", detail="Create one:\n\n    cesplan init")
    if sys.stdin is None or sys.stdout is None:
        raise UsageError(summary="Stdin and stdout are closed: an MCP client starts this command with both.")
    approval = workspace.Approval(checksums.parse_checksum(allow_apply)) if allow_apply is not None else None
    named = os.environ.get(ENVIRONMENT, "")
    with emulating.emulator(session.root, embedded=session.emulator) as address:
        space = workspace.Workspace(
            root=root.resolve(),
            environments=environments or (named,),
            variables=variables,
            connection=session.connection(address),
            most_bytes=max_bytes,
            approval=approval,
        )
        log = session.console.notify_escaped
        log(f"Serving {space.root} over MCP on stdin and stdout.\n")
        if sys.stdin.isatty():
            log("An MCP client starts this command. Press Ctrl-C to end it.\n")
        return ExitCode.INTERRUPTED if serving.serve(space, log) else ExitCode.DONE
