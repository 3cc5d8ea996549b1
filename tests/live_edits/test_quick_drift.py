"""A quick check of drift: what the change log names is read, and nothing else."""

import json
from typing import Any

import pytest

from tests.cli.conftest import Run, Tree
from tests.live_edits.conftest import APP, BOB, EVE, Console


def _drift(console: Console, cesplan: Run) -> tuple[int, dict[str, tuple[str, str]], list[str]]:
    """The exit code, class and author by address, and the requests."""
    console.service.journal.clear()
    ran = cesplan("drift", "--quick", "--format", "json")
    report: dict[str, Any] = json.loads(ran.out)
    found = {
        item["address"]: (item["drift_class"], (item["live_edit"] or {}).get("author", ""))
        for app in report["apps"]
        for item in app["items"]
    }
    return ran.code, found, [entry.path.rpartition("/apps")[2] for entry in console.service.journal.entries]


def test_an_app_that_nobody_edited_costs_a_page_of_its_log(
    applied: Tree, console: Console, cesplan: Run
) -> None:
    code, found, requests = _drift(console, cesplan)
    assert (code, found) == (0, {})
    assert requests == ["", "/help-desk/changelogs"]


def test_only_what_the_log_names_is_read(applied: Tree, console: Console, cesplan: Run) -> None:
    console.edit("guardrails/no-cards", "enabled", BOB, enabled=False)
    console.create("agents/try-out", EVE, displayName="Try out", instruction="Try.")
    code, found, requests = _drift(console, cesplan)
    assert code == 2
    assert found == {
        "help-desk/guardrails/no-cards": ("drift", BOB),
        "help-desk/agents/try-out": ("drift", EVE),
    }
    assert not [path for path in requests if path.endswith(("/tools", "/agents", "/guardrails"))]
    assert {"/help-desk/guardrails/no-cards", "/help-desk/agents/try-out"} < set(requests)


def test_what_is_quick_says_so(applied: Tree, console: Console, cesplan: Run) -> None:
    said = " ".join(cesplan("drift", "--quick").out.split())
    assert "coverage not measured (--quick)" in said
    assert "only what its change log names was read" in said
    assert cesplan("drift", "--quick", "--open-branch").code == 64


@pytest.mark.parametrize("name", ["", "agents/front-desk"])
def test_an_edit_after_the_apps_were_listed_is_in_the_report(
    applied: Tree, console: Console, cesplan: Run, name: str
) -> None:
    """The list may be old by the time an app has its turn; the log tells."""
    edit = {"name": f"{APP}/{name}".rstrip("/"), "author": BOB, "body": {"description": "By hand"}}
    console.service.break_with({"method": "ListChangelogs", "edit": edit})
    code, found, requests = _drift(console, cesplan)
    assert (code, [*found.values()]) == (2, [("drift", BOB)]), found
    assert len(requests) <= 8
