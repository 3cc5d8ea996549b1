"""
The schemas of tools and variables: the changes for the writer and the reader of a value.

Schemas of the API and JSON Schemas differ in spelling only: types in capitals, `ref` for `$ref`.
"""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

from cesplan.domain.change import FieldChange
from cesplan.domain.field_path import FieldPath
from cesplan.domain.text.typed_diff import TypedDetail, TypedDiff
from cesplan.domain.value import as_object
from cesplan.features.typed_diffs.codes import JSON_SCHEMA
from cesplan.features.typed_diffs.documents import Sides, interface_diff
from cesplan.features.typed_diffs.schema_fields import schema_of
from cesplan.features.typed_diffs.schemas import Direction, schema_details
from cesplan.model.spec import MessageSpec

_FILLED_IN = frozenset({"parameters", "inputSchema"})
_READ = frozenset({"response", "outputSchema"})
_NUMBERS = frozenset({"minItems", "maxItems", "minimum", "maximum"})
_INSIDE = ("items", "additionalProperties")
_BY_NAME = ("properties", "defs")
_LISTED = ("anyOf", "prefixItems")


def with_schema_verdicts(
    changes: tuple[FieldChange, ...], spec: MessageSpec, before: Any, after: Any
) -> tuple[FieldChange, ...]:
    """
    Changes with the verdict on each schema that differs, at the first of the changes inside it.

    `before` and `after` are the bodies, without secrets.
    """
    judged: set[FieldPath] = set()
    marked = []
    for change in changes:
        root = schema_of(spec, change.path)
        if root is None or root in judged:
            marked.append(change)
            continue
        judged.add(root)
        live = schema_of(spec, change.place_live) or root
        typed = schema_diff(live.get(before), root.get(after), *directions_of(root))
        marked.append(replace(change, typed=typed) if typed else change)
    return tuple(marked)


def directions_of(path: FieldPath) -> tuple[Direction, ...]:
    """The directions of the schema at this path: written by the agent, by the tool, or by both."""
    name = path.segments[-1]
    if name in _FILLED_IN:
        return (Direction.REQUEST,)
    return (Direction.RESPONSE,) if name in _READ else (Direction.REQUEST, Direction.RESPONSE)


def schema_diff(before: Any, after: Any, *directions: Direction) -> TypedDiff | None:
    """The changes between two schemas of the API; None if one side has none."""
    if not isinstance(before, dict) or not isinstance(after, dict):
        return None
    return json_schema_diff(_spelled(before), _spelled(after), *directions)


def is_json_schema(document: Any) -> bool:
    """Whether a document declares itself a JSON Schema."""
    return isinstance(document, dict) and "json-schema.org" in str(document.get("$schema", ""))


def json_schema_diff(before: Any, after: Any, *directions: Direction) -> TypedDiff:
    """The changes between two JSON Schemas in the given directions; without any, in both."""
    return interface_diff(
        before,
        after,
        lambda: _details(before, after, directions or tuple(Direction)),
        unaffected="no value is affected; other parts of the schema changed",
        only_texts="only descriptions and titles changed; the model reads them",
        prefix="schema: ",
    )


def _details(before: Any, after: Any, directions: tuple[Direction, ...]) -> Iterable[TypedDetail]:
    """The changes; of a change found in both directions, the worse verdict."""
    found: dict[str, TypedDetail] = {}
    for direction in directions:
        sides = Sides(before, after)
        for item in schema_details("", (before, after), sides, direction, JSON_SCHEMA):
            detail = replace(item, text=item.text.removeprefix(": ").removeprefix("."))
            what = detail.text.removesuffix(", optional").removesuffix(", required")
            if detail.breaking or what not in found:
                found[what] = detail
    return found.values()


def _spelled(schema: Any) -> Any:
    """A schema of the API in the spelling of JSON Schema. Recursive: its nesting is that of a body."""
    if not isinstance(schema, dict):
        return schema
    return dict(_members(schema))


def _members(schema: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    for key, value in schema.items():
        if value is None:
            continue
        if key == "type":
            yield key, str(value).lower()
        elif key == "ref":
            yield "$ref", value
        elif key in _NUMBERS:
            yield key, _number(value)
        elif key in _INSIDE:
            yield key, _spelled(value)
        elif key in _BY_NAME:
            yield key, {name: _spelled(item) for name, item in as_object(value).items()}
        elif key in _LISTED and isinstance(value, list):
            yield key, [_spelled(item) for item in value]
        else:
            yield key, value


def _number(value: Any) -> Any:
    """A number; 64-bit integers are strings in the API's JSON (proto3 JSON mapping)."""
    return int(value) if isinstance(value, str) and value.lstrip("-").isdecimal() else value
