"""`cesplan completion`: the script for completing commands, options, and names in a shell."""

import click
from click.shell_completion import BashComplete, FishComplete, ShellComplete, ZshComplete

from cesplan.cli.exit_codes import ExitCode
from cesplan.cli.group import define
from cesplan.cli.session import Session

_SHELLS: dict[str, type[ShellComplete]] = {"bash": BashComplete, "zsh": ZshComplete, "fish": FishComplete}
_VARIABLE = "_CESPLAN_COMPLETE"
"""The environment variable that Click reads; the script sets it."""


@define(
    "completion",
    epilog="""
\b
Examples:
  eval "$(cesplan completion bash)"       # in ~/.bashrc; bash 4.4 or newer
  eval "$(cesplan completion zsh)"        # in ~/.zshrc, after compinit
  cesplan completion fish > ~/.config/fish/completions/cesplan.fish
""",
)
@click.argument("shell", type=click.Choice([*_SHELLS]))
def command(session: Session, shell: str) -> int:
    """
    Print the script that completes cesplan's commands in your shell.

    Completes commands, options, and their values: environments and addresses of the tree around the current
    folder, and codes.
    """
    script = ShellComplete.source(_SHELLS[shell](click.Group("cesplan"), {}, "cesplan", _VARIABLE))
    session.console.data(f"{script.strip()}\n")
    return ExitCode.DONE
