"""
Patching: RFC 6902 operations on the nodes of a file. jsonpatch applies them to plain dicts and lists.

Every leaf is a node, so a value keeps its source place wherever an operation moves it. `{$file: …}` and other
directives are leaves too. An operation that fails is reported at its own line.
"""

import copy
from collections.abc import Iterator
from typing import Any

import jsonpatch
import jsonpointer

from cesplan.config.overlays.merging import is_value
from cesplan.config.report import Report, SourceFile
from cesplan.config.resource.values import is_directive
from cesplan.config.suggestions import Guess, guess, guess_key, one_of
from cesplan.config.yaml.composing import DEEPEST, MOST_VALUES
from cesplan.config.yaml.nodes import Mapping, Node, Scalar, Sequence, folded_node, kind_of, plain
from cesplan.domain.value import canonical_text
from cesplan.model.editor_schemas.patches import OPERATIONS


def patched(root: Mapping, source: SourceFile, operations: Sequence, report: Report) -> Mapping:
    """
    The root after the operations, applied in order. Problems are reported. The nodes must know their files.
    """
    document = _plain(root)
    patch = _Patch(source, report)
    room = MOST_VALUES
    for item in operations.items:
        try:
            operation = _operation(item)
            room -= _measured(operation, document)
            if room < 0:
                raise _Malformed(item, f"the patch processes more than {MOST_VALUES:,} values", _HOW_MANY)
            document = patch.apply(operation, document)
        except _Malformed as wrong:
            spot = source.spot_of(wrong.node)
            report.add("CES102", wrong.summary, spot, detail=wrong.detail, correction=wrong.correction)
    result = _node(document, root)
    assert isinstance(result, Mapping)
    return result


_HOW_MANY = "Each value that an operation adds, copies, or moves counts. Write the whole file instead."


class _Leaf:
    """A node that no pointer leads into."""

    def __init__(self, node: Node) -> None:
        self.node = node

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Leaf) and canonical_text(plain(self.node)) == canonical_text(
            plain(other.node)
        )

    __hash__ = None  # type: ignore[assignment]  # equality is by value, and it is never a key

    def __deepcopy__(self, memo: object) -> "_Leaf":
        return self


class _Members(dict[str, Any]):
    """A mapping. `node` is its place, `keys_of` has the nodes of those keys that are in a file."""

    def __init__(self, node: Mapping, members: dict[str, Any]) -> None:
        super().__init__(members)
        self.node = node
        self.keys_of = {name: key for name, key, _ in node}

    def __deepcopy__(self, memo: dict[int, Any]) -> "_Members":
        return _Members(self.node, {name: copy.deepcopy(item, memo) for name, item in self.items()})


class _Items(list[Any]):
    """A list. `node` is its place."""

    def __init__(self, node: Sequence, items: list[Any]) -> None:
        super().__init__(items)
        self.node = node

    def __deepcopy__(self, memo: dict[int, Any]) -> "_Items":
        return _Items(self.node, [copy.deepcopy(item, memo) for item in self])


class _Operation:
    """One operation with the places of its parts."""

    def __init__(self, name: str, node: Mapping, pointers: dict[str, Scalar]) -> None:
        self.name, self.node, self.pointers = name, node, pointers

    def raw(self) -> dict[str, Any]:
        value = self.node.get("value")
        found: dict[str, Any] = {"op": self.name}
        found |= {name: item.value for name, item in self.pointers.items()}
        return found if value is None else {**found, "value": _plain(value)}


class _Malformed(Exception):
    """A node that is not an operation, and what is wrong with it."""

    def __init__(self, node: Node, summary: str, detail: str = "", correction: Guess | None = None) -> None:
        super().__init__(summary)
        self.node, self.summary, self.detail, self.correction = node, summary, detail, correction


def _operation(node: Node) -> _Operation:
    """Parse an operation. Raises _Malformed."""
    if not isinstance(node, Mapping):
        raise _Malformed(node, f"an operation must be a mapping, but this is {kind_of(node)}")
    name = node.get("op")
    if name is None:
        raise _Malformed(node, "an operation needs an `op`", f"Use {one_of(OPERATIONS)}.")
    text = str(plain(name))
    if text not in OPERATIONS:
        raise _Malformed(
            name, f"unknown operation `{text}`", f"Use {one_of(OPERATIONS)}.", guess(text, OPERATIONS)
        )
    _check_members(text, node)
    pointers = {member: _pointer(member, node) for member in OPERATIONS[text] if member != "value"}
    return _Operation(text, node, pointers)


def _check_members(name: str, node: Mapping) -> None:
    members = OPERATIONS[name]
    for member, key, _ in node:
        if member not in ("op", *members):
            raise _Malformed(
                key, f"`{name}` does not take `{member}`", correction=guess_key(member, members, node.entries)
            )
    missing = next((member for member in members if node.get(member) is None), None)
    if missing:
        raise _Malformed(node, f"`{name}` needs `{missing}`")


def _pointer(member: str, node: Mapping) -> Scalar:
    part = node.get(member)
    if isinstance(part, Scalar) and _is_pointer(part.value):
        return part
    how = "A pointer begins with a slash and names a part of the file: `/modelSettings/temperature`."
    raise _Malformed(part or node, f"`{member}` must be a JSON pointer (RFC 6901)", how)


def _measured(operation: _Operation, document: Any) -> int:
    """How many values an operation handles. Raises _Malformed if it would nest them too deeply."""
    path = operation.pointers["path"]
    deep = str(path.value).count("/")
    size = 0
    level = [_handled(operation, document)]
    while level:
        size += len(level)
        deep += 1
        if deep > DEEPEST:
            raise _Malformed(path, f"the patch nests values more than {DEEPEST} levels deep")
        if size > MOST_VALUES:
            break
        level = [
            child
            for value in level
            if isinstance(value, dict | list)
            for child in (value.values() if isinstance(value, dict) else value)
        ]
    return size


def _handled(operation: _Operation, document: Any) -> Any:
    """The value that an operation inserts; None if there is none."""
    if "from" not in operation.pointers:
        return operation.raw().get("value")
    try:
        return jsonpointer.resolve_pointer(document, operation.pointers["from"].value, None)
    except (jsonpointer.JsonPointerException, TypeError, LookupError):
        return None  # reported when the operation is applied


class _Patch:
    def __init__(self, source: SourceFile, report: Report) -> None:
        self._source = source
        self._report = report

    def apply(self, operation: _Operation, document: Any) -> Any:
        """The document after an operation; unchanged if it fails, which is reported."""
        try:
            return jsonpatch.JsonPatch([operation.raw()]).apply(document, in_place=True)
        except jsonpatch.JsonPatchTestFailed:
            path = operation.pointers["path"]
            self._report.add(
                "CES103", f"the test of `{path.value}` failed", self._source.spot_of(path), detail=_TEST
            )
        except (jsonpatch.JsonPatchException, jsonpointer.JsonPointerException, TypeError, LookupError):
            self._leads_nowhere(operation, document)
        return document

    def _leads_nowhere(self, operation: _Operation, document: Any) -> None:
        """Report which pointer fails, and at which part."""
        makes = operation.name in ("add", "move", "copy")
        for member, node in sorted(operation.pointers.items()):
            found = _dead_end(document, str(node.value), makes=makes and member == "path")
            if found:
                why, correction = found
                self._report.add(
                    "CES103",
                    f"`{node.value}` does not exist in the file",
                    self._source.spot_of(node),
                    detail=why,
                    correction=correction,
                )
                return
        node = operation.pointers["path"]
        self._report.add(
            "CES103", f"`{operation.name}` is not possible at `{node.value}`", self._source.spot_of(node)
        )


_TEST = "The files have a different value there, so the patch may be out of date."


def _is_pointer(value: Any) -> bool:
    if not isinstance(value, str) or not value.startswith("/"):
        return False
    try:
        jsonpointer.JsonPointer(value)
    except jsonpointer.JsonPointerException:
        return False
    return True


def _dead_end(document: Any, pointer: str, *, makes: bool) -> tuple[str, Guess | None] | None:
    """Why a pointer is invalid, and the nearest valid one; None if the pointer is valid."""
    parts = jsonpointer.JsonPointer(pointer).parts
    value = document
    for place, part in enumerate(parts):
        if makes and place == len(parts) - 1 and isinstance(value, dict):
            return None
        before = "/".join(parts[:place])
        where = f"`/{before}`" if before else "The file"
        match value:
            case dict():
                if part not in value:
                    near = _corrected(parts, place, value)
                    return _has_none(where, parts[: place + 1], adds=makes and not near.nearest), near
                value = value[part]
            case list():
                last = len(value) if makes and place == len(parts) - 1 else len(value) - 1
                if not (part.isascii() and part.isdecimal() and int(part) <= last):
                    return None if makes and part == "-" else (_size(where, len(value)), None)
                value = value[int(part)] if int(part) < len(value) else None
            case _:
                return f"{where} is a single value.", None
    return None


def _has_none(where: str, parts: list[str], *, adds: bool) -> str:
    summary = f"{where} has no `{parts[-1]}`"
    whole = jsonpointer.JsonPointer.from_parts(parts).path
    return f"{summary}, and `add` creates only the last part: add all of `{whole}`." if adds else f"{summary}."


def _size(where: str, size: int) -> str:
    return f"{where} is a list of {size}; its elements count from 0."


def _corrected(parts: list[str], place: int, members: dict[str, Any]) -> Guess:
    """The whole pointer, and the suggested one."""
    found = guess(parts[place], members)

    def pointer(part: str) -> str:
        return str(jsonpointer.JsonPointer.from_parts([*parts[:place], part, *parts[place + 1 :]]).path)

    return found._replace(word=pointer(found.word), nearest=found.nearest and pointer(found.nearest))


def _plain(node: Node) -> Any:
    return folded_node(
        node,
        _Leaf,
        _Items,
        lambda mapping, members: _Leaf(mapping) if is_value(mapping) else _Members(mapping, members),
    )


def _node(value: Any, at: Node) -> Node:
    match value:
        case _Leaf():
            return value.node
        case _Members():
            entries = dict(_entries(value))
            has_directive = any(map(is_directive, entries))
            return Mapping(value.node.start, value.node.end, entries, has_directive=has_directive)
        case _Items():
            return Sequence(value.node.start, value.node.end, [_node(item, value.node) for item in value])
    return at


def _entries(members: _Members) -> Iterator[tuple[str, tuple[Scalar, Node]]]:
    for name, item in members.items():
        node = _node(item, members.node)
        key = members.keys_of.get(name) or Scalar(node.start, node.end, name, name)
        yield name, (key, node)
