"""
Trees with mistakes, and the report that a person reads.

Each folder holds a `tree`, perhaps `arguments.json` (environment, variables, environ), and `expected.txt`.
After a change of wording, write them again with CESPLAN_WRITE_EXPECTED=1 and read the difference.
"""

import json
import os
from pathlib import Path

import pytest

from cesplan.config.tree.load import Loaded, load
from cesplan.domain.diagnostic import Diagnostic, has_errors
from cesplan.render.text.diagnostics import diagnostics_text
from cesplan.render.text.layout import View

HERE = Path(__file__).parent
CASES = sorted(path.parent.name for path in HERE.glob("*/expected.txt")) or ["none"]
WIDE = View(width=110)


def read(case: str) -> Loaded:
    arguments = HERE / case / "arguments.json"
    given = json.loads(arguments.read_text()) if arguments.exists() else {}
    return load(HERE / case / "tree", **{"environ": {}, **given})


def structural(loaded: Loaded) -> list[Diagnostic]:
    """What this stage itself finds; checks have tests of their own."""
    return [item for item in loaded.diagnostics if not "CES040" <= item.code < "CES100"]


@pytest.mark.parametrize("case", CASES)
def test_everything_wrong_with_a_tree_is_said_in_one_run(case: str) -> None:
    """Every mistake of a tree is a diagnostic with its place, and a tree with an error asks for nothing."""
    loaded = read(case)
    told = diagnostics_text(structural(loaded), WIDE)
    expected = HERE / case / "expected.txt"
    if os.environ.get("CESPLAN_WRITE_EXPECTED"):
        expected.write_text(told)
    assert told == expected.read_text()
    assert told, "a broken tree has something to say"
    assert (loaded.desired is None) == has_errors(loaded.diagnostics)


def test_every_case_has_an_expectation() -> None:
    """A folder without expected.txt would be passed over in silence."""
    folders = {path.parent.name for path in HERE.glob("*/tree")}
    assert folders == set(CASES)
    assert len(folders) >= 40
