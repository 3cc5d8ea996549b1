"""
The words of an announcement: what drifted, where and by whom, in a few lines. Never the values themselves.
"""

import re
from collections.abc import Callable, Iterator

from cesplan.domain.change import LiveEdit, Origin
from cesplan.domain.features.drift import AppDrift, DriftClass, DriftItem, DriftKind
from cesplan.domain.field_path import FieldPath
from cesplan.domain.text.words import count
from cesplan.features.drift.alarm.announcement import Announcement, Occasion
from cesplan.render.page import printable

MOST_ITEMS = 200
"""Differences in one message; the report of the run has all of them."""
_LONGEST_LINE = 300

_TITLES = {
    Occasion.APPEARED: "Drift appeared",
    Occasion.CHANGED: "Drift changed",
    Occasion.GONE: "Drift is gone",
}
_JOINER = "\u2060"
_LINK = re.compile(r"(?<=:)(?=//)|(?<=\w\.)(?=[^\W\d_]{2})")
"""Where a chat would recognize a URL: before `//`, and after a dot that is followed by letters."""
_MAIL = re.compile(r"[\w.+-]{1,100}@[\w-]{1,63}(\.[\w-]{1,63}){1,5}")
"""An address of mail may be a link: it leads to no page."""
_MENTION = re.compile(r"(?<!\w)@(?=\w)")


def title(message: Announcement) -> str:
    """`Drift appeared: 3 differences in 2 apps`."""
    phrase = _TITLES[message.occasion]
    found = len(message.report.alarming)
    if message.occasion is Occasion.GONE or not found:
        return phrase
    apps = sum(bool(app.alarming) for app in message.report.apps)
    return f"{phrase}: {count(found, 'difference')} in {count(apps, 'app')}"


def lines(message: Announcement, most_characters: int, escaped: Callable[[str], str]) -> list[str]:
    """
    What drifted, a line each, escaped, without anything that a chat acts on; what does not fit is counted.

    `most_characters` bounds all lines together, with the four characters by which each of them is ended at
    most.
    """
    number = sum(1 + len(app.alarming) if app.alarming else bool(app.error) for app in message.report.apps)
    kept: list[str] = []
    room = most_characters - len(_more(number))
    for row in _rows(message):
        line = escaped(row[:_LONGEST_LINE])
        room -= len(line) + 4
        if room < 0 or len(kept) >= MOST_ITEMS:
            return [*kept, _more(number - len(kept))]
        kept.append(line)
    return kept


def what(item: DriftItem) -> str:
    """What happened to a resource or a field, in a few words."""
    match item.kind:
        case DriftKind.CREATED:
            return "created live"
        case DriftKind.DELETED:
            return "deleted live"
        case DriftKind.CHANGED:
            is_both = item.drift_class is DriftClass.CONFLICT or item.origin is Origin.BOTH
            return "changed live and in the tree" if is_both else "changed live"


def inert(text: str) -> str:
    """A text of others that a chat shows as it is: no markup, no mention, no link."""
    return _LINK.sub(_JOINER, _plain(text))


def _plain(text: str) -> str:
    """An inert text that keeps links, for e-mail addresses."""
    return _MENTION.sub(f"@{_JOINER}", printable(text).replace("<", "‹").replace(">", "›"))


def _rows(message: Announcement) -> Iterator[str]:
    for app in message.report.apps:
        if app.alarming:
            yield _heading(app)
            yield from map(_row, app.alarming)
        elif app.error:
            yield f"{_heading(app)}: could not be checked"


def _heading(app: AppDrift) -> str:
    where = ", ".join(map(inert, filter(None, (app.environment, app.project, app.location, app.where))))
    return f"{inert(app.app)} ({where})" if where else inert(app.app)


def _row(item: DriftItem) -> str:
    named = f" ({inert(item.display_name)})" if item.display_name else ""
    # Names of fields are the API's own; keys and elements inside of them are texts of others.
    field = f" {_path(item.change.path)}" if item.change else ""
    return f"• {inert(str(item.address))}{named}{field}: {what(item)}{_by(item.edit)}"


def _by(edit: LiveEdit | None) -> str:
    if edit is None or not edit.by:
        return ""
    return f" by {_plain(edit.by) if _MAIL.fullmatch(edit.author) else inert(edit.by)}"


def _path(path: FieldPath) -> str:
    texts = (
        f"{'.' if number else ''}{segment}" if isinstance(segment, str) else inert(str(segment))
        for number, segment in enumerate(path.segments)
    )
    return _plain("".join(texts))


def _more(number: int) -> str:
    return f"… and {number} more lines"
