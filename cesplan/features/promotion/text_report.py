"""Two environments side by side, as people read it."""

from collections.abc import Iterator
from itertools import groupby

from cesplan.domain.features.promotion import Difference, Presence, Promotion
from cesplan.domain.settings import Settings
from cesplan.model.kinds import kind_of
from cesplan.render.field_redactor import redactor_over
from cesplan.render.page import BLANK, CREATE, DELETE, DIM, STRONG, UPDATE, Line, Page, Span, line, paint
from cesplan.render.text.field import FieldContext, field_page, head_of
from cesplan.render.text.layout import Layout, View, layout_for
from cesplan.render.words import count

_PLAIN = View()
_SIGNS = {Presence.BOTH: ("~", UPDATE), Presence.SOURCE: ("-", DELETE), Presence.TARGET: ("+", CREATE)}


def promotion_text(promotion: Promotion, view: View = _PLAIN) -> str:
    """The text of a comparison, ended by a line feed."""
    layout = layout_for(view, _lefts(promotion))
    page: Page = []
    for app, items in groupby(promotion.differences, key=lambda item: item.address.app):
        page += [_heading(app if app != "@" else "the location", promotion), BLANK]
        for item in items:
            page += _difference(item, promotion, layout)
        page.append(BLANK)
    return paint([*page, _summary(promotion)], colour=view.colour)


def _heading(app: str, promotion: Promotion) -> Line:
    what = "live" if promotion.is_live else "as the tree says"
    places = f" · {_place(promotion.source)} → {_place(promotion.target)} · {what}"
    return line(Span(app, STRONG), Span(places, DIM))


def _place(settings: Settings) -> str:
    place = f"{settings.place.project}/{settings.place.location}"
    return " ".join(item for item in (settings.environment, place, settings.where) if item)


def _difference(item: Difference, promotion: Promotion, layout: Layout) -> Page:
    redactor = redactor_over(kind_of(item.address.kind).spec, item.secrets)
    context = FieldContext(layout=layout, redactor=redactor)
    page = layout.row(_title(item), _why(item, promotion))
    return page + [row for change in item.changes for row in field_page(change, context)]


def _title(item: Difference) -> Line:
    sign, ink = _SIGNS[item.presence]
    return line("  ", Span(f"{sign} ", ink), Span(item.address.short, ink))


def _why(item: Difference, promotion: Promotion) -> Line:
    match item.presence:
        case Presence.SOURCE:
            return (Span(f"only in {_name(promotion.source)}", DIM),)
        case Presence.TARGET:
            return (Span(f"only in {_name(promotion.target)}", DIM),)
    return ()


def _name(settings: Settings) -> str:
    return settings.environment or settings.place.project


def _summary(promotion: Promotion) -> Line:
    number = len(promotion.differences)
    one, other = _name(promotion.source), _name(promotion.target)
    names = f"{one} and {other}"
    if not number and not promotion.equal:
        return line(Span("Nothing to compare: ", STRONG), f"no app of the tree is live in {one} or {other}.")
    if not number:
        return line(Span(f"{names} are equal: ", STRONG), f"{count(promotion.equal, 'resource')} compared.")
    return line(Span(f"{names}: ", STRONG), f"{count(number, 'resource')} differ; {promotion.equal:,} equal.")


def _lefts(promotion: Promotion) -> Iterator[Line]:
    for item in promotion.differences:
        yield _title(item)
        yield from map(head_of, item.changes)
