"""
Law 11: a mask is the canonical cover of the leaves that changed.

The oracle does not use the engine; what is compared here is what the plan sends, in tree form.
"""

from typing import Any

import pytest
from hypothesis import event

from cesplan.domain.plan import Step
from cesplan.domain.settings import MaskDepth
from cesplan.domain.value import Body
from cesplan.model.kinds import KINDS, Kind, kind_of
from tests.properties.bodies import PERSONAS, SYSTEM_TOOLS, Bodies, Place
from tests.properties.dice import Dice
from tests.properties.oracle import Path, blended, expected_mask, patched
from tests.properties.small import planned_one
from tests.properties.steadily import steadily
from tests.properties.trees import APP_NAME
from tests.properties.walking import translated

KINDS_WITH_UPDATES = sorted(kind.name for kind in KINDS.values() if kind.updatable)
REFERENCES = {
    **{str(kind.name): tuple(f"{kind.name}/some-{n}" for n in range(3)) for kind in KINDS.values()},
    "tools": (*SYSTEM_TOOLS, "tools/some-0"),
    PERSONAS: (f"{PERSONAS}/calm", f"{PERSONAS}/hasty"),
}


def a_pair(throws: Dice, kind: Kind) -> tuple[Body, Body]:
    """A desired body and a live one that has much in common with it."""
    bodies = Bodies(throws, plain=True)
    made = []
    for number in range(2):
        density = throws.pick((40, 70, 95))
        place = Place(address=f"one-{number}", title=f"T{number}", references=REFERENCES, density=density)
        body = bodies.resource(kind.name, place)
        made.append({name: value for name, value in body.items() if name != "metadata"})
    other = blended(throws, kind.spec, *made)
    return (made[0], other) if throws.chance(50) else (other, made[0])


def the_update(kind: Kind, wanted: Body, there: Body, **settings: Any) -> Step | None:
    """The one write that a plan makes of the difference."""
    live = translated(kind.spec, there, lambda name: f"{APP_NAME}/{name}" if name.count("/") == 1 else name)
    assert live is not None
    shown = planned_one(kind.name, wanted, live, **settings).shown
    steps = [step for operation in shown for step in operation.steps]
    assert len(steps) <= 1
    return steps[0] if steps else None


def a_mask_is_the_canonical_cover(throws: Dice, kind: Kind) -> None:
    wanted, there = a_pair(throws, kind)
    wanted, there = _as_the_app_has_it(kind, wanted), _as_the_app_has_it(kind, there)
    step = the_update(kind, wanted, there)
    mask = {path.fields for path in step.mask} if step else set()
    expected = _expected(kind, wanted, there)
    assert mask == expected
    event(f"{min(len(mask), 5)} paths")
    if step is not None:
        assert not [(one, two) for one in mask for two in mask if one != two and two[: len(one)] == one]
        assert _named_in(step.body) <= {path[0] for path in mask}
        _check_effect(kind, wanted, there, step.body, mask)
        _check_top(kind, wanted, there, expected)


@pytest.mark.parametrize("kind", KINDS_WITH_UPDATES)
@steadily(40)
def test_a_mask_is_the_canonical_cover(kind: str, throws: Dice) -> None:
    """
    It holds the deepest paths of what differs; none covers another; a PATCH with it makes live what is desired,
    and with any path less it does not. With `maskDepth: top` it is the same cut at the top, to the same effect.
    """
    a_mask_is_the_canonical_cover(throws, kind_of(kind))


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS_WITH_UPDATES)
@steadily(2000)
def test_many_masks_are_the_canonical_cover(kind: str, throws: Dice) -> None:
    a_mask_is_the_canonical_cover(throws, kind_of(kind))


def _expected(kind: Kind, wanted: Body, there: Body) -> set[Path]:
    found = expected_mask(kind.spec, wanted, there)
    if not kind.is_singleton:
        return found
    # Declared ownership: what the file does not name stays.
    return {path for path in found if _is_named(wanted, path)}


def _is_named(body: Any, path: Path) -> bool:
    for name in path:
        if not isinstance(body, dict) or name not in body:
            return False
        body = body[name]
    return True


def _check_effect(kind: Kind, wanted: Body, there: Body, body: Body, mask: set[Path]) -> None:
    assert _expected(kind, wanted, patched(kind.spec, there, body, mask)) == set()
    for path in sorted(mask):
        without = patched(kind.spec, there, body, mask - {path})
        assert _expected(kind, wanted, without), f"{'.'.join(path)} is needless"


def _check_top(kind: Kind, wanted: Body, there: Body, expected: set[Path]) -> None:
    step = the_update(kind, wanted, there, mask_depth=MaskDepth.TOP)
    assert step is not None
    mask = {path.fields for path in step.mask}
    assert mask == {path[:1] for path in expected}
    assert _expected(kind, wanted, patched(kind.spec, there, step.body, mask)) == set()


def _named_in(body: Body) -> set[str]:
    return set(body)


def _as_the_app_has_it(kind: Kind, body: Body) -> Body:
    """Both bodies of an app get the same display name, which the small states give them."""
    return {"displayName": "Shop", **body} if kind.container else body
