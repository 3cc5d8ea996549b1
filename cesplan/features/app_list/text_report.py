"""The list of apps as text."""

from collections.abc import Mapping

from cesplan.domain.features.app_list import AppList, ListedApp, Standing
from cesplan.domain.text.words import count
from cesplan.render.page import BLANK, Ink, Page, Span, line, paint, printable, width_of
from cesplan.render.text.layout import PLAIN, View
from cesplan.render.text.plan import hints_page

_WORDS: Mapping[Standing, str] = {
    Standing.MANAGED: "in the tree",
    Standing.NEW: "in the tree, never applied",
    Standing.TAKEN: "in the tree, but applied by",
    Standing.NOT_LIVE: "in the tree, not live yet",
    Standing.FORMER: "applied by this tree, which no longer has a folder for it",
    Standing.ELSEWHERE: "applied by",
    Standing.UNMANAGED: "not managed",
}
_INKS = {
    Standing.TAKEN: Ink.NOTICE,
    Standing.FORMER: Ink.NOTICE,
    Standing.NEW: Ink.UPDATE,
    Standing.UNMANAGED: Ink.DIM,
}
_SHORT_COMMIT = 7


def app_list_text(listed: AppList, *, hints: Mapping[str, str], view: View = PLAIN) -> str:
    """One row per app, then the counts; ends with a line feed."""
    settings = listed.settings
    where = f"{settings.place.short} · {settings.api_version}"
    where += f" · {settings.where}" if settings.where else ""
    page: Page = [line(Span(where, Ink.STRONG)), BLANK]
    names = [printable(item.key or item.id) for item in listed.apps]
    titles = [printable(item.display_name) for item in listed.apps]
    first = max(map(width_of, names), default=0)
    second = max(map(width_of, titles), default=0)
    for item, name, title in zip(listed.apps, names, titles, strict=True):
        ink = _INKS.get(item.standing, "")
        gap = " " * (first - width_of(name) + 2), " " * (second - width_of(title) + 2)
        page.append(line(f"  {name}{gap[0]}{title}{gap[1]}", Span(printable(_standing(item)), ink)))
    page += [BLANK] if listed.apps else []
    page.append(line(_summary(listed)))
    return paint([*page, *hints_page(hints)], colour=view.colour)


def _standing(item: ListedApp) -> str:
    words = _WORDS[item.standing]
    if item.standing in (Standing.TAKEN, Standing.ELSEWHERE):
        words += f" {item.tree or 'a tree without a name'}"
        words += f", environment {item.environment}" if item.environment else ""
    if item.key and item.id and item.id != item.key:
        words += f"; id {item.id}"
    if item.commit:
        words += f"; commit {item.commit[:_SHORT_COMMIT]}{' with local changes' if item.dirty else ''}"
    return words


def _summary(listed: AppList) -> str:
    if not listed.apps:
        return "There are no apps."
    own = sum(bool(item.key) for item in listed.apps)
    unmanaged = sum(item.standing is Standing.UNMANAGED for item in listed.apps)
    return f"{count(len(listed.apps), 'app')}: {own} in this tree, {unmanaged} not managed by any tree."
