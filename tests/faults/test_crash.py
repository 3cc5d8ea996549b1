"""Invariant 4: a crash at any write, and a re-run, end like no crash; so does whatever else hits one write."""

from functools import cache

import pytest

from cesplan.domain.outcome import Applied, Failed, Outcome
from cesplan.domain.plan import Plan
from tests.faults.desk import RESOURCES, Worlds, acknowledged, apply_over, converge, desk, state, unlike
from tests.faults.wire import (
    Fault,
    at,
    cut_after,
    cut_before,
    cut_in_half,
    gateway_gave_up,
    lost_after,
    lost_before,
    nothing,
    refusal,
)
from tests.properties.world import World, insist

WRITES = 72
"""So many writes has the apply of the example; the first test holds this number."""

CREATES = 67
PLACES = [
    *(("Create*", skip) for skip in range(CREATES)),
    *(("Update*", skip) for skip in range(WRITES - CREATES)),
]
"""The same writes as the emulator's own faults name them; each has to be consumed."""

SCRIPTED: dict[str, dict[str, object]] = {
    "reset before": {"reset": {"after": False}},
    "reset after": {"reset": {"after": True}},
    "truncated": {"truncate": {"bytes": 20}},
    "503 after": {"status": {"code": "UNAVAILABLE", "message": "Later.", "after": True}},
    "slow": {"latency": {"seconds": 0.01}},
}
"""Faults that the emulator plays over HTTP, and that one run gets over by itself."""

TRANSIENT: dict[str, Fault] = {
    "429": refusal(429, "RESOURCE_EXHAUSTED"),
    "503": refusal(503, "UNAVAILABLE"),
    "lost before": lost_before,
    "lost after": lost_after,
    "cut in half": cut_in_half,
    "502 after": gateway_gave_up,
}
"""Faults that one run gets over by itself."""

REFUSALS: dict[str, Fault] = {
    "400": refusal(400, "INVALID_ARGUMENT"),
    "403": refusal(403, "PERMISSION_DENIED"),
    "404": refusal(404, "NOT_FOUND"),
    "409": refusal(409, "ABORTED"),
    "412": refusal(400, "FAILED_PRECONDITION"),
    "500": refusal(500, "INTERNAL"),
}
"""Faults that another run gets over."""

EVERY = range(1, WRITES + 1)
FIRSTS = 15
"""So many of them are the first of their method and kind."""
LOTS = 6
"""Writes are shared out over so many tests, which run side by side."""


def of_lot(lot: int) -> list[int]:
    return [number for number in EVERY if number % LOTS == lot]


@pytest.fixture(scope="module")
def good_day(worlds: Worlds) -> tuple[dict[str, object], list[int]]:
    """The state after an apply on a good day, and the numbers of the first write of each method and kind."""
    world = worlds()
    _, wire = apply_over(world, world.plan(desk()), nothing)
    assert len(wire.writes) == WRITES
    assert world.plan(desk()).operations == ()
    found = state(world)
    assert len(found) == RESOURCES
    seen: dict[tuple[str, str], int] = {}
    for number, call in enumerate(wire.writes, 1):
        parts = call.target("v1beta").partition("?")[0].split("/")
        seen.setdefault((call.method, parts[-1 if call.method == "POST" else -2]), number)
    return found, [*seen.values()]


@pytest.fixture(scope="module")
def wanted(good_day: tuple[dict[str, object], list[int]]) -> dict[str, object]:
    return good_day[0]


@pytest.fixture(scope="module")
def firsts(good_day: tuple[dict[str, object], list[int]]) -> list[int]:
    """Where a run is hit: most writes that follow are more of one kind, and the slow tests take them all."""
    assert len(good_day[1]) == FIRSTS
    return good_day[1]


@cache
def first_plan(world: World) -> Plan:
    """The plan where nothing is live: always the same, so it is made once."""
    return world.fresh().plan(desk())


def begun(world: World, number: int, fault: Fault, **options: object) -> bool:
    """Apply with one fault; True when everything was applied anyway."""
    return begun_with(world, number, fault, **options)[0]


def begun_with(world: World, number: int, fault: Fault, **options: object) -> tuple[bool, str]:
    """The same, and the HTTP method of the write that it happened to."""
    made = first_plan(world)
    world.fresh()
    outcomes, wire = apply_over(world, made, at(number, fault), **options)
    whole = all(isinstance(item, Applied) for item in outcomes)
    if not wire.is_cut:
        told = sum(item.writes for item in outcomes)
        assert told == (WRITES if whole else acknowledged(world)), number
    return whole, wire.writes[number - 1].method


def passes(name: str, method: str) -> bool:
    """An etag that is refused of what nobody has changed is read again and sent once more."""
    return name in TRANSIENT or (name == "409" and method == "PATCH")


class TestCrash:
    @pytest.mark.parametrize("lot", range(LOTS))
    def test_a_crash_at_a_write_and_a_re_run_end_like_no_crash(
        self, worlds: Worlds, wanted: dict[str, object], firsts: list[int], lot: int
    ) -> None:
        """The last write is seen by the service every second time; and at the very last write, both."""
        world = worlds()
        cuts = [(number, (cut_before, cut_after)[turn % 2]) for turn, number in enumerate(firsts)]
        for number, cut in [*cuts, (WRITES, cut_before), (WRITES, cut_after)][lot::LOTS]:
            begun(world, number, cut)
            converge(world, desk())
            assert unlike(state(world), wanted) == [], number

    @pytest.mark.slow
    @pytest.mark.parametrize("lot", range(LOTS))
    @pytest.mark.parametrize("fault", [cut_before, cut_after])
    @pytest.mark.parametrize("workers", [1, 8])
    def test_wherever_it_is_cut(
        self, worlds: Worlds, wanted: dict[str, object], fault: Fault, lot: int, workers: int
    ) -> None:
        world = worlds()
        for number in of_lot(lot):
            begun(world, number, fault, workers=workers)
            converge(world, desk())
            assert unlike(state(world), wanted) == [], number


class TestOneFault:
    @pytest.mark.parametrize("lot", range(LOTS))
    def test_a_fault_that_passes_is_got_over_in_the_same_run(
        self, worlds: Worlds, wanted: dict[str, object], firsts: list[int], lot: int
    ) -> None:
        """The first write of each kind, with one kind of fault after the other; each comes up twice or more."""
        world = worlds()
        for turn in range(FIRSTS)[lot::LOTS]:
            number, name = firsts[turn], sorted(TRANSIENT)[turn % len(TRANSIENT)]
            assert begun(world, number, TRANSIENT[name]), (name, number)
            assert unlike(state(world), wanted) == [], (name, number)

    @pytest.mark.parametrize("lot", range(LOTS))
    def test_a_refusal_is_got_over_by_a_re_run(
        self, worlds: Worlds, wanted: dict[str, object], lot: int
    ) -> None:
        """Every sixth write, with one kind of refusal after the other."""
        world = worlds()
        for number in of_lot(lot)[::6]:
            name = sorted(REFUSALS)[number // LOTS % len(REFUSALS)]
            whole, method = begun_with(world, number, REFUSALS[name])
            assert whole is passes(name, method), (name, number, method)
            converge(world, desk())
            assert unlike(state(world), wanted) == [], (name, number)

    @pytest.mark.slow
    @pytest.mark.parametrize("lot", range(LOTS))
    @pytest.mark.parametrize("name", sorted({**TRANSIENT, **REFUSALS}))
    def test_each_kind_of_fault_at_each_write(
        self, worlds: Worlds, wanted: dict[str, object], name: str, lot: int
    ) -> None:
        world = worlds()
        for number in of_lot(lot):
            whole, method = begun_with(world, number, {**TRANSIENT, **REFUSALS}[name])
            assert whole is passes(name, method), (name, number, method)
            if not whole:
                converge(world, desk())
            assert unlike(state(world), wanted) == [], (name, number)


def scripted(world: World, **fault: object) -> list[Outcome]:
    """Apply with one fault of the emulator's own, which has to be consumed."""
    made = first_plan(world)
    world.fresh()
    world.emulator.break_with(fault)
    outcomes, _ = apply_over(world, made, nothing)
    assert [item["consumed"] for item in world.emulator.faults.report()] == [True], fault
    return outcomes


def is_got_over(world: World, wanted: dict[str, object], name: str, place: tuple[str, int]) -> None:
    outcomes = scripted(world, method=place[0], skip=place[1], **SCRIPTED[name])
    insist(outcomes)
    assert sum(item.writes for item in outcomes) == WRITES, (name, place)
    assert unlike(state(world), wanted) == [], (name, place)


def created_names() -> list[str]:
    """The full names of what the apply of the example creates."""
    settings, (app,) = desk().settings, desk().apps
    root = settings.place.app(app.key)
    return [
        root,
        *(f"{root}/{file.address.kind}/{file.resource_id or file.address.key}" for file in app.resources),
    ]


def is_left_to_whom_it_belongs(world: World, name: str) -> None:
    """Someone creates it just before us: that fails, theirs stays, and nothing that needs it is written."""
    edit = {"name": name, "body": {"displayName": "Theirs"}}
    kind = name.split("/")[-2]
    outcomes = scripted(world, method="Create*", resource=f"{kind}/{name.split('/')[-1]}", edit=edit)
    (failed,) = (item for item in outcomes if isinstance(item, Failed))
    assert failed.error.summary.endswith("was created outside cesplan after this plan was made.")
    found = world.emulator.store.get(name)
    assert found is not None
    assert found.body["displayName"] == "Theirs"
    assert not found.body.keys() & (failed.operation.steps[0].body.keys() - {"displayName"})


class TestScripted:
    """The faults that users can script themselves, over HTTP."""

    def test_they_are_got_over(self, worlds: Worlds, wanted: dict[str, object]) -> None:
        """Each kind of fault at another write, the last one at an update; the slow tests take them all."""
        for name, place in zip(sorted(SCRIPTED), PLACES[::17], strict=True):
            is_got_over(worlds(), wanted, name, place)

    def test_what_somebody_else_created_first_is_theirs(self, worlds: Worlds) -> None:
        for name in created_names()[::13]:
            is_left_to_whom_it_belongs(worlds(), name)

    @pytest.mark.slow
    @pytest.mark.parametrize("name", sorted(SCRIPTED))
    def test_each_at_each_write(self, worlds: Worlds, wanted: dict[str, object], name: str) -> None:
        for place in PLACES:
            is_got_over(worlds(), wanted, name, place)

    @pytest.mark.slow
    def test_whatever_somebody_else_created_first(self, worlds: Worlds) -> None:
        for name in created_names():
            is_left_to_whom_it_belongs(worlds(), name)
