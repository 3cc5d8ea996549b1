"""Exit codes: one table of every command and outcome, in every format."""

import json
from collections.abc import Callable
from typing import Any
from xml.etree import ElementTree

import pytest

from cesplan.emulator import EmbeddedEmulator
from tests.cli.conftest import Run, Tree
from tests.cli.scenes import (
    Scene,
    applied,
    as_it_is,
    broken,
    broken_project,
    cases,
    conflicting,
    conflicting_in_part,
    conversations,
    declined,
    edited_live,
    edited_meanwhile,
    emptied,
    forbidden,
    forbidden_to_write,
    half_wrong,
    interrupted,
    interrupted_later,
    planned,
    planned_half_wrong,
    planned_with_a_policy,
    planned_with_a_secret,
    policed,
    stale,
    tampered,
    two_environments,
    two_environments_broken,
    two_environments_forbidden,
    unreachable,
    without_credentials,
)

SINGLE = ("text", "json")
SCORES = ("text", "json", "junit")
REPORTS = ("text", "json", "jsonl", "markdown", "junit")

TABLE: tuple[tuple[str, Callable[[Scene], None], int, tuple[str, ...]], ...] = (
    ("validate", as_it_is, 0, (*REPORTS, "sarif")),
    ("validate", broken, 7, (*REPORTS, "sarif")),
    ("validate --explain CES012", as_it_is, 0, SINGLE),
    ("validate --explain CES999", as_it_is, 64, (*REPORTS, "sarif")),
    ("plan", as_it_is, 0, REPORTS),
    ("plan", applied, 0, REPORTS),
    ("plan", broken, 7, REPORTS),
    ("plan", forbidden, 6, REPORTS),
    ("plan", unreachable, 1, REPORTS),
    ("plan", emptied, 0, REPORTS),
    ("plan", policed("deny"), 0, REPORTS),
    ("plan --detailed-exitcode", as_it_is, 2, REPORTS),
    ("plan --detailed-exitcode", applied, 0, REPORTS),
    ("plan --detailed-exitcode", broken, 7, REPORTS),
    ("plan --allow-policy nothing", as_it_is, 64, REPORTS),
    ("plan --target nobody/*", as_it_is, 64, REPORTS),
    ("show plan.json", planned, 0, REPORTS),
    ("show plan.json", tampered, 7, REPORTS),
    ("apply --auto-approve", as_it_is, 0, REPORTS),
    ("apply --auto-approve", applied, 0, REPORTS),
    ("apply --auto-approve", broken, 7, REPORTS),
    ("apply --auto-approve", forbidden, 6, REPORTS),
    ("apply --auto-approve", unreachable, 1, REPORTS),
    ("apply --auto-approve", half_wrong, 3, REPORTS),
    ("apply --auto-approve", emptied, 5, REPORTS),
    ("apply --auto-approve --allow-mass-delete", emptied, 0, REPORTS),
    ("apply --auto-approve", policed("deny"), 5, REPORTS),
    ("apply --auto-approve", policed("needs-approval"), 5, REPORTS),
    ("apply --auto-approve --allow-policy rails-stay-on", policed("needs-approval"), 0, REPORTS),
    ("apply --auto-approve", policed("warn"), 0, REPORTS),
    ("apply", as_it_is, 1, REPORTS),
    ("apply", declined, 1, REPORTS),
    ("apply", edited_meanwhile, 4, REPORTS),
    ("apply --expect sha256:00", as_it_is, 4, REPORTS),
    ("apply plan.json", planned, 0, REPORTS),
    ("apply plan.json", stale, 4, REPORTS),
    ("apply plan.json", tampered, 7, REPORTS),
    ("apply plan.json -e prod", planned, 5, REPORTS),
    ("apply plan.json --adopt", planned, 64, REPORTS),
    ("apply plan.json", planned_with_a_policy, 5, REPORTS),
    ("apply plan.json --allow-policy rails-stay-on", planned_with_a_policy, 0, REPORTS),
    ("plan", without_credentials, 6, REPORTS),
    ("plan", interrupted, 130, REPORTS),
    ("plan -e nowhere", as_it_is, 7, REPORTS),
    ("plan --checksum", as_it_is, 0, ()),
    ("plan --out apps", as_it_is, 64, ()),
    ("plan --commit nobody", as_it_is, 64, REPORTS),
    ("show nowhere.json", as_it_is, 64, ()),
    ("apply --auto-approve", without_credentials, 6, REPORTS),
    ("apply --auto-approve", interrupted, 130, REPORTS),
    ("apply nowhere.json", as_it_is, 64, ()),
    ("apply plan.json", interrupted_later, 130, REPORTS),
    ("apply plan.json", forbidden_to_write, 6, REPORTS),
    ("apply plan.json", planned_with_a_secret, 7, REPORTS),
    ("apply plan.json --var pin=1234-5678", planned_with_a_secret, 0, REPORTS),
    ("apply plan.json", planned_half_wrong, 3, REPORTS),
    ("apply plan.json", conflicting, 4, REPORTS),
    ("apply plan.json", conflicting_in_part, 3, REPORTS),
    ("promote dev prod", two_environments, 0, SINGLE),
    ("promote dev dev", two_environments, 64, SINGLE),
    ("promote dev nowhere", two_environments, 7, SINGLE),
    ("promote dev prod", two_environments_broken, 7, SINGLE),
    ("promote dev prod", two_environments_forbidden, 6, SINGLE),
    ("ci init github", as_it_is, 0, SINGLE),
    ("ci init github -e nowhere", as_it_is, 64, SINGLE),
    ("ci init gitlab", broken_project, 7, SINGLE),
    ("pull --merge --check", forbidden, 6, SINGLE),
    ("pull --merge --check", broken, 7, SINGLE),
    ("policy test", cases("{rails-stay-on: deny}"), 0, SINGLE),
    ("policy test", cases("{}"), 1, SINGLE),
    ("policy test", cases("{rails-stay-of: deny}"), 7, SINGLE),
    ("policy test", as_it_is, 64, SINGLE),
    ("score desk.evalset.json run.json", conversations("Hello"), 0, SCORES),
    ("score desk.evalset.json run.json", conversations("Bye"), 5, SCORES),
    ("score desk.evalset.json run.json --config judged.json", conversations("Hello"), 8, SCORES),
    ("score desk.evalset.json run.json --runs 2", conversations("Hello"), 8, SCORES),
    ("score desk.evalset.json judged.json", conversations("Hello"), 7, SCORES),
    ("score desk.evalset.json nowhere.json", conversations("Hello"), 7, SCORES),
    ("score desk.evalset.json desk.evalset.json", conversations("Hello"), 64, SCORES),
    ("score desk.evalset.json run.json --metric nothing", conversations("Hello"), 64, SCORES),
    ("pull projects/acme-dev/locations/us/apps/help-desk --into elsewhere", applied, 0, SINGLE),
    ("pull projects/acme-dev/locations/us/apps/nobody --into elsewhere", applied, 64, SINGLE),
    ("pull --merge --check", applied, 0, SINGLE),
    ("pull --merge --check", edited_live, 2, SINGLE),
    ("convert . export", as_it_is, 0, SINGLE),
    ("convert . export", broken, 7, SINGLE),
    ("graph", as_it_is, 0, ("text", "mermaid", "dot", "json")),
    ("graph", broken, 7, ("text", "mermaid", "dot", "json")),
    ("graph help-desk/tools/no", as_it_is, 64, ("text", "json")),
    ("graph --live", as_it_is, 0, ("text", "json")),
    ("history", applied, 0, ("text", "markdown", "json")),
    ("history", broken, 7, ("text", "markdown", "json")),
    ("history", forbidden, 6, ("text", "markdown", "json")),
    ("history --target help-desk/agents/no", applied, 64, ("text", "json")),
    ("history --since yesterday", as_it_is, 64, ()),
    ("render", as_it_is, 0, ("yaml", "json")),
    ("render", broken, 7, ("yaml", "json")),
    ("schema --out schemas", as_it_is, 0, ()),
    ("--version", as_it_is, 0, ()),
    ("--help", as_it_is, 0, ()),
    ("plan --nonsense", as_it_is, 64, ()),
    ("nonsense", as_it_is, 64, ()),
    ("plan --format yaml", as_it_is, 64, ()),
    ("plan --report xml=x", as_it_is, 64, ()),
    ("init elsewhere", as_it_is, 0, SINGLE),
    ("init .", as_it_is, 64, SINGLE),
)


def _no_check(text: str) -> None:
    """Text is for people."""


def lines_of(text: str) -> list[Any]:
    return [json.loads(row) for row in text.splitlines()]


def _check_lines(text: str) -> None:
    rows = lines_of(text)
    assert (rows[0]["type"], rows[-1]["type"]) == ("version", "done")


def _check_markdown(text: str) -> None:
    assert text.startswith("<!-- cesplan:")


CHECKS: dict[str, Callable[[str], Any]] = {
    "text": _no_check,
    "json": json.loads,
    "jsonl": _check_lines,
    "markdown": _check_markdown,
    "junit": ElementTree.fromstring,
    "sarif": json.loads,
}


READ_ONLY = ("validate", "plan", "show", "promote", "policy", "score", "graph", "history", "render")
"""Commands that leave all as it is: after one in one format, the same scene is there for the next."""


def _shares(typed: str, formats: tuple[str, ...]) -> list[tuple[str, ...]]:
    """The formats that may share a scene."""
    return [formats] if typed.split()[0] in READ_ONLY else [(name,) for name in formats]


@pytest.mark.parametrize(
    ("typed", "before", "code", "formats"),
    [
        pytest.param(typed, before, code, names, id=f"{typed} | {before.__name__} | {' '.join(names)}")
        for typed, before, code, formats in TABLE
        for names in _shares(typed, formats or ("",))
    ],
)
def test_exit_codes(
    service: EmbeddedEmulator,
    tree: Tree,
    cesplan: Run,
    monkeypatch: pytest.MonkeyPatch,
    typed: str,
    before: Callable[[Scene], None],
    code: int,
    formats: tuple[str, ...],
) -> None:
    """The code is that of the table, and what is on stdout is whole."""
    before(Scene(service=service, tree=tree, run=cesplan, monkeypatch=monkeypatch))
    for name in formats:
        ran = cesplan(*typed.split(), *(("--format", name) if name else ()))
        assert ran.code == code, (name, ran.err)
        CHECKS.get(name, _no_check)(ran.out)
        if name == "jsonl":
            assert lines_of(ran.out)[-1]["exit_code"] == code
