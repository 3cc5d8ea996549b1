"""docs/commands.md is what `--help` prints."""

from tools.command_reference import PAGE, page


def test_the_page_of_commands_is_current() -> None:
    """Every command and option is in it as the program has it. To write it again: make docs."""
    assert PAGE.read_text(encoding="utf-8") == page()
