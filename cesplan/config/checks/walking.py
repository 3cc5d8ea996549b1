"""
Walking bodies by their specs: every field that a check asks for, with its spec and its path.

A Walk goes only into messages that can hold what is wanted, so a check of a few fields costs next to nothing
in resources that have none of them.
"""

from collections.abc import Callable, Iterable, Iterator
from functools import cache
from typing import Any, NamedTuple

from cesplan.config.manifest import AppTree, ResourceFile
from cesplan.domain.field_path import Entry, FieldPath, Index, Segment
from cesplan.domain.value import Secret
from cesplan.model.kinds import kind_of
from cesplan.model.scalars import Scalar
from cesplan.model.spec import Cardinality, FieldSpec, message_spec

Wanted = Callable[[str, FieldSpec], bool]
"""Says whether a field (of the message of this name) is wanted."""


class Visit(NamedTuple):
    """
    One wanted field that is present (null counts as absent).

    `message` is the API name of the message that holds it, `holder` that message's value; `value` is the whole
    field, a list or a map too. It may be a Secret, and anything inside it may be null or a Secret.
    """

    file: ResourceFile
    message: str
    holder: dict[str, Any]
    field: FieldSpec
    path: FieldPath
    value: Any

    def elements(self) -> Iterator[tuple[FieldPath, Any]]:
        """The value itself, or the elements of a list or map; without nulls and secrets."""
        return elements(self.field, self.path, self.value)


class Walk:
    """Finds the fields that `wanted` says yes to, file by file, in the order of the models."""

    def __init__(self, wanted: Wanted) -> None:
        self._wanted = wanted
        self._leading: dict[str, bool] = {}
        self._plans: dict[str, tuple[_Step, ...]] = {}

    def over(self, *files: ResourceFile) -> list[Visit]:
        """Every wanted field of these files."""
        found: list[Visit] = []
        for file in files:
            name = kind_of(file.address.kind).class_name
            if self._plan(name):
                self._gather(found, file, name, file.body, ())
        return found

    def _gather(
        self, found: list[Visit], file: ResourceFile, name: str, body: Any, segments: tuple[Segment, ...]
    ) -> None:
        if not isinstance(body, dict):
            return
        for step in self._plan(name):
            field = step.field
            value = body.get(field.name)
            if value is None:
                continue
            place = (*segments, field.name)
            if step.is_wanted:
                path = FieldPath(place)
                found.append(Visit(file=file, message=name, holder=body, field=field, path=path, value=value))
            if step.goes_on:
                for item, more in _parts(field.cardinality, value):
                    self._gather(found, file, field.message_name, item, (*place, *more))

    def _plan(self, name: str) -> "tuple[_Step, ...]":
        """The fields worth a look in a message."""
        plan = self._plans.get(name)
        if plan is None:
            plan = self._plans[name] = tuple(self._steps(name))
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
            known = any(self._wanted(holder, field) for holder in inside for field in _settable(holder))
            self._leading[name] = known
            if not known:
                self._leading.update(dict.fromkeys(inside, False))
        return known


class _Step(NamedTuple):
    """A field worth a look: because it is wanted, because something inside it is, or both."""

    field: FieldSpec
    is_wanted: bool
    goes_on: bool


def _parts(cardinality: Cardinality, value: Any) -> Iterable[tuple[Any, tuple[Segment, ...]]]:
    """The messages in a field, and how their paths go on from the field's own."""
    match cardinality:
        case Cardinality.LIST if isinstance(value, list):
            return [(item, (Index(position),)) for position, item in enumerate(value)]
        case Cardinality.MAP if isinstance(value, dict):
            return [(item, (Entry(key),)) for key, item in value.items()]
        case Cardinality.ONE:
            return ((value, ()),)
    return ()


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


def elements(field: FieldSpec, path: FieldPath, value: Any) -> Iterator[tuple[FieldPath, Any]]:
    """The parts of a field with their paths; what is null, secret or of another shape is left out."""
    match field.cardinality:
        case Cardinality.LIST:
            parts = list_elements(path, value)
        case Cardinality.MAP:
            parts = map_entries(path, value)
        case Cardinality.ONE:
            parts = iter([(path, value)])
    for place, item in parts:
        if item is not None and not isinstance(item, Secret):
            yield place, item


def list_elements(path: FieldPath, value: Any) -> Iterator[tuple[FieldPath, Any]]:
    """The elements of a list with their paths; nothing for what is not a list."""
    if isinstance(value, list):
        for position, item in enumerate(value):
            yield path / Index(position), item


def map_entries(path: FieldPath, value: Any) -> Iterator[tuple[FieldPath, Any]]:
    """The values of a map with their paths; nothing for what is not a map."""
    if isinstance(value, dict):
        for key, item in value.items():
            yield path / Entry(key), item


def inside(body: Any, *names: str) -> Any:
    """The value at a path of field names; None if something on the way is absent or no message."""
    for name in names:
        if not isinstance(body, dict):
            return None
        body = body.get(name)
    return body


def text_at(body: Any, *names: str) -> str:
    """The text at a path of field names; empty if there is none (or a secret)."""
    value = inside(body, *names)
    return value if isinstance(value, str) else ""


def messages_at(body: Any, *names: str) -> Iterator[tuple[FieldPath, dict[str, Any]]]:
    """The messages in the list at a path of field names, with their paths."""
    for path, item in list_elements(FieldPath(names), inside(body, *names)):
        if isinstance(item, dict):
            yield path, item


def texts_at(body: Any, *names: str) -> Iterator[tuple[FieldPath, str]]:
    """The texts in the list at a path of field names, with their paths."""
    for path, item in list_elements(FieldPath(names), inside(body, *names)):
        if isinstance(item, str):
            yield path, item


def all_files(tree: AppTree) -> tuple[ResourceFile, ...]:
    """Every file of an app, the app's own first."""
    return (tree.app, *tree.resources)
