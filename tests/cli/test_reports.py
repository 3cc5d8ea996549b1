"""Reports: where they go, what they may not take the place of, and whose mark they bear."""

import json
import os
import subprocess
from pathlib import Path

import pytest

from cesplan.emulator import EmbeddedEmulator
from tests.cli.conftest import Run, Tree
from tests.cli.scenes import Scene, half_wrong
from tests.cli.test_exit_code_table import CHECKS, REPORTS, lines_of


def _mark(path: str) -> str:
    return Path(path).read_text(encoding="utf-8").partition("\n")[0]


def test_a_failure_bears_the_mark_of_its_environment(
    service: EmbeddedEmulator, tree: Tree, cesplan: Run
) -> None:
    """The comment of an environment is found again after a run that failed: it is one and the same."""
    report = ("--report", "markdown=out.md")
    assert cesplan("plan", "-e", "prod", *report).code == 0
    assert _mark("out.md") == "<!-- cesplan:plan:prod -->"
    good = (tree.root / "apps/help-desk/app.yaml").read_text(encoding="utf-8")
    tree.write("apps/help-desk/app.yaml", "displayname: Oops\n")
    assert cesplan("plan", "-e", "prod", *report).code == 7
    assert _mark("out.md") == "<!-- cesplan:plan:prod -->"
    assert cesplan("validate", "-e", "prod", *report).code == 7
    assert _mark("out.md") == "<!-- cesplan:validate:prod -->"
    tree.write("apps/help-desk/app.yaml", good)
    assert cesplan("plan", "-e", "prod", "--out", "plan.json").code == 0
    tree.replace("cesplan.yaml", "acme-prod", "acme-other")
    assert cesplan("apply", "plan.json", *report).code == 5
    assert _mark("out.md") == "<!-- cesplan:apply:prod -->"


@pytest.mark.parametrize(
    "typed",
    [
        ("plan", "--out", "plan.json", "--report", "json=./plan.json"),
        ("plan", "--report", "json=one", "--report", "markdown=./one"),
        ("plan", "--report", "json=one", "--report", "jsonl=link"),
        ("apply", "kept.json", "--report", "json=kept.json"),
        ("show", "kept.json", "--report", "markdown=kept.json"),
    ],
)
def test_no_report_takes_the_place_of_another_file(
    service: EmbeddedEmulator, tree: Tree, cesplan: Run, typed: tuple[str, ...]
) -> None:
    """Not of another report, nor of the plan; said before anything is done (64)."""
    assert cesplan("plan", "--out", "kept.json").code == 0
    kept = Path("kept.json").read_bytes()
    Path("link").symlink_to("one")
    before = service.journal.count
    ran = cesplan(*typed)
    assert ran.code == 64
    assert "its own file" in ran.err
    assert (service.journal.count, Path("kept.json").read_bytes()) == (before, kept)
    assert not Path("plan.json").exists()


@pytest.mark.parametrize(("where", "why"), [("no/such/out.json", "does not exist"), ("apps", "is a folder")])
def test_why_a_report_cannot_be_written_is_said(
    service: EmbeddedEmulator, tree: Tree, cesplan: Run, where: str, why: str
) -> None:
    ran = cesplan("apply", "--auto-approve", "--report", f"json={where}")
    assert (ran.code, why in ran.err, service.journal.count) == (64, True, 0)


@pytest.mark.parametrize("option", ["--out", "--report"])
def test_what_is_no_regular_file_is_written_to_and_never_replaced(
    service: EmbeddedEmulator, tree: Tree, cesplan: Run, option: str
) -> None:
    """Such as /dev/stdout, of which one in a container may have the right to make a file."""
    os.mkfifo("pipe")
    reader = os.open("pipe", os.O_RDONLY | os.O_NONBLOCK)
    try:
        assert cesplan("plan", option, "pipe" if option == "--out" else "json=pipe").code == 0
        found = os.read(reader, 1_000_000)
    finally:
        os.close(reader)
    assert Path("pipe").is_fifo()
    assert json.loads(found)["summary"]["create"] == 4


def test_a_link_stays_a_link(service: EmbeddedEmulator, tree: Tree, cesplan: Run) -> None:
    """What it leads to is written."""
    Path("link.json").symlink_to("real.json")
    assert cesplan("plan", "--report", "json=link.json").code == 0
    assert Path("link.json").is_symlink()
    assert json.loads(Path("real.json").read_text(encoding="utf-8"))["summary"]["create"] == 4


def test_why_a_plan_is_refused_stands_in_every_report(
    service: EmbeddedEmulator, tree: Tree, cesplan: Run
) -> None:
    """Also where it is the only thing that the run has to say."""
    assert cesplan("apply", "--auto-approve").code == 0
    tree.replace("apps/help-desk/app.yaml", "guardrails: [no-cards]\n", "")
    tree.remove("apps/help-desk/guardrails/no-cards.yaml")
    wanted = [word for name in REPORTS for word in ("--report", f"{name}=out.{name}")]
    ran = cesplan("apply", "--auto-approve", *wanted)
    assert (ran.code, "--allow-mass-delete" in ran.err) == (5, True)
    texts = {name: Path(f"out.{name}").read_text(encoding="utf-8") for name in REPORTS}
    assert [name for name, text in texts.items() if "--allow-mass-delete" not in text] == []
    (reason,) = json.loads(texts["json"])["error"]["reasons"]
    assert reason.startswith("help-desk: 1 of 1 guardrails would be deleted")


def test_what_moved_and_by_whom_stands_in_every_report(
    service: EmbeddedEmulator, tree: Tree, cesplan: Run
) -> None:
    """Both differences and the editor: the reviewer reads the comment, and not the log of a job."""
    assert cesplan("apply", "--auto-approve").code == 0
    tree.write("apps/help-desk/agents/front-desk.md", "Be brief.\n")
    assert cesplan("plan", "--out", "plan.json").code == 0
    edit = {"body": {"instruction": "Somebody else's."}, "author": "bob@acme.example"}
    service.break_with({"method": "GetAgent", "edit": edit})
    wanted = [word for name in REPORTS for word in ("--report", f"{name}=out.{name}")]
    ran = cesplan("apply", "plan.json", *wanted)
    assert ran.code == 4, ran.err
    for name in REPORTS:
        text = Path(f"out.{name}").read_text(encoding="utf-8")
        missing = [said for said in ("Be brief.", "Somebody else's.", "bob@acme.example") if said not in text]
        assert missing == [], name


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="only Linux has a device that is always full")
@pytest.mark.parametrize("format_", ["text", "json", "jsonl"])
def test_without_room_for_the_result_the_other_reports_are_whole(
    service: EmbeddedEmulator, tree: Tree, format_: str, forked: str
) -> None:
    """Told once and without a trace (1): what was asked for is not there."""
    typed = [
        "apply",
        "--auto-approve",
        "--format",
        format_,
        "--report",
        "markdown=out.md",
        "--report",
        "jsonl=/dev/full",
    ]
    with Path("/dev/full").open("w", encoding="utf-8") as full:
        done = subprocess.run(
            [forked, *typed],
            stdout=full,
            stderr=subprocess.PIPE,
            encoding="utf-8",
            timeout=60,
        )
    assert done.returncode == 1
    assert done.stderr.count("Cannot write /dev/full: No space left on device.") == 1
    if format_ != "text":
        assert done.stderr.count("Cannot write the result: No space left on device.") == 1
        assert "4 created" in Path("out.md").read_text(encoding="utf-8")
    assert "defect" not in done.stderr


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
    types = [row["type"] for row in lines_of(Path("plan.jsonl").read_text(encoding="utf-8"))]
    assert types == ["version", "diagnostic", "error", "done"]


def test_events_are_told_as_they_happen(service: EmbeddedEmulator, tree: Tree, cesplan: Run) -> None:
    """Operations, the plan, then for each write that it was sent and what became of it."""
    rows = lines_of(cesplan("apply", "--auto-approve", "--format", "jsonl").out)
    types = [row["type"] for row in rows]
    assert types[:1] + types[-1:] == ["version", "done"]
    assert types.index("plan") < types.index("started") < types.index("outcome")
    outcomes = [row for row in rows if row["type"] == "outcome"]
    assert {row["outcome"] for row in outcomes} == {"applied"}
    assert len(outcomes) == types.count("operation")


def test_events_are_in_order_also_where_something_fails(
    service: EmbeddedEmulator, tree: Tree, cesplan: Run
) -> None:
    """The plan before the writes, a write before what became of it, and one outcome for each operation."""
    half_wrong(Scene(service=service, tree=tree, run=cesplan, monkeypatch=pytest.MonkeyPatch()))
    rows = lines_of(cesplan("apply", "--auto-approve", "--format", "jsonl").out)
    types = [row["type"] for row in rows]
    assert [types.count(name) for name in ("version", "plan", "done")] == [1, 1, 1]
    operations = [at for at, name in enumerate(types) if name == "operation"]
    started = {row["step"]: at for at, row in enumerate(rows) if row["type"] == "started"}
    outcomes = [(at, row) for at, row in enumerate(rows) if row["type"] == "outcome"]
    assert max(operations) < types.index("plan") < min(started.values())
    assert len(outcomes) == len(operations)
    assert {row["outcome"] for _, row in outcomes} == {"applied", "failed", "skipped"}
    for at, row in outcomes:
        steps = [when for step, when in started.items() if step.split(" (")[0] == row["address"]]
        assert (row["outcome"] == "skipped") or min(steps) < at, row["address"]
