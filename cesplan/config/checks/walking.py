"""
Walking bodies by their specs: every field that a check asks for, with its spec and its path.

A Walk goes only into messages that can hold what is wanted, so a check of a few fields costs next to nothing
in resources that have none of them.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from cesplan.config.tree import AppTree, ResourceFile
from cesplan.domain.field_path import Entry, FieldPath, Index
from cesplan.domain.value import Secret
from cesplan.model.kinds import kind_of
from cesplan.model.scalars import Scalar
from cesplan.model.spec import Cardinality, FieldSpec, message_spec

Wanted = Callable[[str, FieldSpec], bool]
"""Says whether a field (of the message of this name) is wanted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Visit:
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
    """Finds the fields that `wanted` says yes to, in the order of the body."""

    def __init__(self, wanted: Wanted) -> None:
        self._wanted = wanted
        self._plans: dict[str, dict[str, tuple[FieldSpec, bool, bool]]] = {}

    def over(self, *files: ResourceFile) -> Iterator[Visit]:
        """Every wanted field of these files."""
        for file in files:
            name = kind_of(file.address.kind).class_name
            if self._plan(name):
                yield from self._message(file, name, file.body, FieldPath())

    def _message(self, file: ResourceFile, name: str, body: Any, path: FieldPath) -> Iterator[Visit]:
        if not isinstance(body, dict):
            return
        plan = self._plan(name)
        for key, value in body.items():
            row = plan.get(key)
            if row is None or value is None:
                continue
            field, is_wanted, goes_on = row
            place = path / key
            if is_wanted:
                yield Visit(file=file, message=name, holder=body, field=field, path=place, value=value)
            if goes_on:
                for inner, item in elements(field, place, value):
                    yield from self._message(file, field.message_name, item, inner)

    def _plan(self, name: str) -> dict[str, tuple[FieldSpec, bool, bool]]:
        """The fields worth a look in a message: spec, whether wanted, whether to go on inside."""
        plan = self._plans.get(name)
        if plan is None:
            plan = {}
            for field in message_spec(name).settable:
                wanted = self._wanted(name, field)
                goes_on = field.scalar is Scalar.MESSAGE and self._leads_on(field.message_name)
                if wanted or goes_on:
                    plan[field.name] = (field, wanted, goes_on)
            self._plans[name] = plan
        return plan

    def _leads_on(self, name: str) -> bool:
        """True when a message, or one inside it, holds a wanted field."""
        seen, waiting = {name}, [name]
        while waiting:
            holder = waiting.pop()
            for field in message_spec(holder).settable:
                if self._wanted(holder, field):
                    return True
                if field.scalar is Scalar.MESSAGE and field.message_name not in seen:
                    seen.add(field.message_name)
                    waiting.append(field.message_name)
        return False


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
    """The elements of a list with their paths; nothing for what is no list."""
    if isinstance(value, list):
        for position, item in enumerate(value):
            yield path / Index(position), item


def map_entries(path: FieldPath, value: Any) -> Iterator[tuple[FieldPath, Any]]:
    """The values of a map with their paths; nothing for what is no map."""
    if isinstance(value, dict):
        for key, item in value.items():
            yield path / Entry(key), item


def inside(body: Any, *names: str) -> Any:
    """The value at a path of field names; None where something on the way is absent or no message."""
    for name in names:
        if not isinstance(body, dict):
            return None
        body = body.get(name)
    return body


def text_at(body: Any, *names: str) -> str:
    """The text at a path of field names; empty where there is none (or a secret)."""
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
