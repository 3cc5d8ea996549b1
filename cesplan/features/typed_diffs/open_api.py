"""
OpenAPI documents, compared operation by operation from the viewpoint of the agent that calls them.

Operations pair by method and path, parameters by name and place: OpenAPI says what identifies its parts.
References are followed inside the document; a part that no rule covers counts as breaking. The work is bounded:
self-references end, and a document with too many references is compared as text.
"""

from collections.abc import Iterator
from typing import Any

from cesplan.config.checks.open_api_reading import METHODS
from cesplan.domain.text.typed_diff import TypedDetail, TypedDiff, detail
from cesplan.domain.value import as_list, as_object
from cesplan.features.typed_diffs.codes import is_breaking
from cesplan.features.typed_diffs.documents import Pair, Sides, interface_diff
from cesplan.features.typed_diffs.schemas import Direction, schema_details
from cesplan.features.typed_diffs.structure import same, shown

_TEXTS = frozenset({"description", "summary", "tags", "externalDocs", "example", "examples"})
_COMPARED = frozenset(
    {"operationId", "parameters", "requestBody", "responses", "security", "servers", "deprecated"}
)
_ROOT = frozenset({"paths", "components", "servers", "security", "info", "tags", "externalDocs"})


def is_open_api(document: Any) -> bool:
    """Whether a value is a document of OpenAPI 3; one of Swagger 2 has another shape."""
    return isinstance(document, dict) and "openapi" in document


def open_api_diff(before: Any, after: Any) -> TypedDiff:
    """The changes between two documents for a caller of their operations."""
    return interface_diff(
        before,
        after,
        lambda: _document(Sides(before, after)),
        unaffected="no operation changed; other parts of the document did",
        only_texts="only descriptions and examples changed; the model reads them",
    )


def _found(code: str, text: str) -> TypedDetail:
    return detail(text, code, breaking=is_breaking(code))


def _document(sides: Sides) -> Iterator[TypedDetail]:
    old, new = _operations(sides, 0), _operations(sides, 1)
    yield from (_found("OAS001", f"{name} removed") for name in old if name not in new)
    yield from (_found("OAS002", f"{name} added") for name in new if name not in old)
    both = [name for name in old if name in new]
    yield from _servers(sides.roots, "the document")
    for name in both:
        yield from _operation(name, (old[name], new[name]), sides)
    yield from _others(sides.roots, _ROOT, "the document", sides)
    if not same(sides.roots[0].get("info"), sides.roots[1].get("info")):
        yield _found("OAS090", "info changed")


def _operations(sides: Sides, side: int) -> dict[str, dict[str, Any]]:
    """The operations by `GET /path`, each with the parameters and servers of its path."""
    found = {}
    for path, item in as_object(as_object(sides.roots[side]).get("paths")).items():
        item = as_object(sides.resolved(item, side))
        for method in METHODS:
            if isinstance(item.get(method), dict):
                shared = {name: item[name] for name in ("parameters", "servers") if name in item}
                own = item[method]
                parameters = [*as_list(shared.get("parameters")), *as_list(own.get("parameters"))]
                found[f"{method.upper()} {path}"] = {**shared, **own, "parameters": parameters}
    return found


def _operation(name: str, pair: Pair, sides: Sides) -> Iterator[TypedDetail]:
    old, new = pair
    if old.get("operationId") != new.get("operationId"):
        ids = f"{shown(old.get('operationId'))} → {shown(new.get('operationId'))}"
        yield _found("OAS003", f"{name}: operationId {ids}")
    yield from _parameters(name, pair, sides)
    yield from _body(name, pair, sides)
    yield from _responses(name, pair, sides)
    yield from _security(name, pair, sides)
    if "servers" in old or "servers" in new:
        yield from _servers(pair, name)
    yield from _deprecation(name, pair)
    yield from _others(pair, _COMPARED, name, sides)


def _parameters(name: str, pair: Pair, sides: Sides) -> Iterator[TypedDetail]:
    old, new = (_by_place(as_list(item.get("parameters")), sides, side) for side, item in enumerate(pair))
    for key, item in old.items():
        if key not in new:
            yield _found("OAS012", f"{name}: parameter {key} removed")
        else:
            yield from _parameter(f"{name}: parameter {key}", (item, new[key]), sides)
    for key, item in new.items():
        if key not in old:
            is_required = item.get("required") is True
            code, word = ("OAS010", "required") if is_required else ("OAS011", "optional")
            yield _found(code, f"{name}: {word} parameter {key} added")


def _by_place(items: list[Any], sides: Sides, side: int) -> dict[str, dict[str, Any]]:
    """Parameters by name and place; those of an operation win over those of its path."""
    found = {}
    for item in items:
        item = as_object(sides.resolved(item, side))
        found[f"{item.get('name', '')} ({item.get('in', '')})"] = item
    return found


def _parameter(where: str, pair: Pair, sides: Sides) -> Iterator[TypedDetail]:
    was, now = (item.get("required") is True for item in pair)
    if was != now:
        code, word = ("OAS013", "required") if now else ("OAS014", "optional")
        yield _found(code, f"{where} became {word}")
    schemas = tuple(item.get("schema") for item in pair)
    yield from schema_details(where, (schemas[0], schemas[1]), sides, Direction.REQUEST)
    yield from _media(where, pair, sides, Direction.REQUEST)
    yield from _deprecation(where, pair)
    yield from _others(
        pair, frozenset({"name", "in", "required", "schema", "content", "deprecated"}), where, sides
    )


def _body(name: str, pair: Pair, sides: Sides) -> Iterator[TypedDetail]:
    old, new = (sides.resolved(item.get("requestBody"), side) for side, item in enumerate(pair))
    where = f"{name}: request body"
    if old is None and new is None:
        return
    if old is None:
        is_required = as_object(new).get("required") is True
        yield _found("OAS020" if is_required else "OAS021", f"{where} added")
    elif new is None:
        yield _found("OAS022", f"{where} removed")
    else:
        both = (as_object(old), as_object(new))
        was, now = (item.get("required") is True for item in both)
        if was != now:
            yield _found("OAS023" if now else "OAS024", f"{where} became {'required' if now else 'optional'}")
        yield from _media(where, both, sides, Direction.REQUEST)
        yield from _others(both, frozenset({"required", "content"}), where, sides)


def _responses(name: str, pair: Pair, sides: Sides) -> Iterator[TypedDetail]:
    old, new = (as_object(item.get("responses")) for item in pair)
    for status, item in old.items():
        where = f"{name}: response {status}"
        if status not in new:
            yield _found("OAS050" if str(status).startswith("2") else "OAS051", f"{where} removed")
            continue
        both = (as_object(sides.resolved(item, 0)), as_object(sides.resolved(new[status], 1)))
        yield from _media(where, both, sides, Direction.RESPONSE)
        yield from _others(both, frozenset({"content"}), where, sides)
    yield from (_found("OAS051", f"{name}: response {status} added") for status in new if status not in old)


def _media(where: str, pair: Pair, sides: Sides, direction: Direction) -> Iterator[TypedDetail]:
    old, new = (as_object(item.get("content")) for item in pair)
    is_request = direction is Direction.REQUEST
    for kind, item in old.items():
        if kind not in new:
            yield _found("OAS025" if is_request else "OAS052", f"{where}: {kind} removed")
            continue
        both = (as_object(item), as_object(new[kind]))
        yield from schema_details(where, (both[0].get("schema"), both[1].get("schema")), sides, direction)
        yield from _others(both, frozenset({"schema"}), f"{where} {kind}", sides)
    for kind in new:
        if kind not in old:
            yield _found("OAS026" if is_request else "OAS053", f"{where}: {kind} added")


def _security(name: str, pair: Pair, sides: Sides) -> Iterator[TypedDetail]:
    """Each element is one way to authenticate; an empty list or element allows anonymous calls."""
    ways = []
    for side, item in enumerate(pair):
        requirements = item.get("security", as_object(sides.roots[side]).get("security"))
        found = [_way(way, sides, side) for way in as_list(requirements)]
        ways.append(sorted(found) or ["{}"])
    old, new = ways
    if old == new:
        return
    if "{}" in old and "{}" not in new:
        yield _found("OAS072", f"{name}: authentication required")
    elif "{}" in new and "{}" not in old:
        yield _found("OAS073", f"{name}: authentication no longer required")
    elif set(old) - set(new):
        yield _found("OAS074", f"{name}: way to authenticate removed or changed")
    elif set(new) - set(old):
        yield _found("OAS075", f"{name}: way to authenticate added")


def _way(way: Any, sides: Sides, side: int) -> str:
    """A way to authenticate with the definitions of its schemes."""
    schemes = as_object(as_object(as_object(sides.roots[side]).get("components")).get("securitySchemes"))
    return shown({name: [scopes, _wordless(schemes.get(name))] for name, scopes in as_object(way).items()})


def _wordless(scheme: Any) -> Any:
    return (
        {key: value for key, value in scheme.items() if key != "description"}
        if isinstance(scheme, dict)
        else scheme
    )


def _servers(pair: Pair, where: str) -> Iterator[TypedDetail]:
    """The difference in servers. Calls go to the first one, so only additions at the end are safe."""
    old, new = ([shown(_wordless(item)) for item in as_list(as_object(side).get("servers"))] for side in pair)
    if old == new:
        return
    urls = [
        [str(as_object(item).get("url", "")) for item in as_list(as_object(side).get("servers"))]
        for side in pair
    ]
    words = f"{', '.join(urls[0]) or 'none'} → {', '.join(urls[1]) or 'none'}"
    stays = bool(old) and new[: len(old)] == old
    yield _found("OAS071" if stays else "OAS070", f"servers of {where}: {words}")


def _deprecation(where: str, pair: Pair) -> Iterator[TypedDetail]:
    was, now = (item.get("deprecated") is True for item in pair)
    if was != now:
        yield _found("OAS080", f"{where}: {'deprecated' if now else 'no longer deprecated'}")


def _others(pair: Pair, known: frozenset[str], where: str, sides: Sides) -> Iterator[TypedDetail]:
    """The differences in parts without rules."""
    old, new = (as_object(item) for item in pair)
    for key in sorted({*old, *new} - known):
        if (key in old) != (key in new) or not sides.equal((old.get(key), new.get(key))):
            is_text = key in _TEXTS or str(key).startswith("x-")
            yield _found("OAS090" if is_text else "OAS098", f"{where}: {key} changed")
