"""Whatever the plan and whatever goes wrong: one outcome each, order kept, and counts that are true."""

from dataclasses import dataclass

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cesplan.domain.outcome import Applied, Event, Failed, Skipped, Started, Unknown
from cesplan.domain.plan import Operation, Plan, StepId, steps_of
from tests.unit.engine.builders import name
from tests.unit.engine.memory_service import MemoryService, unavailable
from tests.unit.engine.plans import by_address, create, delete, events, plan, stamp, update, verdicts

FAULTS = (
    {},
    {"error": unavailable()},
    {"error": ZeroDivisionError()},
    {"lost_before": True},
    {"lost_after": True},
)


@dataclass(frozen=True)
class Scene:
    """What each operation is (`+ ~ -`), what it waits for, and the faults of its writes and looks."""

    kinds: tuple[str, ...]
    after: tuple[frozenset[int], ...]
    faults: tuple[tuple[int, int, int], ...]
    workers: int
    stops: bool
    enforces_etags: bool
    verify: bool


@st.composite
def scenes(draw: st.DrawFn) -> Scene:
    count = draw(st.integers(1, 9))
    some = st.integers(0, len(FAULTS) - 1)
    return Scene(
        kinds=tuple(draw(st.sampled_from("+~-")) for _ in range(count)),
        after=tuple(
            draw(st.frozensets(st.integers(0, at - 1), max_size=3)) if at else frozenset()
            for at in range(count)
        ),
        faults=tuple(draw(st.tuples(some, some, st.integers(0, 3))) for _ in range(count)),
        workers=draw(st.integers(1, 4)),
        stops=draw(st.booleans()),
        enforces_etags=draw(st.booleans()),
        verify=draw(st.booleans()),
    )


def key(at: int) -> str:
    return f"agents/agent-{at}"


def set_up(scene: Scene) -> tuple[Plan, MemoryService]:
    service = MemoryService(enforces_etags=scene.enforces_etags)
    operations = [operation(scene, service, at) for at in range(len(scene.kinds))]
    app = service.put(name(), {"displayName": "Shop"})
    for at, (first, second, look) in enumerate(scene.faults):
        method = {"+": "create", "~": "update", "-": "delete"}[scene.kinds[at]]
        service.fault(method, name(key(at)), **FAULTS[first])
        service.fault(method, name(key(at)), **FAULTS[second])
        if look == 3:
            service.fault("get", name(key(at)))
            service.fault("get", name(key(at)), error=unavailable())
    return plan(*operations, stamp(app), verify=scene.verify), service


def operation(scene: Scene, service: MemoryService, at: int) -> Operation:
    after = [key(item) for item in sorted(scene.after[at])]
    if scene.kinds[at] == "+":
        return create(key(at), after=after)
    seen = service.put(name(key(at)), {"instruction": "old"})
    if scene.kinds[at] == "~":
        return update(key(at), seen, {"instruction": "new"}, "instruction", after=after)
    return delete(key(at), seen, after=after)


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(scenes())
def test_every_apply_keeps_every_law(scene: Scene) -> None:
    """Whatever fails, in whatever order: the laws are the functions below, and a failure shows which one."""
    made, service = set_up(scene)
    told = events(made, service, workers=scene.workers, on_error="stop" if scene.stops else "continue")
    every_operation_has_exactly_one_outcome(scene, made, service, told)
    counts_are_the_writes_that_took_effect(service, told)
    nothing_starts_before_what_it_waits_for_is_applied(made, told)
    only_a_failure_or_a_stop_skips_and_it_is_named(told)
    what_is_reported_is_what_is_live(scene, service, told)
    the_stamp_is_left_exactly_when_everything_else_was_applied(service, told)


def every_operation_has_exactly_one_outcome(
    scene: Scene, made: Plan, service: MemoryService, told: list[Event]
) -> None:
    assert len(by_address(told)) == len(made.operations)
    assert service.in_flight == 0
    assert service.most_in_flight <= scene.workers


def counts_are_the_writes_that_took_effect(service: MemoryService, told: list[Event]) -> None:
    """Where nobody knows what became of a write, at most that one is missing from the count."""
    found = by_address(told).values()
    counted = sum(item.writes for item in found)
    unknown = sum(isinstance(item, Unknown) for item in found)
    assert counted <= len(service.effects) <= counted + unknown


def nothing_starts_before_what_it_waits_for_is_applied(made: Plan, told: list[Event]) -> None:
    after = {step.id: step.after for step in steps_of(made)}
    done: set[StepId] = set()
    for event in told:
        match event:
            case Started():
                assert set(after[event.step.id]) <= done
            case Applied():
                done.update(step.id for step in event.operation.steps)


def only_a_failure_or_a_stop_skips_and_it_is_named(told: list[Event]) -> None:
    found = by_address(told)
    broken = {str(i.operation.address) for i in found.values() if isinstance(i, Failed | Unknown)}
    for item in found.values():
        if isinstance(item, Skipped) and item.operation.address.kind == "agents":
            assert item.because.removeprefix("stopped after ") in broken


def what_is_reported_is_what_is_live(scene: Scene, service: MemoryService, told: list[Event]) -> None:
    for place, verdict in verdicts(by_address(told)).items():
        body = service.resources.get(name(place))
        if not place.startswith("agents/") or verdict == "unknown":
            continue
        kind = scene.kinds[int(place.rpartition("-")[2])]
        took = {"+": body is not None, "~": (body or {}).get("instruction") == "new", "-": body is None}[kind]
        assert took is (verdict == "applied")


def the_stamp_is_left_exactly_when_everything_else_was_applied(
    service: MemoryService, told: list[Event]
) -> None:
    found = verdicts(by_address(told))
    last = found.pop("app:stamp")
    assert (last == "applied") is (set(found.values()) == {"applied"})
    assert ("metadata" in service.resources[name()]) is (last == "applied")
