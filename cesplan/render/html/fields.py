"""Field changes as data for a template: two values, added and removed elements, or texts side by side."""

from collections.abc import Iterator
from itertools import zip_longest
from typing import Any

from cesplan.domain.change import FieldAction, FieldChange
from cesplan.domain.frozen import dataclass
from cesplan.domain.text.typed_diff import TypedDiff
from cesplan.domain.value import Secret, only_in
from cesplan.render.documents import sorted_members
from cesplan.render.field_redactor import FieldRedactor
from cesplan.render.plan_words import edit_of
from cesplan.render.text.text_diff import DiffLine, Piece, Sign, text_diff, word_diff
from cesplan.render.values import inline, line_ends_only, whole_outline

_LONGEST = 60
"""The most characters of a value that shares a line with the other side."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """A line on one side."""

    number: int = 0
    pieces: tuple[Piece, ...] = ()
    is_there: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """A line of a text on both sides; a `gap` replaces equal lines."""

    old: Cell
    new: Cell
    is_same: bool = False
    gap: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    """One change; only the form that suits it has content."""

    path: str
    about: str = ""
    """A name for the numbered element in the path."""
    note: str = ""
    """The change in words, if the element moved or only line ends changed."""
    before: str = ""
    after: str = ""
    """Both values, if they are short."""
    gone: tuple[str, ...] = ()
    come: tuple[str, ...] = ()
    """Elements of a set, or the lines of an outline."""
    rows: tuple[Row, ...] = ()
    """A text, side by side."""
    whole: str = ""
    """The whole new text, if `rows` leave out equal lines."""
    typed: TypedDiff | None = None
    """The meaning of the difference."""
    edit: str = ""
    """The live edit that this reverts, as text."""


def field_of(change: FieldChange, redactor: FieldRedactor, about: str = "") -> Field:
    """One change; secrets are names of variables."""
    before, after = redactor.readable_sides(change)
    path, edit, typed = str(change.path), edit_of(change), change.typed
    if change.action is FieldAction.MOVED:
        return Field(path=path, about=about, note=f"moved from [{before}]", edit=edit)
    if isinstance(before, Secret) and isinstance(after, Secret):
        return Field(path=path, about=about, note=f"new value {inline(after)}", edit=edit)
    if ends := line_ends_only(before, after):
        return Field(path=path, about=about, note=f"line ends only, {ends}", edit=edit)
    if change.is_set:
        removed, added = only_in(before or [], after or []), only_in(after or [], before or [])
        gone, come = tuple(map(inline, removed)), tuple(map(inline, added))
        return Field(path=path, about=about, gone=gone, come=come, edit=edit)
    if isinstance(before, str) and isinstance(after, str) and (change.language or "\n" in before + after):
        rows = tuple(_rows(before, after))
        whole = after if any(row.gap for row in rows) else ""
        return Field(path=path, about=about, rows=rows, whole=whole, typed=typed, edit=edit)
    one, other = inline(before), inline(after)
    is_plain = not any(isinstance(item, dict | list) and item for item in (before, after))
    if is_plain and max(len(one), len(other)) <= _LONGEST and "\\n" not in one + other:
        return Field(path=path, about=about, before=one, after=other, typed=typed, edit=edit)
    if isinstance(before, str) and isinstance(after, str):
        old, new = word_diff(before, after)
        row = Row(old=Cell(pieces=old), new=Cell(pieces=new))
        return Field(path=path, about=about, rows=(row,), typed=typed, edit=edit)
    return Field(path=path, about=about, gone=_outlined(before), come=_outlined(after), typed=typed, edit=edit)


def body_rows(redactor: FieldRedactor, body: Any) -> tuple[str, ...]:
    """Every line of a body, its members sorted."""
    return tuple(whole_outline(sorted_members(redactor.body(body)))) if body else ()


def _outlined(value: Any) -> tuple[str, ...]:
    return () if value is None else tuple(whole_outline(value))


def _rows(before: str, after: str) -> Iterator[Row]:
    """The lines of two texts side by side; old and new lines between equal ones are paired."""
    old: list[DiffLine] = []
    new: list[DiffLine] = []
    shift = 0
    for item in text_diff(before, after).lines:
        if item.sign is Sign.OLD:
            old.append(item)
        elif item.sign is Sign.NEW:
            new.append(item)
        else:
            shift += len(new) - len(old)
            yield from _paired(old, new)
            old, new = [], []
            if item.sign is Sign.GAP:
                yield Row(old=_NO_CELL, new=_NO_CELL, gap=True)
            else:
                there = Cell(number=item.number - shift, pieces=item.pieces)
                yield Row(old=there, new=Cell(number=item.number, pieces=item.pieces), is_same=True)
    yield from _paired(old, new)


_NO_CELL = Cell(is_there=False)


def _paired(old: list[DiffLine], new: list[DiffLine]) -> Iterator[Row]:
    for one, other in zip_longest(old, new):
        yield Row(old=_cell(one), new=_cell(other))


def _cell(item: DiffLine | None) -> Cell:
    return Cell(number=item.number, pieces=item.pieces) if item else _NO_CELL
