"""docs/commands.md is what `--help` prints, and cesplan/cli/help.txt."""

from cesplan.cli import group, main
from tools.command_reference import HELP, PAGE, help_text, page


def test_the_page_of_commands_is_current() -> None:
    """Every command and option is in it as the program has it. To write it again: make docs."""
    assert PAGE.read_text(encoding="utf-8") == page()


def test_the_help_of_the_whole_is_current() -> None:
    """It is printed without asking Click. To write it again: make docs."""
    assert HELP.read_text(encoding="utf-8") == help_text()
    assert main.HELP_WIDTH == group.HELP_WIDTH
