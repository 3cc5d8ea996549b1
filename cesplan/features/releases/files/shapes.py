"""
Shapes: what a value of a file may look like, in one description from which it is read and its schema is made.

Reading reports every problem at its place and returns None for what has one; unknown keys get a suggestion.
"""

import re
from collections.abc import Mapping
from dataclasses import field
from datetime import timedelta
from typing import Any, TypeAlias, assert_never

from cesplan.config.report import FileReport
from cesplan.config.suggestions import Guess, guess, guess_key, one_of
from cesplan.config.yaml import nodes
from cesplan.domain.frozen import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class TextShape:
    """A nonempty string."""

    doc: str = ""
    choices: tuple[str, ...] = ()
    pattern: str = ""
    form: str = ""
    """The pattern as text, after "must be"."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Number:
    """A number with bounds, which are part of it."""

    doc: str = ""
    low: float
    high: float
    integer: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Flag:
    """True or false."""

    doc: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class TimeShape:
    """A length of time: `90s`, `30m`, `4h`, `1h30m`, `2d`."""

    doc: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Free:
    """Any mapping."""

    doc: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ListOf:
    """A list; with `or_one`, a single item may stand for a list of one."""

    doc: str = ""
    item: "Shape"
    at_least: int = 0
    at_most: int = 1_000
    or_one: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class MapOf:
    """A mapping with names that the user chooses, or with some of the known `keys`."""

    doc: str = ""
    item: "Shape"
    keys: tuple[str, ...] = ()
    key_word: str = "key"


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordShape:
    """A mapping with known keys. With `short`, a bare value stands for a record with only this key."""

    doc: str = ""
    fields: Mapping[str, "Shape"]
    required: tuple[str, ...] = ()
    short: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Variants:
    """One of several records, distinguished by the key that only it has."""

    doc: str = ""
    by_key: Mapping[str, RecordShape] = field(default_factory=dict)


Shape: TypeAlias = TextShape | Number | Flag | TimeShape | Free | ListOf | MapOf | RecordShape | Variants

_TIME = re.compile(r"(?=\d)(?:(\d{1,4})d)?(?:(\d{1,5})h)?(?:(\d{1,6})m)?(?:(\d{1,8})s)?")
_TIME_WORDS = "a duration such as `90s`, `30m`, `4h`, `1h30m`, or `2d`"
TIME_PATTERN = r"^(?=\d)(\d{1,4}d)?(\d{1,5}h)?(\d{1,6}m)?(\d{1,8}s)?$"


def read(shape: Shape, node: nodes.Node, name: str, report: FileReport) -> Any:
    """The value of a node, None if it does not have the shape; `name` is what messages call it."""
    match shape:
        case TextShape():
            return _text(shape, node, name, report)
        case Number():
            return _number(shape, node, name, report)
        case Flag():
            value = node.value if isinstance(node, nodes.Scalar) else None
            return value if isinstance(value, bool) else _wrong(node, name, "true or false", report)
        case TimeShape():
            return _time(node, name, report)
        case Free():
            return (
                nodes.plain(node)
                if isinstance(node, nodes.Mapping)
                else _wrong(node, name, "a mapping", report)
            )
        case ListOf():
            return _list(shape, node, name, report)
        case MapOf():
            return _map(shape, node, name, report)
        case RecordShape():
            return _record(shape, node, name, report)
        case Variants():
            return _variant(shape, node, name, report)
        case _:
            assert_never(shape)


def time_of(text: str) -> timedelta | None:
    """The length of time that a text says; None for another text."""
    found = _TIME.fullmatch(text)
    if not found:
        return None
    days, hours, minutes, seconds = (int(part or 0) for part in found.groups())
    return timedelta(days=days, hours=hours, minutes=minutes, seconds=seconds)


def _wrong(
    node: nodes.Node, name: str, expected: str, report: FileReport, correction: Guess | None = None
) -> None:
    found = nodes.kind_of(node)
    if isinstance(node, nodes.Scalar) and node.value is not None:
        found = f"`{node.text}`"
    report.problem(node, f"`{name}` must be {expected}, but this is {found}", correction=correction)


def _text(shape: TextShape, node: nodes.Node, name: str, report: FileReport) -> str | None:
    value = node.value if isinstance(node, nodes.Scalar) else None
    if shape.choices:
        chosen = next((item for item in shape.choices if item == value), None)
        if chosen is None:
            correction = guess(str(value), shape.choices) if value else None
            _wrong(node, name, one_of(shape.choices), report, correction)
        return chosen
    if not isinstance(value, str) or not value.strip():
        _wrong(node, name, "a string", report)
        return None
    if shape.pattern and not re.fullmatch(shape.pattern, value):
        _wrong(node, name, shape.form, report)
        return None
    return value


def _number(shape: Number, node: nodes.Node, name: str, report: FileReport) -> float | int | None:
    value = node.value if isinstance(node, nodes.Scalar) else None
    is_number = isinstance(value, int if shape.integer else int | float) and not isinstance(value, bool)
    if not is_number or not shape.low <= value <= shape.high:  # type: ignore[operator]  # it is a number
        what = "a whole number" if shape.integer else "a number"
        _wrong(node, name, f"{what} from {shape.low:g} to {shape.high:g}", report)
        return None
    return value if shape.integer else float(value)  # type: ignore[arg-type]  # as above


def _time(node: nodes.Node, name: str, report: FileReport) -> timedelta | None:
    value = node.value if isinstance(node, nodes.Scalar) else None
    found = time_of(value) if isinstance(value, str) else None
    if found is None:
        _wrong(node, name, _TIME_WORDS, report)
    return found


def _list(shape: ListOf, node: nodes.Node, name: str, report: FileReport) -> list[Any] | None:
    if not isinstance(node, nodes.Sequence):
        if shape.or_one:
            found = read(shape.item, node, name, report)
            return None if found is None else [found]
        _wrong(node, name, "a list", report)
        return None
    if not shape.at_least <= len(node.items) <= shape.at_most:
        report.problem(
            node, f"`{name}` must have {shape.at_least} to {shape.at_most:,} items, not {len(node.items):,}"
        )
        return None
    items = [read(shape.item, item, f"{name}[{at}]", report) for at, item in enumerate(node.items)]
    return None if any(item is None for item in items) else items


def _map(shape: MapOf, node: nodes.Node, name: str, report: FileReport) -> dict[str, Any] | None:
    if not isinstance(node, nodes.Mapping):
        _wrong(node, name, "a mapping", report)
        return None
    found = {}
    is_right = True
    for key, at, value in node:
        if shape.keys and key not in shape.keys:
            _unknown(at, guess_key(key, shape.keys, node.entries), shape.keys, name, shape.key_word, report)
            is_right = False
            continue
        found[key] = read(shape.item, value, f"{name}.{key}", report)
        is_right &= found[key] is not None
    return found if is_right else None


def _record(shape: RecordShape, node: nodes.Node, name: str, report: FileReport) -> dict[str, Any] | None:
    if not isinstance(node, nodes.Mapping):
        if shape.short and isinstance(node, nodes.Scalar):
            found = read(shape.fields[shape.short], node, name, report)
            return None if found is None else {shape.short: found}
        _wrong(node, name, "a mapping", report)
        return None
    values: dict[str, Any] = {}
    is_right = True
    for key, at, value in node:
        if key not in shape.fields:
            _unknown(at, guess_key(key, shape.fields, node.entries), tuple(shape.fields), name, "key", report)
            is_right = False
            continue
        values[key] = read(shape.fields[key], value, f"{name}.{key}" if name else key, report)
        is_right &= values[key] is not None
    for key in shape.required:
        if key not in node.entries:
            report.problem(node, f"`{key}` is missing" + (f" in `{name}`" if name else ""))
            is_right = False
    return values if is_right else None


def _variant(shape: Variants, node: nodes.Node, name: str, report: FileReport) -> dict[str, Any] | None:
    if not isinstance(node, nodes.Mapping):
        _wrong(node, name, "a mapping", report)
        return None
    given = [key for key in shape.by_key if key in node.entries]
    if len(given) != 1:
        why = "has more than one of" if given else "needs one of"
        report.problem(node, f"`{name}` {why} {', '.join(f'`{key}`' for key in shape.by_key)}")
        return None
    return _record(shape.by_key[given[0]], node, name, report)


def _unknown(
    at: nodes.Node, correction: Guess, known: tuple[str, ...], name: str, word: str, report: FileReport
) -> None:
    where = f" in `{name}`" if name else ""
    detail = "" if correction.nearest else f"Known: {', '.join(known)}."
    report.problem(at, f"unknown {word} `{correction.word}`{where}", detail=detail, correction=correction)
