"""The first plan of the example: what matters fits two screens; the whole view has everything that is sent."""

import json
import re
import shutil
from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML

from cesplan.domain.plan import Action, Plan, steps_of
from cesplan.domain.value import folded, leaves, mask_secrets
from cesplan.emulator import EmbeddedEmulator
from cesplan.render.values import inline
from cesplan.workflow.connecting import Connection
from cesplan.workflow.planning import plan
from tests.cli.conftest import AtTerminal, Run, Tree

EXAMPLE = Path(__file__).parents[2] / "examples/support-desk"
SCREEN = 50
"""Lines of a terminal."""


@pytest.fixture
def example(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "support-desk"
    shutil.copytree(EXAMPLE, folder, ignore=shutil.ignore_patterns(".cesplan"))
    monkeypatch.chdir(folder)
    monkeypatch.delenv("COLUMNS", raising=False)
    return folder


def made(folder: Path, service: EmbeddedEmulator) -> Plan:
    return plan(folder, connection=Connection(emulator=service.address)).plan


def test_the_first_plan_fits_two_screens(example: Path, cesplan: Run, service: EmbeddedEmulator) -> None:
    """Weakened protection first; every resource by its name, deployments with their version; 80 columns."""
    done = cesplan("plan")
    assert done.code == 0
    assert len((done.out + done.err).splitlines()) <= 2 * SCREEN
    assert done.out.startswith("Weakens protection:\n")
    assert all(len(row) <= 80 for row in done.out.splitlines())
    for operation in made(example, service).shown:
        assert str(operation.address.key) in done.out
    assert "  + deployments/web-chat                    new, appVersion release-1\n" in done.out
    assert "  ~ securitySettings\n" in done.out
    assert "v1beta · EMULATOR" in done.out
    assert "To see everything:  cesplan plan --full" in done.out


def test_the_whole_view_holds_every_value_that_is_sent(
    example: Path, cesplan: Run, service: EmbeddedEmulator
) -> None:
    """Of each write, and every line of every text; a secret is the name of its variable."""
    shown = cesplan("plan", "--full").out
    rows = {row.strip().lstrip("+-~ ").strip() for row in shown.splitlines()}
    missing = [
        (str(step.id), place, row)
        for step in steps_of(made(example, service))
        if step.id.purpose != "stamp"
        for place, value in leaves(mask_secrets(step.body))
        for row in _rows(value)
        if not any(row in one for one in rows)
    ]
    assert missing == []


def test_the_whole_view_of_what_is_new_is_its_body(
    example: Path, cesplan: Run, service: EmbeddedEmulator
) -> None:
    """Read back as YAML, resource by resource: every field at its place, with its value and its type."""
    shown = _outlines(cesplan("plan", "--full").out)
    creates = [item for item in made(example, service).shown if item.action is Action.CREATE]
    assert len(creates) == 67
    for operation in creates:
        assert _plain(shown[operation.address.short]) == _plain(operation.after), operation.address


def _outlines(text: str) -> dict[str, Any]:
    """What stands below the title of each new resource, as YAML reads it."""
    found: dict[str, list[str]] = {}
    rows: list[str] = []
    for row in text.splitlines():
        if title := re.match(r"  [+↷~-] (\S+)", row):
            rows = found.setdefault(title[1], [])
        elif row.startswith("        +"):
            rows.append(row[10:])
    found.pop("securitySettings")  # an update: its rows are those of fields
    return {name: YAML(typ="safe").load("\n".join(rows)) or {} for name, rows in found.items()}


def _plain(body: Any) -> Any:
    """A body in JSON's types; YAML reads a time as one, and a text in lines with the end of its last line."""
    known = json.loads(json.dumps(body, default=lambda time: f"{time:%Y-%m-%dT%H:%M:%SZ}"))
    return folded(known, lambda leaf: leaf.rstrip("\n") if isinstance(leaf, str) else leaf)


def _rows(value: object) -> list[str]:
    """The lines of a value, as they are shown."""
    if isinstance(value, str) and "\n" in value:
        return [row.strip().lstrip("+-~ ").strip() for row in value.split("\n")]
    return ["null" if value is None else inline(value)]


def test_warnings_about_what_is_planned_are_whole_and_others_are_counted(
    example: Path, cesplan: Run, service: EmbeddedEmulator
) -> None:
    """A slip in an instruction is worth a word before it is written; the next plan only counts it."""
    with (example / "apps/support-desk/agents/billing.md").open("a") as file:
        file.write("Call {@TOOL: no_such_tool}.\n")
    done = cesplan("plan")
    assert (
        "warning[CES087] there is no tool called `no_such_tool`\n  apps/support-desk/agents/billing.md:"
        in done.err
    )
    assert "in 111 files" not in done.err
    cesplan("apply", "--auto-approve")
    assert cesplan("plan").err == "1 warning in 111 files.      cesplan validate\n"


def test_a_question_names_the_environment(
    cesplan: Run, tree: Tree, service: EmbeddedEmulator, at_terminal: AtTerminal
) -> None:
    _, shown = at_terminal("apply", "--no-color", "-e", "prod", typed="no\n")
    assert "Apply this plan to prod, acme-prod/us (EMULATOR)? Type `yes` to apply: " in shown
