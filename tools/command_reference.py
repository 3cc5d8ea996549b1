"""
Write docs/commands.md, the help of every command, and cesplan/cli/help.txt, what `cesplan --help` prints.

Run after a change of an option or a help text: `make docs`. A test holds both to it.
"""

import sys
from collections.abc import Iterator
from pathlib import Path

import click

from cesplan.cli.group import HELP_WIDTH, group
from cesplan.cli.session import Session

PAGE = Path(__file__).parents[1] / "docs" / "commands.md"
HELP = Path(__file__).parents[1] / "cesplan" / "cli" / "help.txt"
_WIDTH = 100


def page() -> str:
    """The text of docs/commands.md."""
    found = [*_commands(group, "cesplan", None)]
    contents = "\n".join(f"- [`{name}`](#{name.replace(' ', '-')})" for name, _ in found)
    sections = "\n".join(f"## {name}\n\n```text\n{text}\n```\n" for name, text in found)
    return f"# Commands\n\nWhat `--help` prints, for every command.\n\n{contents}\n\n{sections}"


def help_text() -> str:
    """The text of cesplan/cli/help.txt."""
    settings = {**group.context_settings, "terminal_width": HELP_WIDTH - 2}  # the margin that Click leaves
    return f"{click.Context(group, info_name='cesplan', obj=Session(), **settings).get_help()}\n"


def _commands(command: click.Command, name: str, parent: click.Context | None) -> Iterator[tuple[str, str]]:
    settings = {**command.context_settings, "terminal_width": _WIDTH, "max_content_width": _WIDTH}
    context = click.Context(
        command, info_name=name.rpartition(" ")[2], parent=parent, obj=Session(), **settings
    )
    yield name, command.get_help(context).rstrip()
    if isinstance(command, click.Group):
        for inner in command.list_commands(context):
            found = command.get_command(context, inner)
            assert found is not None
            yield from _commands(found, f"{name} {inner}", context)


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
    HELP.write_text(help_text(), encoding="utf-8")
    sys.stdout.write(f"{PAGE}\n{HELP}\n")
