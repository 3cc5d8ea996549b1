"""The ranges of a text that aliases refer to, and which therefore apply in more than one place."""

from collections.abc import Iterator
from contextlib import suppress
from typing import Any

from ruamel.yaml.error import YAMLError
from ruamel.yaml.events import (
    AliasEvent,
    MappingEndEvent,
    MappingStartEvent,
    ScalarEvent,
    SequenceEndEvent,
    SequenceStartEvent,
)

from cesplan.config.yaml.events import SyntaxProblem, exact_events, fast_readings
from cesplan.config.yaml.nodes import At

_EVERYTHING = ((At(0, 0), At(1 << 60, 0)),)


def aliased_ranges(text: str) -> tuple[tuple[At, At], ...]:
    """
    The ranges of values that aliases repeat, including their anchors; in order, without overlaps.

    If a text cannot be parsed, the range is the whole text.
    """
    if "&" not in text or "*" not in text:
        return ()
    for events in fast_readings(text):
        with suppress(YAMLError):  # a ReaderError has no mark
            return _ranges(events)
    try:
        return _ranges(exact_events(text))
    except (SyntaxProblem, YAMLError):
        return _EVERYTHING


def _ranges(events: Any) -> tuple[tuple[At, At], ...]:
    anchored: dict[str, tuple[At, At]] = {}
    repeated: list[tuple[At, At]] = []
    opened: list[Any] = []
    for event in events:
        match event:
            case MappingStartEvent() | SequenceStartEvent():
                opened.append(event)
            case MappingEndEvent() | SequenceEndEvent():
                start = opened.pop()
                if start.anchor:
                    anchored[start.anchor] = (_at(start.start_mark), _at(event.end_mark))
            case ScalarEvent() if event.anchor:
                anchored[event.anchor] = (_at(event.start_mark), _at(event.end_mark))
            case AliasEvent() if event.anchor in anchored:
                repeated.append(anchored[event.anchor])
    return tuple(_joined(sorted(set(repeated))))


def _joined(ranges: list[tuple[At, At]]) -> Iterator[tuple[At, At]]:
    """The ranges without overlaps, in order."""
    last: tuple[At, At] | None = None
    for first, end in ranges:
        if last is not None and first <= last[1]:
            last = (last[0], max(last[1], end))
            continue
        if last is not None:
            yield last
        last = (first, end)
    if last is not None:
        yield last


def _at(mark: Any) -> At:
    return At(mark.line, mark.column)
