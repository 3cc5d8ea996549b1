"""
Walking bodies by their specs: FieldWalk visits the fields of a body, and Rewriting makes a new body.

A FieldWalk enters only messages that can contain a selected field, so that bodies without any cost next to
nothing. A subclass of Rewriting decides what changes; everything else stays as it is.
"""

from collections.abc import Callable, Iterable, Iterator
from functools import cache, lru_cache
from typing import Any, NamedTuple

from cesplan.domain.field_path import Entry, FieldPath, Index, Segment
from cesplan.domain.value import ABSENT, Body
from cesplan.model.scalars import Scalar
from cesplan.model.spec import Cardinality, FieldSpec, MessageSpec, message_spec, messages_inside

Trail = tuple[Segment, ...]
"""A place in a body: the segments of its path."""

index = lru_cache(1_000)(Index)
"""Shared positions in lists. Most lists are short, and creating an Index is the slowest part of a walk."""

IsSelected = Callable[[str, FieldSpec], bool]
"""Whether a field of the message with this name is selected."""


class FieldVisit(NamedTuple):
    """
    One selected field that is present (null counts as absent).

    `message` is the API name of the message that contains it, `holder` the value of that message. `value` is
    the whole field, even for a list or a map. It may be a Secret, and anything inside it may be null or a
    Secret.
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
        """The value, or the elements of a list or the entries of a map, with their paths."""
        return ((FieldPath((*self.at, *more)), item) for item, more in parts(self.field, self.value))


class FieldWalk:
    """
    Finds the settable fields for which `is_selected` returns true.

    Fields are visited in the order of the models, or with `as_written` in the order of the bodies. A message
    comes before its contents.
    """

    def __init__(self, is_selected: IsSelected, *, as_written: bool = False) -> None:
        self._is_selected = is_selected
        self._as_written = as_written
        self._holding: dict[str, bool] = {}
        self._leading: dict[str, bool] = {}
        self._plans: dict[str, dict[str, _Step]] = {}

    def visits(self, spec: MessageSpec, body: Any) -> Iterator[FieldVisit]:
        """All selected fields of a message, at any depth."""
        found: list[FieldVisit] = []
        self._collect(found, spec.name, body, ())
        return iter(found)

    def _collect(self, found: list[FieldVisit], name: str, body: Any, at: Trail) -> None:
        """
        Recursive, because it is the cheapest way through the many parts of a large body that hold nothing.
        """
        plan = self._plans.get(name)
        if plan is None:
            plan = self._plan(name)
        if not plan or not isinstance(body, dict):
            return
        order = [key for key in body if key in plan]  # a body has few of the fields of its message
        if len(order) > 1 and not self._as_written:
            order = [key for key in plan if key in body]
        for key in order:
            value = body[key]
            if value is None:
                continue
            step = plan[key]
            here = (*at, key)
            if step.is_selected:
                found.append(FieldVisit(name, body, step.field, here, value))
            if not step.goes_on:
                continue
            if step.field.cardinality is Cardinality.ONE:
                self._collect(found, step.field.message_name, value, here)
            else:
                for item, place in parts(step.field, value):
                    self._collect(found, step.field.message_name, item, here + place)

    def _plan(self, name: str) -> "dict[str, _Step]":
        """The fields of a message to look at."""
        plan = self._plans[name] = {step.field.name: step for step in self._steps(name)}
        return plan

    def _steps(self, name: str) -> "Iterator[_Step]":
        for field in _settable(name):
            step = _Step(
                field=field,
                is_selected=self._is_selected(name, field),
                goes_on=field.scalar is Scalar.MESSAGE and self._leads_on(field.message_name),
            )
            if step.is_selected or step.goes_on:
                yield step

    def _leads_on(self, name: str) -> bool:
        """True if a message, or one inside it, has a selected field."""
        known = self._leading.get(name)
        if known is None:
            inside = _messages_in(name)
            known = any(map(self._holds, inside))
            self._leading[name] = known
            if not known:
                self._leading.update(dict.fromkeys(inside, False))
        return known

    def _holds(self, name: str) -> bool:
        """True if a message itself has a selected field."""
        known = self._holding.get(name)
        if known is None:
            known = self._holding[name] = any(self._is_selected(name, field) for field in _settable(name))
        return known


class _Step(NamedTuple):
    """A field to look at: it is selected, something inside it is, or both."""

    field: FieldSpec
    is_selected: bool
    goes_on: bool


def parts(field: FieldSpec, value: Any) -> Iterable[tuple[Any, Trail]]:
    """The values in a field, and the rest of their paths; none if the field has an unexpected type."""
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
    Makes a new body from a body. This class copies it unchanged; subclasses override what differs.

    Each method may return ABSENT to leave its value out. Fields that the model does not know, and values of an
    unexpected type, stay unchanged. This is the only copy guided by the schema, and it is recursive.
    """

    def message(self, spec: MessageSpec, body: Any, at: Trail = ()) -> Any:
        """A message. Its fields get the names of the model, in the order of the body."""
        if not isinstance(body, dict):
            return body
        result: Body = {}
        for name, value in body.items():
            known = spec.fields.get(name) or spec.fields.get(spec.renamed.get(name, name))
            if known is None:
                found = self.unknown(value, (*at, name))
                if found is not ABSENT:
                    result[name] = found
            else:
                found = self.field(known, value, (*at, known.name))
                if found is not ABSENT:
                    result[known.name] = found
        return result

    def field(self, known: FieldSpec, value: Any, at: Trail) -> Any:
        """A whole field, even a list or a map."""
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
        """One value, element, or entry: a message or a leaf."""
        if known.scalar is Scalar.MESSAGE and isinstance(value, dict):
            return self.message(known.message, value, at)
        return self.leaf(known, value, at)

    def leaf(self, known: FieldSpec, value: Any, at: Trail) -> Any:
        """A value that has no fields in the model."""
        return value

    def unknown(self, value: Any, at: Trail) -> Any:
        """A field that the model does not know."""
        return value


@cache
def _settable(name: str) -> tuple[FieldSpec, ...]:
    return message_spec(name).settable


@cache
def _messages_in(name: str) -> tuple[str, ...]:
    return messages_inside(name, lambda spec: spec.settable)
