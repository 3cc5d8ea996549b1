"""docs/emulator.md says what is so: its examples are read, its tables are those of the code."""

import re
from dataclasses import fields
from pathlib import Path

import pytest

from cesplan.emulator import Faults, JudgeScript, Script, SessionScript, Switches
from cesplan.emulator.contract import VERSIONS, load
from cesplan.emulator.fidelity import FIDELITY, table
from cesplan.workflow.emulating import switch_help

ROOT = Path(__file__).parents[3]
TEXT = (ROOT / "docs" / "emulator.md").read_text(encoding="utf-8")
FACTS = ROOT / "tests" / "facts"
EXAMPLES = re.findall(r"```yaml\n(.*?)```", TEXT, re.DOTALL)


@pytest.mark.parametrize(
    ("example", "reader"),
    [(0, Faults.load), (1, Script.load), (2, SessionScript.load), (3, JudgeScript.load)],
)
def test_the_examples_are_read(tmp_path, example, reader):
    """The YAML of the page is what the readers take."""
    path = tmp_path / "example.yaml"
    path.write_text(EXAMPLES[example])
    assert reader(path)
    assert len(EXAMPLES) == 4


def test_every_effect_is_shown(tmp_path):
    """The example of faults has each effect once at least."""
    path = tmp_path / "faults.yaml"
    path.write_text(EXAMPLES[0])
    shown = {key for fault in Faults.load(path).report() for key in fault}
    assert {"status", "latency", "reset", "truncate", "stale", "late", "edit"} <= shown


def test_the_table_of_fidelity_is_that_of_the_code():
    """The page ends with the rows of `fidelity`."""
    assert TEXT.endswith(f"{table()}\n")


def test_the_methods_are_counted():
    """As many are said to be driven through Google's client as are served."""
    served = {
        version: sum(FIDELITY[rpc.name].level != "not served" for rpc in load().rpcs[version])
        for version in VERSIONS
    }
    assert f"{served['v1']} methods of v1 and {served['v1beta']} of v1beta" in TEXT


def test_every_switch_is_listed():
    """Each switch is on the page with what it decides, and nothing else is said to be one."""
    listed = re.findall(r"^\| `(\w+=.*)` \| (.*) \|$", TEXT, re.MULTILINE)
    assert [(switch.replace("\\|", "|"), about) for switch, about in listed] == switch_help()


@pytest.mark.parametrize("switch", [item.name for item in fields(Switches)])
def test_every_switch_has_a_case_among_the_facts(switch):
    """What a switch decides is tested there, under each of its positions."""
    cases = (path.read_text(encoding="utf-8") for path in sorted(FACTS.glob("test_*.py")))
    assert any(re.search(rf"\b{switch}\b", text) for text in cases)
