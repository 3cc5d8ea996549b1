"""
How one field change looks: before → after on its line, elements of sets, hunks of long text, outlines.

A change is read in this order: a secret shows only that it changed; a set shows added and removed elements;
long text shows hunks; short values are shown on one line; all others one below the other.
"""

from collections.abc import Callable, Mapping
from dataclasses import field
from typing import Any

from cesplan.domain.change import FieldAction, FieldChange
from cesplan.domain.field_path import Element, FieldPath, Index
from cesplan.domain.frozen import dataclass
from cesplan.domain.text.typed_diff import TypedDiff
from cesplan.domain.text.words import count
from cesplan.domain.value import Secret, only_in
from cesplan.model.spec import FieldSpec
from cesplan.render.field_redactor import FieldRedactor
from cesplan.render.page import Ink, Line, Page, Span, indented, line, wrapped
from cesplan.render.text.layout import Layout
from cesplan.render.text.long_text import block_page, hunks_page, words_page
from cesplan.render.values import NOT_SET, inline, line_ends_only, outline, whole_outline

INDENT = 6
_MOST_DETAILS = 8
"""The most changes in the meaning of a text that are listed; the rest are only counted."""
_MOST_ELEMENTS = 20
"""The most added or removed elements that are listed; the rest are only counted. JSON has them all."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldContext:
    """The context of a resource's fields: layout, redactor, and the files of its texts."""

    layout: Layout
    redactor: FieldRedactor
    files: Mapping[str, str] = field(default_factory=dict)
    name: Callable[[FieldPath], str] = lambda path: ""
    """A name for the numbered element in a path; empty if nothing names it."""


def field_page(change: FieldChange, context: FieldContext) -> Page:
    """The lines of one change, indented under its resource."""
    before, after = context.redactor.readable_sides(change)
    head = head_of(change, context.name(change.path))
    if change.action is FieldAction.MOVED:
        return context.layout.row(head, line(Span("moved ", Ink.UPDATE), f"from [{before}]"))
    if isinstance(before, Secret) and isinstance(after, Secret):
        return context.layout.row(head, line(Span("new value ", Ink.UPDATE), inline(after)))
    if change.is_set:
        known = context.redactor.field(change.path)
        page = _set_page(head, before or [], after or [], context.layout, known)
        return [*page, *typed_page(change, context.layout)]
    if ends := line_ends_only(before, after):
        return context.layout.row(head, line(Span("line ends only ", Ink.UPDATE), ends))
    if _is_text(before) and _is_text(after) and "\n" in before + after:
        return _hunks(head, change, context)
    is_whole = change.action is not FieldAction.MODIFIED
    if change.language and is_whole and _is_text(before or after) and "\n" in (before or after):
        return _whole_text(head, change, context)
    is_element = isinstance(change.path.segments[-1], Index | Element)
    short = _short(head, before, after, context.layout, is_element=is_element)
    page = short or _one_below_the_other(head, before, after, context.layout)
    return [*page, *typed_page(change, context.layout)]


def typed_page(change: FieldChange, layout: Layout) -> Page:
    """The meaning of a difference between two texts in their language: the verdict, with its details below."""
    if change.typed is None:
        return []
    verdict = Span(change.typed.verdict, Ink.WARNING if change.typed.breaking else Ink.DIM)
    rows = wrapped(line(" " * (INDENT + 2), verdict), layout.width, INDENT + 4)
    return [*rows, *details_page(change.typed, layout)]


def details_page(typed: TypedDiff, layout: Layout) -> Page:
    """The details of a verdict, breaking changes first; a single detail is the verdict itself."""
    details = typed.details if len(typed.details) > 1 or typed.breaking else ()
    most = len(details) if layout.view.full else _MOST_DETAILS
    page: Page = []
    for item in details[:most]:
        sign, ink = ("!", Ink.WARNING) if item.breaking else ("·", Ink.DIM)
        code = f" ({item.code})" if item.code else ""
        row = line(" " * (INDENT + 2), Span(f"{sign} {item.text}{code}", ink))
        page += wrapped(row, layout.width, INDENT + 4)
    if len(details) > most:
        more = f"… and {count(len(details) - most, 'more change')} (--full shows them)"
        page.append(line(" " * (INDENT + 2), Span(more, Ink.DIM, cut=True)))
    return page


def head_of(change: FieldChange, name: str = "") -> Line:
    """The path, indented, with the name of its element."""
    return (Span(" " * INDENT), Span(str(change.path)), *([Span(f" ({name})", Ink.DIM)] if name else []))


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _short(head: Line, before: Any, after: Any, layout: Layout, *, is_element: bool) -> Page:
    """Both values on one line, or nothing when that is too wide or hides their structure."""
    if any(isinstance(item, dict | list) and item for item in (before, after)):
        return []
    right: Line = (_value(before, Ink.DELETE), Span(" → ", Ink.DIM), _value(after, Ink.CREATE))
    if is_element and None in (before, after):
        right = (Span("+ ", Ink.CREATE), right[2]) if before is None else (Span("- ", Ink.DELETE), right[0])
    rows = layout.row(head, right)
    fits = sum(len(span.text) for span in right) + INDENT + 2 <= layout.width
    return rows if fits else []


def _value(value: Any, ink: str) -> Span:
    return Span(NOT_SET, Ink.DIM) if value is None else Span(inline(value), ink)


def _one_below_the_other(head: Line, before: Any, after: Any, layout: Layout) -> Page:
    if _is_text(before) and _is_text(after):
        return [head, *indented(words_page(before, after, layout.width - INDENT - 2), INDENT + 2)]
    word = {(True, False): Span("added", Ink.CREATE), (False, True): Span("removed", Ink.DELETE)}
    right = word.get((before is None, after is None))
    rows: Page = [
        *_outlined("- ", before, Ink.DELETE, layout),
        *_outlined("+ ", after, Ink.CREATE, layout),
    ]
    return [*layout.row(head, (right,) if right else ()), *rows]


def _outlined(sign: str, value: Any, ink: str, layout: Layout) -> Page:
    rows = [] if value is None else outline(value)
    cut = value is not None and len(rows) < len(whole_outline(value))
    page: Page = []
    for row in rows:
        hang = len(row) - len(row.lstrip()) + 4
        page += wrapped((Span(sign, ink, cut=cut), Span(row, ink)), layout.width - INDENT - 2, hang)
    return indented(page, INDENT + 2)


def _set_page(head: Line, before: list[Any], after: list[Any], layout: Layout, known: FieldSpec | None) -> Page:
    """Added and removed elements, one below the other in the right column."""
    removed, added = only_in(before, after), only_in(after, before)
    rows = [Span(f"- {_element(item, known)}", Ink.DELETE) for item in removed]
    rows += [Span(f"+ {_element(item, known)}", Ink.CREATE) for item in added]
    if len(rows) > _MOST_ELEMENTS:
        rest = len(rows) - _MOST_ELEMENTS
        rows = [*rows[:_MOST_ELEMENTS], Span(f"… and {count(rest, 'more element')}", Ink.DIM, cut=True)]
    first = layout.row(head, (rows[0],)) if rows else [head]
    column = _right_column(first, head)
    return [*first, *indented([(row,) for row in rows[1:]], column)]


def _right_column(first: Page, head: Line) -> int:
    """Where the right part of a row begins."""
    if len(first) > 1:
        return len(first[1][0].text)
    return sum(len(span.text) for span in first[0][:-1]) if len(first[0]) > len(head) else 0


def _element(value: Any, known: FieldSpec | None) -> str:
    """An element of a set; a reference that can have only one kind is shown by its key."""
    mark = known.reference if known else None
    if mark and len(mark.kinds) == 1 and isinstance(value, str):
        return value.removeprefix(f"{mark.kinds[0]}/")
    return inline(value)


def _hunks(head: Line, change: FieldChange, context: FieldContext) -> Page:
    made, summary = hunks_page(change.before, change.after, change.language, context.layout)
    if change.typed is None:
        return [*context.layout.row(head, (Span(summary, Ink.DIM),)), *made]
    heading = Span(f"{change.typed.verdict} ({summary})", Ink.WARNING if change.typed.breaking else Ink.DIM)
    layout = context.layout
    return [*layout.row(head, (heading,)), *details_page(change.typed, layout), *made]


def _whole_text(head: Line, change: FieldChange, context: FieldContext) -> Page:
    """An added or removed text: its source, its length, and its beginning."""
    is_new = change.action is FieldAction.ADDED
    text = change.after if is_new else change.before
    file = context.files.get(str(change.path), "") if is_new else ""
    size = count(text.count("\n") + 1, "line")
    right = Span(f"{file + ', ' if file else ''}{size} {'added' if is_new else 'removed'}", Ink.DIM)
    return [*context.layout.row(head, (right,)), *block_page(text, change.language, context.layout, new=is_new)]
