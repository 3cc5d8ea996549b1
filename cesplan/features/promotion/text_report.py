"""Two environments side by side, as people read it."""

from collections.abc import Iterator
from itertools import groupby

from cesplan.domain.features.promotion import Difference, Promotion, WhichSide
from cesplan.features.promotion import words
from cesplan.model.kinds import kind_of
from cesplan.render.field_redactor import redactor_over
from cesplan.render.page import BLANK, Ink, Line, Page, Span, line, paint
from cesplan.render.text.field import FieldContext, field_page, head_of
from cesplan.render.text.layout import PLAIN, Layout, View, layout_for

_SIGNS = {
    WhichSide.BOTH: ("~", Ink.UPDATE),
    WhichSide.SOURCE: ("-", Ink.DELETE),
    WhichSide.TARGET: ("+", Ink.CREATE),
}


def promotion_text(promotion: Promotion, view: View = PLAIN) -> str:
    """The text of a comparison, ended by a line feed."""
    layout = layout_for(view, _lefts(promotion))
    page: Page = []
    for app, items in groupby(promotion.differences, key=lambda item: item.address.app):
        page += [_heading(app if app != "@" else "location", promotion), BLANK]
        for item in items:
            page += _difference(item, promotion, layout)
        page.append(BLANK)
    return paint([*page, _summary(promotion)], colour=view.colour)


def _heading(app: str, promotion: Promotion) -> Line:
    one, other = words.place(promotion.source), words.place(promotion.target)
    return line(Span(app, Ink.STRONG), Span(f" · {one} → {other} · {words.compared(promotion)}", Ink.DIM))


def _difference(item: Difference, promotion: Promotion, layout: Layout) -> Page:
    redactor = redactor_over(kind_of(item.address.kind).spec, item.secrets)
    context = FieldContext(layout=layout, redactor=redactor)
    page = layout.row(_title(item), _why(item, promotion))
    return page + [row for change in item.changes for row in field_page(change, context)]


def _title(item: Difference) -> Line:
    sign, ink = _SIGNS[item.presence]
    return line("  ", Span(f"{sign} ", ink), Span(item.address.short, ink))


def _why(item: Difference, promotion: Promotion) -> Line:
    text = words.presence(item, promotion)
    return (Span(text, Ink.DIM),) if text else ()


def _summary(promotion: Promotion) -> Line:
    head, text = words.summary(promotion)
    return line(Span(f"{head}: ", Ink.STRONG), text)


def _lefts(promotion: Promotion) -> Iterator[Line]:
    for item in promotion.differences:
        yield _title(item)
        yield from map(head_of, item.changes)
