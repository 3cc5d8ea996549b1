"""How one operation looks: its line, its changes, and its steps beyond one write."""

from collections.abc import Iterator, Mapping
from typing import Any

from cesplan.domain.change import FieldChange
from cesplan.domain.field_path import FieldPath, MaskPath
from cesplan.domain.plan import Action, Operation, Purpose, Reason
from cesplan.domain.text.words import count, letters_of, listed, sentence
from cesplan.domain.value import Body
from cesplan.model.kinds import KINDS, kind_of
from cesplan.render.documents import sorted_members
from cesplan.render.field_redactor import redactor_of
from cesplan.render.impact import impact_of
from cesplan.render.page import Ink, Line, Page, Span, is_cut, line, padded, width_of, wrapped
from cesplan.render.places import element_name
from cesplan.render.plan_words import INKS, SIGNS, edit_of, reason_of
from cesplan.render.reading_order import NewOfKind
from cesplan.render.text.field import INDENT, FieldContext, field_page, head_of
from cesplan.render.text.full import full_body_page, sent_page
from cesplan.render.text.layout import Layout
from cesplan.render.values import inline, shortened, whole_outline

SNAPSHOT_SIGN = "↷"
_NAMES = ("displayName",)
"""Fields that the title of a resource already shows."""
_MOST_LOST = 5
"""The most lines shown of a deleted resource."""
_SHORTEST_NAME = 12
"""With less room than this, a display name is left out instead of cut."""


def operation_page(operation: Operation, layout: Layout) -> Page:
    """All lines of one operation."""
    redactor = redactor_of(operation)
    context = FieldContext(
        layout=layout,
        redactor=redactor,
        files=_files(operation),
        name=lambda path: element_name(path, operation, redactor),
    )
    page = [*layout.row(title_of(operation), _why(operation, layout)), *_undoing(operation, layout)]
    if layout.view.full:
        page += full_body_page(operation)
        page += _unseen(operation, context) if operation.action is Action.UPDATE else []
        page += _impact(operation, layout)
        page += _mask(operation, layout)
        return [*page, *_extra_steps(operation, layout), *sent_page(operation), *_notes(operation, layout)]
    match operation.action:
        case Action.CREATE:
            page += [*_new(operation, context), *_impact(operation, layout)]
        case Action.UPDATE:
            page += [row for change in operation.changes for row in _field_rows(change, operation, context)]
            page += _unseen(operation, context)
            page += [*_mask(operation, layout), *_impact(operation, layout)]
        case Action.DELETE:
            page += [*_deleted_content(operation, context), *_impact(operation, layout)]
    return [*page, *_extra_steps(operation, layout), *_notes(operation, layout)]


def _undoing(operation: Operation, layout: Layout) -> Page:
    """The live edits that this operation undoes, unless its fields show them one by one."""
    if not operation.undoes or (not layout.view.full and any(item.edit for item in operation.changes)):
        return []
    return wrapped(line(Span(f"{' ' * INDENT}{sentence(operation.undoes)}", Ink.WARNING)), layout.width, INDENT)


def _field_rows(change: FieldChange, operation: Operation, context: FieldContext) -> Page:
    page = field_page(change, context)
    edit = edit_of(change)
    if not edit:
        return page
    row = line(Span(f"{' ' * (INDENT + 2)}{edit}", Ink.WARNING))
    return [*page, *wrapped(row, context.layout.width, INDENT + 2)]


def leaves_out(operation: Operation, page: Page) -> bool:
    """Whether this page leaves out part of what an operation writes or deletes."""
    match operation.action:
        case Action.CREATE:
            return sign_of(operation) != SNAPSHOT_SIGN
        case Action.DELETE:
            return bool(operation.before)
        case Action.UPDATE:
            return is_cut(page)


def title_of(operation: Operation) -> Line:
    """Sign and address, without the app, which the page names above."""
    ink = INKS[operation.action]
    return line("  ", Span(f"{sign_of(operation)} ", ink), Span(operation.address.short, f"{Ink.STRONG} {ink}"))


def sign_of(operation: Operation) -> str:
    """`+ ~ -`, and a separate sign for a snapshot of everything else."""
    is_snapshot = operation.action is Action.CREATE and kind_of(operation.address.kind).is_snapshot
    return SNAPSHOT_SIGN if is_snapshot else SIGNS[operation.action]


def lost_rows(operation: Operation) -> tuple[list[str], int]:
    """The first lines of a resource that is deleted, and how many more it has."""
    body = {name: value for name, value in (operation.before or {}).items() if name not in _NAMES}
    rows = whole_outline(sorted_members(redactor_of(operation).body(body))) if body else []
    most = len(rows) if len(rows) <= _MOST_LOST + 1 else _MOST_LOST
    return rows[:most], len(rows) - most


def group_page(group: NewOfKind, column: int, layout: Layout) -> Page:
    """
    New resources of one kind: their number, their names starting at a column, and the size of their texts.
    """
    head = _group_head(group)
    names = ", ".join(inline(str(item.address.key)) for item in group.operations)
    texts = [_at(item.after or {}, path) for item in group.operations for path in item.files]
    lines = sum(text.count("\n") + 1 for text in texts if isinstance(text, str))
    size = [Span(f"   {count(len(texts), 'file')}, {count(lines, 'line')}", Ink.DIM)] if texts else []
    return wrapped((*padded(head, column), Span(names), *size), layout.width, column)


def group_width(group: NewOfKind) -> int:
    """Columns up to the names of a group."""
    return width_of(_group_head(group)) + 3


def _group_head(group: NewOfKind) -> Line:
    number = Span(f"{len(group.operations):,} {group.kind}", f"{Ink.STRONG} {Ink.CREATE}")
    return line("  ", Span(f"{SIGNS[Action.CREATE]} ", Ink.CREATE), number)


def lefts_of(operation: Operation) -> Iterator[Line]:
    """Every text that this operation will put into the left column."""
    yield title_of(operation)
    redactor = redactor_of(operation)
    yield from (head_of(change, element_name(change.path, operation, redactor)) for change in operation.changes)
    if operation.action is Action.CREATE:
        yield from (_field(path) for path in operation.files)


def _why(operation: Operation, layout: Layout) -> Line:
    if sign_of(operation) == SNAPSHOT_SIGN:
        return (Span("snapshot of the above", Ink.DIM),)
    words = "" if operation.reason is Reason.FIELD_CHANGED else reason_of(operation)
    words += _version(operation) if operation.action is Action.CREATE else ""
    gap = "   " if words else ""
    room = layout.width - layout.column - len(words) - len(gap)
    reason = [Span(words, Ink.DIM)] if words else []
    if _has_own_title(operation) and room >= _SHORTEST_NAME:
        return (*reason, Span(f"{gap}{shortened(inline(operation.display_name), room)}"))
    return (*reason,)


def _version(operation: Operation) -> str:
    """What a new deployment serves."""
    spec = kind_of(operation.address.kind).spec
    for name, value in (operation.after or {}).items():
        mark = spec.fields[name].reference if name in spec.fields else None
        if mark and any(kind_of(kind).is_snapshot for kind in mark.kinds if kind in KINDS):
            return f", {name} {inline(str(value).rpartition('/')[2])}"
    return ""


def _has_own_title(operation: Operation) -> bool:
    """False for a display name that only repeats the key in other letters."""
    return letters_of(operation.display_name) not in ("", letters_of(operation.address.key))


def _new(operation: Operation, context: FieldContext) -> Page:
    """A new resource, briefly: the files that make it up; the rest is in the tree."""
    page: Page = []
    for path, file in context.files.items():
        text = _at(operation.after or {}, path)
        size = f", {count(text.count(chr(10)) + 1, 'line')}" if isinstance(text, str) else ""
        page += context.layout.row(_field(path), (Span(f"{file}{size}", Ink.DIM),))
    return page


def _deleted_content(operation: Operation, context: FieldContext) -> Page:
    """The beginning of a deleted resource: enough to recognize it."""
    rows, rest = lost_rows(operation)
    indent, room = " " * (INDENT + 2), context.layout.width - INDENT - 4
    page: Page = [line(indent, Span(f"- {shortened(row, room)}", Ink.DELETE, cut=True)) for row in rows]
    if rest:
        page.append(
            line(indent, Span(f"  … {count(rest, 'more line')} (--full shows them)", Ink.DIM, cut=True))
        )
    return page


def _at(body: Body, path: str) -> Any:
    """The value at a path; a plan file may hold any text."""
    try:
        return FieldPath.parse(path).get(body)
    except ValueError:
        return None


def _files(operation: Operation) -> Mapping[str, str]:
    """The files of a resource by field, with paths relative to the folder of the app."""
    folder = operation.file.rpartition(f"{operation.address.kind}/")[0]
    if operation.address.is_app:
        folder = operation.file.rpartition("/")[0] + "/"
    return {path: file.removeprefix(folder) for path, file in sorted(operation.files.items())}


def _field(path: str) -> Line:
    return (Span(" " * INDENT), Span(path))


def _mask(operation: Operation, layout: Layout) -> Page:
    if not operation.mask:
        return []
    head = f"{' ' * INDENT}updateMask  "
    # Commas stay at the end of a line; the spaces are only for reading.
    text = ", ".join(map(str, operation.mask))
    return wrapped(line(Span(head, Ink.DIM), Span(text, Ink.DIM)), layout.width, len(head))


def _unseen(operation: Operation, context: FieldContext) -> Page:
    """What an update writes with no difference to show: fields that never come back, or newer than we know."""
    covered = {change.mask for change in operation.changes}
    main = [step for step in operation.steps if step.id.purpose is Purpose.MAIN]
    unseen = [path for step in main for path in step.mask if not any(_meet(path, other) for other in covered)]
    return [row for path in unseen for row in _unseen_row(path, operation, context)]


def _unseen_row(mask: MaskPath, operation: Operation, context: FieldContext) -> Page:
    path = FieldPath(mask.fields)
    known = context.redactor.field(path)
    value = context.redactor.value(path, path.get(operation.after or {}))
    again = known is not None and known.is_input_only
    text = "sent again" if again else f"set to {inline(value)}"
    shown = text if context.layout.view.full else shortened(text, context.layout.width - INDENT - 2)
    return context.layout.row(_field(str(mask)), (Span(shown, Ink.DIM, cut=shown != text),))


def _meet(one: MaskPath, other: MaskPath) -> bool:
    return one.covers(other) or other.covers(one)


def _impact(operation: Operation, layout: Layout) -> Page:
    """The resources that refer to this one, and those that it reaches."""
    text = impact_of(operation)
    return wrapped(line(" " * INDENT, Span(text, Ink.DIM)), layout.width, INDENT + 2) if text else []


def _extra_steps(operation: Operation, layout: Layout) -> Page:
    page: Page = []
    for step in operation.steps:
        fields = listed([str(path) for path in step.mask])
        match step.id.purpose:
            case Purpose.LINK if operation.action is Action.CREATE and not layout.view.full:
                text = ""  # the second write is a detail, not an effect
            case Purpose.LINK:
                text = f"{fields}: set by a second write, once the resources it refers to exist"
            case Purpose.UNLINK:
                text = f"first clears {fields}, so that nothing refers to the deleted resources"
            case Purpose.RENAME:
                text = "renamed first, because another resource takes its name"
            case Purpose.UNLOCK:
                text = "unlocked before all other writes"
            case Purpose.LOCK:
                text = "locked after all other writes"
            case _:
                text = force_text(operation) if step.force else ""
        if text:
            page += wrapped(line(" " * INDENT, Span(text, Ink.DIM)), layout.width, INDENT + 2)
    return page


def force_text(operation: Operation) -> str:
    """The effect of a forced delete on others, as far as it is documented."""
    drops = kind_of(operation.address.kind).force_drops
    names = {address: address.in_words for address in operation.still_used_by}
    known = listed([name for address, name in names.items() if address.kind in drops])
    open_ = listed([name for address, name in names.items() if address.kind not in drops])
    effects = [f"the service removes the reference from {known}"] if known else []
    effects += [f"the effect on the reference in {open_} is not documented"] if open_ else []
    return f"by force: {'; '.join(effects) or 'nothing will refer to it anymore'}"


def _notes(operation: Operation, layout: Layout) -> Page:
    return [
        row
        for note in operation.notes
        for row in wrapped(line(" " * INDENT, Span(note, Ink.DIM)), layout.width, INDENT + 2)
    ]
