"""How one field change looks in Markdown: both values on a line, elements of sets, hunks of long text."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from difflib import unified_diff
from typing import Any

from cesplan.domain.change import FieldAction, FieldChange
from cesplan.domain.value import Secret, canonical_text
from cesplan.render.line_ends import line_ends_only
from cesplan.render.masking import Veil
from cesplan.render.page import printable
from cesplan.render.values import inline, outline

_RUN = re.compile("`+")
_CONTEXT = 3
_LONGEST_INLINE = 80
_MOST_LINES = 200
"""Of a longer difference the rest is only counted: somebody reads it in the pull request itself."""


def fields_markdown(change: FieldChange, veil: Veil, *, full: bool) -> str:
    """The lines of one change; `full` shows unchanged lines around what changed in long texts."""
    before, after = veil.sides(change)
    head = f"- {code(str(change.path))}"
    if change.action is FieldAction.MOVED:
        return f"{head}: moved from [{before}]"
    if isinstance(before, Secret) and isinstance(after, Secret):
        return f"{head}: new value {code(inline(after))}"
    if change.is_set:
        return f"{head}: {', '.join(_elements(before or [], after or []))}"
    if ends := line_ends_only(before, after):
        return f"{head}: line ends only, {ends}"
    one, other = inline(before), inline(after)
    if max(len(one), len(other)) <= _LONGEST_INLINE and "\\n" not in one + other:
        return f"{head}: {code(one)} → {code(other)}"
    return f"{head}:\n\n{_difference(before, after, full=full)}\n"


def code(text: str) -> str:
    """A text as inline code, whatever backticks are in it."""
    shown = printable(text)
    longest = max(map(len, _RUN.findall(shown)), default=0)
    if not longest:
        return f"`{shown}`" if shown.strip() else "` `"
    ticks = "`" * (longest + 1)
    return f"{ticks} {shown} {ticks}"


def fence(rows: Sequence[str], language: str) -> str:
    """A block of code that no backtick inside can end, and in which every sign can be seen."""
    rows = [printable(row) for row in rows]
    longest = max((len(run) for row in rows for run in _RUN.findall(row)), default=0)
    ticks = "`" * max(3, longest + 1)
    return "\n".join([f"{ticks}{language}", *rows, ticks])


def _elements(before: list[Any], after: list[Any]) -> Iterator[str]:
    yield from (f"+ {code(inline(item))}" for item in _surplus(after, before))
    yield from (f"− {code(inline(item))}" for item in _surplus(before, after))


def _surplus(these: list[Any], those: list[Any]) -> Iterator[Any]:
    left = Counter(map(canonical_text, those))
    for item in these:
        text = canonical_text(item)
        if left[text]:
            left[text] -= 1
        else:
            yield item


def _difference(before: Any, after: Any, *, full: bool) -> str:
    found = unified_diff(_rows(before), _rows(after), lineterm="", n=_CONTEXT if full else 0)
    rows = [*found][2:]
    more = len(rows) - _MOST_LINES
    if more > 0:
        rows = [*rows[:_MOST_LINES], f"… and {more:,} more lines: cesplan show --full FILE"]
    return fence(rows, "diff")


def _rows(value: Any) -> list[str]:
    if value is None:
        return []
    return value.split("\n") if isinstance(value, str) else outline(value)
