"""OpenAPI documents for checks: parsed once, with the place of everything that can be wrong."""

import json
import re
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple
from urllib.parse import unquote

from cesplan.config.cache.remembered import Remembered
from cesplan.config.checks.placing import START
from cesplan.config.manifest import TextPlace
from cesplan.config.yaml.composing import compose
from cesplan.config.yaml.nodes import At, Mapping, Node, Scalar, Sequence, mappings_in, node_of
from cesplan.config.yaml.simple import simple_mapping

METHODS = ("get", "put", "post", "delete", "options", "head", "patch", "trace")
"""The members of a path item that are operations (OpenAPI 3.0.4, Path Item Object)."""

_DATA = frozenset({"example", "examples", "default", "enum", "const"})
"""Members that hold data, in which a `$ref` is not a reference."""
_STATUS = re.compile(r"/[1-5][0-9X]{2}(/|$)")
"""A status code inside a pointer. Unquoted ones are numbers, which the parser leaves out."""

_UNDERSCORES = re.compile("__+")


class Text(NamedTuple):
    """A text in a document, and its place."""

    text: str
    place: TextPlace


class ApiOperation(NamedTuple):
    """One operation. `label` is `GET /stores`. `id` is the operationId, empty if there is none."""

    label: str
    place: TextPlace
    id: str = ""


class OpenApi(NamedTuple):
    """
    One document.

    Places are right where something can be reported; in a document without mistakes they are its beginning.
    `fault` says why it cannot be parsed; then everything else is empty. `version` is the value of `openapi`
    (None if absent). `broken_references` have no target in the document.
    """

    fault: Text | None = None
    version: Text | None = None
    operations: tuple[ApiOperation, ...] = ()
    servers: tuple[Text, ...] = ()
    broken_references: tuple[Text, ...] = ()


def operation_ids(text: str) -> tuple[str, ...]:
    """The operationIds of a document, in order; none if it cannot be parsed."""
    return tuple(item.id for item in read_open_api(text).operations if item.id) if text else ()


def tool_id_of(operation_id: str) -> str:
    """
    The id of a toolset's tool for an operation: each run of underscores becomes one.

    Observed in exports of the service: `get_order__get`, as FastAPI generates it, appears as `get_order_get`.
    """
    return _UNDERSCORES.sub("_", operation_id)


def _read(text: str) -> OpenApi:
    found = simple_mapping(text)
    return (_sound(found.values) if found else None) or _read_any(text)


def _sound(values: dict[str, Any]) -> OpenApi | None:
    """A document without anything to report; None for others. Only what is reported needs its place."""
    version = values.get("openapi")
    operations = [*_sound_operations(values)]
    servers = [*_sound_servers(values)]
    ids = [item.id for item in operations]
    is_named = all(ids) and len({*ids}) == len(ids)
    if not isinstance(version, str) or not version.startswith("3.") or not operations or not is_named:
        return None
    if not servers or not all(isinstance(url, str) and "://" in url for url in servers):
        return None
    if not all(_resolves_in_values(values, reference) for reference in _references_in(values)):
        return None
    return OpenApi(
        version=Text(text=version, place=START),
        operations=tuple(operations),
        servers=tuple(Text(text=url, place=START) for url in servers),
    )


def _sound_operations(values: dict[str, Any]) -> Iterator[ApiOperation]:
    for path, item in _items_of(values.get("paths")):
        for method, operation in _items_of(item):
            if method in METHODS and isinstance(operation, dict):
                named = operation.get("operationId")
                label = f"{method.upper()} {path}"
                yield ApiOperation(label=label, place=START, id=named if isinstance(named, str) else "")


def _sound_servers(values: dict[str, Any]) -> Iterator[Any]:
    """The URLs of servers; None for values that are not texts."""
    for holder in _holders_of_servers(values):
        servers = holder.get("servers")
        for server in servers if isinstance(servers, list) else ():
            url = server.get("url") if isinstance(server, dict) else None
            if url is not None:
                yield url


def _holders_of_servers(values: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The document, its paths, and its operations."""
    yield values
    for _, item in _items_of(values.get("paths")):
        if isinstance(item, dict):
            yield item
            yield from (each for method, each in item.items() if method in METHODS and isinstance(each, dict))


def _items_of(value: Any) -> Iterable[tuple[str, Any]]:
    return value.items() if isinstance(value, dict) else ()


def _references_in(values: dict[str, Any]) -> Iterator[str]:
    """What `$ref` says anywhere outside of data."""
    pending: list[Any] = [values]
    while pending:
        value = pending.pop()
        if type(value) is list:
            pending += value
        elif type(value) is dict:
            target = value.get("$ref")
            if isinstance(target, str):
                yield target
            pending += [item for name, item in value.items() if type(item) is not str and name not in _DATA]


def _resolves_in_values(values: dict[str, Any], reference: str) -> bool:
    document, hash_sign, pointer = reference.partition("#")
    if document or not hash_sign:
        return False
    value: Any = values
    for part in unquote(pointer).split("/")[1:]:
        name = part.replace("~1", "/").replace("~0", "~")
        if not isinstance(value, dict) or name not in value:
            return False  # in a list, or a status code: the nodes tell
        value = value[name]
    return True


def _read_any(text: str) -> OpenApi:
    root = _root(text)
    if isinstance(root, Text):
        return OpenApi(fault=root)
    if not isinstance(root, Mapping):
        return OpenApi(fault=Text(text="it is not a mapping", place=START))
    version = root.get("openapi") or root.get("swagger")
    return OpenApi(
        version=Text(text=_plain_text(version), place=_place(version)) if version else None,
        operations=tuple(_operations(root)),
        servers=tuple(_servers(root)),
        broken_references=tuple(_broken_references(root)),
    )


def _restored(fault: None, version: Any, *groups: Iterable[Any]) -> OpenApi:
    operations, servers, broken = groups
    return OpenApi(
        fault=fault,
        version=_restored_text(version) if version else None,
        operations=tuple(ApiOperation(label, TextPlace(*at), name) for label, at, name in operations),
        servers=tuple(map(_restored_text, servers)),
        broken_references=tuple(map(_restored_text, broken)),
    )


def _restored_text(kept: Any) -> Text:
    text, place = kept
    return Text(text=text, place=TextPlace(*place))


read_open_api = Remembered("open_api", _read, _restored, lambda document: document.fault is None)
"""Parse a document in YAML or JSON. Several checks use each document. Never raises, for any input."""


def _root(text: str) -> Node | Text | None:
    document = compose(text)
    if document.root is None and text.lstrip()[:1] == "{":
        try:
            return node_of(json.loads(text), Scalar(At(0, 0), At(0, 0), None, ""))
        except (ValueError, RecursionError):
            pass  # the errors of the YAML parser have a place
    if document.root is None and document.problems:
        problem = document.problems[-1]
        return Text(
            text=problem.summary, place=TextPlace(line=problem.start.line + 1, column=problem.start.column + 1)
        )
    return document.root


def _operations(root: Mapping) -> Iterator[ApiOperation]:
    for path, item in _path_items(root):
        for method, key, operation in item:
            if method in METHODS and isinstance(operation, Mapping):
                id_node = operation.get("operationId")
                yield ApiOperation(
                    label=f"{method.upper()} {path}",
                    place=_place(id_node or key),
                    id=_plain_text(id_node),
                )


def _path_items(root: Mapping) -> Iterator[tuple[str, Mapping]]:
    paths = root.get("paths")
    if isinstance(paths, Mapping):
        for path, _, item in paths:
            if isinstance(item, Mapping):
                yield path, item


def _servers(root: Mapping) -> Iterator[Text]:
    """The servers of the document, of its paths, and of its operations."""
    holders = [root]
    for _, item in _path_items(root):
        holders += [item, *(value for name, _, value in item if name in METHODS and isinstance(value, Mapping))]
    for holder in holders:
        servers = holder.get("servers")
        for server in servers.items if isinstance(servers, Sequence) else ():
            url = server.get("url") if isinstance(server, Mapping) else None
            if url is not None:
                yield Text(text=_plain_text(url), place=_place(url))


def _broken_references(root: Mapping) -> Iterator[Text]:
    for node in mappings_in(root, _DATA):
        target = node.get("$ref")
        if isinstance(target, Scalar) and isinstance(target.value, str) and not _resolves(root, target.value):
            yield Text(text=target.value, place=_place(target))


def _resolves(root: Mapping, reference: str) -> bool:
    """True if a JSON pointer (RFC 6901, in a fragment) has a target, or this cannot be decided."""
    document, hash_sign, pointer = reference.partition("#")
    if document or not hash_sign:
        return False
    if _STATUS.search(pointer):
        return True
    node: Node | None = root
    for part in unquote(pointer).split("/")[1:]:
        node = _member(node, part.replace("~1", "/").replace("~0", "~"))
    return node is not None


def _member(node: Node | None, name: str) -> Node | None:
    match node:
        case Mapping():
            return node.get(name)
        case Sequence() if name.isdecimal() and int(name[:9]) < len(node.items):
            return node.items[int(name[:9])]
    return None


def _plain_text(node: Any) -> str:
    return node.text if isinstance(node, Scalar) and node.value is not None else ""


def _place(node: Any) -> TextPlace:
    one_line = isinstance(node, Scalar) and node.start.line == node.end.line
    span = node.end.column - node.start.column if one_line else 1
    return TextPlace(line=node.start.line + 1, column=node.start.column + 1, span=max(span, 1))
