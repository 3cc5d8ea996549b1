"""
An oracle for masks that shares no code with the engine: naive, slow, and plain to read.

It works on bodies in one spelling (`Bodies(plain=True)`), so it needs no normalizing. `expected_mask` says
what a mask must be, `patched` does to a body what a server does with a mask (AIP-134, AIP-161).
"""

import copy
import re
from typing import Any

from cesplan.domain.value import Body
from cesplan.model.marks import ServerDefaulted
from cesplan.model.scalars import Scalar
from cesplan.model.spec import Cardinality, FieldSpec, ListMeaning, MessageSpec
from tests.properties.dice import Dice

NOTHING: Any = object()
Path = tuple[str, ...]


def expected_mask(spec: MessageSpec, wanted: Body, there: Body, prefix: Path = ()) -> set[Path]:
    """The deepest paths that a mask can name for everything in which two bodies differ."""
    found: set[Path] = set()
    for known in spec.settable:
        one, other = wanted.get(known.name, NOTHING), there.get(known.name, NOTHING)
        if known.is_input_only or known.is_from_place or same(known, one, other):
            continue
        if one is NOTHING:
            found |= _cleared(spec, known, wanted, other, prefix)
        elif is_message(known) and other is not NOTHING:
            found |= expected_mask(known.message, one, other, (*prefix, known.name))
        else:
            found.add((*prefix, known.name))
    return found


def patched(spec: MessageSpec, there: Body, body: Body, mask: set[Path]) -> Body:
    """A copy of what is there after a PATCH with this body and mask."""
    made = copy.deepcopy(there)
    for path in sorted(mask):
        _patch(spec, made, body, path)
    return made


def same(known: FieldSpec, one: Any, other: Any) -> bool:
    """Equality of two values of a field, with the meaning that its lists have."""
    if one is NOTHING or other is NOTHING:
        return one is other
    if known.cardinality is Cardinality.LIST:
        return _same_lists(known, one, other)
    if known.cardinality is Cardinality.MAP:
        return set(one) == set(other) and all(_same_items(known, one[key], other[key]) for key in one)
    return _same_items(known, one, other)


def is_message(known: FieldSpec) -> bool:
    return known.scalar is Scalar.MESSAGE and known.cardinality is Cardinality.ONE


def blended(dice: Dice, spec: MessageSpec, one: Body, other: Body) -> Body:
    """A body that has some fields of one, some of the other, and lacks some of both."""
    made: Body = {}
    taken: set[str] = set()
    for known in dice.shuffled(spec.settable):
        choices = [body[known.name] for body in (one, other) if known.name in body]
        if not choices or (known.oneof and known.oneof in taken) or dice.chance(15):
            continue
        if len(choices) == 2 and is_message(known):
            value = blended(dice, known.message, *choices)
        else:
            value = _reshuffled(dice, dice.pick(choices))
        if value in ({}, []) and not known.has_presence:
            continue
        made[known.name] = value
        taken.add(known.oneof)
    return made


def _cleared(spec: MessageSpec, known: FieldSpec, wanted: Body, other: Any, prefix: Path) -> set[Path]:
    """What clears a field: its own path, unless the server has a say in it or in something inside it."""
    if _is_filled_in(known, wanted, other):
        return set()
    if known.oneof and any(name in wanted for name in spec.oneofs[known.oneof]):
        return set()  # the new member is named, and there is one of a kind
    here = (*prefix, known.name)
    if is_message(known) and not known.has_presence and _server_has_a_say(known.message, other):
        return expected_mask(known.message, {}, other, here)
    return {here}


def _server_has_a_say(spec: MessageSpec, body: Body) -> bool:
    return any(
        _is_filled_in(spec.fields[name], {}, value)
        or (is_message(spec.fields[name]) and _server_has_a_say(spec.fields[name].message, value))
        for name, value in body.items()
    )


def _is_filled_in(known: FieldSpec, wanted: Body, value: Any) -> bool:
    """A window of a year, and the name of the only function; bodies here have no OpenAPI document to read."""
    if known.name == "retentionWindow":
        return bool(value == "31536000s")
    code = str(wanted.get("pythonCode", "")) if known.mark(ServerDefaulted) else ""
    found = re.search(r"^def (\w+)", code, re.MULTILINE)
    return found is not None and value == found[1]


def _same_items(known: FieldSpec, one: Any, other: Any) -> bool:
    if known.scalar is not Scalar.MESSAGE:
        return same_json(one, other)
    fields = known.message.fields
    return all(same(fields[name], one.get(name, NOTHING), other.get(name, NOTHING)) for name in {*one, *other})


def _same_lists(known: FieldSpec, one: list[Any], other: list[Any]) -> bool:
    if len(one) != len(other):
        return False
    ordered = known.list_meaning is ListMeaning.ORDERED
    if ordered or (
        known.list_meaning is ListMeaning.KEYED and not (_keyed(known, one) and _keyed(known, other))
    ):
        return all(_same_items(known, *pair) for pair in zip(one, other, strict=True))
    left = list(other)
    for item in one:
        match = next((place for place, that in enumerate(left) if _same_items(known, item, that)), None)
        if match is None:
            return False
        del left[match]
    return True


def _keyed(known: FieldSpec, elements: list[Any]) -> bool:
    keys = [_key(known, element) for element in elements]
    return None not in keys and all(keys.count(key) == 1 for key in keys)


def _key(known: FieldSpec, element: Any) -> Any:
    for path in known.key_fields:
        value = element
        for name in path.split("."):
            value = value.get(name) if isinstance(value, dict) else None
        if value:
            return (path, value)
    return None


def same_json(one: Any, other: Any) -> bool:
    """Equality of JSON values: `1` is `1.0`, and `true` is neither."""
    if isinstance(one, dict) and isinstance(other, dict):
        return set(one) == set(other) and all(same_json(one[key], other[key]) for key in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(same_json, one, other))
    return isinstance(one, bool) == isinstance(other, bool) and bool(one == other)


def _patch(spec: MessageSpec, target: Body, body: Body, path: Path) -> None:
    head, *rest = path
    known = spec.fields[head]
    if rest:
        inner = body.get(head, {})
        if head not in target:
            target[head] = {}
            _clear_others(spec, known, target)
        _patch(known.message, target[head], inner, tuple(rest))
        return
    target.pop(head, None)
    if head in body:
        target[head] = copy.deepcopy(body[head])
        _clear_others(spec, known, target)


def _clear_others(spec: MessageSpec, known: FieldSpec, target: Body) -> None:
    for name in spec.oneofs.get(known.oneof, ()):
        if name != known.name:
            target.pop(name, None)


def _reshuffled(dice: Dice, value: Any) -> Any:
    """Lists now and then in another order; whether that means anything is for others to know."""
    return dice.shuffled(value) if isinstance(value, list) and dice.chance(40) else value
