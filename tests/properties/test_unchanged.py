"""
What makes a plan quick changes nothing in it.

A resource that is as its file says is not compared in full, and a live body shares the values of its file. For
random trees and live states, with unknown fields, nulls, defaults, other spellings and dangling references, a
plan is the same without both, down to the bytes of its report.
"""

import copy
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import pytest

from cesplan.domain.desired import Desired
from cesplan.domain.live import Live, LiveApp, LiveResource
from cesplan.domain.options import PlanOptions
from cesplan.domain.plan import Plan
from cesplan.domain.value import Body, is_same, reveal
from cesplan.engine.comparing.sharing import share, sharing_with
from cesplan.engine.planning import draft
from cesplan.engine.planning.plan import plan
from cesplan.model.kinds import KINDS, Kind, kind_of
from cesplan.model.scalars import Scalar
from cesplan.model.spec import Cardinality, MessageSpec
from cesplan.render.machine.formats.plan import PlanReport
from tests.properties.bodies import Bodies, Place
from tests.properties.dice import Dice, seeded
from tests.properties.hostility import stamped
from tests.properties.plan_bytes import live_of, states
from tests.properties.small import planned_one
from tests.properties.test_masks import KINDS_WITH_UPDATES, REFERENCES
from tests.properties.trees import APP, APP_NAME
from tests.properties.walking import messages, translated

NEWER = "newerThanAll"
_TEXTS = (Scalar.STRING, Scalar.ENUM)


def test_a_plan_is_the_same_if_everything_is_compared_in_full() -> None:
    """For live states as nobody wishes them, and for those that an apply has left."""
    for seed in range(10):
        desired, live = states(seed)
        _check(desired, live)
        found = [LiveResource(kind=kind_of(_collection(body)).name, body=body) for body in stamped(desired)]
        _check(desired, live_of(found))


@pytest.mark.parametrize("kind", KINDS_WITH_UPDATES)
def test_a_resource_is_the_same_if_it_is_compared_in_full(kind: str) -> None:
    """One resource of each kind, live as its file says but for a few places."""
    asked: list[bool] = []
    for seed in range(25):
        dice = seeded(seed)
        wanted, there = _almost_a_pair(dice, KINDS[kind_of(kind).name])
        with _watched(kind_of(kind).spec, asked):
            quick = planned_one(kind, wanted, there)
        shared = copy.deepcopy(there)
        share(shared, wanted)
        assert is_same(shared, there)
        with _in_full():
            slow = planned_one(kind, wanted, there)
            assert _bytes(slow) == _bytes(quick)
            assert _bytes(planned_one(kind, wanted, shared)) == _bytes(slow)
        assert _bytes(planned_one(kind, wanted, shared)) == _bytes(slow)
    # A live app has metadata of the stamp, which is compared key by key.
    assert {*asked} == ({False} if kind == "apps" else {True, False})


def _check(desired: Desired, live: Live) -> None:
    quick = plan(desired, live, PlanOptions())
    shared = _shared(desired, live)
    assert _bytes(plan(desired, shared, PlanOptions())) == _bytes(quick)
    with _in_full():
        slow = plan(desired, live, PlanOptions())
        assert _bytes(slow) == _bytes(quick)
        assert _bytes(plan(desired, shared, PlanOptions())) == _bytes(slow)


def _shared(desired: Desired, live: Live) -> Live:
    keep = sharing_with(desired.apps[0])
    app = live.apps[APP]
    children = {
        kind: tuple(replace(item, body=keep(kind, copy.deepcopy(item.body))) for item in items)
        for kind, items in app.children.items()
    }
    return replace(live, apps={APP: LiveApp(app=app.app, children=children)})


def _bytes(made: Plan) -> tuple[Plan, str, Any, Any]:
    return made, PlanReport.of(made).model_dump_json(), made.refers_before, made.refers_after


@contextmanager
def _in_full() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(draft, "is_unchanged", lambda *_: False)
        yield


@contextmanager
def _watched(own: MessageSpec, asked: list[bool]) -> Iterator[None]:
    found = draft.is_unchanged

    def watched(spec: MessageSpec, *rest: Any) -> bool:
        answer = found(spec, *rest)
        if spec is own:
            asked.append(answer)
        return answer

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(draft, "is_unchanged", watched)
        yield


def _collection(body: Body) -> str:
    return str(body["name"]).split("/")[-2]


def _almost_a_pair(dice: Dice, kind: Kind) -> tuple[Body, Body]:
    """A body as a file has it, and what the service may answer for it; half of them differ in a few places."""
    place = Place(address="one", title="T", references=REFERENCES, density=dice.pick((30, 60, 90)))
    wanted = {
        name: value
        for name, value in Bodies(dice).resource(kind.name, place).items()
        if name not in ("metadata", "request")
    }
    there = reveal(translated(kind.spec, copy.deepcopy(wanted), _full) or {})
    hidden = {known.name for known in kind.spec.fields.values() if known.is_input_only}
    there = {name: there[name] for name in dice.shuffled([*there]) if name not in hidden}
    for spec, message, _ in dice.some([*messages(kind.spec, there)], most=3) if dice.chance(50) else ():
        _change(dice, spec, message)
    return wanted, there


def _full(reference: str) -> str:
    return f"{APP_NAME}/{reference}" if reference.count("/") == 1 else reference


def _change(dice: Dice, spec: MessageSpec, message: Body) -> None:
    """One place of a live message is something else: newer, filled in, gone, or another value."""
    names, known = [*message], dice.pick([*spec.fields.values(), None])
    match dice.below(6):
        case 0:
            message[NEWER] = "x"
        case 1 if known is not None and known.scalar in _TEXTS and known.cardinality is Cardinality.ONE:
            message.setdefault(known.name, known.filled_in or "VALUE_FROM_THE_FUTURE")
        case 2 if names:
            del message[dice.pick(names)]
        case _ if names:
            name = dice.pick(names)
            message[name] = _other(dice, message[name])


def _other(dice: Dice, value: Any) -> Any:
    """Another value of about the same type, or one that only looks different."""
    if value is None or dice.chance(30):
        return None
    match value:
        case bool() | int() | float():
            return dice.pick((1, True, False, 1.0, 0))
        case str():
            return dice.pick((f"{value}.", ""))
        case list():
            return dice.shuffled([*value, *value[:1]]) if dice.chance(70) else []
    return {name: value[name] for name in reversed(value)} if dice.chance(70) else {}
