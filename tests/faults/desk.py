"""The scene of these tests: `examples/support-desk`, applied to an emulator that misbehaves on request."""

from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from cesplan.domain.desired import Desired
from cesplan.domain.options import ApplyOptions
from cesplan.domain.outcome import NotRolledBack, Outcome, RolledBack, Started, Undone, Waiting
from cesplan.domain.plan import Plan
from cesplan.domain.value import Body
from cesplan.engine.applying.run import apply
from cesplan.model.kinds import KINDS
from cesplan.workflow.validating import desired_of, validate
from tests.faults.wire import Script, Wire, wired
from tests.properties.world import World, insist

EXAMPLE = Path(__file__).parents[2] / "examples" / "support-desk"

_NOISE = frozenset(
    {
        *("etag", "createTime", "updateTime"),
        "deploymentCount",  # an app in the snapshot of a version says how many there were at that moment
        "dataStoreSettings",  # made by the service beside the first data-store tool, and stays
        *("cesplan-commit", "cesplan-dirty", "cesplan-tree"),  # only the command line asks git about the tree
        "cesplan-sequence",  # how far the change log had come
        "cesplan-wrote",  # what the last of several runs wrote
        "cesplan-made",  # when versions were made, but for those that the last run made itself
    }
)


_NAMERS = frozenset({"toolCall", "toolResponse", "agentTransfer"})
"""Messages in which the service writes down how their target is called when they are written."""


@cache
def desk() -> Desired:
    """What the example asks for, in its sandbox."""
    return desired_of(validate(EXAMPLE))


def state(world: World) -> dict[str, Body]:
    """
    Everything that is there, by resource name, but for when and in which order it was made, and its etag.

    Settings of a location are always there; that nobody has set any yet makes no difference.
    """
    rows = [row for kind in KINDS for row in world.emulator.store.below("projects", kind)]
    return {row.name: _without_noise(row.body) for row in rows if row.body}


def _without_noise(value: Any) -> Any:
    match value:
        case dict():
            kept = {name: _without_noise(item) for name, item in value.items() if name not in _NOISE}
            for name in _NAMERS & kept.keys():
                kept[name].pop("displayName", None)
            return kept
        case list():
            items = [_without_noise(item) for item in value]
            named = all(isinstance(item, dict) and "name" in item for item in items)
            return sorted(items, key=lambda item: str(item["name"])) if named else items
    return value


def unlike(found: Any, wanted: Any, path: str = "") -> list[str]:
    """Where two states are not the same, and what is there: a line each, for two states are long."""
    if found == wanted:
        return []
    match found, wanted:
        case dict(), dict():
            names = sorted({*found, *wanted})
            return [
                row for name in names for row in unlike(found.get(name), wanted.get(name), f"{path} {name}")
            ]
        case list(), list() if len(found) == len(wanted):
            pairs = enumerate(zip(found, wanted, strict=True))
            return [row for place, (one, other) in pairs for row in unlike(one, other, f"{path} {place}")]
    return [f"{path.strip()}: {str(found)[:200]} instead of {str(wanted)[:200]}"]


RESOURCES = 68
"""So many has the example, with its app and the settings of its location."""


def converge(world: World, desired: Desired) -> None:
    """Run the command again, as someone would the next day: it succeeds."""
    made = world.plan(desired)
    assert not made.refusals, made.refusals
    insist(world.apply(made))


def apply_over(world: World, made: Plan, script: Script, **options: Any) -> tuple[list[Outcome], Wire]:
    """Carry out a plan over a wire with a script."""
    outcomes, _, wire = roll_over(world, made, script, **options)
    return outcomes, wire


def roll_over(
    world: World, made: Plan, script: Script, **options: Any
) -> tuple[list[Outcome], list[Undone], Wire]:
    """The same, with what was taken back afterwards."""
    with wired(world.emulator, made.settings, script) as (client, wire):
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
