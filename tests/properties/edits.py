"""
Edits of a tree, such as people make: each returns another tree that the service accepts, and says what it was.

`expects` is what a plan must say where that is certain: `nothing`, `something`, or `anything`.
"""

import copy
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from cesplan.domain.address import Address, Key, KindName
from cesplan.domain.desired import Desired, DesiredResource
from cesplan.model.kinds import app_kinds, kind_of
from cesplan.model.spec import Cardinality, ListMeaning
from tests.properties.bodies import _ALWAYS, _LEFT_OUT, _NEVER_MADE, PERSONAS, SYSTEM_TOOLS, Bodies, Place
from tests.properties.dice import Dice
from tests.properties.trees import APP
from tests.properties.walking import Spot, is_required, spots, translated


@dataclass(frozen=True, slots=True, kw_only=True)
class Edited:
    """A tree after an edit."""

    desired: Desired
    what: str
    expects: str = "anything"


def edited(dice: Dice, desired: Desired) -> Edited:
    """One edit. A tree that has nothing to edit in this way comes back as it was."""
    made = dice.pick(EDITS)(dice, desired)
    return made or Edited(desired=desired, what="no edit", expects="nothing")


def change_a_leaf(dice: Dice, desired: Desired) -> Edited | None:
    """Another value for a field that is set."""
    return _at_a_spot(dice, desired, "changed {}", _is_free, _make_anew)


def set_a_field(dice: Dice, desired: Desired) -> Edited | None:
    """A field that was not set, at the top or deeper: whatever a new body of the same message would hold."""

    def put(dice: Dice, spot: Spot, place: Place) -> str:
        fresh = Bodies(dice).message(spot.spec, replace(place, density=60, counter=1000), spot.depth)
        for name, value in fresh.items():
            if name not in spot.message and not spot.spec.fields[name].oneof:
                spot.message[name] = value
                break
        return "anything"

    return _at_a_spot(dice, desired, "set a field beside {}", lambda spot: True, put)


def drop_a_field(dice: Dice, desired: Desired) -> Edited | None:
    """A line is deleted, or its value becomes null."""

    def drop(dice: Dice, spot: Spot, place: Place) -> str:
        if dice.chance(30):
            spot.message[spot.known.name] = None
        else:
            del spot.message[spot.known.name]
        return "anything"

    return _at_a_spot(dice, desired, "dropped {}", _may_go, drop)


def reorder_a_set(dice: Dice, desired: Desired) -> Edited | None:
    """Another order where order means nothing."""
    return _at_a_spot(
        dice, desired, "reordered set {}", _is_longer_set, lambda *args: _reversed(*args, "nothing")
    )


def reorder_an_ordered_list(dice: Dice, desired: Desired) -> Edited | None:
    """Another order where order counts; two messages may still say the same in different words."""
    return _at_a_spot(
        dice, desired, "reordered list {}", _is_longer_list, lambda *args: _reversed(*args, "something")
    )


def switch_a_oneof(dice: Dice, desired: Desired) -> Edited | None:
    """Another member of a oneof."""

    def switch(dice: Dice, spot: Spot, place: Place) -> str:
        bodies = Bodies(dice)
        names = [name for name in spot.spec.oneofs[spot.known.oneof] if name not in _NEVER_MADE]
        others = [spot.spec.fields[name] for name in names if name != spot.known.name]
        able = [known for known in others if bodies.can_make(known, place)]
        if able:
            new = dice.pick(able)
            spot.message[new.name] = bodies.value(spot.spec, new, place, spot.depth)
            del spot.message[spot.known.name]
        return "something" if able else "nothing"

    return _at_a_spot(
        dice, desired, "switched {}", lambda s: bool(s.known.oneof) and s.value is not None, switch
    )


def add_a_resource(dice: Dice, desired: Desired) -> Edited | None:
    app = desired.apps[0]
    kind = dice.pick([row for row in app_kinds(desired.settings.api_version) if not row.is_snapshot])
    address = Address(app=APP, kind=kind.name, key=Key(f"{kind.name}-new"))
    place = _place(desired, address)
    needed = [known for known in kind.spec.settable if is_required(known)]
    bodies = Bodies(dice)
    if any(item.address == address for item in app.resources) or not all(
        bodies.can_make(known, place) for known in needed
    ):
        return None
    made = DesiredResource(address=address, body=bodies.resource(kind.name, place), file=f"{address}.yaml")
    return Edited(
        desired=_with(desired, (*app.resources, made)), what=f"added one of {kind.name}", expects="something"
    )


def remove_a_resource(dice: Dice, desired: Desired) -> Edited | None:
    """A file goes, and every mention of it."""
    files = [item for item in desired.apps[0].resources if kind_of(item.address.kind).prunable]
    if not files:
        return None
    gone = {dice.pick(files).address.within_app}
    kept = desired
    while True:
        kept, more = _without(kept, frozenset(gone))
        if not more:
            return Edited(desired=kept, what=f"removed {sorted(gone)[0].split('/')[0]}", expects="something")
        gone |= more


def rename_a_key(dice: Dice, desired: Desired) -> Edited | None:
    """A file gets another name, and keeps its display name."""
    files = [
        item
        for item in desired.apps[0].resources
        if "displayName" in item.body and not kind_of(item.address.kind).is_snapshot
    ]
    if not files:
        return None
    old = dice.pick(files).address
    new = replace(old, key=Key(f"{old.key}-renamed"))
    moved = [
        replace(
            item,
            address=new if item.address == old else item.address,
            body=_renamed(item, old.within_app, new.within_app),
        )
        for item in desired.apps[0].all()
    ]
    made = _with(desired, tuple(moved[1:]), app=moved[0])
    return Edited(desired=made, what=f"renamed a key of {old.kind}", expects="nothing")


def lock_or_unlock(dice: Dice, desired: Desired) -> Edited | None:
    app = desired.apps[0].app
    locked = not app.body.get("locked", False)
    made = replace(app, body={**app.body, "locked": locked})
    return Edited(
        desired=_with(desired, desired.apps[0].resources, app=made),
        what="locked" if locked else "unlocked",
        expects="something",
    )


EDITS: tuple[Callable[[Dice, Desired], Edited | None], ...] = (
    change_a_leaf,
    set_a_field,
    drop_a_field,
    reorder_a_set,
    reorder_an_ordered_list,
    switch_a_oneof,
    add_a_resource,
    remove_a_resource,
    rename_a_key,
    lock_or_unlock,
)

_FIXED = frozenset({("App", "evaluationPersonas"), ("EvaluationPersona", "name"), *_LEFT_OUT})
"""Others refer to these; a tree that names a persona that is gone is refused before it gets here."""


def _at_a_spot(
    dice: Dice,
    desired: Desired,
    what: str,
    fits: Callable[[Spot], bool],
    act: Callable[[Dice, Spot, Place], str],
) -> Edited | None:
    """A copy of a tree in which `act` was done at one field that fits; it returns what a plan must say."""
    copied = copy.deepcopy(desired)
    found = [
        (item, spot)
        for item in copied.apps[0].all()
        if kind_of(item.address.kind).updatable
        for spot in spots(kind_of(item.address.kind).spec, item.body)
        if spot.place not in _FIXED and not spot.known.is_input_only and fits(spot)
    ]
    if not found:
        return None
    item, spot = dice.pick(found)
    name = what.format(".".join(spot.place))
    expects = act(dice, spot, _place(copied, item.address))
    return Edited(desired=copied, what=name, expects=expects)


def _place(desired: Desired, address: Address) -> Place:
    references: dict[str, tuple[str, ...]] = {"tools": SYSTEM_TOOLS}
    for item in desired.apps[0].resources:
        kind = str(item.address.kind)
        references[kind] = (*references.get(kind, ()), item.address.within_app)
    personas = desired.apps[0].app.body.get(PERSONAS) or []
    references[PERSONAS] = tuple(item["name"] for item in personas)
    return Place(
        address=f"{address}-edited",
        title=f"The new {address.key} of {address.kind}",
        references=references,
        api_version=desired.settings.api_version,
    )


def _is_free(spot: Spot) -> bool:
    return spot.value is not None


def _make_anew(dice: Dice, spot: Spot, place: Place) -> str:
    if spot.known.name == "pythonCode" and isinstance(spot.value, str):
        spot.message["pythonCode"] = f"{spot.value}# {dice.below(9)}\n"
        return "something"
    value = Bodies(dice).value(spot.spec, spot.known, place, spot.depth)
    if value is not None:
        spot.message[spot.known.name] = value
    return "anything"


def _may_go(spot: Spot) -> bool:
    top_of_oneof = spot.known.oneof and spot.depth == 0
    return not (is_required(spot.known) or spot.place in _ALWAYS or top_of_oneof)


def _is_longer_set(spot: Spot) -> bool:
    known = spot.known
    if known.cardinality is not Cardinality.LIST or not isinstance(spot.value, list) or len(spot.value) < 2:
        return False
    return known.list_meaning is ListMeaning.SET or (
        known.list_meaning is ListMeaning.KEYED and _has_keys(spot)
    )


def _has_keys(spot: Spot) -> bool:
    keys = [_key_text(spot, item) for item in spot.value]
    return "" not in keys and len(set(keys)) == len(keys)


def _key_text(spot: Spot, item: Any) -> str:
    for path in spot.known.key_fields:
        value = item
        for name in path.split("."):
            value = value.get(name) if isinstance(value, dict) else None
        if value:
            return str(value) if isinstance(value, str) else repr(value)
    return ""


def _is_longer_list(spot: Spot) -> bool:
    known = spot.known
    if known.cardinality is not Cardinality.LIST or known.list_meaning is not ListMeaning.ORDERED:
        return False
    return isinstance(spot.value, list) and len(spot.value) > 1 and spot.value[0] != spot.value[-1]


def _reversed(dice: Dice, spot: Spot, place: Place, expects: str) -> str:
    spot.value.reverse()
    plain = all(isinstance(item, str) for item in spot.value)
    return expects if plain or expects == "nothing" else "anything"


def _with(desired: Desired, files: tuple[DesiredResource, ...], app: DesiredResource | None = None) -> Desired:
    old = desired.apps[0]
    ordered = tuple(sorted(files, key=lambda item: item.address))
    return replace(desired, apps=(replace(old, resources=ordered, app=app or old.app),))


def _without(desired: Desired, gone: frozenset[str]) -> tuple[Desired, frozenset[str]]:
    """The tree without these resources, and what cannot be there without them."""
    kept, lost = [], set()
    for item in desired.apps[0].all():
        if item.address.within_app in gone:
            continue
        body = translated(
            kind_of(item.address.kind).spec, item.body, lambda name: None if name in gone else name
        )
        if body is None or not _has_its_type(item.address.kind, body):
            lost.add(item.address.within_app)
        else:
            kept.append(replace(item, body=body))
    return _with(desired, tuple(kept[1:]), app=kept[0]), frozenset(lost)


def _has_its_type(kind: KindName, body: dict[str, Any]) -> bool:
    groups = kind_of(kind).spec.oneofs.values()
    return all(any(name in body for name in members) for members in groups)


def _renamed(item: DesiredResource, old: str, new: str) -> dict[str, Any]:
    body = translated(kind_of(item.address.kind).spec, item.body, lambda name: new if name == old else name)
    assert body is not None
    return body
