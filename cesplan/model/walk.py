"""
Walking bodies by their specs: one way to visit what a body has, one way to make another body of it.

A FieldWalk goes only into messages that can hold what is wanted, so that asking for a few fields costs next to
nothing in bodies that have none of them. A Rewriting says what it does with a field; the rest stays.
"""

from collections.abc import Callable, Iterable, Iterator
from functools import cache, lru_cache
from typing import Any, NamedTuple

from cesplan.domain.field_path import Entry, FieldPath, Index, Segment
from cesplan.domain.value import ABSENT, Body
from cesplan.model.scalars import Scalar
from cesplan.model.spec import Cardinality, FieldSpec, MessageSpec, message_spec

Trail = tuple[Segment, ...]
"""A place in a body: the segments of its path."""

index = lru_cache(1_000)(Index)
"""A position in a list; most lists are short, and creating one takes longer than all else in a walk."""

Wanted = Callable[[str, FieldSpec], bool]
"""Says whether a field (of the message of this name) is wanted."""


class FieldVisit(NamedTuple):
    """
    One wanted field that is present (null counts as absent).

    `message` is the API name of the message that holds it, `holder` that message's value; `value` is the whole
    field, a list or a map too. It may be a Secret, and anything inside it may be null or a Secret.
    """

    message: str
    holder: Body
    field: FieldSpec
    at: Trail
    value: Any

    @property
    def path(self) -> FieldPath:
        return FieldPath(self.at)

    def parts(self) -> Iterator[tuple[FieldPath, Any]]:
        """The value itself, or the elements of a list or the entries of a map, with their paths."""
        return ((FieldPath((*self.at, *more)), item) for item, more in parts(self.field, self.value))


class FieldWalk:
    """
    Finds the fields that `wanted` says yes to, among those that callers can set.

    They come in the order of the models, or with `as_written` in that of the bodies; a message before what is
    inside it.
    """

    def __init__(self, wanted: Wanted, *, as_written: bool = False) -> None:
        self._wanted = wanted
        self._as_written = as_written
        self._holding: dict[str, bool] = {}
        self._leading: dict[str, bool] = {}
        self._plans: dict[str, dict[str, _Step]] = {}

    def visits(self, spec: MessageSpec, body: Any, at: Trail = ()) -> Iterator[FieldVisit]:
        """Every wanted field of a message, however deep."""
        found: list[FieldVisit] = []
        self._collect(found, spec.name, body, at)
        return iter(found)

    def _collect(self, found: list[FieldVisit], name: str, body: Any, at: Trail) -> None:
        """Recursive: most of a large body is entered only to be left again, which must cost little."""
        plan = self._plan(name)
        if not plan or not isinstance(body, dict):
            return
        order = [key for key in body if key in plan] if self._as_written else plan
        for key in order:
            value = body.get(key)
            if value is None:
                continue
            step = plan[key]
            here = (*at, key)
            if step.is_wanted:
                found.append(FieldVisit(name, body, step.field, here, value))
            if step.goes_on:
                for item, more in parts(step.field, value):
                    self._collect(found, step.field.message_name, item, (*here, *more))

    def _plan(self, name: str) -> "dict[str, _Step]":
        """The fields worth a look in a message."""
        plan = self._plans.get(name)
        if plan is None:
            plan = self._plans[name] = {step.field.name: step for step in self._steps(name)}
        return plan

    def _steps(self, name: str) -> "Iterator[_Step]":
        for field in _settable(name):
            step = _Step(
                field=field,
                is_wanted=self._wanted(name, field),
                goes_on=field.scalar is Scalar.MESSAGE and self._leads_on(field.message_name),
            )
            if step.is_wanted or step.goes_on:
                yield step

    def _leads_on(self, name: str) -> bool:
        """True when a message, or one inside it, holds a wanted field."""
        known = self._leading.get(name)
        if known is None:
            inside = _messages_in(name)
            known = any(map(self._holds, inside))
            self._leading[name] = known
            if not known:
                self._leading.update(dict.fromkeys(inside, False))
        return known

    def _holds(self, name: str) -> bool:
        """True when a message has a wanted field of its own."""
        known = self._holding.get(name)
        if known is None:
            known = self._holding[name] = any(self._wanted(name, field) for field in _settable(name))
        return known


class _Step(NamedTuple):
    """A field worth a look: because it is wanted, because something inside it is, or both."""

    field: FieldSpec
    is_wanted: bool
    goes_on: bool


def parts(field: FieldSpec, value: Any) -> Iterable[tuple[Any, Trail]]:
    """The values in a field, and how their paths go on; none where it has another shape."""
    match field.cardinality:
        case Cardinality.LIST if isinstance(value, list):
            return [(item, (index(position),)) for position, item in enumerate(value)]
        case Cardinality.MAP if isinstance(value, dict):
            return [(item, (Entry(key),)) for key, item in value.items()]
        case Cardinality.ONE:
            return ((value, ()),)
    return ()


class Rewriting:
    """
    A body made into another one: here the same one; what inherits says what it does otherwise.

    Each of the four may give ABSENT, and what it is about is left out then. What the model does not know, and
    what has not the shape that it should have, stays as it is. Recursive, as the one copy led by the schema.
    """

    def message(self, spec: MessageSpec, body: Any, at: Trail = ()) -> Any:
        """A message: its fields under the names of the model, in the order of the body."""
        if not isinstance(body, dict):
            return body
        made: Body = {}
        for name, value in body.items():
            known = spec.fields.get(name) or spec.fields.get(spec.renamed.get(name, name))
            if known is None:
                found = self.unknown(value, (*at, name))
                if found is not ABSENT:
                    made[name] = found
            else:
                found = self.field(known, value, (*at, known.name))
                if found is not ABSENT:
                    made[known.name] = found
        return made

    def field(self, known: FieldSpec, value: Any, at: Trail) -> Any:
        """A whole field, a list or a map too."""
        if known.cardinality is Cardinality.ONE:
            return self.one(known, value, at)
        if known.cardinality is Cardinality.LIST and isinstance(value, list | tuple):
            items = (self.one(known, item, (*at, index(place))) for place, item in enumerate(value))
            return [item for item in items if item is not ABSENT]
        if known.cardinality is Cardinality.MAP and isinstance(value, dict):
            entries = ((key, self.one(known, item, (*at, Entry(key)))) for key, item in value.items())
            return {key: item for key, item in entries if item is not ABSENT}
        return value

    def one(self, known: FieldSpec, value: Any, at: Trail) -> Any:
        """One value, element or entry: a message, or something that is none."""
        if known.scalar is Scalar.MESSAGE and isinstance(value, dict):
            return self.message(known.message, value, at)
        return self.leaf(known, value, at)

    def leaf(self, known: FieldSpec, value: Any, at: Trail) -> Any:
        """A value without fields of its own that the model knows."""
        return value

    def unknown(self, value: Any, at: Trail) -> Any:
        """A field that the model does not know."""
        return value


@cache
def _settable(name: str) -> tuple[FieldSpec, ...]:
    return message_spec(name).settable


@cache
def _messages_in(name: str) -> tuple[str, ...]:
    """A message and all that may be inside it, however deep."""
    found, waiting = {name}, [name]
    while waiting:
        for field in _settable(waiting.pop()):
            if field.scalar is Scalar.MESSAGE and field.message_name not in found:
                found.add(field.message_name)
                waiting.append(field.message_name)
    return tuple(sorted(found))
