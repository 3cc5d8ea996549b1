"""
The first steps of a command: requests that need no other module are answered before any import.

`cesplan --version` must start about as fast as the interpreter, and `cesplan --help` not much slower: importing
Click takes longer than both may.
"""

import gc
import os
import sys

_INTERRUPTED = 130
_VERSION = (["--version"], ["-V"], ["version"])
_HELP = (["--help"], ["-h"], ["help"])
HELP_WIDTH = 80
"""The width of help.txt in columns, as in `cesplan.cli.group`, which is not imported here."""


def main() -> None:
    """Run the command line and end the process with its exit code."""
    arguments = sys.argv[1:]
    if arguments in _VERSION and _printed(_version()):
        return
    if arguments in _HELP and _printed(_help()):
        return
    collect_rarely()
    from cesplan.cli.running import run

    code = run(arguments)
    gc.freeze()  # else Python searches everything for garbage at exit, which takes as long as its start
    if code == _INTERRUPTED:
        end_at_once(code)
    sys.exit(code)


def _version() -> str:
    from cesplan import __version__

    return f"cesplan {__version__}\n"


def _help() -> str | None:
    """
    The help text of Click, from a file that a test keeps current; None if the terminal is too narrow for it.
    """
    if _columns() < HELP_WIDTH:
        return None
    with open(os.path.join(os.path.dirname(__file__), "help.txt"), encoding="utf-8") as file:
        return file.read()


def _columns() -> int:
    """The width of the terminal, determined as in `shutil.get_terminal_size`."""
    given = os.environ.get("COLUMNS", "")
    if given.isdecimal() and int(given):
        return int(given)
    try:
        return os.get_terminal_size(1).columns or HELP_WIDTH
    except OSError:  # no terminal
        return HELP_WIDTH


def _printed(text: str | None) -> bool:
    """Print a text. False if there is none or printing failed: the command then runs like any other."""
    if text is None:
        return False
    try:
        print(text, end="", flush=True)
    except (OSError, UnicodeError):
        return False
    return True


def end_at_once(code: int) -> None:
    """Exit without waiting for abandoned requests; all output is written."""
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:  # it is None if it was closed from the start
            stream.flush()
    os._exit(code)


def collect_rarely() -> None:
    """
    Run the garbage collector for cycles less often than the interpreter would.

    A command keeps nearly everything that it creates until it ends; on a tree of thousands of files, the
    collector took a fifth of the time and found nothing. One collection among 50,000 values takes as long as
    the interpreter takes to start, so a small tree is validated without any.
    """
    gc.set_threshold(200_000, 20, 50)
