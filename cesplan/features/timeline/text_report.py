"""A timeline as text: one paragraph per event, newest first, like a commit log."""

from collections.abc import Mapping

from cesplan.domain.frozen import dataclass
from cesplan.domain.text.words import count
from cesplan.features.timeline import words
from cesplan.features.timeline.values import Happening, Timeline, Touched
from cesplan.render.page import BLANK, Ink, Line, Page, Span, labeled, line, padded, paint, width_of, wrapped
from cesplan.render.text.layout import PLAIN, View
from cesplan.render.text.plan import heading, hints_page

MOST_RESOURCES = 12
"""Resources shown per event; a full view shows all."""
_INKS = {"+": Ink.CREATE, "-": Ink.DELETE, "~": Ink.UPDATE, "±": Ink.NOTICE}
_WIDEST_ADDRESS = 44


def timeline_text(timeline: Timeline, *, hints: Mapping[str, str], view: View = PLAIN) -> str:
    """All events, and the numbers; ended by a line feed."""
    apps = timeline.apps
    name = apps[0] if len(apps) == 1 else count(len(apps), "app")
    page: Page = [heading(name, timeline.settings), BLANK]
    about = _About(
        environment=timeline.settings.environment, several=len(apps) > 1, names_tree=words.has_trees(timeline)
    )
    for item in timeline.happenings:
        page += [*_event(item, about, view), BLANK]
    for notice in timeline.notices:
        page += labeled("Notice: ", notice, view.width)
    page += [BLANK] if timeline.notices else []
    more = " There are older ones." if timeline.has_more else ""
    read = f"Read {count(timeline.entries, 'entry', 'entries')} of the change log."
    page += wrapped(line(f"{words.summary(timeline)}{more} ", Span(read, Ink.DIM)), view.width, 0)
    return paint([*page, *hints_page(hints)], colour=view.colour)


@dataclass(frozen=True, slots=True, kw_only=True)
class _About:
    """The environment in the heading, and whether each event must name its app and its tree."""

    environment: str
    several: bool
    names_tree: bool


def _event(item: Happening, about: _About, view: View) -> Page:
    app = f"{item.app}  " if about.several else ""
    title = line(
        Span(app + words.title_of(item), Ink.STRONG if item.is_apply else Ink.NOTICE),
        f"  {words.time_of(item)}  {words.author_of(item)}",
    )
    page = wrapped(title, view.width, 4)
    if item.subject:
        page += wrapped(line("    ", item.subject), view.width, 4)
    if facts := words.facts_of(item, about.environment, names_tree=about.names_tree):
        page += wrapped(line("    ", Span(facts, Ink.DIM)), view.width, 4)
    most = len(item.touched) if view.full or len(item.touched) <= MOST_RESOURCES else MOST_RESOURCES - 1
    shown = item.touched[:most]
    widest = min(_WIDEST_ADDRESS, max((width_of(one.address.short) for one in shown), default=0))
    for one in shown:
        page += _resource(one, widest, view, with_note=not item.is_apply)
    if left := len(item.touched) - most:
        page.append(line(Span(f"    … and {count(left, 'more resource')}", Ink.DIM, cut=True)))
    if text := words.unnamed(item):
        page.append(line(Span(f"    {text}", Ink.DIM)))
    return page


def _resource(item: Touched, widest: int, view: View, *, with_note: bool) -> Page:
    sign = words.sign_of(item)
    left: Line = line("    ", Span(f"{sign} {item.address.short}", _INKS[sign]))
    details = words.details_of(item, with_note=with_note)
    if not details:
        return [left]
    return wrapped((*padded(left, widest + 8), Span(details, Ink.DIM)), view.width, 10)
