"""
Values of another shape than the model knows, anywhere in live: a newer service, or something in between that
answers for it. They are left alone or named, and never end in a traceback.
"""

import copy
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from cesplan.domain.desired import Desired
from cesplan.domain.live import Live, LiveApp, LiveResource
from cesplan.domain.options import PlanOptions
from cesplan.domain.value import Body
from cesplan.engine.planning.plan import plan
from cesplan.engine.reviewing.record import review
from cesplan.features.export_layout.write import write_live_export
from cesplan.features.impact.plan import with_impact
from cesplan.features.typed_diffs.verdicts import with_typed_diffs
from cesplan.features.weakening.weakening import with_weakening
from cesplan.render.machine.formats.plan import PlanReport
from cesplan.render.machine.plan_file import plan_file_text
from cesplan.render.text.layout import View
from cesplan.render.text.plan import plan_text
from tests.properties.dice import Dice, seeded
from tests.properties.plan_bytes import states
from tests.properties.small import planned_one

OTHER_SHAPES: list[Any] = [
    5,
    -1.5,
    "x",
    "",
    [],
    {},
    [1],
    ["x"],
    [[]],
    [{}],
    {"a": 1},
    {"a": {}},
    True,
    None,
    [None],
]


@pytest.mark.parametrize("seed", range(40))
def test_a_plan_is_made_whatever_live_says(seed: int) -> None:
    desired, live = _bent_states(seed)
    made = plan(desired, live, PlanOptions(adopt=True, allow_drop_unknown=True))
    made = with_impact(with_weakening(with_typed_diffs(made)))
    assert PlanReport.of(made).text()
    assert plan_text(made, View(width=80))
    assert plan_file_text(review(made))


@pytest.mark.parametrize("seed", range(40))
def test_an_export_is_written_whatever_live_says(seed: int) -> None:
    _, live = _bent_states(seed)
    for app in live.apps.values():
        assert write_live_export(app).files


def test_what_would_be_replaced_is_named() -> None:
    """It counts as newer than the model: an update that would drop it unnamed is refused."""
    wanted = {"displayName": "Front Desk", "tools": ["tools/lookup"], "modelSettings": {"model": "m-2"}}
    there = {"displayName": "Front desk", "tools": {"by": "name"}, "modelSettings": ["m-1"]}
    made = planned_one("agents", wanted, there)
    assert made.refusals
    text = plan_text(made, View(width=80))
    assert "tools" in text
    assert "modelSettings" in text


def _bent_states(seed: int) -> tuple[Desired, Live]:
    dice = seeded(seed)
    desired, live = states(seed)

    def bent(item: LiveResource) -> LiveResource:
        return replace(item, body=_bent(dice, item.body)) if dice.chance(50) else item

    def bent_app(app: LiveApp) -> LiveApp:
        children = {kind: tuple(map(bent, found)) for kind, found in app.children.items()}
        return replace(app, app=bent(app.app), children=children)

    apps = {key: bent_app(app) for key, app in live.apps.items()}
    return desired, replace(live, apps=apps, location={key: bent(item) for key, item in live.location.items()})


def _bent(dice: Dice, body: Body) -> Body:
    bent = copy.deepcopy(body)
    for _ in range(1 + dice.below(3)):
        found = [at for at in _places(bent) if at[0] != "name"]
        if found:
            *around, last = found[dice.below(len(found))]
            inside: Any = bent
            for part in around:
                inside = inside[part]
            inside[last] = copy.deepcopy(OTHER_SHAPES[dice.below(len(OTHER_SHAPES))])
    return bent


def _places(value: Any, at: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    members = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for part, item in members:
        yield (*at, part)
        yield from _places(item, (*at, part))
