"""
What `cesplan --help` prints, laid out beforehand in help.txt: importing Click takes longer than all else.

A test holds the file to the commands and options.
"""

import os

WIDTH = 80
"""Of the file, in columns. On a narrower terminal Click lays out the help anew."""


def help_text() -> str | None:
    """The help of the whole; None where the terminal is too narrow for it."""
    if _columns() < WIDTH:
        return None
    with open(os.path.join(os.path.dirname(__file__), "help.txt"), encoding="utf-8") as file:
        return file.read()


def _columns() -> int:
    """How wide the terminal is; found out as `shutil.get_terminal_size` does."""
    given = os.environ.get("COLUMNS", "")
    if given.isdecimal() and int(given):
        return int(given)
    try:
        return os.get_terminal_size(1).columns or WIDTH
    except OSError:  # no terminal
        return WIDTH
