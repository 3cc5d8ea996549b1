"""Findings of checks into diagnostics."""

from pathlib import Path

import pytest

from cesplan.config import checks
from cesplan.config.manifest import AppTree, Finding, TextPlace
from cesplan.domain.diagnostic import Diagnostic, Severity
from cesplan.domain.field_path import FieldPath, Index
from tests.unit.config.planting import AGENT, APP, PROJECT, plant, read

CODE = "CES046"
FILES = {
    "agents/front-desk.yaml": AGENT + "instruction: {$file: front-desk.md}\ntools: [end_session]\n",
    "agents/front-desk.md": "One.\nTwo three.\n",
    "agents/orders.yaml": "displayName: Orders\n",
}


def look(app: AppTree) -> list[Finding]:
    """Finds something in each agent: in its text, in its list, at a key, and at what is not there."""
    found = []
    for agent in app.of("agents"):
        found += [
            Finding(
                code=CODE,
                file=agent,
                path=FieldPath(("instruction",)),
                summary="text",
                place=TextPlace(2, 5, 5),
            ),
            Finding(code=CODE, file=agent, path=FieldPath(("tools", Index(0))), summary="element"),
            Finding(code=CODE, file=agent, path=FieldPath(("tools",)), summary="key", at_key=True),
        ]
    return found


def told(tmp_path: Path, files: dict[str, str], *, app: str = APP) -> list[Diagnostic]:
    loaded = read(plant(tmp_path, files, app=app))
    return [item for item in loaded.diagnostics if item.code == CODE]


@pytest.fixture(autouse=True)
def _one_check(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checks, "CHECKS", (look,))


def test_a_finding_stands_where_its_value_stands(tmp_path: Path) -> None:
    """In the text file that was taken in, at the element, at the key; or at what is nearest."""
    places = [(item.summary, str(item.place), item.source_line, item.span) for item in told(tmp_path, FILES)]
    assert places == [
        ("text", "apps/store/agents/front-desk.md:2:5", "Two three.", 5),
        ("key", "apps/store/agents/front-desk.yaml:3:1", "tools: [end_session]", 5),
        ("element", "apps/store/agents/front-desk.yaml:3:9", "tools: [end_session]", 11),
        ("text", "apps/store/agents/orders.yaml:1:1", "displayName: Orders", 19),
        ("element", "apps/store/agents/orders.yaml:1:1", "displayName: Orders", 19),
        ("key", "apps/store/agents/orders.yaml:1:1", "displayName: Orders", 19),
    ]


def test_the_severity_is_that_of_the_code(tmp_path: Path) -> None:
    """A check does not choose it."""
    assert {item.severity for item in told(tmp_path, FILES)} == {Severity.WARNING}


def test_silence_turns_a_code_off_for_its_file(tmp_path: Path) -> None:
    """Only there."""
    files = {**FILES, "agents/orders.yaml": f"$silence: {{{CODE}: told why}}\ndisplayName: Orders\n"}
    assert {item.address for item in told(tmp_path, files)} == {"store/agents/front-desk"}


def test_a_silence_without_a_reason_works_and_is_reported(tmp_path: Path) -> None:
    """The reason is for anyone who comes next."""
    files = {**FILES, "agents/orders.yaml": f"$silence: {{{CODE}: ''}}\ndisplayName: Orders\n"}
    loaded = read(plant(tmp_path, files))
    assert [str(item.place) for item in loaded.diagnostics if item.code == "CES033"] == [
        "apps/store/agents/orders.yaml:1:12"
    ]
    assert "store/agents/orders" not in {item.address for item in loaded.diagnostics if item.code == CODE}


def test_a_file_with_errors_is_not_checked_and_the_others_are(tmp_path: Path) -> None:
    """What an error took away would look like another mistake."""
    files = {**FILES, "agents/orders.yaml": "displayName: Orders\ncolour: red\n"}
    assert {item.address for item in told(tmp_path, files)} == {"store/agents/front-desk"}


def test_an_error_that_a_check_found_does_not_hide_the_next_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All problems of a file are reported in one run."""

    def find(app: AppTree) -> list[Finding]:
        return [Finding(code="CES075", file=app.app, path=FieldPath(), summary=text) for text in ("one", "two")]

    monkeypatch.setattr(checks, "CHECKS", (find,))
    found = read(plant(tmp_path, FILES)).diagnostics
    assert [(item.summary, item.severity) for item in found] == [
        ("one", Severity.ERROR),
        ("two", Severity.ERROR),
    ]


@pytest.mark.parametrize("broken", ["displayName: Store\ncolour: red\n", APP])
def test_an_app_that_was_not_read_whole_is_not_checked(tmp_path: Path, broken: str) -> None:
    """Errors in app.yaml, or a file that is not YAML, leave holes that checks would stumble over."""
    files = {**FILES, "agents/billing.yaml": "displayName: [" if broken == APP else "displayName: Billing\n"}
    assert told(tmp_path, files, app=broken) == []


def test_kinds_that_the_api_version_lacks_leave_no_hole(tmp_path: Path) -> None:
    """They are left out on purpose: what is left is checked."""
    files = {**FILES, "evaluations/greeting.yaml": "displayName: Greeting\nscenario: {task: Greet}\n"}
    loaded = read(plant(tmp_path, files, project=PROJECT + "apiVersion: v1\n"))
    assert "CES032" in {item.code for item in loaded.diagnostics}
    assert len([item for item in loaded.diagnostics if item.code == CODE]) == 6
