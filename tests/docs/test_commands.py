"""docs/commands.md is what `--help` prints, and cesplan/cli/help.txt."""

import re

from cesplan.cli import group, main
from tools.command_reference import HELP, PAGE, help_text, page


def test_the_page_of_commands_is_current() -> None:
    """Every command and option is in it as the program has it. To write it again: make docs."""
    assert PAGE.read_text(encoding="utf-8") == page()


def test_the_help_of_the_whole_is_current() -> None:
    """It is printed without asking Click. To write it again: make docs."""
    assert HELP.read_text(encoding="utf-8") == help_text()
    assert main.HELP_WIDTH == group.HELP_WIDTH


def test_every_option_is_on_the_page_of_its_subject_too() -> None:
    """A user looks there first; the page of commands alone says what an option is, and not what it is for."""
    option = re.compile(r"(?<![\w-])--[a-z][a-z-]*[a-z]\b")
    others = [path.read_text(encoding="utf-8") for path in PAGE.parent.glob("*.md") if path != PAGE]
    documented = {found for text in others for found in option.findall(text)}
    listed = re.findall(r"^ +(?:-\w, )?(--[a-z-]+)(?: / (--[a-z-]+))?", PAGE.read_text(encoding="utf-8"), re.M)
    names = {name for pair in listed for name in pair if name}
    assert names - documented <= {"--help", "--version"}
