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


def _mapping(events: Iterator[Any]) -> Simple:
    """The only document in a text. Raises _NotSimple, and MarkedYAMLError if libyaml refuses the text."""
    values = _Values()
    handler_of = {
        ScalarEvent: values.take_scalar,
        MappingStartEvent: values.start_mapping,
        SequenceStartEvent: values.start_sequence,
        MappingEndEvent: values.end,
        SequenceEndEvent: values.end,
        AliasEvent: values.refuse,
        DocumentStartEvent: values.start_document,
    }.get
    for event in events:
        handler = handler_of(type(event))
        if handler is not None:
            handler(event)
    if type(values.root) is not dict:
        raise _NotSimple
    start, end = (At(mark.line, mark.column) for mark in values.marks)
    return Simple(values.root, start, end)


class _Values:
    """Builds values from events. All methods raise _NotSimple."""

    def __init__(self) -> None:
        self.root: Any = None
        self.marks: list[Any] = []
        """The start and end of the root."""
        self._holder: Any = None
        """The innermost open collection."""
        self._key: str | None = None
        """The key in it that is waiting for its value."""
        self._around: list[Any] = []

    def take_scalar(self, event: Any) -> None:
        value = event.value
        is_plain, is_quoted = event.implicit
        if is_plain:
            value = resolve(value)
        elif not is_quoted:  # it has a tag
            raise _NotSimple
        if self._key is not None:
            self._holder[self._key] = value
            self._key = None
        else:
            self._add(value)

    def start_mapping(self, event: Any) -> None:
        self._start({}, event)

    def start_sequence(self, event: Any) -> None:
        self._start([], event)

    def end(self, event: Any) -> None:
        self._holder = self._around.pop()
        if self._holder is None:
            self.marks.append(event.end_mark)

    def start_document(self, event: Any) -> None:
        if self.marks:
            raise _NotSimple

    def refuse(self, event: Any) -> None:
        raise _NotSimple

    def _start(self, new: Any, event: Any) -> None:
        if event.ctag is not None or len(self._around) == DEEPEST:
            raise _NotSimple
        if self._key is not None:
            self._holder[self._key] = new
            self._key = None
        elif self._holder is None:
            self.root = new
            self.marks.append(event.start_mark)
        else:
            self._add(new)
        self._around.append(self._holder)
        self._holder = new

    def _add(self, value: Any) -> None:
        """Add an element, or a key."""
        holder = self._holder
        if type(holder) is list:
            holder.append(value)
        elif type(value) is str and holder is not None and value not in holder and value != _MERGE:
            self._key = intern(value)
        else:
            raise _NotSimple
