"""The first steps."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

_PROGRAM = (
    "import sys; from cesplan.__main__ import main; main()\n"
    "print(sorted({'click', 'rich', 'urllib3', 'pydantic', 'typing'} & {*sys.modules}))\n"
    "print(sorted(name for name in sys.modules if name.startswith('cesplan')))"
)


@pytest.mark.parametrize(
    ("option", "first"),
    [("--version", "cesplan "), ("--help", "Usage: cesplan ")],
)
def test_the_version_and_the_help_need_no_library(option: str, first: str) -> None:
    """Neither Click nor rich nor any stage is imported."""
    ran = subprocess.run(
        [sys.executable, "-S", "-c", _PROGRAM, option], capture_output=True, text=True, check=True, env=_path()
    )
    *said, libraries, ours = ran.stdout.splitlines()
    assert said[0].startswith(first)
    assert libraries == "[]"
    assert ours == "['cesplan', 'cesplan.__main__', 'cesplan.cli', 'cesplan.cli.main']"


def _path(**more: str) -> dict[str, str]:
    return {"PATH": os.environ["PATH"], "PYTHONPATH": os.pathsep.join(filter(None, sys.path)), **more}


def _help(**environ: str) -> str:
    command = [sys.executable, "-m", "cesplan", "--help"]
    return subprocess.run(command, capture_output=True, text=True, check=True, env=_path(**environ)).stdout


def test_a_narrow_terminal_gets_a_narrow_help() -> None:
    """A wide one the same as a page."""
    options, commands = _help(COLUMNS="60").split("\nOptions:\n")[1].split("\nCommands:\n")
    assert max(map(len, options.splitlines())) < 60
    assert "  validate " in commands
    assert _help(COLUMNS="200") == _help()


@pytest.mark.parametrize("option", ["--version", "--help"])
def test_a_reader_that_is_gone_and_a_full_disk_end_without_a_traceback(option: str) -> None:
    command = f"{sys.executable} -m cesplan {option}"
    for ending in ("| true", "> /dev/full", ">&-"):
        ran = subprocess.run(
            f"{command} {ending}", shell=True, capture_output=True, text=True, check=False, env=_path()
        )
        assert "Traceback" not in ran.stderr


_COUNTED = """
import gc, os
from cesplan.__main__ import main

def count(phase, info):
    if phase == "stop":
        os.write(2, f"{info['collected']} ".encode())

gc.callbacks.append(count)
main()
"""


def test_a_small_tree_is_validated_without_a_search_for_garbage() -> None:
    """Not even at the end, where Python makes one: it has nothing left to look through."""
    example = Path(__file__).parents[3] / "examples" / "minimal"
    ran = subprocess.run(
        [sys.executable, "-c", _COUNTED, "-C", str(example), "validate"],
        capture_output=True,
        text=True,
        check=True,
        env=_path(CESPLAN_NO_CACHE="1"),
    )
    assert ran.stderr.split() == ["0"]
