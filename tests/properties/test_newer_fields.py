"""
Law 5: what is not managed never changes, and fields newer than the models are managed by nobody.

Marks that no model knows are put into a live body, anywhere; the oracle of masks says what a PATCH leaves of
them.
"""

import copy
import re

import pytest
from hypothesis import event

from cesplan.domain.field_path import Entry, FieldPath, Index
from cesplan.domain.naming import Naming
from cesplan.domain.plan import Plan
from cesplan.domain.settings import MaskDepth
from cesplan.domain.value import Body
from cesplan.engine.comparing.normalize import normalize
from cesplan.model.kinds import Kind, kind_of
from tests.properties.dice import Dice
from tests.properties.oracle import patched
from tests.properties.small import planned_one
from tests.properties.steadily import steadily
from tests.properties.test_masks import KINDS_WITH_UPDATES, a_pair
from tests.properties.trees import APP, APP_NAME, WHERE
from tests.properties.walking import messages, translated

NEWER = "newerThanAll"
_LEFT_ALONE = re.compile(r"live has `(.*)`, unknown to this version; it is left unchanged")
_DROPPED = re.compile(r"the update would drop (.*), unknown to this version;")


def with_newer_fields(throws: Dice, kind: Kind, body: Body) -> Body:
    """The body with a numbered mark in some of its messages; with presence a message may hold a mark alone."""
    made = copy.deepcopy(body)
    found = [message for _, message, _ in messages(kind.spec, made)]
    for number, message in enumerate(throws.some(found, most=6)):
        message[NEWER] = f"mark-{number}"
    for known in throws.some(kind.spec.settable, most=2):
        if known.message_name and known.cardinality == "one" and not known.oneof and known.name not in made:
            made[known.name] = {NEWER: f"mark-{known.name}"}
    return made


def told(plan: Plan, pattern: "re.Pattern[str]", texts: tuple[str, ...]) -> set[FieldPath]:
    """The places that a plan's notices or refusals name."""
    found = {part for text in texts for match in pattern.findall(text) for part in match.split("`, `")}
    return {FieldPath.parse(part.strip("`")) for part in found}


def newer_fields_stay(throws: Dice, kind: Kind, depth: MaskDepth) -> None:
    wanted, there = a_pair(throws, kind)
    there = with_newer_fields(throws, kind, there)
    live = translated(kind.spec, there, lambda name: f"{APP_NAME}/{name}" if name.count("/") == 1 else name)
    assert live is not None
    plan = planned_one(kind.name, wanted, live, mask_depth=depth)
    steps = [step for operation in plan.shown for step in operation.steps]
    body, mask = (steps[0].body, {path.fields for path in steps[0].mask}) if steps else ({}, set())
    after = str(patched(kind.spec, there, body, mask))
    left_alone, dropped = (
        told(plan, pattern, texts)
        for pattern, texts in ((_LEFT_ALONE, plan.notices), (_DROPPED, plan.refusals))
    )
    marks = {value for path in left_alone if isinstance(value := path.get(there), str)}
    assert len(marks) == len(left_alone)
    assert all(f"'{mark}'" in after for mark in marks), "what a plan leaves alone stays"
    assert not any(f"'{path.get(there)}'" in after for path in dropped), "what it says goes goes"
    unsaid = [path for path in places(kind, there) if path not in left_alone | dropped]
    assert all(_is_in_a_part(path) for path in unsaid), "silently go only removed elements and entries"
    gone = {mark for mark in re.findall(r"'(mark-\w+)'", str(there)) if f"'{mark}'" not in after}
    named = {path.get(there) for path in dropped}
    event(f"{len(marks)} left alone, {len(gone - named)} gone with what the tree removes, {len(named)} dropped")


def places(kind: Kind, there: Body) -> list[FieldPath]:
    """Where the marks are."""
    unknown = normalize(kind.spec, there, Naming(place=WHERE, app_id=APP)).unknown
    return [path for path, value in unknown if str(value).startswith("mark-")]


def _is_in_a_part(path: FieldPath) -> bool:
    return any(isinstance(segment, Index | Entry) for segment in path.segments)


@pytest.mark.parametrize("depth", MaskDepth)
@pytest.mark.parametrize("kind", KINDS_WITH_UPDATES)
@steadily(15)
def test_what_a_plan_leaves_alone_stays(kind: str, depth: MaskDepth, throws: Dice) -> None:
    """Every field newer than the models that a plan says it leaves alone is live after the plan's own PATCH."""
    newer_fields_stay(throws, kind_of(kind), depth)


@pytest.mark.slow
@pytest.mark.parametrize("depth", MaskDepth)
@pytest.mark.parametrize("kind", KINDS_WITH_UPDATES)
@steadily(1000)
def test_what_many_plans_leave_alone_stays(kind: str, depth: MaskDepth, throws: Dice) -> None:
    newer_fields_stay(throws, kind_of(kind), depth)
