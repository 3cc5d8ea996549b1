"""
Nodes: values with their places.

They are not frozen, although they never change after a file is read: a tree has many thousands of nodes, and
creating a frozen dataclass takes three times as long.
"""

from collections.abc import Callable, Container, Iterator
from dataclasses import field
from typing import Any, NamedTuple, Protocol, TypeAlias

from cesplan.domain.frozen import dataclass
from cesplan.domain.value import folded


class YamlMark(Protocol):
    """A position from libyaml. Line and column count from 0, in characters."""

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
    One value. `value` is None, bool, int, float, or str (or a Secret, later). `text` is the text in the file.

    `quoted` is false for plain scalars. `verbatim` marks text that was included unchanged, so `${…}` has no
    meaning in it. `is_reference` marks the value of `{$ref: …}`.
    """

    start: YamlMark
    end: YamlMark
    value: Any
    text: str
    quoted: bool = False
    verbatim: bool = False
    is_reference: bool = False
    size: int = 1
    height: int = 0


@dataclass(slots=True, eq=False)
class Sequence:
    """A list. `size` counts values with aliases expanded, `height` is the depth of nesting below."""

    start: YamlMark
    end: YamlMark
    items: "list[Node]" = field(default_factory=list)
    size: int = 1
    height: int = 0


@dataclass(slots=True, eq=False)
class Mapping:
    """A mapping with string keys. `has_directive` is true if a key begins with a single `$`."""

    start: YamlMark
    end: YamlMark
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


def folded_node(
    node: Node,
    scalar: Callable[[Scalar], Any],
    sequence: Callable[[Sequence, list[Any]], Any],
    mapping: Callable[[Mapping, dict[str, Any]], Any],
) -> Any:
    """
    Fold a node from the inside out: map scalars, then collections together with their mapped contents.

    This is the only fold over nodes. It is recursive; composing limits the nesting.
    """
    match node:
        case Scalar():
            return scalar(node)
        case Sequence():
            return sequence(node, [folded_node(item, scalar, sequence, mapping) for item in node.items])
        case Mapping():
            return mapping(
                node, {text: folded_node(value, scalar, sequence, mapping) for text, _, value in node}
            )


def mappings_in(root: Node, skip: Container[str] = ()) -> Iterator[Mapping]:
    """All mappings in a node once, in order, outermost first, except what is under the keys `skip`."""
    pending, seen = [root], set()
    while pending:
        node = pending.pop()
        if id(node) in seen:
            continue
        seen.add(id(node))
        if isinstance(node, Sequence):
            pending += reversed(node.items)
        elif isinstance(node, Mapping):
            yield node
            pending += reversed([value for name, _, value in node if name not in skip])


def text_of(node: Node | None) -> str | None:
    """The string of a scalar; None for any other node, and for none."""
    return node.value if isinstance(node, Scalar) and isinstance(node.value, str) else None


def plain(node: Node) -> Any:
    """The bare value of a node, without positions."""
    return folded_node(node, lambda scalar: scalar.value, lambda _, items: items, lambda _, members: members)


def node_of(value: Any, at: Node) -> Node:
    """A node for a value, at the place of another node."""

    def leaf(item: Any) -> Scalar:
        return Scalar(at.start, at.end, item, str(item), quoted=True, verbatim=True)

    node: Node = folded(
        value,
        leaf,
        lambda members: Mapping(at.start, at.end, {key: (leaf(key), item) for key, item in members.items()}),
        lambda items: Sequence(at.start, at.end, items),
    )
    return node


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
