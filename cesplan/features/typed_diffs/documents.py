"""Two documents with internal references, and a normal form in which equivalent documents are equal."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeAlias
from urllib.parse import unquote

from cesplan.domain.text.typed_diff import Meaning, TypedDetail, TypedDiff, detail, unread
from cesplan.domain.value import as_object, canonical_text
from cesplan.features.typed_diffs.structure import MOST_DETAILS, Unread, same

Pair: TypeAlias = tuple[Any, Any]
"""The same place before and after."""

MOST_STEPS = 200_000
"""How many comparisons are made before a document counts as too entangled."""
_MOST_HOPS = 50
_TEXT_NUMBER = "090"
"""Ends the codes of changes of texts that the model reads."""
_NAMED = frozenset(
    {
        "paths", "properties", "patternProperties", "responses", "schemas", "parameters", "requestBodies",
        "headers", "securitySchemes", "content", "callbacks", "links", "encoding", "definitions", "$defs",
        "defs",
    }
)  # fmt: skip
"""Members whose keys are names, not keywords."""
_DATA = frozenset({"example", "examples", "default", "const"})
"""Members that contain data, in which order always matters."""
_SETS = frozenset({"required", "enum", "type"})


def interface_diff(
    before: Any,
    after: Any,
    changes: Callable[[], Iterable[TypedDetail]],
    *,
    unaffected: str,
    only_texts: str,
    prefix: str = "",
) -> TypedDiff:
    """
    The changes of an interface, breaking ones first. `changes` may raise Unread.

    The verdict is `unaffected` if there are none, `only_texts` if only texts for the model changed, and
    otherwise their numbers after the `prefix`.
    """
    if same(normalized(before), normalized(after)):
        return TypedDiff(verdict="formatting, comments, and order only", meaning=Meaning.SAME)
    try:
        found = sorted(dict.fromkeys(changes()), key=lambda item: not item.breaking)
    except Unread as error:
        return unread(str(error))
    except RecursionError:
        return unread("nested too deeply")
    if not found:
        return TypedDiff(verdict=unaffected)
    rest = len(found) - MOST_DETAILS
    more = (detail(f"{rest:,} more changes"),) if rest > 0 else ()
    verdict = (
        only_texts if all(item.code.endswith(_TEXT_NUMBER) for item in found) else prefix + _counted(found)
    )
    return TypedDiff(verdict=verdict, details=(*found[:MOST_DETAILS], *more))


def _counted(found: Sequence[TypedDetail]) -> str:
    breaking = sum(item.breaking for item in found)
    kinds = ((breaking, "breaking"), (len(found) - breaking, "other" if breaking else "non-breaking"))
    return ", ".join(f"{number:,} {name} change{'s' * (number != 1)}" for number, name in kinds if number)


class Sides:
    """Both documents; follows their references and limits the work."""

    def __init__(self, before: Any, after: Any) -> None:
        self.roots: Pair = (before, after)
        self._left = MOST_STEPS

    def resolved(self, node: Any, side: int) -> Any:
        """A node with its reference followed inside the document; a dangling one stays as it is."""
        for _ in range(_MOST_HOPS):
            target = node.get("$ref") if isinstance(node, dict) else None
            if not isinstance(target, str) or not target.startswith("#/"):
                return node
            found = _at(self.roots[side], target)
            if found is None:
                return node
            node = found
        return node

    def equal(self, pair: Pair) -> bool:
        """Whether two nodes are equal with all references inside them followed. Raises Unread."""
        return self._equal(pair, set())

    def _equal(self, pair: Pair, seen: set[tuple[int, int]]) -> bool:
        self.step()
        old, new = self.resolved(pair[0], 0), self.resolved(pair[1], 1)
        here = (id(old), id(new))
        if here in seen:
            return True  # in progress, or already equal: a difference ends the walk
        if isinstance(old, dict) and isinstance(new, dict):
            seen.add(here)
            return old.keys() == new.keys() and all(self._equal((old[key], new[key]), seen) for key in old)
        if isinstance(old, list) and isinstance(new, list):
            seen.add(here)
            return len(old) == len(new) and all(self._equal(item, seen) for item in zip(old, new, strict=True))
        return canonical_text(old) == canonical_text(new)

    def step(self) -> None:
        """Count one comparison. Raises Unread if there were too many."""
        self._left -= 1
        if self._left < 0:
            raise Unread("its parts refer to each other in too many ways")


def normalized(value: Any, *, named: bool = False) -> Any:
    """A document in which lists whose order does not matter are sorted."""
    if isinstance(value, list):
        return [normalized(item) for item in value]
    if not isinstance(value, dict):
        return value
    return {key: _member(key, item, named=named) for key, item in value.items()}


def _member(key: str, value: Any, *, named: bool) -> Any:
    if named:
        return normalized(value)
    if key in _DATA or key.startswith("x-"):
        return value
    if isinstance(value, list):
        if key in _SETS:
            return sorted(value, key=canonical_text)
        if key == "parameters" and len({_name(item) for item in value}) == len(value):
            return sorted((normalized(item) for item in value), key=canonical_text)
    return normalized(value, named=key in _NAMED and isinstance(value, dict))


def _name(parameter: Any) -> str:
    """The key of a parameter; of two with the same name, the last one counts, so their order matters."""
    document = as_object(parameter)
    return canonical_text([document.get("$ref"), document.get("name"), document.get("in")])


def _at(root: Any, pointer: str) -> Any:
    """The value at a JSON pointer in a fragment (RFC 6901); None if there is none."""
    node = root
    for part in unquote(pointer).split("/")[1:]:
        name = part.replace("~1", "/").replace("~0", "~")
        if isinstance(node, dict):
            node = node.get(name)
        elif isinstance(node, list) and name.isdecimal() and len(name) < 7 and int(name) < len(node):
            node = node[int(name)]
        else:
            return None
    return node
