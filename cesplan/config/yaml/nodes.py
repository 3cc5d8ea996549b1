"""
Nodes: values with the place they are at.

Not frozen, although they are never changed once a file is read: a tree has many thousands of them, and a
frozen dataclass costs three times as much to make.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol, TypeAlias


class Mark(Protocol):
    """A position as libyaml gives it; line and column count from 0, in characters."""

    @property
    def line(self) -> int: ...

    @property
    def column(self) -> int: ...


class At(NamedTuple):
    """A position that does not come from libyaml."""

    line: int
    column: int


@dataclass(slots=True, eq=False)
class Scalar:
    """
    One value. `value` is None, bool, int, float, str (or a Secret, later); `text` is what the file says.

    `quoted` is False for plain scalars. `verbatim` marks text that was taken in unchanged: no `${…}` there.
    `is_reference` marks what `{$ref: …}` names.
    """

    start: Mark
    end: Mark
    value: Any
    text: str
    quoted: bool = False
    verbatim: bool = False
    is_reference: bool = False
    size: int = 1
    height: int = 0


@dataclass(slots=True, eq=False)
class Sequence:
    """A list. `size` counts values with aliases followed, `height` is the depth of nesting below."""

    start: Mark
    end: Mark
    items: "list[Node]" = field(default_factory=list)
    size: int = 1
    height: int = 0


@dataclass(slots=True, eq=False)
class Mapping:
    """A mapping from text keys. `has_directive` is True when a key begins with a single `$`."""

    start: Mark
    end: Mark
    entries: "dict[str, tuple[Scalar, Node]]" = field(default_factory=dict)
    size: int = 1
    height: int = 0
    has_directive: bool = False

    def get(self, key: str) -> "Node | None":
        """The value under a key, or None."""
        found = self.entries.get(key)
        return found[1] if found else None

    def __iter__(self) -> "Iterator[tuple[str, Scalar, Node]]":
        for text, (key, value) in self.entries.items():
            yield text, key, value


Node: TypeAlias = Scalar | Sequence | Mapping


def plain(node: Node) -> Any:
    """The bare value of a node, without positions."""
    match node:
        case Scalar():
            return node.value
        case Sequence():
            return [plain(item) for item in node.items]
        case Mapping():
            return {text: plain(value) for text, _, value in node}


def node_of(value: Any, at: Node) -> Node:
    """A node that holds a value and is where another one does."""
    match value:
        case dict():
            entries = {key: (node_of(key, at), node_of(item, at)) for key, item in value.items()}
            return Mapping(at.start, at.end, entries)  # type: ignore[arg-type]  # keys are texts: Scalars
        case list():
            return Sequence(at.start, at.end, [node_of(item, at) for item in value])
    return Scalar(at.start, at.end, value, str(value), quoted=True, verbatim=True)


def kind_of(node: Node) -> str:
    """The type of a value, in words."""
    match node:
        case Mapping():
            return "a mapping"
        case Sequence():
            return "a list"
        case Scalar():
            return _kind_of_scalar(node.value)


def _kind_of_scalar(value: Any) -> str:
    match value:
        case None:
            return "null"
        case bool():
            return "a boolean"
        case int() | float():
            return "a number"
    return "a string"
