"""
Two applies of one app at the same time.

The first is a process that is stopped (SIGSTOP) at one of its writes, so nothing depends on luck. The time of
leases passes when a test says so.
"""

import signal
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from cesplan.domain.app_metadata.lease import read_lease
from cesplan.remote.calls import Call
from cesplan.remote.transport import Answer, Transport
from cesplan.workflow.leasing import RENEWED, SECONDS
from tests.faults.gateway import Gateway, gateway
from tests.faults.processes import PATIENCE, Ended, Running, begin
from tests.identity.conftest import Scene
from tests.warm import Warm

LEASE = "cesplan-lease"
PROMPT = "apps/help-desk/agents/front-desk.md"
APPLY = ("apply", "--auto-approve")
Start = Callable[..., Running]


@pytest.fixture
def start(scene: Scene, warm: Warm, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Start]:
    """Start an apply in a process; with a number, it stops once the service has acted on that write of it."""
    with ExitStack() as stack:

        def started(root: Path, *words: str, stops_at: int = 0) -> Running:
            begun, stopped, running = threading.Event(), threading.Event(), list[Running]()

            def strike() -> None:
                assert begun.wait(PATIENCE)
                running[0].process.send_signal(signal.SIGSTOP)
                stopped.set()

            made = Gateway(upstream=scene.service.address, number=stops_at, strike=strike, after=True)
            address = stack.enter_context(gateway(made)).address
            folder = tmp_path_factory.mktemp("streams")
            running.append(begin(warm, folder, address, *APPLY, *words, root=root))
            stack.callback(running[0].process.kill)
            begun.set()
            assert not stops_at or stopped.wait(PATIENCE), running[0].err
            return running[0]

        yield started


def metadata(scene: Scene) -> dict[str, Any]:
    return dict(scene.live("apps")["help-desk"].get("metadata") or {})


@pytest.fixture
def leasing(scene: Scene) -> Scene:
    scene.tree.replace("cesplan.yaml", "location: us", "location: us\nlease: true")
    scene.apply()
    assert LEASE not in metadata(scene)
    scene.tree.replace(PROMPT, "Greet", "Welcome")
    return scene


def test_the_second_apply_writes_nothing(leasing: Scene, start: Start) -> None:
    child = start(leasing.tree.root, stops_at=1)
    assert LEASE in metadata(leasing)
    leasing.service.journal.clear()
    second = leasing.run(*APPLY)
    assert second.code == 4
    assert "Another apply of help-desk is running. Nothing was written." in second.err
    assert leasing.writes() == []
    child.process.send_signal(signal.SIGCONT)
    ended = child.end()
    assert ended.code == 0, ended.err
    assert LEASE not in metadata(leasing)
    assert leasing.run("plan").out.startswith("No changes. Live matches the tree.")


def test_an_interrupt_gives_it_back(leasing: Scene, start: Start) -> None:
    child = start(leasing.tree.root, stops_at=1)
    assert LEASE in metadata(leasing)
    child.process.send_signal(signal.SIGINT)
    child.process.send_signal(signal.SIGCONT)
    assert child.end().code == 130
    assert LEASE not in metadata(leasing)


def test_a_failure_gives_it_back(leasing: Scene) -> None:
    leasing.service.break_with({"method": "UpdateAgent", "status": {"code": "INVALID_ARGUMENT"}, "times": 9})
    assert leasing.run(*APPLY).code == 1
    assert LEASE not in metadata(leasing)


def test_that_of_a_killed_run_ends_by_itself(leasing: Scene) -> None:
    """What is past is taken over, and what is none is overwritten."""
    for text in ("0" * 32 + " 1700000000", "whatever"):
        leasing.tree.replace(PROMPT, "Welcome", "Welcome, welcome")
        leasing.edit("help-desk", metadata={**metadata(leasing), LEASE: text})
        assert leasing.run(*APPLY).code == 0
        assert LEASE not in metadata(leasing)


def test_one_that_is_held_stays(leasing: Scene) -> None:
    text = "f" * 32 + f" {int(time.time()) + 3600}"
    leasing.edit("help-desk", metadata={**metadata(leasing), LEASE: text})
    assert leasing.run(*APPLY).code == 4
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
    return other


WRITTEN = 2
"""So many writes of ours bring the prompt and the tool; the stamp is still to come."""


def goes_on(scene: Scene, run: Running) -> Ended:
    """What becomes of ours, of which the tool is written."""
    run.process.send_signal(signal.SIGCONT)
    return run.end()


def test_without_a_lease_a_mixture_is_reported(scene: Scene, start: Start, tmp_path_factory: Any) -> None:
    """Another tree was applied while ours was under way: what is live is neither, and ours says so."""
    other = forked(scene, tmp_path_factory)
    first = start(scene.tree.root, stops_at=WRITTEN)
    assert start(other, "--adopt").end().code == 0
    ended = goes_on(scene, first)
    assert ended.code == 3, ended.err
    assert "help-desk (stamp)" in ended.out
    assert "metadata" in ended.out
    assert metadata(scene)["cesplan-tree"] == "desk/fork"


MIXTURE = "Another apply of this app ended while this one ran: live may be a mixture of both."


def test_an_apply_of_a_part_reports_one_that_ended_meanwhile(
    scene: Scene, start: Start, tmp_path_factory: Any
) -> None:
    """It leaves no stamp, and looks at that of the app when it is done."""
    other = forked(scene, tmp_path_factory)
    targets = ("--target", "help-desk/tools/*", "--target", "help-desk/agents/*")
    part = start(scene.tree.root, *targets, stops_at=WRITTEN)
    start(other, "--adopt").end()
    ended = goes_on(scene, part)
    assert ended.code == 3, ended.err
    assert MIXTURE in " ".join(ended.err.split())
    assert "Applied in part: 0 created, 2 updated, 0 deleted" in ended.out


def test_an_apply_of_everything_reports_one_of_a_part_that_ended_meanwhile(
    scene: Scene, start: Start, tmp_path_factory: Any
) -> None:
    """What the part recorded moves the metadata that the stamp was planned for."""
    other = forked(scene, tmp_path_factory)
    whole = start(scene.tree.root, stops_at=WRITTEN)
    part = start(other, "--adopt", "--target", "help-desk/guardrails/*").end()
    assert part.code == 0, part.err
    ended = goes_on(scene, whole)
    assert ended.code == 3, ended.err
    assert "help-desk (stamp)" in ended.out


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
    refused = scene.run(*APPLY)
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


def held_until(event: threading.Event, kind: str, monkeypatch: pytest.MonkeyPatch) -> threading.Event:
    """The service takes its time with updates of a kind, until an event; the one that is returned: one came."""
    begun, send = threading.Event(), Transport.send

    def slow(self: Transport, call: Call, headers: Mapping[str, str]) -> Answer:
        if call.method == "PATCH" and f"/{kind}/" in call.resource:
            begun.set()
            assert event.wait(PATIENCE)
        return send(self, call, headers)

    monkeypatch.setattr(Transport, "send", slow)
    return begun


def test_a_lease_is_renewed_while_a_slow_service_keeps_a_run(
    leasing: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One write takes twice as long as a lease: it never ends meanwhile, and is given back."""
    now, left, long_enough = [1800000000.0], list[float](), threading.Event()

    class Passing(threading.Event):
        """Every wait for the next renewal takes as long as it says, at once."""

        def wait(self, timeout: float | None = None) -> bool:
            if len(left) * RENEWED > 2 * SECONDS:
                long_enough.set()
                return super().wait(PATIENCE)
            now[0] += timeout or 0
            lease = read_lease(metadata(leasing))
            left.append(lease.until - now[0] if lease else 0)
            return super().wait(0)

    monkeypatch.setattr("cesplan.workflow.leasing.time", SimpleNamespace(time=lambda: now[0]))
    monkeypatch.setattr("cesplan.workflow.leasing.Event", Passing)
    held_until(long_enough, "agents", monkeypatch)
    done = leasing.run(*APPLY)
    assert done.code == 0, done.err
    assert set(left) == {SECONDS - RENEWED}
    assert now[0] > 1800000000 + 2 * SECONDS
    assert LEASE not in metadata(leasing)


def test_a_run_that_has_lost_its_lease_stops(leasing: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another run took it over: what is in flight ends, nothing more begins, and theirs is left alone."""
    leasing.tree.replace("apps/help-desk/tools/lookup-order.py", "Find an order.", "Find any order.")
    noticed = threading.Event()
    begun = held_until(noticed, "tools", monkeypatch)

    class TakenOver(threading.Event):
        """During the first wait for a renewal another run takes it; before the second one that is noticed."""

        def wait(self, timeout: float | None = None) -> bool:
            if metadata(leasing)[LEASE].startswith("f" * 32):
                noticed.set()
                return super().wait(PATIENCE)
            assert begun.wait(PATIENCE)
            held_by_another(leasing)
            return False

    monkeypatch.setattr("cesplan.workflow.leasing.Event", TakenOver)
    done = leasing.run(*APPLY)
    assert done.code == 3, done.out + done.err
    assert "stopped: another apply has taken over the lease" in done.out
    assert metadata(leasing)[LEASE].startswith("f" * 32)
    assert "interrupted" not in done.out
    assert "any order" in str(leasing.live("tools")["lookup-order"])
