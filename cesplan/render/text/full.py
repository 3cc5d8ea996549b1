"""
Everything that one operation will write, in full, for a reviewer to read before approving.

Values are outlined as in YAML, texts with every line. A create shows the whole new resource, a delete the whole
resource that will be lost, an update each field that differs, with all lines of both sides. Secrets appear as
the names of their variables. Rows are never wrapped, so that they can be searched and compared.
"""

from collections.abc import Iterable

from cesplan.domain.change import FieldAction
from cesplan.domain.plan import Action, Operation, Purpose
from cesplan.domain.text.line_matching import opcodes
from cesplan.render.field_redactor import FieldRedactor, redactor_of
from cesplan.render.page import Ink, Page, Span, line
from cesplan.render.places import element_name
from cesplan.render.text.field import head_of, typed_page
from cesplan.render.text.layout import Layout, View
from cesplan.render.values import lines_of, whole_outline

_INDENT = 6
_WIDE = Layout(view=View(width=10_000, full=True), column=30)
"""Rows of a full page are never wrapped."""


def full_body_page(operation: Operation) -> Page:
    """The lines of an operation below its title."""
    redactor = redactor_of(operation)
    match operation.action:
        case Action.CREATE:
            return _rows("+", whole_outline(redactor.body(operation.after)), Ink.CREATE)
        case Action.DELETE:
            return _rows("-", whole_outline(redactor.body(operation.before)), Ink.DELETE)
        case Action.UPDATE:
            return _changes(operation, redactor)


def sent_page(operation: Operation) -> Page:
    """What each later step of an operation sends: references that a separate write sets or removes."""
    redactor = redactor_of(operation)
    page: Page = []
    for step in operation.steps:
        if step.id.purpose is not Purpose.MAIN and step.body:
            page.append(line(" " * _INDENT, Span(f"{step.id.purpose} sends", Ink.DIM)))
            page += _rows("~", whole_outline(redactor.body(step.body)), Ink.UPDATE)
    return page


def _changes(operation: Operation, redactor: FieldRedactor) -> Page:
    page: Page = []
    for change in operation.changes:
        before, after = redactor.readable_sides(change)
        page += [head_of(change, element_name(change.path, operation, redactor)), *typed_page(change, _WIDE)]
        if change.action is FieldAction.MOVED:
            page += _rows("~", [f"moved from [{before}]"], Ink.UPDATE)
        else:
            page += _sides(*(lines_of(side, longest=None) for side in (before, after)))
    return page


def _sides(before: list[str], after: list[str]) -> Page:
    """All lines of both sides in one sequence; equal lines appear once."""
    if before == after:
        # Both sides read the same, like two values of one secret.
        return [*_rows("-", before, Ink.DELETE), *_rows("+", after, Ink.CREATE)]
    page: Page = []
    for tag, i1, i2, j1, j2 in opcodes(before, after):
        if tag == "equal":
            page += _rows(" ", before[i1:i2], Ink.DIM)
        else:
            page += [*_rows("-", before[i1:i2], Ink.DELETE), *_rows("+", after[j1:j2], Ink.CREATE)]
    return page


def _rows(sign: str, rows: Iterable[str], ink: str) -> Page:
    return [line(" " * (_INDENT + 2), Span(f"{sign} {row}", ink)) for row in rows]
