"""What only a real process has: its streams, a terminal, signals, the demo."""

import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from cesplan.emulator import EmbeddedEmulator
from tests.cli.conftest import AtTerminal, BegunAtTerminal, Run, Tree
from tests.cli.test_exit_code_table import CHECKS, REPORTS
from tests.warm import Warm

_ROOT = Path(__file__).parents[2]


def test_the_embedded_emulator_remembers(tree: Tree, process: Run) -> None:
    """`--emulator` keeps its data under the tree, from one command to the next."""
    assert process("apply", "--emulator", "--auto-approve").code == 0
    assert process("plan", "--emulator", "--detailed-exitcode").code == 0
    assert (tree.root / ".cesplan" / "emulator.db").exists()


def test_a_reader_that_goes_away_is_no_error(tree: Tree, service: EmbeddedEmulator) -> None:
    """`cesplan plan | true`: no traceback and no message from the interpreter."""
    done = subprocess.run(
        ["/bin/sh", "-c", f"'{sys.executable}' -m cesplan plan | true"],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_output_is_utf_8_in_any_locale(tree: Tree, service: EmbeddedEmulator, process: Run) -> None:
    """Data that is piped does not depend on the machine."""
    ran = process("plan", environ={"LC_ALL": "C", "PYTHONIOENCODING": "ascii"})
    assert ran.code == 0
    assert "help-desk · acme-dev/us" in ran.out


def test_a_person_is_asked_and_says_yes(tree: Tree, service: EmbeddedEmulator, at_terminal: AtTerminal) -> None:
    """At a terminal there is colour, a question, and then it is done."""
    code, shown = at_terminal("apply", typed="yes\n")
    assert code == 0
    assert "\x1b[" in shown
    assert "Apply this plan to acme-dev/us (EMULATOR)?" in shown
    assert "Live matches the tree." in shown


def test_a_person_says_no(tree: Tree, service: EmbeddedEmulator, at_terminal: AtTerminal) -> None:
    """Declined is 1. Nothing was written."""
    code, shown = at_terminal("apply", "--no-color", typed="y\n")
    assert code == 1
    assert "Nothing was written." in shown
    assert "\x1b[3" not in shown
    assert all(entry.method == "GET" for entry in service.journal.entries)


def test_ctrl_c_finishes_what_is_under_way_and_reports(tree: Tree, service: EmbeddedEmulator) -> None:
    """130; what was sent is finished, what was not begun is skipped, and every report is whole."""
    wanted = [word for name in REPORTS for word in ("--report", f"{name}=out.{name}")]
    program = (
        "import os, signal, sys\n"
        "from cesplan.engine.applying.send import Writer\n"
        "write = Writer.write\n"
        "def interrupted(self, operation, step, waiting):\n"
        "    os.kill(os.getpid(), signal.SIGINT)\n"
        "    return write(self, operation, step, waiting)\n"
        "Writer.write = interrupted\n"
        f"sys.argv = ['cesplan', 'apply', '--auto-approve', *{wanted}]\n"
        "from cesplan.cli.main import main\n"
        "main()\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, encoding="utf-8", check=False, timeout=60
    )
    assert done.returncode == 130, done.stderr
    assert "Stopping after the requests in flight." in done.stderr
    assert "Applied in part: " in done.stdout
    assert "skipped" in done.stderr
    assert "Traceback" not in done.stderr
    for name in REPORTS:
        CHECKS[name](Path(f"out.{name}").read_text(encoding="utf-8"))
    assert json.loads(Path("out.json").read_text(encoding="utf-8"))["exit_code"] == 130
    rows = [json.loads(row) for row in Path("out.jsonl").read_text(encoding="utf-8").splitlines()]
    types = [row["type"] for row in rows]
    assert types.count("outcome") == types.count("operation") == 5
    assert rows[-1] == {"type": "done", "exit_code": 130}
    assert "Applied in part" in Path("out.text").read_text(encoding="utf-8")


@pytest.mark.skipif(sys.platform == "win32", reason="terminals hang up elsewhere")
def test_a_terminal_that_closes_stops_gently(
    tree: Tree, service: EmbeddedEmulator, process: Run, begun_at_terminal: BegunAtTerminal
) -> None:
    """Like Ctrl-C, although nobody can be told: the report is whole, and a re-run does the rest."""
    later = {"code": "UNAVAILABLE", "message": "later"}
    service.break_with({"method": "CreateGuardrail", "times": 1000, "status": later})
    child, terminal = begun_at_terminal("apply", "--auto-approve", "--report", "json=report.json")
    while not service.faults.report()[0]["hits"]:
        os.read(terminal, 4096)
    os.close(terminal)
    assert child.wait(timeout=60) == 130
    report = json.loads((tree.root / "report.json").read_text(encoding="utf-8"))
    assert report["exit_code"] == 130
    assert {item["outcome"] for item in report["outcomes"]} == {"applied", "failed", "skipped"}
    service.faults.clear()
    assert process("apply", "--auto-approve").code == 0
    assert process("plan", "--detailed-exitcode").code == 0


def test_the_emulator_serves_until_interrupted(tmp_path: Path) -> None:
    """It says where, in words to copy, and Ctrl-C is how it ends."""
    arguments = [
        sys.executable,
        "-m",
        "cesplan",
        "emulator",
        "serve",
        "--port",
        "0",
        "--data",
        str(tmp_path / "x.db"),
    ]
    with subprocess.Popen(
        arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8"
    ) as server:
        assert server.stdout is not None
        assert server.stdout.readline().startswith("CES emulator on http://127.0.0.1:")
        server.send_signal(signal.SIGINT)
        _, err = server.communicate(timeout=30)
    assert (server.returncode, err) == (0, "")


@pytest.mark.skipif(sys.platform == "win32", reason="a shell script")
def test_the_demo_ends_with_an_empty_plan(tmp_path: Path, warm: Warm) -> None:
    """Validate, plan, apply, plan again on the large example."""
    environ = {**os.environ, "CESPLAN": "cesplan", "NO_COLOR": "1", "PATH": warm.install(tmp_path / "bin")}
    done = subprocess.run(
        [str(_ROOT / "tools" / "demo.sh")],
        env=environ,
        capture_output=True,
        encoding="utf-8",
        check=False,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    assert "$ cesplan apply --emulator --auto-approve" in done.stdout
    assert "No changes. Live matches the tree." in done.stdout.rsplit("$ cesplan plan", 1)[1]


def test_a_terminal_says_why_it_waits(tree: Tree, service: EmbeddedEmulator, at_terminal: AtTerminal) -> None:
    """A quota that is used up, with the seconds that the service asks for."""
    slow = {"code": "RESOURCE_EXHAUSTED", "message": "slow down", "retryAfter": 2}
    service.break_with({"method": "ListApps", "status": slow, "times": 1})
    code, shown = at_terminal("plan", typed="")
    assert code == 0
    assert re.search(r"Reading live resources, \d s   waiting 2 s: quota \(429\)", shown)
    assert "waiting 1 s: quota (429)" in shown
