"""
A plan file is the plan: what is read back is what was written, up to secrets and raw answers; every edit of it
shows; and applying it does what applying the plan would have done.
"""

import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from cesplan.domain.options import PlanOptions
from cesplan.domain.plan import Plan, steps_of
from cesplan.domain.reviewed import PlanFileError, Reviewed
from cesplan.domain.text.template import names
from cesplan.domain.value import reveal
from cesplan.engine.planning.plan import plan
from cesplan.engine.reviewing.recheck import recheck
from cesplan.engine.reviewing.record import review
from cesplan.render.machine.formats.plan import PlanReport
from cesplan.render.machine.formats.plan_files.sealing import secret_places
from cesplan.render.machine.plan_file import plan_file_text, read_plan_file
from cesplan.render.text.layout import View
from cesplan.render.text.plan import plan_text
from tests.properties.dice import Dice, seeded
from tests.properties.edits import edited
from tests.properties.hostility import hostile
from tests.properties.plan_bytes import states
from tests.properties.steadily import steadily
from tests.properties.test_runs import Worlds
from tests.properties.trees import tree
from tests.properties.world import insist

SEEDS = range(24)
_MADE = {"made_at": "2026-11-20T14:02:00Z", "seconds": 0.25}


def _reviewed(seed: int) -> Reviewed:
    desired, live = states(seed)
    made = plan(desired, live, PlanOptions(allow_drop_unknown=True, adopt=bool(seed % 2)))
    return replace(review(made), **_MADE)


def _variables(made: Plan) -> dict[str, str]:
    """The values from which the secrets of a generated tree are made, those that only live still holds too."""
    found = [*made.secrets, *(secret for step in steps_of(made) for _, secret in secret_places(step.body))]
    return {name: secret.text for secret in found for name in names(secret.recipe)}


@pytest.mark.parametrize("seed", SEEDS)
def test_what_is_read_is_what_was_written(seed: int) -> None:
    """Text, JSON and the file itself come out byte for byte; so does everything that would be sent."""
    reviewed = _reviewed(seed)
    text = plan_file_text(reviewed)
    read = read_plan_file(text, _variables(reviewed.plan))
    assert plan_file_text(read) == text
    assert PlanReport.of(read.plan).text() == PlanReport.of(reviewed.plan).text()
    for width in (60, 120):
        view = View(width=width)
        assert plan_text(read.plan, view) == plan_text(reviewed.plan, view)
    assert replace(read, plan=reviewed.plan) == reviewed
    assert read.plan.settings == reviewed.plan.settings
    assert read.plan.namings == reviewed.plan.namings
    for one, other in zip(steps_of(read.plan), steps_of(reviewed.plan), strict=True):
        assert replace(one, body={}) == replace(other, body={})
        hidden = {place for place, secret in secret_places(one.body) if not secret.variables}
        assert _but(reveal(one.body), hidden) == _but(reveal(other.body), hidden)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_file_holds_no_secret(seed: int) -> None:
    """Neither a value that comes from a variable, nor one that only live knows."""
    reviewed = _reviewed(seed)
    text = plan_file_text(reviewed)
    bodies = [step.body for step in steps_of(reviewed.plan)]
    texts = {secret.text for body in bodies for _, secret in secret_places(body) if len(secret.text) > 5}
    assert not [item for item in texts if item in text]


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_every_edit_of_a_file_shows(seed: int) -> None:
    """Whatever leaf is changed, however little; only the time it was made may be another."""
    document = json.loads(plan_file_text(_reviewed(seed)))
    dice, tried = seeded(seed), 0
    for place, value in _leaves(document):
        if place[0] == "made" or not dice.chance(15):
            continue
        tried += 1
        with pytest.raises(PlanFileError):
            read_plan_file(json.dumps(_with(document, place, _other(value))))
    assert tried > 30
    later = _with(document, ("made", "at"), "2027-01-01T00:00:00Z")
    assert read_plan_file(json.dumps(later, indent=None)).made_at == "2027-01-01T00:00:00Z"


@steadily(12)
def a_file_is_applied_as_the_plan_would_have_been(worlds: Worlds, throws: Dice) -> None:
    """From a hostile live state: plan, file, recheck, apply; and the next plan is empty."""
    world = worlds()
    desired = tree(throws)
    world.emulator.seed(*hostile(throws, desired))
    for _ in range(throws.below(3)):
        desired = edited(throws, desired).desired
    made = world.plan(desired, adopt=True, allow_drop_unknown=True)
    if made.refusals:
        return
    text = plan_file_text(review(made))
    read = read_plan_file(text, _variables(made))
    found = recheck(read, world.client(made.settings, read_only=True))
    assert (found.moved, found.done, found.refreshed) == ((), (), ())
    assert [item.steps for item in _revealed(found.plan)] == [item.steps for item in _revealed(made)]
    insist(world.apply(found.plan))
    assert world.plan(desired, adopt=True, allow_drop_unknown=True).operations == ()
    again = recheck(read, world.client(made.settings, read_only=True))
    assert not [item for item in again.plan.shown if not _is_sent_again(item)]


def test_a_file_is_applied(worlds: Worlds) -> None:
    a_file_is_applied_as_the_plan_would_have_been(worlds)


def _is_sent_again(operation: Any) -> bool:
    """Fields that never come back cannot be seen to be there."""
    return not operation.changes


def _revealed(made: Plan) -> tuple[Any, ...]:
    return tuple(
        replace(item, steps=tuple(replace(step, body=reveal(step.body)) for step in item.steps))
        for item in made.operations
    )


def _leaves(value: Any, at: tuple[Any, ...] = ()) -> Iterator[tuple[tuple[Any, ...], Any]]:
    if isinstance(value, dict | list):
        items = value.items() if isinstance(value, dict) else enumerate(value)
        for key, item in items:
            yield from _leaves(item, (*at, key))
    else:
        yield at, value


def _other(value: Any) -> Any:
    match value:
        case bool():
            return not value
        case int() | float():
            return value + 1
        case str():
            return value + " "
    return "something"


def _with(value: Any, place: tuple[Any, ...], new: Any) -> Any:
    if not place:
        return new
    first, *rest = place
    if isinstance(value, dict):
        return {**value, first: _with(value[first], tuple(rest), new)}
    return [_with(item, tuple(rest), new) if at == first else item for at, item in enumerate(value)]


def _but(value: Any, hidden: set[tuple[Any, ...]]) -> Any:
    for place in hidden:
        value = _with(value, place, "hidden")
    return value
