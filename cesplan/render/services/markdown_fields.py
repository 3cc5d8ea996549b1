"""How one field change looks in Markdown: both values on a line, elements of sets, hunks of long text."""

import re
from collections.abc import Iterator, Sequence
from typing import Any

from cesplan.domain.change import FieldAction, FieldChange
from cesplan.domain.text.line_matching import grouped, opcodes
from cesplan.domain.text.typed_diff import TypedDetail, TypedDiff
from cesplan.domain.value import Secret, only_in
from cesplan.render.field_redactor import FieldRedactor
from cesplan.render.page import printable
from cesplan.render.services.markdown_escaping import inert
from cesplan.render.values import inline, line_ends_only, lines_of

_RUN = re.compile("`+")
_CONTEXT = 3
_LONGEST_INLINE = 80
_MOST_DETAILS = 20
_MOST_LINES = 200
"""The rest of a longer difference is only counted, because the pull request itself shows it."""


def fields_markdown(change: FieldChange, redactor: FieldRedactor, *, full: bool, name: str = "") -> str:
    """
    The lines of one change; `full` shows the unchanged lines around changes in long texts.

    `name` describes the numbered element in the path.
    """
    before, after = redactor.readable_sides(change)
    head = f"- {code(str(change.path))}{f' ({inert(name)})' if name else ''}"
    if change.action is FieldAction.MOVED:
        return f"{head}: moved from [{before}]"
    if isinstance(before, Secret) and isinstance(after, Secret):
        return f"{head}: new value {code(inline(after))}"
    if change.is_set:
        typed = _verdict(change.typed, full=full)
        return f"{head}: {', '.join(_elements(before or [], after or []))}{f' — {typed}' if typed else ''}"
    if ends := line_ends_only(before, after):
        return f"{head}: line ends only, {ends}"
    verdict = _verdict(change.typed, full=full)
    one, other = inline(before), inline(after)
    if max(len(one), len(other)) <= _LONGEST_INLINE and "\\n" not in one + other:
        return f"{head}: {code(one)} → {code(other)}{f' — {verdict}' if verdict else ''}"
    return f"{head}:{f' {verdict}' if verdict else ''}\n\n{_difference(before, after, full=full)}\n"


def _verdict(typed: TypedDiff | None, *, full: bool) -> str:
    """The verdict on the difference of two texts, with details; breaking changes are always shown."""
    if typed is None:
        return ""
    details = typed.details if len(typed.details) > 1 or typed.breaking else ()
    shown = [item for item in details if full or item.breaking][:_MOST_DETAILS]
    rows = [f"\n  - {'⚠️ ' if item.breaking else ''}{inert(_with_code(item))}" for item in shown]
    more = len(details) - len(shown)
    rows += [f"\n  - … and {more:,} more"] if more and shown else []
    return f"{inert(typed.verdict)}{''.join(rows)}"


def _with_code(item: TypedDetail) -> str:
    return f"{item.text} ({item.code})" if item.code else item.text


def code(text: str) -> str:
    """A text as inline code, even if it contains backticks."""
    shown = printable(text)
    longest = max(map(len, _RUN.findall(shown)), default=0)
    if not longest:
        return f"`{shown}`" if shown.strip() else "` `"
    ticks = "`" * (longest + 1)
    return f"{ticks} {shown} {ticks}"


def fence(rows: Sequence[str], language: str) -> str:
    """A block of code that no backtick inside can end, with every character visible."""
    rows = [printable(row) for row in rows]
    longest = max((len(run) for row in rows for run in _RUN.findall(row)), default=0)
    ticks = "`" * max(3, longest + 1)
    return "\n".join([f"{ticks}{language}", *rows, ticks])


def _elements(before: list[Any], after: list[Any]) -> Iterator[str]:
    yield from (f"− {code(inline(item))}" for item in only_in(before, after))
    yield from (f"+ {code(inline(item))}" for item in only_in(after, before))


def _difference(before: Any, after: Any, *, full: bool) -> str:
    rows = [*_unified(lines_of(before), lines_of(after), _CONTEXT if full else 0)]
    more = len(rows) - _MOST_LINES
    if more > 0:
        rows = [*rows[:_MOST_LINES], f"… and {more:,} more lines"]
    return fence(rows, "diff")


def _unified(old: list[str], new: list[str], context: int) -> Iterator[str]:
    """The lines of a unified diff, without its two heading lines."""
    for group in grouped(opcodes(old, new), context):
        (_, i1, _, j1, _), (_, _, i2, _, j2) = group[0], group[-1]
        yield f"@@ -{_range(i1, i2)} +{_range(j1, j2)} @@"
        for tag, low, high, first, last in group:
            if tag == "equal":
                yield from (f" {row}" for row in old[low:high])
            else:
                yield from (f"-{row}" for row in old[low:high])
                yield from (f"+{row}" for row in new[first:last])


def _range(start: int, stop: int) -> str:
    """As difflib and diff write it: an empty range begins at the line before."""
    length = stop - start
    return str(start + 1) if length == 1 else f"{start + (length > 0)},{length}"
