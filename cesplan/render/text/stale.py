"""A stale plan as text: what changed, who changed it, and what the plan would have done."""

from collections.abc import Iterator, Mapping

from cesplan.domain.change import FieldChange
from cesplan.domain.plan import Action
from cesplan.domain.reviewed import Moved, Movement, Stale
from cesplan.domain.text.words import count, listed
from cesplan.render.field_redactor import redactor_of
from cesplan.render.page import BLANK, Ink, Line, Page, Span, line, paint, wrapped
from cesplan.render.plan_words import INKS
from cesplan.render.text.field import FieldContext, field_page, head_of
from cesplan.render.text.layout import PLAIN, Layout, View, layout_for
from cesplan.render.text.operation import sign_of
from cesplan.render.text.outcome import name_of
from cesplan.render.text.plan import hints_page


def stale_text(stale: Stale, view: View = PLAIN, *, hints: Mapping[str, str] = {}) -> str:
    """The text of a stale plan, ended by a line feed. `hints` are the next commands: purpose → command."""
    layout = layout_for(view, (left for item in stale.moved for left in _lefts(item)))
    apps = {item.operation.address.app for item in stale.moved}
    app = next(iter(apps)) if len(apps) == 1 else ""
    page: Page = [*_headline(stale, view)]
    for item in stale.moved:
        page += [BLANK, *_moved(item, layout, app)]
    return paint([*page, *hints_page(hints)], colour=view.colour)


_MOVEMENT_TEXTS: dict[Movement, str] = {
    Movement.CHANGED: "changed after this plan was made",
    Movement.DELETED: "deleted after this plan was made",
    Movement.CREATED: "created after this plan was made, and not as planned",
    Movement.UNCLEAR: "changed after this plan was made, possibly in fields that cannot be compared",
    Movement.REFERENCE_GONE: "would refer to {names}, which does not exist",
    Movement.REMADE: "would refer to {names}, which was deleted and made again after this plan was made",
    Movement.REFERRED: "is now referenced by {names}, which a forced delete would also change",
    Movement.CONTENT_CHANGED: "{names} in it changed after this plan was made, and would be deleted with it",
    Movement.WRITTEN: "written after this plan was made, and the plan would undo that",
    Movement.APPLIED: "possibly written after this plan was made: another apply ran, "
    "and the change log does not say what it wrote",
    Movement.COPIED_CHANGED: "would copy {copied}, which changed after this plan was made",
    Movement.COPIED_CREATED: "would copy {copied}, which was created after this plan was made",
    Movement.COPIED_DELETED: "would not copy {copied}, which was deleted after this plan was made",
}


def movement_text(moved: Moved) -> str:
    """What happened to a resource, as text."""
    names = moved.names
    if moved.movement is Movement.REFERRED:
        names = tuple(_within_app(name) for name in names)
    return _MOVEMENT_TEXTS[moved.movement].format(
        names=listed(list(names)), copied=_within_app(str(moved.address))
    )


def _within_app(address: str) -> str:
    return address.partition("/")[2] or "the app"


def _headline(stale: Stale, view: View) -> Page:
    changes = count(len(stale.plan.shown), "change")
    moved = len({id(item.operation) for item in stale.moved})
    text = f"{moved} of {changes} would no longer do what was reviewed."
    return wrapped((Span("Nothing was written: ", Ink.ERROR), Span(text)), view.width, 2)


def _moved(moved: Moved, layout: Layout, app: str) -> Page:
    operation = moved.operation
    ink = INKS[operation.action]
    name = Span(name_of(operation, app), f"{Ink.STRONG} {ink}")
    head = line("  ", Span(f"{sign_of(operation)} ", ink), name, "  ", Span(movement_text(moved), Ink.WARNING))
    return [
        *wrapped(head, layout.width, 4),
        *_editor(moved, layout),
        *_unclear(moved, layout),
        *_both(moved, layout),
    ]


def _editor(moved: Moved, layout: Layout) -> Page:
    """Who changed the resource, and when."""
    if moved.edit is None or not moved.edit.by:
        return []
    return wrapped(line("    ", Span(f"by {moved.edit.by}", Ink.STRONG)), layout.width, 6)


def _unclear(moved: Moved, layout: Layout) -> Page:
    """Values that cannot be compared: secrets, and fields newer than the models."""
    if moved.movement not in (Movement.CHANGED, Movement.UNCLEAR) or not moved.names:
        return []
    text = f"not comparable: {listed(list(moved.names))}"
    return wrapped(line("      ", Span(text, Ink.DIM)), layout.width, 8)


def _both(moved: Moved, layout: Layout) -> Page:
    """The two differences, one after the other."""
    context = FieldContext(layout=layout, redactor=redactor_of(moved.operation))
    page: Page = []
    if moved.changes:
        first = "planned → live now"
        if moved.movement is not Movement.CREATED:
            first = "when planned → live now"
        page.append(_title(first))
        page += [row for change in moved.changes for row in field_page(change, context)]
    planned = _concerned(moved)
    if planned:
        page.append(_title("planned change"))
        page += [row for change in planned for row in field_page(change, context)]
    elif moved.operation.action is Action.DELETE:
        page.append(line("    ", Span("the plan would delete it", Ink.DIM)))
    return page


def _concerned(moved: Moved) -> tuple[FieldChange, ...]:
    """The planned changes that conflict with what moved; all of them if none in particular."""
    masks = [path for item in moved.changes for path in (item.mask, item.path.mask)]
    met = [
        item
        for item in moved.operation.changes
        if any(item.mask.covers(path) or path.covers(item.mask) for path in masks)
    ]
    return tuple(met) or moved.operation.changes


def _title(text: str) -> Line:
    return line("    ", Span(f"{text}:", Ink.DIM))


def _lefts(moved: Moved) -> Iterator[Line]:
    yield from (head_of(item) for item in (*moved.changes, *_concerned(moved)))
