"""Law 12: reordering a set gives no difference, reordering an ordered list gives one. Every list is tried."""

from collections import deque
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import pytest

from cesplan.domain.plan import Plan
from cesplan.domain.value import Body
from cesplan.model.kinds import KINDS
from cesplan.model.scalars import Scalar
from cesplan.model.spec import Cardinality, FieldSpec, ListMeaning, MessageSpec
from tests.properties.small import planned_one
from tests.unit.model.test_marks_of_fields import ORDERED_LISTS

Trail = tuple[FieldSpec, ...]


def lists_of(spec: MessageSpec) -> Iterator[tuple[str, Trail]]:
    """Every list below a message, with the shortest way to it: (message and field, fields on the way)."""
    waiting: deque[tuple[MessageSpec, Trail]] = deque([(spec, ())])
    seen = {spec.name}
    while waiting:
        inner, trail = waiting.popleft()
        for known in inner.settable:
            if known.cardinality is Cardinality.LIST:
                yield f"{inner.name}.{known.name}", (*trail, known)
            if known.scalar is Scalar.MESSAGE and known.message_name not in seen:
                seen.add(known.message_name)
                waiting.append((known.message, (*trail, known)))


LISTS = [(str(kind.name), name, trail) for kind in KINDS.values() for name, trail in lists_of(kind.spec)]
UPDATABLE = [row for row in LISTS if KINDS[row[0]].updatable]  # type: ignore[index]  # names of kinds are texts


def label(row: tuple[str, str, Trail]) -> str:
    return f"{row[0]}:{'.'.join(known.name for known in row[2])}"


def plan_for(row: tuple[str, str, Trail], wanted: list[Any], there: list[Any]) -> Plan:
    kind, _, trail = row
    return planned_one(kind, body_with(trail, wanted), body_with(trail, there))


def body_with(trail: Trail, elements: list[Any]) -> Body:
    """A body that holds nothing but a list at the end of a trail."""
    value: Any = elements
    for known in reversed(trail[1:]):
        value = {known.name: _wrapped(known, value)} if known is not trail[-1] else {known.name: value}
    return {trail[0].name: _wrapped(trail[0], value) if len(trail) > 1 else value}


def element(known: FieldSpec, number: int, seen: frozenset[str] = frozenset()) -> Any:
    """An element that differs from those of other numbers, in what identifies it where it has a key."""
    if known.scalar is Scalar.MESSAGE:
        return _message(known, number, seen)
    return _scalar(known, number)


def some_elements(known: FieldSpec) -> list[Any]:
    """Two or three elements, all different."""
    found = [element(known, number) for number in range(3)]
    made = [item for item in found if item is not None]
    assert len(made) >= 2
    assert all(one != other for one, other in pairwise(made))
    return made


def keeps_live_order(row: tuple[str, str, Trail]) -> bool:
    """True for sets and keyed lists; inside an element of an ordered list nothing has a partner to follow."""
    *outer, known = row[2]
    lists = [item for item in outer if item.cardinality is Cardinality.LIST]
    is_free = known.list_meaning is not ListMeaning.ORDERED
    return is_free and all(item.list_meaning is not ListMeaning.ORDERED for item in lists)


def test_what_is_ordered_is_as_decided() -> None:
    """Every list is tried, and those whose order counts are known by name."""
    ordered = {name for _, name, trail in LISTS if trail[-1].list_meaning is ListMeaning.ORDERED}
    assert ordered == ORDERED_LISTS & {name for _, name, _ in LISTS}
    assert len({name for _, name, _ in LISTS}) == 70


@pytest.mark.parametrize("row", UPDATABLE, ids=label)
def test_reordering(row: tuple[str, str, Trail]) -> None:
    """Elements that change places are a difference where order says something, and none elsewhere."""
    elements = some_elements(row[2][-1])
    plan = plan_for(row, elements[::-1], elements)
    assert plan.is_empty == (row[1] not in ORDERED_LISTS)


@pytest.mark.parametrize("row", UPDATABLE, ids=label)
def test_one_more_and_one_less(row: tuple[str, str, Trail]) -> None:
    """A list is not taken for equal because it is a set: one element more or less always is a difference."""
    elements = some_elements(row[2][-1])
    for wanted, there in ((elements, elements[:-1]), (elements[1:], elements)):
        plan = plan_for(row, wanted, there)
        assert len(plan.shown) == 1
        mask = [str(path) for path in plan.shown[0].mask]
        assert mask == [_mask_of(row[2])]


@pytest.mark.parametrize("row", [row for row in UPDATABLE if keeps_live_order(row)], ids=label)
def test_a_set_is_sent_in_live_order_with_what_is_new_behind(row: tuple[str, str, Trail]) -> None:
    """Replacing a set moves nobody: survivors stay in the order that live has."""
    first, *others = some_elements(row[2][-1])
    plan = plan_for(row, [first, *others], others[::-1])
    assert _list_in(plan.shown[0].steps[0].body, row[2]) == [*others[::-1], first]


def _wrapped(known: FieldSpec, value: Any) -> Any:
    if known.cardinality is Cardinality.LIST:
        return [value]
    return {"entry": value} if known.cardinality is Cardinality.MAP else value


def _message(known: FieldSpec, number: int, seen: frozenset[str]) -> Body | None:
    """A message with one field in it: its key, or else the first that can tell numbers apart."""
    wanted = known.key_fields[0] if known.key_fields else ""
    if "." in wanted:
        outer, inner = wanted.split(".")
        return {outer: {inner: _scalar(known.message.fields[outer].message.fields[inner], number)}}
    for field in known.message.settable:
        if (wanted and field.name != wanted) or field.message_name in {known.message_name, *seen}:
            continue
        value = element(field, number, seen | {known.message_name})
        if value is not None:
            return {field.name: _wrapped(field, value)}
    return None


def _scalar(known: FieldSpec, number: int) -> Any:
    if known.reference is not None and known.reference.kinds:
        return f"{known.reference.kinds[0]}/some-{number}"
    match known.scalar:
        case Scalar.STRING:
            return f"text {number}"
        case Scalar.ENUM:
            return known.enum[number + 1] if len(known.enum) > number + 1 else None
        case Scalar.INT32 | Scalar.FLOAT | Scalar.DOUBLE | Scalar.INT64:
            return number + 1
        case Scalar.STRUCT:
            return {"number": number}
    return None


def _mask_of(trail: Trail) -> str:
    """The deepest path that a mask can name for a list."""
    names = []
    for known in trail:
        names.append(known.name)
        if known.cardinality is not Cardinality.ONE:
            break
    return ".".join(names)


def _list_in(body: Any, trail: Trail) -> Any:
    for known in trail[:-1]:
        body = body[known.name]
        if known.cardinality is Cardinality.LIST:
            body = body[0]
        elif known.cardinality is Cardinality.MAP:
            body = body["entry"]
    return body[trail[-1].name]
