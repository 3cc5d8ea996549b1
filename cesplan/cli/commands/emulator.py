"""`cesplan emulator`: the emulator as a standalone server."""

import contextlib
from functools import partial
from pathlib import Path

import click

from cesplan.cli.exit_codes import ExitCode
from cesplan.cli.group import Command, Group
from cesplan.cli.session import Session
from cesplan.domain.errors import CesplanError, UsageError
from cesplan.domain.lazily import lazily

with lazily():
    from cesplan.workflow import emulating


PORT = 8470

_script = partial(click.option, metavar="FILE", type=click.Path(exists=True, dir_okay=False, path_type=Path))


class _Serve(Command):
    """The command; its help lists the switches."""

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        super().format_options(ctx, formatter)
        # Help works without the packages of the emulator.
        with contextlib.suppress(CesplanError):
            rows = emulating.switch_help()
            with formatter.section("Switches, default first ([D] documented, [S] seen, [?] unverified)"):
                formatter.write_dl(rows)


@click.group("emulator", cls=Group)
def command() -> None:
    """Run a local server that behaves like CES."""


@command.define(
    "serve",
    cls=_Serve,
    epilog=f"""
\b
Examples:
  cesplan emulator serve
  cesplan emulator serve --port 9000 --data ces.db
  cesplan emulator serve --switch etag_on_update=ignore --switch operation_polls=3
  cesplan emulator serve --faults faults.yaml

\b
In another terminal:
  export CES_EMULATOR_HOST=127.0.0.1:{PORT}
  cesplan plan
""",
)
@click.option(
    "--port", type=click.IntRange(0, 65535), default=PORT, show_default=True, help="0 picks a free port."
)
@click.option(
    "--data",
    metavar="FILE",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Keep data in this file.  [default: in memory only]",
)
@click.option(
    "--switch",
    "switches",
    metavar="NAME=VALUE",
    multiple=True,
    help="Select a behavior that is unverified on the service; see below.",
)
@_script("--faults", help="Faults to inject: statuses, latency, broken connections, foreign edits, …")
@_script("--evaluations", help="Scripted results of evaluation runs; without this, runs end with an error.")
@_script("--sessions", help="Scripted replies of agents and tools; without this, sessions are not implemented.")
@_script(
    "--judges",
    help="Scripted answers of Vertex AI judges; without this, only metrics that need no model are computed.",
)
def serve(
    session: Session,
    port: int,
    data: Path | None,
    switches: tuple[str, ...],
    **scripts: Path | None,
) -> int:
    """
    Serve until Ctrl-C, on 127.0.0.1 only.

    Clients connect with CES_EMULATOR_HOST=host:port. For a single command, `--emulator` is enough.
    """
    where = f"in {data}" if data else "in memory only"

    def announce(address: str) -> None:
        session.console.data(
            f"CES emulator on http://{address}, data {where}.\n\n    export CES_EMULATOR_HOST={address}\n\n"
        )

    named = dict(_switch(text) for text in switches)
    # Ctrl-C is the usual way to end a server.
    with contextlib.suppress(KeyboardInterrupt):
        emulating.serve_emulator(port, data, named, announce, **scripts)
    return ExitCode.DONE


def _switch(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals:
        raise UsageError(summary=f"`--switch {text}` has no value.", detail="Use --switch name=value.")
    return name, value
