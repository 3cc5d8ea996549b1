"""
The plans of a few trees, as bytes, for a process of its own: `python -m tests.properties.plan_bytes 0 1 2`.

Law 7 compares what processes with different hash seeds print.
"""

import random
import sys
from collections.abc import Sequence
from dataclasses import replace

from cesplan.domain.desired import Desired
from cesplan.domain.live import Live, LiveApp, LiveResource
from cesplan.domain.options import PlanOptions
from cesplan.engine.planning.plan import plan
from cesplan.model.kinds import kind_of
from cesplan.render.machine.formats.plan import PlanReport
from tests.properties.dice import seeded
from tests.properties.edits import edited
from tests.properties.hostility import hostile
from tests.properties.trees import APP, tree


def states(seed: int) -> tuple[Desired, Live]:
    """A tree and a hostile live state for it, by seed."""
    dice = seeded(seed)
    desired = tree(dice)
    bodies = [{**body, "etag": f"etag-{place}"} for place, body in enumerate(hostile(dice, desired))]
    for _ in range(3):
        desired = edited(dice, desired).desired
    found = [LiveResource(kind=kind_of(body["name"].split("/")[-2]).name, body=body) for body in bodies]
    return desired, live_of(found)


def live_of(found: Sequence[LiveResource]) -> Live:
    """The state of the one app, with its children in the order given."""
    app = next(item for item in found if item.kind == "apps" and item.id == APP)
    below = [item for item in found if item.name.startswith(f"{app.name}/")]
    kinds = sorted({item.kind for item in below})
    children = {kind: tuple(item for item in below if item.kind == kind) for kind in kinds}
    return Live(apps={APP: LiveApp(app=app, children=children)})


def shuffled(desired: Desired, live: Live, seed: int) -> tuple[Desired, Live]:
    """The same states with the fields of files, and the answers of the server, in another order."""
    chance = random.Random(seed)
    app, there = desired.apps[0], live.apps[APP]
    found = [item for items in there.children.values() for item in items]
    chance.shuffle(found)
    mixed = replace(
        app, resources=tuple(replace(item, body=_mixed(chance, item.body)) for item in app.resources)
    )
    return replace(desired, apps=(mixed,)), live_of([there.app, *found])


def plan_bytes(desired: Desired, live: Live) -> str:
    """A plan file without what tells the time."""
    return PlanReport.of(plan(desired, live, PlanOptions(allow_drop_unknown=True))).text()


def _mixed(chance: random.Random, body: dict[str, object]) -> dict[str, object]:
    names = list(body)
    chance.shuffle(names)
    return {name: body[name] for name in names}


if __name__ == "__main__":
    for number in map(int, sys.argv[1:]):
        print(plan_bytes(*states(number)))
