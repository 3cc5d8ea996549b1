"""A whole plan is carried out: concurrently, in order, and with one outcome for each operation."""

from collections.abc import Iterator
from dataclasses import replace
from signal import SIGUSR2, pthread_kill, signal
from threading import Event as Signal
from threading import get_ident
from typing import Any

import pytest

from cesplan.domain.errors import Interrupted
from cesplan.domain.options import ApplyOptions
from cesplan.domain.outcome import Applied, Event, Failed, Skipped, Started, Unknown, Waiting
from cesplan.domain.plan import Action, Operation
from cesplan.engine.applying.run import Applying, apply
from cesplan.engine.applying.schedule import STAMP_LEFT
from tests.unit.engine.builders import APP, name
from tests.unit.engine.memory_service import MemoryService, unavailable
from tests.unit.engine.plans import (
    by_address,
    create,
    delete,
    events,
    lock,
    outcomes,
    plan,
    stamp,
    step,
    the,
    update,
    verdicts,
)


@pytest.fixture
def service() -> MemoryService:
    return MemoryService()


def begun(*operations: Operation, service: MemoryService, **options: Any) -> Applying:
    return apply(plan(*operations), service, ApplyOptions(**options))


def until_started(applying: Applying, service: MemoryService, *names: str) -> list[Event]:
    """The events up to the moment at which the service works on all of these creates."""
    told: list[Event] = []
    while sum(isinstance(event, Started) for event in told) < len(names):
        told.append(next(applying))
    for item in names:
        assert service.started["create", name(item)].wait(10)
    return told


class TestOrder:
    def test_nothing_is_sent_before_the_first_event_is_asked_for(self, service: MemoryService) -> None:
        begun(create("tools/a-tool"), service=service)
        assert service.calls == []

    def test_an_empty_plan_has_no_events(self, service: MemoryService) -> None:
        assert events(plan(), service) == []

    def test_each_step_starts_before_its_operation_ends(self, service: MemoryService) -> None:
        told = events(plan(create("tools/a-tool"), create("agents/desk", after=["tools/a-tool"])), service)
        assert [type(event).__name__ for event in told] == ["Started", "Applied", "Started", "Applied"]

    def test_long_running_writes_tell_how_long_they_take(self, service: MemoryService) -> None:
        told = events(plan(create("", {"displayName": "Shop"})), service)
        (waiting,) = [event for event in told if isinstance(event, Waiting)]
        assert (waiting.seconds, str(waiting.step.id)) == (1.5, APP)

    def test_independent_steps_run_at_once_up_to_the_number_of_workers(self, service: MemoryService) -> None:
        gate = Signal()
        keys = [f"tools/tool-{number}" for number in range(5)]
        for key in keys:
            service.fault("create", name(key), hold=gate)
        applying = begun(*map(create, keys), service=service, workers=3)
        told = until_started(applying, service, *keys[:3])
        assert service.in_flight == 3
        gate.set()
        found = by_address([*told, *applying])
        assert verdicts(found) == dict.fromkeys(keys, "applied")
        assert service.most_in_flight == 3

    def test_a_create_in_a_ring_is_linked_in_a_later_step(self, service: MemoryService) -> None:
        link = step(
            "agents/one:link", Action.UPDATE, {"childAgents": ["agents/two"]}, "childAgents", ["agents/two"]
        )
        ring = create("agents/two", {"childAgents": ["agents/one"]}, after=["agents/one"])
        found = outcomes(plan(create("agents/one", link=link), ring), service)
        assert verdicts(found) == {"agents/one": "applied", "agents/two": "applied"}
        assert service.effects == [
            ("create", name("agents/one")),
            ("create", name("agents/two")),
            ("update", name("agents/one")),
        ]
        assert service.resources[name("agents/one")]["childAgents"] == [name("agents/two")]

    def test_a_delete_in_a_ring_first_drops_its_reference(self, service: MemoryService) -> None:
        one = service.put(name("agents/one"), {"childAgents": [name("agents/two")]})
        two = service.put(name("agents/two"), {"childAgents": [name("agents/one")]})
        unlink = step("agents/one:unlink", Action.UPDATE, {}, "childAgents")
        made = plan(
            delete("agents/one", one, after=["agents/one:unlink", "agents/two"], unlink=unlink),
            delete("agents/two", two, after=["agents/one:unlink"]),
        )
        found = outcomes(made, service)
        assert {key: item.writes for key, item in found.items()} == {"agents/one": 2, "agents/two": 1}
        assert service.resources == {}


class TestFailure:
    def test_dependants_are_skipped_and_the_rest_goes_on(self, service: MemoryService) -> None:
        service.fault("create", name("tools/a-tool"), error=unavailable())
        made = plan(
            create("tools/a-tool"),
            create("agents/desk", after=["tools/a-tool"]),
            create("tools/b-tool"),
            stamp(after=["agents/desk"]),
        )
        found = outcomes(made, service)
        assert verdicts(found) == {
            "tools/a-tool": "failed",
            "agents/desk": "skipped",
            "tools/b-tool": "applied",
            "app:stamp": "skipped",
        }
        skipped, left = the(Skipped, found, "agents/desk"), the(Skipped, found, "app:stamp")
        assert (skipped.because, left.because) == ("shop-desk/tools/a-tool", STAMP_LEFT)

    def test_stop_starts_nothing_more(self, service: MemoryService) -> None:
        service.fault("create", name("tools/a-tool"), error=unavailable())
        made = plan(create("tools/a-tool"), create("tools/b-tool"))
        found = outcomes(made, service, workers=1, on_error="stop")
        assert verdicts(found) == {"tools/a-tool": "failed", "tools/b-tool": "skipped"}
        assert the(Skipped, found, "tools/b-tool").because == "stopped after shop-desk/tools/a-tool"

    def test_writes_made_before_a_failure_are_counted(self, service: MemoryService) -> None:
        service.fault("update", name("agents/desk"), error=unavailable())
        link = step("agents/desk:link", Action.UPDATE, {"tools": ["tools/x"]}, "tools", ["agents/desk"])
        outcome = the(Failed, outcomes(plan(create("agents/desk", link=link)), service))
        assert (outcome.writes, outcome.step) == (1, link)

    def test_an_operation_of_which_a_step_was_skipped_counts_what_was_written(
        self, service: MemoryService
    ) -> None:
        service.fault("create", name("tools/x-tool"), error=unavailable())
        link = step("agents/desk:link", Action.UPDATE, {"tools": ["tools/x-tool"]}, "tools", ["tools/x-tool"])
        found = outcomes(plan(create("agents/desk", link=link), create("tools/x-tool")), service)
        outcome = the(Skipped, found, "agents/desk")
        assert (outcome.because, outcome.writes) == ("shop-desk/tools/x-tool", 1)

    def test_a_defect_in_a_worker_ends_in_an_outcome(self, service: MemoryService) -> None:
        service.fault("create", name("agents/desk"), error=ZeroDivisionError())
        service.fault("get", name("agents/desk"), error=ZeroDivisionError())
        (outcome,) = outcomes(plan(create("agents/desk")), service).values()
        assert verdicts({"it": outcome}) == {"it": "unknown"}


class TestInterruption:
    def test_what_is_in_flight_is_finished_and_reported(self, service: MemoryService) -> None:
        gate = Signal()
        service.fault("create", name("tools/a-tool"), hold=gate)
        applying = begun(create("tools/a-tool"), create("tools/b-tool"), service=service, workers=1)
        told = until_started(applying, service, "tools/a-tool")
        applying.stop()
        gate.set()
        found = by_address([*told, *applying])
        assert verdicts(found) == {"tools/a-tool": "applied", "tools/b-tool": "skipped"}
        assert the(Skipped, found, "tools/b-tool").because == "interrupted"
        assert applying.interrupted
        assert service.interruptions == 1

    def test_what_was_begun_and_not_sent_is_skipped(self, service: MemoryService) -> None:
        service.fault(
            "create", name("tools/a-tool"), error=Interrupted(summary="interrupted before it was sent")
        )
        found = by_address(begun(create("tools/a-tool"), service=service))
        assert verdicts(found) == {"tools/a-tool": "skipped"}

    def test_a_second_stop_waits_for_no_answer(self, service: MemoryService) -> None:
        gate = Signal()
        service.fault("create", name("tools/a-tool"), hold=gate)
        applying = begun(create("tools/a-tool"), create("tools/b-tool"), service=service, workers=1)
        told = until_started(applying, service, "tools/a-tool")
        applying.abandon()
        found = by_address([*told, *applying])
        gate.set()
        assert verdicts(found) == {"tools/a-tool": "unknown", "tools/b-tool": "skipped"}
        unknown = the(Unknown, found, "tools/a-tool")
        assert unknown.error.summary == "The outcome of tools/a-tool is unknown: interrupted before the reply."

    def test_a_keyboard_interrupt_while_waiting_is_a_stop(self, service: MemoryService) -> None:
        gate = Signal()
        service.fault("create", name("tools/a-tool"), hold=gate)
        applying = begun(create("tools/a-tool"), create("tools/b-tool"), service=service, workers=1)
        told = until_started(applying, service, "tools/a-tool")
        applying._inbox = _Interrupted(applying._inbox, gate)  # type: ignore[assignment]
        found = by_address([*told, *applying])
        assert verdicts(found) == {"tools/a-tool": "applied", "tools/b-tool": "skipped"}
        assert applying.interrupted

    def test_a_signal_that_does_not_end_the_wait_is_heeded(self, service: MemoryService) -> None:
        """Another thread receives it, so the wait of the main loop goes on."""
        stopped = Signal()
        lasted: list[bool] = []

        def struck() -> None:
            pthread_kill(get_ident(), SIGUSR2)
            lasted.append(not stopped.wait(10))

        service.fault("create", name("tools/a-tool"), then=struck)
        applying = begun(create("tools/a-tool"), service=service)
        service.interrupt = stopped.set  # type: ignore[method-assign]
        old = signal(SIGUSR2, lambda number, frame: applying.stop())
        try:
            assert verdicts(by_address(applying)) == {"tools/a-tool": "applied"}
        finally:
            signal(SIGUSR2, old)
        assert lasted == [False]

    def test_stopping_before_the_beginning_sends_nothing(self, service: MemoryService) -> None:
        applying = begun(create("tools/a-tool"), service=service)
        applying.stop()
        assert verdicts(by_address(applying)) == {"tools/a-tool": "skipped"}
        assert service.calls == []

    def test_a_consumer_that_goes_away_leaves_nothing_in_flight(self, service: MemoryService) -> None:
        applying = begun(create("tools/a-tool"), create("tools/b-tool"), service=service, workers=1)
        until_started(applying, service, "tools/a-tool")
        applying.close()
        assert (service.in_flight, service.interruptions) == (0, 1)
        assert service.effects == [("create", name("tools/a-tool"))]


class _Interrupted:
    """An inbox in which the first wait is interrupted, as by Ctrl-C."""

    def __init__(self, inbox: Any, gate: Signal) -> None:
        self._inbox = inbox
        self._gate = gate
        self._errors: Iterator[BaseException] = iter([KeyboardInterrupt()])

    def get(self, timeout: float) -> Any:
        for error in self._errors:
            self._gate.set()
            raise error
        return self._inbox.get(timeout=timeout)

    def put(self, item: Any) -> None:
        self._inbox.put(item)


class TestLock:
    @pytest.fixture
    def locked(self, service: MemoryService) -> dict[str, Any]:
        return service.put(name(), {"displayName": "Shop", "locked": True})

    def test_it_is_closed_again_after_a_failure(self, service: MemoryService, locked: dict[str, Any]) -> None:
        service.fault("create", name("tools/a-tool"), error=unavailable())
        made = plan(lock(locked, after=["tools/a-tool"]), create("tools/a-tool", after=[":unlock"]))
        found = outcomes(made, service)
        assert verdicts(found) == {"app": "applied", "tools/a-tool": "failed"}
        assert found["app"].writes == 2
        assert service.resources[name()]["locked"] is True

    def test_it_is_closed_again_after_an_interruption(
        self, service: MemoryService, locked: dict[str, Any]
    ) -> None:
        applying = begun(
            lock(locked, after=["tools/a-tool"]), create("tools/a-tool", after=[":unlock"]), service=service
        )
        service.fault("update", name(), then=applying.stop)
        assert verdicts(by_address(applying)) == {"app": "applied", "tools/a-tool": "skipped"}
        assert service.resources[name()]["locked"] is True

    def test_it_is_closed_although_a_stop_came_while_it_waited_for_its_turn(
        self, service: MemoryService, locked: dict[str, Any]
    ) -> None:
        service.fault("update", name())  # opens it
        service.fault("update", name(), error=Interrupted(summary="interrupted before it was sent"))
        assert set(verdicts(outcomes(plan(lock(locked, after=[])), service)).values()) == {"applied"}
        assert service.resources[name()]["locked"] is True

    def test_after_a_second_stop_it_stays_open_and_that_is_told(
        self, service: MemoryService, locked: dict[str, Any]
    ) -> None:
        gate = Signal()
        service.fault("create", name("tools/a-tool"), hold=gate)
        applying = begun(
            lock(locked, after=["tools/a-tool"]), create("tools/a-tool", after=[":unlock"]), service=service
        )
        told = [next(applying), *until_started(applying, service, "tools/a-tool")]
        applying.abandon()
        outcome = by_address([*told, *applying])["app"]
        gate.set()
        assert isinstance(outcome, Skipped)
        assert (outcome.because, outcome.writes) == ("interrupted; the unlocked apps stay unlocked", 1)

    def test_one_that_does_not_close_is_told(self, service: MemoryService, locked: dict[str, Any]) -> None:
        service.fault("update", name())
        service.fault("update", name(), error=unavailable())
        found = outcomes(plan(lock(locked, after=[]), create("tools/a-tool", after=[":unlock"])), service)
        outcome = the(Failed, found, "app")
        assert "still unlocked" in outcome.error.detail


class TestConvergence:
    def test_a_field_that_did_not_take_is_named(self, service: MemoryService) -> None:
        service.fault("create", name("agents/desk"), answer=lambda body: {**body, "instruction": "cut short"})
        made = plan(create("agents/desk", {"displayName": "Desk", "instruction": "long"}))
        assert the(Applied, outcomes(made, service)).not_converged == ("instruction",)

    def test_an_update_is_held_to_its_mask(self, service: MemoryService) -> None:
        seen = service.put(name("agents/desk"), {"displayName": "Desk", "instruction": "old"})
        made = plan(update("agents/desk", seen, {"instruction": "new"}, "instruction"))
        outcome = the(Applied, outcomes(made, service))
        assert (outcome.not_converged, outcome.writes) == ((), 1)


class TestVersions:
    """A version is made of what was applied, or nobody deploys it."""

    def plan(self, service: MemoryService) -> list[Operation]:
        seen = service.put(name("agents/desk"), {"displayName": "Desk", "instruction": "old"})
        old = service.put(name("tools/old"), {"displayName": "Old"})
        return [
            update("agents/desk", seen, {"instruction": "new"}, "instruction"),
            delete("tools/old", old),
            create("versions/v42", after=["agents/desk", "tools/old"]),
            create("deployments/web", {"appVersion": "versions/v42"}, after=["versions/v42"]),
            stamp(service.put(name(), {"displayName": "Shop"}), after=["deployments/web"]),
        ]

    def snapshot(self, service: MemoryService, method: str = "create", **agent: Any) -> None:
        body = {"name": name("agents/desk"), "displayName": "Desk", "instruction": "new", **agent}
        held = {"app": {"name": name(), "displayName": "Shop"}, "agents": [body]}
        service.fault(method, name("versions/v42"), answer=lambda made: {**made, "snapshot": held})

    def test_a_faithful_snapshot_is_deployed(self, service: MemoryService) -> None:
        made = plan(*self.plan(service))
        self.snapshot(service, updateTime="2026-01-01T00:00:00Z")
        assert set(verdicts(outcomes(made, service)).values()) == {"applied"}
        assert service.effects[-1] == ("update", name())

    def test_an_edit_before_the_snapshot_keeps_it_from_being_deployed(self, service: MemoryService) -> None:
        made = plan(*self.plan(service))
        self.snapshot(service, instruction="theirs", description="theirs")
        found = outcomes(made, service)
        assert verdicts(found) == {
            "agents/desk": "applied",
            "tools/old": "applied",
            "versions/v42": "failed",
            "deployments/web": "skipped",
            "app:stamp": "skipped",
        }
        version, web = the(Failed, found, "versions/v42"), the(Skipped, found, "deployments/web")
        assert version.error.summary == (
            "versions/v42 would serve content that was not reviewed: agents/desk description, instruction."
        )
        assert version.writes == 2  # it was made, and deleted again
        assert name("versions/v42") not in service.resources
        assert web.because == "shop-desk/versions/v42"

    def test_a_version_that_cannot_be_deleted_again_is_told(self, service: MemoryService) -> None:
        made = plan(*self.plan(service))
        self.snapshot(service, instruction="theirs")
        service.fault("delete", name("versions/v42"), error=unavailable())
        version = outcomes(made, service)["versions/v42"]
        assert isinstance(version, Failed)
        assert version.writes == 1
        assert version.error.detail.endswith(
            "It could not be deleted again (not now). Delete it, or the next apply may serve it."
        )

    def test_a_snapshot_that_the_answer_lacks_is_read(self, service: MemoryService) -> None:
        made = plan(*self.plan(service))
        self.snapshot(service, method="get")
        assert set(verdicts(outcomes(made, service)).values()) == {"applied"}

    def test_without_a_snapshot_nothing_is_deployed(self, service: MemoryService) -> None:
        """The version stays: nothing says that it is wrong."""
        found = outcomes(plan(*self.plan(service)), service)
        version, web = found["versions/v42"], found["deployments/web"]
        assert isinstance(version, Applied)
        assert version.not_converged == ("snapshot",)
        assert isinstance(web, Skipped)
        assert web.because == "the service returned no snapshot, so its contents are unknown"

    def test_what_a_version_did_not_wait_for_is_not_looked_for_in_it(self, service: MemoryService) -> None:
        late = create("agents/late", after=["deployments/web"])
        made = plan(*self.plan(service), late)
        self.snapshot(service)
        assert set(verdicts(outcomes(made, service)).values()) == {"applied"}

    def test_a_version_is_skipped_when_a_write_before_it_failed(self, service: MemoryService) -> None:
        made = plan(*self.plan(service))
        service.fault("delete", name("tools/old"), error=unavailable())
        assert verdicts(outcomes(made, service)) == {
            "agents/desk": "applied",
            "tools/old": "failed",
            "versions/v42": "skipped",
            "deployments/web": "skipped",
            "app:stamp": "skipped",
        }


def test_a_plan_that_lacks_the_ids_of_its_app_is_refused_before_anything_is_sent(
    service: MemoryService,
) -> None:
    with pytest.raises(KeyError):
        apply(replace(plan(create("tools/a-tool")), namings={}), service, ApplyOptions())
