"""A timeline as Markdown, for a page or a job summary, and never too long for a comment."""

from functools import cache

from cesplan.domain.text.words import count
from cesplan.features.timeline import words
from cesplan.features.timeline.values import Happening, Timeline
from cesplan.features.timeline.words import SHORT_COMMIT
from cesplan.render.services.markdown import LIMIT, Comment, Detail, Item, fitted, mark, more_of
from cesplan.render.services.markdown_escaping import code_html, inert, inert_html

_MOST_LISTED = 20


def timeline_markdown(timeline: Timeline, *, limit: int = LIMIT) -> str:
    """At most `limit` characters, ended by a line feed."""
    names_tree = words.has_trees(timeline)
    comment = Comment(
        head=_head(timeline),
        items=[_item(item, timeline, names_tree=names_tree) for item in timeline.happenings],
        tail=_tail(timeline),
        rest=more_of("event"),
    )
    return fitted(comment, limit)


def _head(timeline: Timeline) -> str:
    settings = timeline.settings
    apps = timeline.apps
    name = apps[0] if len(apps) == 1 else count(len(apps), "app")
    place = settings.place.short
    where = " · ".join(filter(None, [name, settings.environment, place, settings.api_version, settings.where]))
    more = " There are older ones." if timeline.has_more else ""
    rows = [mark("history", settings.environment), f"### cesplan history · {inert(where)}", ""]
    return "\n".join([*rows, f"{words.summary(timeline)}{more}", "", ""])


def _item(item: Happening, timeline: Timeline, *, names_tree: bool) -> Item:
    app = f"{code_html(item.app)} " if len(timeline.apps) > 1 else ""
    commit = f" {code_html(item.commit[:SHORT_COMMIT])}" if item.commit else ""
    title = words.title_of(item).removesuffix(f" {item.commit[:SHORT_COMMIT]}" if item.commit else "")
    subject = f": {inert_html(item.subject)}" if item.subject else ""
    parts = words.facts_of(item, timeline.settings.environment, names_tree=names_tree)
    facts = f" ({inert_html(parts)})" if parts else ""
    by = inert_html(words.author_of(item))
    line = f"- {app}<b>{title}</b>{commit} {inert_html(words.time_of(item))}, {by}{subject}{facts}\n"

    @cache
    def forms(level: Detail) -> str:
        if level is Detail.NONE:
            return ""
        if level is Detail.LINE:
            return line
        most = len(item.touched) if level is Detail.FULL else _MOST_LISTED
        rows = [
            f"  - {code_html(f'{words.sign_of(one)} {one.address.short}')} "
            f"{inert_html(words.details_of(one, with_note=not item.is_apply))}".rstrip()
            for one in item.touched[:most]
        ]
        left = len(item.touched) - most
        rows += [f"  - … and {count(left, 'more resource')}"] if left > 0 else []
        rows += [f"  - {words.unnamed(item)}"] if item.unnamed else []
        return line + "".join(f"{row}\n" for row in rows)

    return Item(forms=forms, group="event")


def _tail(timeline: Timeline) -> str:
    rows = [f"- {inert(text)}" for text in timeline.notices[:_MOST_LISTED]]
    return "\n".join(["\nNotices:", "", *rows, ""]) if rows else ""
