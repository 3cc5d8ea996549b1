"""
The first steps of a command: what needs no other module is answered before any is imported.

`cesplan --version` must start about as fast as the interpreter (DESIGN §14).
"""

import sys


def main() -> None:
    """Run the command line and end the process with its exit code."""
    arguments = sys.argv[1:]
    if arguments[:1] == ["--version"]:
        from cesplan import __version__

        print(f"cesplan {__version__}")
        return
    from cesplan.cli.running import run

    sys.exit(run(arguments))
