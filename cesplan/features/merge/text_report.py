"""The result of a merge, or of a checked one, as text."""

from collections.abc import Iterator, Mapping, Sequence

from cesplan.domain.address import Address
from cesplan.domain.change import LiveEdit
from cesplan.domain.features.merge import (
    AppMerge,
    Fate,
    FieldMerge,
    MergedResource,
    MergeOutcome,
    MergeResult,
    ResourceFate,
    Side,
)
from cesplan.domain.text.text_merge import Collision
from cesplan.domain.text.words import count
from cesplan.domain.value import Secret
from cesplan.features.merge import words
from cesplan.model.kinds import kind_of
from cesplan.render.field_redactor import FieldRedactor
from cesplan.render.impact import reach_of
from cesplan.render.page import BLANK, Ink, Line, Page, Span, indented, labeled, line, paint, wrapped
from cesplan.render.text.field import INDENT, FieldContext, field_page, head_of
from cesplan.render.text.layout import PLAIN, Layout, View, layout_for
from cesplan.render.text.plan import hints_page, weakened_page

_FATES = {
    Fate.CREATED: ("+", Ink.CREATE),
    Fate.DELETED: ("-", Ink.DELETE),
    Fate.ONLY_IN_TREE: ("·", Ink.DIM),
    Fate.ONLY_LIVE: ("·", Ink.DIM),
    Fate.DELETED_LIVE: ("!", Ink.WARNING),
    Fate.DELETED_IN_TREE: ("!", Ink.WARNING),
}
_AROUND = 2
"""Lines of the tree's text that are shown before and after a collision."""
_MOST_COLLISIONS = 20
_MOST_LINES = 12
"""The most lines shown of one side of a collision; the JSON report has all of them."""
_MARGIN = 8


def merge_text(merged: MergeOutcome, *, hints: Mapping[str, str], view: View = PLAIN) -> str:
    """What was taken, kept, and left open, app by app, and the files; ended by a line feed."""
    page = weakened_page([line(text) for text in words.weakened(merged.apps)], view)
    for app in merged.apps:
        page += [*_app_page(app, merged.service, view), BLANK]
    page += _touched(merged.touched, view)
    head, summary = words.summary(merged)
    page.append(line(Span(head, Ink.STRONG), summary))
    return paint([*page, *hints_page(hints)], colour=view.colour)


def _touched(touched: Mapping[str, Sequence[Address]], view: View) -> Page:
    """Which other environments share the edited resources."""
    page: Page = []
    for text in words.touched(touched):
        page += labeled("Notice: ", text, view.width)
    return [*page, BLANK] if page else []


def _app_page(app: AppMerge, service: str, view: View) -> Page:
    page: Page = [line(Span(app.key, Ink.STRONG), Span(f" · {service}" if service else "", Ink.DIM))]
    page += wrapped(line("  base: ", Span(app.base, Ink.DIM)), view.width, 8)
    if app.weaker:
        page += wrapped(line("  no exact base: ", Span(app.weaker, Ink.NOTICE)), view.width, 8)
    layout = layout_for(
        view, [line(" " * INDENT, str(f.path)) for item in words.shown(app) for f in item.fields]
    )
    for item in words.shown(app):
        page += [BLANK, *_resource_page(item, app, layout)]
    page += [BLANK] if app.fates else []
    for fate in app.fates:
        page += _fate_page(fate, app.edits, layout)
    for address, said in words.ids(app):
        page += layout.row(line("  ", Span(f"~ {words.short(address)}", Ink.UPDATE)), line(Span(said, Ink.DIM)))
    page += _kept(app, view)
    for text in app.notices:
        page += labeled("Notice: ", text, view.width)
    return page


def _resource_page(item: MergedResource, app: AppMerge, layout: Layout) -> Page:
    refused = words.refused_of(item, app)
    page = layout.row(
        line("  ", Span(f"~ {words.short(item.address)}", f"{Ink.STRONG} {Ink.UPDATE}")),
        line(Span(item.file, Ink.DIM)),
    )
    if item.impact and (reach := reach_of(item.address, item.impact)):
        page += wrapped(line(" " * INDENT, Span(reach, Ink.DIM)), layout.width, INDENT)
    redactor = FieldRedactor(kind_of(item.address.kind).spec, frozenset())
    for found in item.fields:
        if found.result is not MergeResult.KEPT:
            edit = app.edits.get((item.address, str(found.path)))
            page += _field(found, refused, edit, redactor, layout)
    if "" in refused:
        page += wrapped(line(" " * INDENT, Span("by hand: ", Ink.WARNING), refused[""]), layout.width, INDENT)
    return page


def _field(
    found: FieldMerge,
    refused: Mapping[str, str],
    edit: LiveEdit | None,
    redactor: FieldRedactor,
    layout: Layout,
) -> Page:
    why = words.why_open(found, refused.get(str(found.path), ""))
    change = words.as_change(found)
    if found.is_open and found.collisions and isinstance(redactor.value(found.path, found.tree), str):
        page = _collisions_page(found, head_of(change), layout)
    elif isinstance(change.before, str) and isinstance(change.after, Secret):
        page = layout.row(head_of(change), (Span(f"live is {change.after}", Ink.DIM),))
    else:
        page = field_page(change, FieldContext(layout=layout, redactor=redactor))
    if found.result is MergeResult.MERGED:
        page += indented([line(Span("merged: both sides changed it, in different places", Ink.DIM))], 8)
    if conflict := words.conflict(found, edit):
        page += indented(wrapped(_conflict_line(found, conflict), layout.width - 8, 0), 8)
    if why:
        page += indented(wrapped(line(Span("by hand: ", Ink.WARNING), why), layout.width - 8, 0), 8)
    return page


def _conflict_line(found: FieldMerge, text: str) -> Line:
    """An open conflict is highlighted, a decided one is not."""
    if found.won is not Side.NEITHER:
        return line(Span(text, Ink.DIM))
    word, rest = text.split(":", 1)
    return line(Span(word, Ink.WARNING), f":{rest}")


def _fate_page(item: ResourceFate, edits: Mapping[tuple[Address, str], LiveEdit], layout: Layout) -> Page:
    sign, ink = _FATES[item.fate]
    text = words.fate(item, edits)
    return layout.row(line("  ", Span(f"{sign} {words.short(item.address)}", ink)), line(Span(text, Ink.DIM)))


def _kept(app: AppMerge, view: View) -> Page:
    """Fields that only the tree changed: a line for all of them."""
    text = words.kept(app)
    return [BLANK, *wrapped(line(Span(text, Ink.DIM)), view.width, 2)] if text else []


def _collisions_page(found: FieldMerge, head: Line, layout: Layout) -> Page:
    """The collisions in a text that stays unchanged, one after the other."""
    places = count(len(found.collisions), "place")
    page = layout.row(head, (Span(f"the edits collide in {places}", Ink.WARNING),))
    for collision in found.collisions[:_MOST_COLLISIONS]:
        page += _collision(found, collision, layout)
    rest = len(found.collisions) - _MOST_COLLISIONS
    if rest > 0:
        page.append(line(" " * _MARGIN, Span(f"… and {count(rest, 'more place')}", Ink.DIM, cut=True)))
    return page


def _collision(found: FieldMerge, collision: Collision, layout: Layout) -> Page:
    lines = str(found.tree).replace("\r\n", "\n").split("\n")
    first, after = collision.line - 1, collision.line - 1 + collision.lines
    where = f"{found.file}:{collision.line}" if found.file else f"line {collision.line}"
    page: Page = [line(" " * _MARGIN, Span(where, Ink.DIM))]
    page += _around(lines[max(first - _AROUND, 0) : first], layout)
    for name, text, ink in (
        ("tree", collision.ours, Ink.DELETE),
        ("base", collision.base, Ink.DIM),
        ("live", collision.theirs, Ink.CREATE),
    ):
        rows = ["(nothing)"] if text is None else text.split("\n")
        page += _rows(name, rows, ink, layout)
    return [*page, *_around(lines[after : after + _AROUND], layout)]


def _around(texts: list[str], layout: Layout) -> Iterator[Line]:
    """Lines that do not collide, each on one row."""
    width = max(layout.width - _MARGIN - 8, 20)
    for text in texts:
        cut = len(text) > width
        yield line(
            " " * _MARGIN, Span("     │ ", Ink.DIM), Span(f"{text[:width]}…" if cut else text, Ink.DIM, cut=cut)
        )


def _rows(name: str, texts: list[str], ink: str, layout: Layout) -> Iterator[Line]:
    """Lines of one side, with its name before the first of them."""
    for place, text in enumerate(texts[:_MOST_LINES]):
        head = line(" " * _MARGIN, Span(f"{name if not place else '':>4} │ ", Ink.DIM))
        yield from wrapped((*head, Span(text, ink)), layout.width, _MARGIN + 7)
    rest = len(texts) - _MOST_LINES
    if rest > 0:
        yield line(" " * (_MARGIN + 7), Span(f"… {count(rest, 'more line')}", Ink.DIM, cut=True))
