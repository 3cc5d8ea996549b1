"""Exit codes (DESIGN §10): one table of every command and outcome, in every format."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from cesplan.emulator import EmbeddedEmulator
from tests.cli.conftest import Run, Tree

APP = "projects/acme-dev/locations/us/apps/help-desk"
SINGLE = ("text", "json")
REPORTS = ("text", "json", "jsonl", "markdown", "junit")
RULE = """\
policy:
  - name: rails-stay-on
    when: kind == "guardrails"
    deny: action == "delete" || !after.enabled
    severity: {severity}
"""
CASE = """\
- name: off
  operation: {address: a/guardrails/b, before: {enabled: true}, after: {enabled: false}}
  expect: EXPECTED
"""
DEPLOYMENT = "displayName: Web\nappVersion: versions/@no-such\nchannelProfile: {channelType: API}\n"


@dataclass(frozen=True)
class Scene:
    """Where a row plays."""

    service: EmbeddedEmulator
    tree: Tree
    run: Run
    monkeypatch: pytest.MonkeyPatch


def as_it_is(scene: Scene) -> None:
    """A tree that was never applied."""


def applied(scene: Scene) -> None:
    assert scene.run("apply", "--auto-approve").code == 0


def broken(scene: Scene) -> None:
    scene.tree.replace("apps/help-desk/app.yaml", "displayName", "displayname")


def forbidden(scene: Scene) -> None:
    scene.service.break_with({"method": "ListApps", "status": {"code": "PERMISSION_DENIED"}, "times": 20})


def forbidden_to_write(scene: Scene) -> None:
    """Planned while reading was all that was asked for."""
    planned(scene)
    scene.service.break_with({"method": "CreateApp", "status": {"code": "PERMISSION_DENIED"}, "times": 20})


def without_credentials(scene: Scene) -> None:
    scene.monkeypatch.delenv("CES_EMULATOR_HOST")
    scene.tree.write("credentials.json", "{}")
    scene.monkeypatch.setenv("GOOGLE_APPLICATION_CREDENTIALS", "credentials.json")


def interrupted(scene: Scene) -> None:
    """Ctrl-C while live is read."""

    def stop(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    scene.monkeypatch.setattr("cesplan.workflow.planning.read_live", stop)
    scene.monkeypatch.setattr("cesplan.workflow.reviewed.recheck", stop)


def interrupted_later(scene: Scene) -> None:
    planned(scene)
    interrupted(scene)


def two_environments(scene: Scene) -> None:
    scene.tree.replace("cesplan.yaml", "  prod:", "  dev: {}\n  prod:")


def two_environments_broken(scene: Scene) -> None:
    two_environments(scene)
    broken(scene)


def two_environments_forbidden(scene: Scene) -> None:
    two_environments(scene)
    forbidden(scene)


def planned_with_a_secret(scene: Scene) -> None:
    scene.tree.replace("cesplan.yaml", "environments:", "variables: {pin: {secret: true}}\nenvironments:")
    scene.tree.replace("apps/help-desk/app.yaml", "displayName", "description: ${pin}\ndisplayName")
    assert scene.run("plan", "--out", "plan.json", "--var", "pin=1234-5678").code == 0


def planned_half_wrong(scene: Scene) -> None:
    """One of the writes will be refused by the service."""
    planned(scene)
    fault = {"method": "CreateGuardrail", "status": {"code": "INVALID_ARGUMENT"}, "times": 20}
    scene.service.break_with(fault)


def broken_project(scene: Scene) -> None:
    scene.tree.write("cesplan.yaml", "cesplan: 2\n")


def unreachable(scene: Scene) -> None:
    scene.monkeypatch.setenv("CES_EMULATOR_HOST", "127.0.0.1:1")


def emptied(scene: Scene) -> None:
    """The only guardrail would go: the guard speaks."""
    applied(scene)
    scene.tree.replace("apps/help-desk/app.yaml", "guardrails: [no-cards]\n", "")
    scene.tree.remove("apps/help-desk/guardrails/no-cards.yaml")


def policed(severity: str) -> Callable[[Scene], None]:
    def policed(scene: Scene) -> None:
        scene.tree.replace("cesplan.yaml", "environments:", RULE.format(severity=severity) + "environments:")
        scene.tree.replace("apps/help-desk/guardrails/no-cards.yaml", "enabled: true", "enabled: false")

    return policed


def cases(expected: str) -> Callable[[Scene], None]:
    def cases(scene: Scene) -> None:
        policed("deny")(scene)
        scene.tree.write("policy_test.yaml", CASE.replace("EXPECTED", expected))

    return cases


def half_wrong(scene: Scene) -> None:
    """One resource is refused by the service, the others are not."""
    scene.tree.write("apps/help-desk/deployments/web-chat.yaml", DEPLOYMENT)


def edited_meanwhile(scene: Scene) -> None:
    """Somebody edits what the plan is about to write, while the question is open."""
    applied(scene)
    scene.tree.write("apps/help-desk/agents/front-desk.md", "Help.\n")
    scene.monkeypatch.setattr("cesplan.cli.apply.confirm", lambda *_: edit(scene))


def edit(scene: Scene) -> None:
    rows = scene.service.store.children(APP, "agents")
    (row,) = [row for row in rows if row.name.endswith("/front-desk")]
    scene.service.seed({**row.body, "name": row.name, "instruction": "Edited in the console."})


def edited_live(scene: Scene) -> None:
    applied(scene)
    edit(scene)


def declined(scene: Scene) -> None:
    scene.monkeypatch.setattr("cesplan.cli.console.Console.can_ask", True)
    scene.monkeypatch.setattr("cesplan.cli.console.Console.ask", lambda *_: "no")


def planned(scene: Scene) -> None:
    assert scene.run("plan", "--out", "plan.json").code == 0


def planned_with_a_policy(scene: Scene) -> None:
    policed("needs-approval")(scene)
    planned(scene)


def stale(scene: Scene) -> None:
    applied(scene)
    scene.tree.write("apps/help-desk/agents/front-desk.md", "Help.\n")
    planned(scene)
    edit(scene)


def tampered(scene: Scene) -> None:
    planned(scene)
    scene.tree.replace("plan.json", "Help desk", "Held desk")


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
    ("apply", as_it_is, 5, REPORTS),
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
    ("pull projects/acme-dev/locations/us/apps/help-desk --into elsewhere", applied, 0, SINGLE),
    ("pull projects/acme-dev/locations/us/apps/nobody --into elsewhere", applied, 64, SINGLE),
    ("pull --merge --check", applied, 0, SINGLE),
    ("pull --merge --check", edited_live, 2, SINGLE),
    ("convert . export", as_it_is, 0, SINGLE),
    ("convert . export", broken, 7, SINGLE),
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


def _lines(text: str) -> list[Any]:
    return [json.loads(row) for row in text.splitlines()]


def _check_lines(text: str) -> None:
    rows = _lines(text)
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


@pytest.mark.parametrize(
    ("typed", "before", "code", "format_"),
    [
        pytest.param(typed, before, code, name, id=f"{typed} | {before.__name__} | {name}")
        for typed, before, code, formats in TABLE
        for name in formats or ("",)
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
    format_: str,
) -> None:
    """The code is that of the table, and what is on stdout is whole."""
    before(Scene(service=service, tree=tree, run=cesplan, monkeypatch=monkeypatch))
    ran = cesplan(*typed.split(), *(("--format", format_) if format_ else ()))
    assert ran.code == code, ran.err
    CHECKS.get(format_, _no_check)(ran.out)
    if format_ == "jsonl":
        assert _lines(ran.out)[-1]["exit_code"] == code


def test_reports_are_all_written_and_change_no_code(
    service: EmbeddedEmulator, tree: Tree, cesplan: Run
) -> None:
    """Every format at once, in files and on stdout, for a run that fails in part."""
    half_wrong(Scene(service=service, tree=tree, run=cesplan, monkeypatch=pytest.MonkeyPatch()))
    wanted = [word for name in REPORTS for word in ("--report", f"{name}=out.{name}")]
    ran = cesplan("apply", "--auto-approve", *wanted)
    assert ran.code == 3
    for name in REPORTS:
        CHECKS[name](Path(f"out.{name}").read_text(encoding="utf-8"))
    assert "Applied in part" in ran.out
    assert "Applied in part" in Path("out.text").read_text(encoding="utf-8")
    assert json.loads(Path("out.json").read_text(encoding="utf-8"))["exit_code"] == 3
    assert sorted(path.name for path in Path().glob(".out*")) == []


def test_a_report_on_stdout_takes_the_place_of_the_text(
    service: EmbeddedEmulator, tree: Tree, cesplan: Run
) -> None:
    ran = cesplan("plan", "--report", "markdown=-", "--report", "json=plan-report.json")
    assert (ran.code, ran.out[:30]) == (0, "<!-- cesplan:plan:default -->\n")
    assert json.loads(Path("plan-report.json").read_text(encoding="utf-8"))["summary"]["create"] == 4


@pytest.mark.parametrize(
    "typed",
    [
        ("--report", "json=-", "--report", "markdown=-"),
        ("--report", "json=-", "--format", "text"),
        ("--report", "json"),
        ("--report", "json=nowhere/plan.json"),
        ("--report", "json=apps"),
        ("--report", "sarif=plan.sarif"),
    ],
)
def test_reports_that_cannot_be_given_are_refused_before_anything_is_done(
    service: EmbeddedEmulator, tree: Tree, cesplan: Run, typed: tuple[str, ...]
) -> None:
    before = service.journal.count
    assert cesplan("apply", "--auto-approve", *typed).code == 64
    assert service.journal.count == before


def test_an_error_replaces_an_old_report(service: EmbeddedEmulator, tree: Tree, cesplan: Run) -> None:
    """What lies there afterwards is about this run, never the last one."""
    reports = ("--report", "markdown=plan.md", "--report", "jsonl=plan.jsonl")
    assert cesplan("plan", *reports).code == 0
    tree.replace("apps/help-desk/app.yaml", "displayName", "displayname")
    assert cesplan("plan", *reports).code == 7
    text = Path("plan.md").read_text(encoding="utf-8")
    assert text.startswith(
        "<!-- cesplan:plan:default -->\n### cesplan plan\n\n**The configuration has errors.**"
    )
    assert "unknown field `displayname`" in text
    types = [row["type"] for row in _lines(Path("plan.jsonl").read_text(encoding="utf-8"))]
    assert types == ["version", "diagnostic", "error", "done"]


def test_events_are_told_as_they_happen(service: EmbeddedEmulator, tree: Tree, cesplan: Run) -> None:
    """Operations, the plan, then for each write that it was sent and what became of it."""
    rows = _lines(cesplan("apply", "--auto-approve", "--format", "jsonl").out)
    types = [row["type"] for row in rows]
    assert types[:1] + types[-1:] == ["version", "done"]
    assert types.index("plan") < types.index("started") < types.index("outcome")
    outcomes = [row for row in rows if row["type"] == "outcome"]
    assert {row["outcome"] for row in outcomes} == {"applied"}
    assert len(outcomes) == types.count("operation")
