"""Rings of references are cut in a time that grows with the ring, and no faster."""

from typing import Any

import pytest

from cesplan.domain.choice import Choice
from cesplan.domain.plan import Purpose
from tests.costs import calls_of
from tests.unit.engine.builders import NOTHING, desired, live, planned


def neighbors(count: int, *, both: bool = True) -> dict[str, dict[str, Any]]:
    """Agents in a circle; each names the next one, and the one before it too where `both` are asked for."""

    def named(number: int) -> list[str]:
        steps = (1, -1) if both else (1,)
        return [f"agents/agent-{(number + step) % count:04}" for step in steps]

    return {f"agents/agent-{n:04}": {"displayName": f"A {n}", "childAgents": named(n)} for n in range(count)}


@pytest.mark.parametrize("both", [True, False])
def test_the_work_of_cutting_grows_with_the_ring(both: bool) -> None:
    """Twice the agents, twice the calls of a first plan: a ring is not walked again after each cut."""
    trees = [desired(neighbors(count, both=both)) for count in (10, 150, 300)]
    calls = [calls_of(lambda tree=tree: planned(tree, NOTHING)) for tree in trees]
    assert calls[2] <= 2.4 * calls[1]


def test_the_work_of_cutting_a_ring_of_deletes_grows_with_it_too() -> None:
    there = [live(neighbors(count)) for count in (10, 150, 300)]
    calls = [calls_of(lambda state=state: planned(desired({}), state)) for state in there]
    assert calls[2] <= 2.4 * calls[1]


def test_every_second_agent_of_a_long_ring_of_neighbors_is_cut() -> None:
    """Fewer cuts leave two neighbors that name each other; the cuts of a long ring are no more than that."""
    plan = planned(desired(neighbors(300)), NOTHING)
    linked = {
        step.id.address.key
        for item in plan.operations
        for step in item.steps
        if step.id.purpose is Purpose.LINK
    }
    assert linked == {f"agent-{number:04}" for number in range(0, 300, 2)}


def test_what_a_target_needs_is_found_in_a_time_that_grows_with_the_tree() -> None:
    """Creates, and deletes that wait for what names them: no resource is compared with every other one."""
    choice = Choice(only=("shop-desk/agents/agent-0001",))
    calls = []
    for count in (10, 100, 200):
        chain = {
            f"agents/agent-{n:04}": {"displayName": f"A {n}", "childAgents": [f"agents/agent-{n - 1:04}"][:n]}
            for n in range(count)
        }
        for tree, state in ((desired(chain), NOTHING), (desired({}), live(chain))):
            calls.append(calls_of(lambda tree=tree, state=state: planned(tree, state, choice=choice)))
    assert calls[4] <= 2.4 * calls[2]
    assert calls[5] <= 2.4 * calls[3]
