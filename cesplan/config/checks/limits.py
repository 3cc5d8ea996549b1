"""CES062 to CES065: the documented limits of single fields, from the marks of the models."""

import re
from collections.abc import Iterator
from functools import cache
from typing import Any

from cesplan.config.checks.walking import FileWalk, Visit
from cesplan.config.manifest import AppTree, Finding
from cesplan.config.suggestions import guess
from cesplan.model.marks import AtMost, Choices, Form, Within

_MARKS = (Within, AtMost, Form, Choices)
_LIMITED = FileWalk(lambda _, field: any(isinstance(mark, _MARKS) for mark in field.marks))


def check_limits(tree: AppTree) -> list[Finding]:
    """Check ranges of numbers, sizes of lists and texts, formats of texts, and choices."""
    return [finding for visit in _LIMITED.over(*tree.all()) for finding in findings(visit)]


def findings(visit: Visit) -> Iterator[Finding]:
    """The findings about one value from the marks of its field."""
    for mark in visit.field.marks:
        match mark:
            case Within():
                yield from _within(visit, mark)
            case AtMost():
                yield from _at_most(visit, mark)
            case Form():
                yield from _form(visit, mark)
            case Choices():
                yield from _choices(visit, mark)


def _within(visit: Visit, mark: Within) -> Iterator[Finding]:
    for path, value in visit.elements():
        number = _number(value)
        if number is None or mark.low <= number <= mark.high or (number == 0 and visit.field.zero_is_unset):
            continue
        what = f"{_shown(visit, value)} is outside {mark.low:g} to {mark.high:g}"
        yield visit.finding("CES062", what, "The API reference documents this range.", None, path=path)


def _at_most(visit: Visit, mark: AtMost) -> Iterator[Finding]:
    value = visit.value
    if not isinstance(value, list | dict | str) or len(value) <= mark.count:
        return
    unit = "characters" if isinstance(value, str) else "entries"
    what = f"`{visit.field.name}` has {len(value)} {unit}, but at most {mark.count} are allowed"
    yield visit.finding("CES063", what, "The API reference documents this limit.", None)


def _form(visit: Visit, mark: Form) -> Iterator[Finding]:
    for path, value in visit.elements():
        if isinstance(value, str) and value and not _pattern(mark.pattern).fullmatch(value):
            yield visit.finding("CES064", f"{_shown(visit, value)} is not {mark.name}", place=None, path=path)


def _choices(visit: Visit, mark: Choices) -> Iterator[Finding]:
    for path, value in visit.elements():
        if isinstance(value, str) and value and value not in mark.values:
            what = f"{_shown(visit, value)} is not one of {', '.join(mark.values)}"
            yield visit.finding("CES065", what, correction=guess(value, mark.values), place=None, path=path)


def _number(value: Any) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        return float(value)
    except (ValueError, OverflowError):
        return None


def _shown(visit: Visit, value: Any) -> str:
    """A value for a message. Sensitive and long values are replaced by the name of the field."""
    text = str(value)
    if visit.field.secrecy or len(text) > 60 or "\n" in text:
        return f"the value of `{visit.field.name}`"
    return f"`{text}`"


@cache
def _pattern(text: str) -> re.Pattern[str]:
    return re.compile(text)
