"""
JSON and YAML inside strings: read within limits, and compared as values.

Nothing identifies the elements of a list there, so lists of equal length are compared by position.
"""

import re
from collections.abc import Iterator
from typing import Any

from cesplan.config.yaml.composing import compose
from cesplan.config.yaml.core_schema import resolve
from cesplan.config.yaml.nodes import Node, Scalar, folded_node
from cesplan.domain.text.json_text import decoded
from cesplan.domain.text.typed_diff import Meaning, TypedDetail, TypedDiff, detail, unread
from cesplan.domain.value import ABSENT, Place, canonical_text, differing_places, place_text

LONGEST = 1_000_000
"""Characters of a text that is read; a longer one is compared as text."""
MOST_DETAILS = 200
"""Differences that are listed; the rest are only counted."""

_UNQUOTED = "\0unquoted"
"""Marks a pair as a value that YAML 1.1 and 1.2 parsers read differently."""
_AMBIGUOUS = re.compile(
    r"(?i:y|n|yes|no|on|off)|[-+]?0[0-7_]+|[-+]?[0-9][0-9_,]*(:[0-5]?[0-9])+(\.[0-9_]*)?"
    r"|[-+]?0b[01_]+|[-+]?[0-9.][0-9_,.]*_[0-9_,.]*|[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}([Tt \t].*)?|="
)
"""Plain scalars that YAML 1.1 reads as booleans, as octal, binary, or base-60 numbers, or as dates."""


class Unread(Exception):
    """A text is not a document that can be compared; the message is the reason."""


def read_document(text: str) -> Any:
    """The value of a document in JSON or YAML. Raises Unread."""
    if len(text) > LONGEST:
        raise Unread(f"longer than {LONGEST:,} characters")
    if text.lstrip()[:1] in ("{", "["):
        try:
            return _json(text)
        except ValueError:
            pass  # YAML flow style begins with the same characters
    return _yaml(text)


def structure_diff(before: str, after: str, *, only_json: bool = False) -> TypedDiff | None:
    """The changed values of two documents; None if the texts are not documents."""
    try:
        old, new = (_json(text) if only_json else read_document(text) for text in (before, after))
        if not isinstance(old, dict | list) or not isinstance(new, dict | list):
            return None
        found = tuple(value_details(old, new))
    except Unread as error:
        return unread(str(error))
    except ValueError:
        return None
    if not found:
        return TypedDiff(verdict="formatting only", meaning=Meaning.SAME)
    rest = f" and {len(found) - 1} more" if len(found) > 1 else ""
    return TypedDiff(verdict=f"{found[0].text}{rest}", details=found)


def same(before: Any, after: Any) -> bool:
    """Whether two values are equal, their types included: neither `1` and `1.0`, nor `1` and `true`."""
    return canonical_text(before) == canonical_text(after)


def shown(value: Any) -> str:
    """A value as text for a detail."""
    match value:
        case (str(mark), str(text)) if mark == _UNQUOTED:
            return text
    return canonical_text(value)


def value_details(before: Any, after: Any) -> Iterator[TypedDetail]:
    """The changes from one value to another, leaf by leaf, and at the end the number left out."""
    found = sorted(differing_places(before, after), key=lambda item: item[0])
    yield from (detail(_change(*item)) for item in found[:MOST_DETAILS])
    if len(found) > MOST_DETAILS:
        yield detail(f"{len(found) - MOST_DETAILS:,} more values")


def _change(place: Place, before: Any, after: Any) -> str:
    path = place_text(place)
    if before is ABSENT or after is ABSENT:
        return f"{path} {'added' if before is ABSENT else 'removed'}"
    if isinstance(before, list) and isinstance(after, list):
        return f"{path or 'the list'} has {len(after):,} elements, it had {len(before):,}"
    return f"{path or 'the value'}: {shown(before)[:60]} → {shown(after)[:60]}"


def _json(text: str) -> Any:
    """The value of a JSON text. Raises ValueError for invalid JSON and duplicate members."""
    return decoded(text, object_pairs_hook=_members, parse_constant=_refuse)


def _members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a member occurs twice")
    return found


def _refuse(word: str) -> Any:
    raise ValueError(f"{word} is not JSON")


def _yaml(text: str) -> Any:
    document = compose(text, any_key=True)
    if document.problems:
        raise Unread(f"line {document.problems[0].start.line + 1}: {document.problems[0].summary}")
    if document.root is None:
        raise Unread("empty")
    return _plain(document.root)


def _plain(node: Node) -> Any:
    return folded_node(
        node,
        _word,
        lambda _, items: items,
        lambda mapping, members: {_key(text, mapping.entries[text][0]): item for text, item in members.items()},
    )


def _word(scalar: Scalar) -> Any:
    is_ambiguous = not scalar.quoted and _AMBIGUOUS.fullmatch(scalar.text)
    return (_UNQUOTED, scalar.text) if is_ambiguous else scalar.value


def _key(text: str, key: Scalar) -> str:
    """A key; one that parsers may read as another type than a string differs from the quoted one."""
    is_word = _AMBIGUOUS.fullmatch(text) or isinstance(resolve(text), bool | None)
    return f"{text} (unquoted)" if is_word and not key.quoted else text
