"""
The values of a text without their places.

Creating nodes is the most expensive part of reading a file, and only findings need places. So a text is first
read for its values alone, from the same events that the composer gets. A text with an error, an alias, a tag, a
merge key, or a key that is not a string is not simple, and is left to the composer.
"""

from collections.abc import Iterator
from contextlib import suppress
from sys import intern
from typing import Any, NamedTuple

from ruamel.yaml.error import MarkedYAMLError
from ruamel.yaml.events import (
    AliasEvent,
    DocumentStartEvent,
    MappingEndEvent,
    MappingStartEvent,
    ScalarEvent,
    SequenceEndEvent,
    SequenceStartEvent,
)

from cesplan.config.yaml.composing import DEEPEST
from cesplan.config.yaml.core_schema import resolve
from cesplan.config.yaml.events import SyntaxProblem, check_characters, fast_readings
from cesplan.config.yaml.nodes import At

MOST_CHARACTERS = 200_000
"""The longest simple text: it always has fewer events and values than the composer allows."""
_MERGE = "<<"


class Simple(NamedTuple):
    """The mapping in a text, with its start and end."""

    values: dict[str, Any]
    start: At
    end: At


class _NotSimple(Exception):
    """Only the composer can read this text."""


def simple_mapping(text: str) -> Simple | None:
    """The mapping in a text; None if the text is not simple, or is not a mapping."""
    if len(text) > MOST_CHARACTERS:
        return None
    with suppress(_NotSimple, SyntaxProblem):
        check_characters(text)
        for events in fast_readings(text):
            with suppress(MarkedYAMLError):
                return _mapping(events)
    return None


def _mapping(events: Iterator[Any]) -> Simple:  # noqa: C901  # calls would cost more than what they do
    """
    The only document in a text. Raises _NotSimple, and MarkedYAMLError if libyaml refuses the text.

    One loop without calls: 1,000 files have 200,000 events.
    """
    root: Any = None
    holder: Any = None  # the innermost open collection
    around: list[Any] = []  # those outside it
    name: str | None = None  # the key in it that is waiting for its value
    marks: list[Any] = []  # the start and end of the root
    for event in events:
        kind = type(event)
        if kind is ScalarEvent:
            value = event.value
            is_plain, is_quoted = event.implicit
            if is_plain:
                value = resolve(value)
            elif not is_quoted:  # it has a tag
                raise _NotSimple
        elif kind is MappingEndEvent or kind is SequenceEndEvent:
            holder = around.pop()
            if holder is None:
                marks.append(event.end_mark)
            continue
        elif kind is MappingStartEvent or kind is SequenceStartEvent:
            if event.ctag is not None or len(around) == DEEPEST:
                raise _NotSimple
            value = {} if kind is MappingStartEvent else []
        elif kind is AliasEvent or (kind is DocumentStartEvent and marks):
            raise _NotSimple
        else:
            continue
        if name is not None:
            holder[name] = value
            name = None
        elif type(holder) is list:
            holder.append(value)
        elif holder is None:
            root = value
            marks.append(event.start_mark)
        elif type(value) is str and value not in holder and value != _MERGE:
            name = intern(value)
            continue
        else:
            raise _NotSimple
        if kind is not ScalarEvent:
            around.append(holder)
            holder = value
    if type(root) is not dict:
        raise _NotSimple
    start, end = (At(mark.line, mark.column) for mark in marks)
    return Simple(root, start, end)
