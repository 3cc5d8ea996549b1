"""
Two applies of one app at the same time, each a process of its own.

The first is stopped (SIGSTOP) once it has begun to write, so what happens meanwhile does not depend on luck.
"""

import itertools
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from cesplan.domain.app_metadata.lease import read_lease
from tests.identity.conftest import Scene

PATIENCE = 60.0
LEASE = "cesplan-lease"
PROMPT = "apps/help-desk/agents/front-desk.md"


@pytest.fixture
def start(scene: Scene) -> Iterator[Callable[..., "subprocess.Popen[str]"]]:
    """Start an apply in a process; those that are still there in the end are killed."""
    running: list[subprocess.Popen[str]] = []

    def begun(root: Path, *words: str) -> "subprocess.Popen[str]":
        child = subprocess.Popen(
            [sys.executable, "-m", "cesplan", "apply", "--auto-approve", *words],
            cwd=root,
            env=os.environ.copy(),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        running.append(child)
        return child

    yield begun
    for child in running:
        if child.poll() is None:
            child.send_signal(signal.SIGCONT)
            child.kill()
            child.wait(PATIENCE)


def held_up(scene: Scene, child: "subprocess.Popen[str]", has_begun: Callable[[], bool]) -> None:
    """Stop a process as soon as the service has seen something of it; from then on nothing is slow."""
    deadline = time.monotonic() + PATIENCE
    while not has_begun():
        assert child.poll() is None, child.stdout.read() if child.stdout else ""
        assert time.monotonic() < deadline
        time.sleep(0.002)
    child.send_signal(signal.SIGSTOP)
    scene.service.faults.clear()


def metadata(scene: Scene) -> dict[str, Any]:
    return dict(scene.live("apps")["help-desk"].get("metadata") or {})


def slow(scene: Scene) -> None:
    """Every update takes a while, so that a process can be stopped between two."""
    scene.service.break_with({"method": "Update*", "latency": {"seconds": 0.3}, "times": 100})


@pytest.fixture
def leasing(scene: Scene) -> Scene:
    scene.tree.replace("cesplan.yaml", "location: us", "location: us\nlease: true")
    scene.apply()
    assert LEASE not in metadata(scene)
    scene.tree.replace(PROMPT, "Greet", "Welcome")
    return scene


def test_the_second_apply_writes_nothing(leasing: Scene, start: Any) -> None:
    child = start(leasing.tree.root)
    held_up(leasing, child, lambda: LEASE in metadata(leasing))
    leasing.service.journal.clear()
    second = leasing.run("apply", "--auto-approve")
    assert second.code == 4
    assert "Another apply of help-desk is running. Nothing was written." in second.err
    assert leasing.writes() == []
    child.send_signal(signal.SIGCONT)
    said, _ = child.communicate(timeout=PATIENCE)
    assert child.returncode == 0, said
    assert LEASE not in metadata(leasing)
    assert leasing.run("plan").out.startswith("No changes. Live matches the tree.")


def test_an_interrupt_gives_it_back(leasing: Scene, start: Any) -> None:
    child = start(leasing.tree.root)
    held_up(leasing, child, lambda: LEASE in metadata(leasing))
    child.send_signal(signal.SIGINT)
    child.send_signal(signal.SIGCONT)
    child.communicate(timeout=PATIENCE)
    assert child.returncode in (0, 130)  # it may have been done but for giving it back
    assert LEASE not in metadata(leasing)


def test_a_failure_gives_it_back(leasing: Scene) -> None:
    leasing.service.break_with({"method": "UpdateAgent", "status": {"code": "INVALID_ARGUMENT"}, "times": 9})
    assert leasing.run("apply", "--auto-approve").code == 1
    assert LEASE not in metadata(leasing)


def test_that_of_a_killed_run_ends_by_itself(leasing: Scene) -> None:
    """What is past is taken over, and what is none is overwritten."""
    for text in ("0" * 32 + " 1700000000", "whatever"):
        leasing.tree.replace(PROMPT, "Welcome", "Welcome, welcome")
        leasing.edit("help-desk", metadata={**metadata(leasing), LEASE: text})
        assert leasing.run("apply", "--auto-approve").code == 0
        assert LEASE not in metadata(leasing)


def test_one_that_is_held_stays(leasing: Scene) -> None:
    text = "f" * 32 + f" {int(time.time()) + 3600}"
    leasing.edit("help-desk", metadata={**metadata(leasing), LEASE: text})
    assert leasing.run("apply", "--auto-approve").code == 4
    assert metadata(leasing)[LEASE] == text


def test_a_lease_is_no_difference(leasing: Scene) -> None:
    """Neither for a plan, nor for a plan file that is applied while someone else holds one."""
    leasing.apply()
    leasing.edit("help-desk", metadata={**metadata(leasing), LEASE: "f" * 32 + " 1700000000"})
    assert leasing.run("plan").out.startswith("No changes. Live matches the tree.")
    leasing.tree.replace(PROMPT, "Welcome", "Hail")
    assert leasing.run("plan", "--out", "plan.json").code == 0
    leasing.edit("help-desk", metadata={**metadata(leasing), LEASE: "e" * 32 + " 1700000001"})
    assert leasing.run("apply", "plan.json").code == 0
    assert LEASE not in metadata(leasing)


def forked(scene: Scene, tmp_path_factory: Any) -> Path:
    """Another tree of the same app, with another guardrail; ours has another prompt and another tool."""
    scene.tree.replace("cesplan.yaml", "location: us", "location: us\ntree: desk/main")
    scene.apply()
    other: Path = tmp_path_factory.mktemp("other")
    for path in scene.tree.root.rglob("*"):
        if path.is_file():
            target = other / path.relative_to(scene.tree.root)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(path.read_bytes())
    text = (other / "cesplan.yaml").read_text()
    (other / "cesplan.yaml").write_text(text.replace("desk/main", "desk/fork"))
    scene.tree.replace(PROMPT, "Greet", "Welcome")
    guardrail = other / "apps/help-desk/guardrails/no-cards.yaml"
    guardrail.write_text(guardrail.read_text().replace("No cards please.", "Never cards."))
    scene.tree.replace("apps/help-desk/tools/lookup-order.py", "Find an order.", "Find any order.")
    slow(scene)
    return other


def tool_is_written(scene: Scene) -> bool:
    return "any order" in str(scene.live("tools")["lookup-order"])


def test_without_a_lease_a_mixture_is_reported(scene: Scene, start: Any, tmp_path_factory: Any) -> None:
    """Another tree was applied while ours was under way: what is live is neither, and ours says so."""
    other = forked(scene, tmp_path_factory)
    first = start(scene.tree.root)
    held_up(scene, first, lambda: tool_is_written(scene))
    second = start(other, "--adopt")
    said, _ = second.communicate(timeout=PATIENCE)
    assert second.returncode in (0, 3), said
    first.send_signal(signal.SIGCONT)
    said, _ = first.communicate(timeout=PATIENCE)
    assert first.returncode == 3, said
    assert "help-desk (stamp)" in said
    assert "metadata" in said
    assert metadata(scene)["cesplan-tree"] == "desk/fork"


MIXTURE = "Another apply of this app ended while this one ran: live may be a mixture of both."


def test_an_apply_of_a_part_reports_one_that_ended_meanwhile(
    scene: Scene, start: Any, tmp_path_factory: Any
) -> None:
    """It leaves no stamp, and looks at that of the app when it is done."""
    other = forked(scene, tmp_path_factory)
    part = start(scene.tree.root, "--target", "help-desk/tools/*", "--target", "help-desk/agents/*")
    held_up(scene, part, lambda: tool_is_written(scene))
    whole = start(other, "--adopt")
    said, _ = whole.communicate(timeout=PATIENCE)
    part.send_signal(signal.SIGCONT)
    said, _ = part.communicate(timeout=PATIENCE)
    assert part.returncode == 3, said
    assert MIXTURE in " ".join(said.split())
    assert "Applied in part: 0 created, 2 updated, 0 deleted" in said


def test_an_apply_of_everything_reports_one_of_a_part_that_ended_meanwhile(
    scene: Scene, start: Any, tmp_path_factory: Any
) -> None:
    """What the part recorded moves the metadata that the stamp was planned for."""
    other = forked(scene, tmp_path_factory)
    whole = start(scene.tree.root)
    held_up(scene, whole, lambda: tool_is_written(scene))
    part = start(other, "--adopt", "--target", "help-desk/guardrails/*")
    said, _ = part.communicate(timeout=PATIENCE)
    assert part.returncode == 0, said
    whole.send_signal(signal.SIGCONT)
    said, _ = whole.communicate(timeout=PATIENCE)
    assert whole.returncode == 3, said
    assert "help-desk (stamp)" in said


def test_an_apply_of_a_part_that_is_alone_says_nothing_of_others(scene: Scene) -> None:
    """Also where another complete apply was made between a plan file and its apply."""
    scene.apply()
    scene.tree.replace(PROMPT, "Greet", "Welcome")
    assert scene.run("apply", "--auto-approve", "--target", "help-desk/agents/*").code == 0
    scene.tree.replace(PROMPT, "Welcome", "Hail")
    assert scene.run("plan", "--target", "help-desk/agents/*", "--out", "plan.json").code == 0
    scene.tree.replace(PROMPT, "Hail", "Welcome")
    scene.tree.replace("apps/help-desk/tools/lookup-order.py", "Find an order.", "Find any order.")
    scene.apply()
    assert scene.run("apply", "plan.json").code == 0


def held_by_another(scene: Scene, seconds: int = 200) -> None:
    scene.edit("help-desk", metadata={**metadata(scene), LEASE: "f" * 32 + f" {int(time.time()) + seconds}"})


def test_who_takes_no_leases_respects_that_of_another(scene: Scene) -> None:
    """The run that holds one asked to be alone; what it says is who holds it, until when, and the way out."""
    scene.apply()
    scene.tree.replace(PROMPT, "Greet", "Welcome")
    held_by_another(scene)
    scene.service.journal.clear()
    refused = scene.run("apply", "--auto-approve")
    assert refused.code == 4
    assert "Another apply of help-desk is running. Nothing was written." in refused.err
    assert "(`lease: true`), taken by " in refused.err
    assert "If it is no longer running, remove `cesplan-lease` from the app's metadata." in refused.err
    assert scene.writes() == []
    assert scene.run("plan").code == 0


def test_a_plan_file_respects_it_too(scene: Scene) -> None:
    scene.apply()
    scene.tree.replace(PROMPT, "Greet", "Welcome")
    assert scene.run("plan", "--out", "plan.json").code == 0
    held_by_another(scene)
    assert scene.run("apply", "plan.json").code == 4
    held_by_another(scene, -1)
    assert scene.run("apply", "plan.json").code == 0


class Watched:
    """What others see of the lease while a run goes on."""

    def __init__(self, scene: Scene) -> None:
        self._scene = scene
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._look, daemon=True)
        self.seen: list[int] = []

    def __enter__(self) -> "Watched":
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._thread.join(PATIENCE)

    def _look(self) -> None:
        while not self._over.wait(0.05):
            lease = read_lease(metadata(self._scene))
            if lease is not None and lease.until not in self.seen:
                self.seen.append(lease.until)


@pytest.fixture
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leases that end after two seconds and are renewed after less than one."""
    monkeypatch.setattr("cesplan.workflow.leasing.SECONDS", 2)
    monkeypatch.setattr("cesplan.workflow.leasing.RENEWED", 0.7)


@pytest.mark.usefixtures("short")
def test_a_lease_is_renewed_while_a_slow_service_keeps_a_run(leasing: Scene) -> None:
    """One write takes twice as long as a lease: it never ends meanwhile, and is given back."""
    leasing.service.break_with({"method": "UpdateAgent", "latency": {"seconds": 4}, "times": 1})
    began = time.time()
    with Watched(leasing) as watched:
        done = leasing.run("apply", "--auto-approve")
    assert done.code == 0, done.err
    assert time.time() - began > 4
    assert len(watched.seen) >= 4
    assert watched.seen == sorted(watched.seen)
    assert all(later - earlier <= 2 for earlier, later in itertools.pairwise(watched.seen))
    assert LEASE not in metadata(leasing)


@pytest.mark.usefixtures("short")
def test_a_run_that_has_lost_its_lease_stops(leasing: Scene) -> None:
    """Another run took it over: what is in flight ends, nothing more begins, and theirs is left alone."""
    leasing.tree.replace("apps/help-desk/tools/lookup-order.py", "Find an order.", "Find any order.")
    leasing.service.break_with({"method": "Update[!A]*", "latency": {"seconds": 2}, "times": 9})

    def take_over() -> None:
        deadline = time.monotonic() + PATIENCE
        while LEASE not in metadata(leasing) and time.monotonic() < deadline:
            time.sleep(0.01)
        time.sleep(0.2)  # its first writes are under way
        held_by_another(leasing)

    taken = threading.Thread(target=take_over)
    taken.start()
    done = leasing.run("apply", "--auto-approve")
    taken.join(PATIENCE)
    assert done.code == 3, done.out + done.err
    assert "stopped: another apply has taken over the lease" in done.out
    assert metadata(leasing)[LEASE].startswith("f" * 32)
    assert "interrupted" not in done.out
