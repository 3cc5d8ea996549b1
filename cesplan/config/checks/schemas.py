"""CES070, CES072: schemas of variables and parameters that refer to something undefined."""

from collections.abc import Iterator
from typing import Any

from cesplan.config.checks.placing import shown
from cesplan.config.checks.walking import (
    FileWalk,
    Visit,
    list_elements,
    map_entries,
    text_at,
    texts_at,
)
from cesplan.config.manifest import AppTree, Finding
from cesplan.config.suggestions import nearest
from cesplan.domain.field_path import FieldPath

_SCHEMA = "Schema"
_ROOTS = FileWalk(lambda message, field: field.message_name == _SCHEMA and message != _SCHEMA)
_REFERENCE = "#/defs/"


def check_schemas(tree: AppTree) -> list[Finding]:
    """
    `ref` must refer to the root's `defs`, `defs` must be at the root, and `required` must name properties.
    """
    return [
        finding
        for visit in _ROOTS.over(*tree.all())
        for path, root in visit.elements()
        for finding in _findings(visit, path, root)
    ]


def _findings(visit: Visit, root_path: FieldPath, root: Any) -> Iterator[Finding]:
    defs = root.get("defs") if isinstance(root, dict) else None
    known = frozenset(defs) if isinstance(defs, dict) else frozenset()
    for path, schema in _schemas(root_path, root):
        yield from _reference(visit, path, schema, known)
        yield from _required(visit, path, schema)
        if schema.get("defs") and path != root_path:
            what = "`defs` is not at the root of the schema"
            detail = f"Definitions are allowed only at the root. Move them to `{root_path}.defs`."
            yield visit.finding("CES070", what, detail, None, path=path / "defs", at_key=True)


def _reference(
    visit: Visit, path: FieldPath, schema: dict[str, Any], known: frozenset[str]
) -> Iterator[Finding]:
    reference = text_at(schema, "ref")
    name = reference.removeprefix(_REFERENCE)
    if not reference.startswith(_REFERENCE) or name in known:
        return  # the mark of the field refuses other formats
    correction = nearest(name, known)
    what = f"`defs` at the root of this schema has no `{shown(name)}`"
    detail = f"It has: {', '.join(f'`{item}`' for item in sorted(known)) or 'nothing'}."
    suggestion = correction and f"{_REFERENCE}{correction}"
    yield visit.finding("CES070", what, detail, None, path=path / "ref", suggestion=suggestion)


def _required(visit: Visit, path: FieldPath, schema: dict[str, Any]) -> Iterator[Finding]:
    properties = schema.get("properties")
    if not isinstance(properties, dict) or not properties:
        return  # then they may come from `ref` or `anyOf`
    for place, name in texts_at(schema, "required"):
        if name not in properties:
            what = f"`{shown(name)}` is required but is not a property of this schema"
            detail = "`required` lists keys of the `properties` next to it."
            there = FieldPath((*path.segments, *place.segments))
            near = nearest(name, properties)
            yield visit.finding("CES072", what, detail, None, path=there, suggestion=near)


def _schemas(path: FieldPath, schema: Any) -> Iterator[tuple[FieldPath, dict[str, Any]]]:
    """A schema and all schemas inside it, outermost first. Uses its own stack instead of recursion."""
    pending = [(path, schema)]
    while pending:
        place, item = pending.pop()
        if isinstance(item, dict):
            yield place, item
            pending += reversed(list(_parts(place, item)))


def _parts(path: FieldPath, schema: dict[str, Any]) -> Iterator[tuple[FieldPath, Any]]:
    for name in ("properties", "defs"):
        yield from map_entries(path / name, schema.get(name))
    for name in ("items", "additionalProperties"):
        yield path / name, schema.get(name)
    for name in ("anyOf", "prefixItems"):
        yield from list_elements(path / name, schema.get(name))
