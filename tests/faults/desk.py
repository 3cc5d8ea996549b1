"""The scene of these tests: `examples/support-desk`, applied to an emulator that misbehaves on request."""

from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from cesplan.config.loading import load
from cesplan.domain.desired import Desired
from cesplan.domain.options import ApplyOptions
from cesplan.domain.outcome import NotRolledBack, Outcome, RolledBack, Started, Undone, Waiting
from cesplan.domain.plan import Plan
from cesplan.domain.value import Body
from cesplan.engine.applying import apply
from tests.faults.wire import Script, Wire, wired
from tests.properties.world import World, insist

EXAMPLE = Path(__file__).parents[2] / "examples" / "support-desk"

_NOISE = frozenset({"etag", "@etag", "@updateTime", "createTime", "updateTime"})


@cache
def desk() -> Desired:
    """What the example asks for, in its sandbox; no variable comes from outside."""
    found = load(EXAMPLE, environ={})
    assert found.desired is not None, found.diagnostics
    return found.desired


def state(world: World) -> dict[str, Body]:
    """Everything that is there, but for when it was made and under which etag, by resource name."""
    return {name: _without_noise(body) for name, body in sorted(world.bodies().items())}


def _without_noise(value: Any) -> Any:
    match value:
        case dict():
            return {name: _without_noise(item) for name, item in value.items() if name not in _NOISE}
        case list():
            return [_without_noise(item) for item in value]
    return value


def converge(world: World, desired: Desired) -> None:
    """Run the command again, as somebody would the next day: it succeeds, and then nothing is left to do."""
    made = world.plan(desired)
    assert not made.refusals, made.refusals
    insist(world.apply(made))
    assert world.plan(desired).is_empty


def apply_over(world: World, made: Plan, script: Script, **options: Any) -> tuple[list[Outcome], Wire]:
    """Carry out a plan over a wire with a script."""
    outcomes, _, wire = roll_over(world, made, script, **options)
    return outcomes, wire


def roll_over(
    world: World, made: Plan, script: Script, **options: Any
) -> tuple[list[Outcome], list[Undone], Wire]:
    """The same, with what was taken back afterwards."""
    with wired(world.emulator.address, made.settings, script) as (client, wire):
        events = [*apply(made, client, ApplyOptions(**options))]
    undone = [event for event in events if isinstance(event, RolledBack | NotRolledBack)]
    skip = Started | Waiting | RolledBack | NotRolledBack
    return [event for event in events if not isinstance(event, skip)], undone, wire


def acknowledged(world: World) -> int:
    """How many writes the service has acknowledged since the world was told to forget."""
    return sum(1 for item in world.sent() if item.status == 200)


def settled(outcomes: Sequence[Outcome]) -> dict[str, str]:
    """`applied`, `failed`, `skipped` or `unknown` by address."""
    return {str(item.operation.address): type(item).__name__.lower() for item in outcomes}


Worlds = Callable[..., World]
