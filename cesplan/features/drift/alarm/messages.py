"""
Announcements in the format of each receiver: cesplan's JSON, Slack, and Google Chat. Untrusted texts have no
effect in a chat: for Slack they are in `plain_text` objects, which have no markup; for Google Chat they are in
a card, escaped as HTML; and in both without mentions and links. Sources: Slack's "Block Kit reference" (a text
object has at most 3,000 characters, a header 150), Google Chat's "Message" resource (32,000 bytes in all).
"""

import html
import re
from collections.abc import Callable, Iterator
from enum import StrEnum
from typing import Any, Self

from cesplan.domain.change import LiveEdit, Origin
from cesplan.domain.features.drift import AppDrift, DriftClass, DriftItem, DriftKind
from cesplan.domain.field_path import FieldPath
from cesplan.domain.text.words import count
from cesplan.features.drift.alarm.announcement import Announcement, Occasion
from cesplan.render.documents import line_of
from cesplan.render.machine.formats.base import AddressText, Document, Format, optional
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
"""An e-mail address may be a link: it leads to no page."""
_MENTION = re.compile(r"(?<!\w)@(?=\w)")


class NotifyFormat(StrEnum):
    """The format of a message; `auto` depends on the host of the webhook."""

    AUTO = "auto"
    JSON = "json"
    SLACK = "slack"
    GOOGLE_CHAT = "google-chat"


_HOSTS = {
    "hooks.slack.com": NotifyFormat.SLACK,
    "hooks.slack-gov.com": NotifyFormat.SLACK,
    "chat.googleapis.com": NotifyFormat.GOOGLE_CHAT,
}
_SLACK_CHARACTERS = 2900
_CHAT_CHARACTERS = 4000


def format_for(host: str, format_: NotifyFormat) -> NotifyFormat:
    """The form that a host takes, unless another is requested."""
    return _HOSTS.get(host, NotifyFormat.JSON) if format_ is NotifyFormat.AUTO else format_


def payload(message: Announcement, form: NotifyFormat) -> str:
    """The body of a request, as JSON."""
    match form:
        case NotifyFormat.SLACK:
            return line_of(_slack(message))
        case NotifyFormat.GOOGLE_CHAT:
            return line_of(_google_chat(message))
        case NotifyFormat.JSON | NotifyFormat.AUTO:
            return NotificationJson.of(message).text()


def _slack(message: Announcement) -> dict[str, Any]:
    heading = _title(message)
    details = "\n".join(_lines(message, _SLACK_CHARACTERS, _escaped))
    section = {"type": "section", "text": _plain_text(details)}
    return {
        "text": _escaped(heading),  # what a notification shows
        "mrkdwn": False,
        "link_names": False,
        "unfurl_links": False,
        "unfurl_media": False,
        "blocks": [{"type": "header", "text": _plain_text(heading)}, *([section] if details else ())],
    }


def _plain_text(text: str) -> dict[str, Any]:
    return {"type": "plain_text", "text": text, "emoji": False}


def _escaped(text: str) -> str:
    """What Slack asks to be escaped in every text."""
    return html.escape(text, quote=False)


def _google_chat(message: Announcement) -> dict[str, Any]:
    details = "<br>".join(_lines(message, _CHAT_CHARACTERS, html.escape))
    widgets = [{"textParagraph": {"text": details}}] if details else []
    card = {
        "header": {"title": "cesplan drift", "subtitle": message.report.checked_at},
        **({"sections": [{"widgets": widgets}]} if widgets else {}),
    }
    return {"text": _title(message), "cardsV2": [{"cardId": "cesplan-drift", "card": card}]}


class DriftedJson(Format):
    """A difference that counts as drift."""

    address: AddressText
    """The resource."""
    display_name: str
    """The display name; empty if it is unknown."""
    path: str
    """The field; empty for a resource that only one side has."""
    drift_class: DriftClass
    """Whether the tree changed, too."""
    kind: DriftKind
    """What happened live."""
    author: str | None = optional()
    """The author, according to the change log."""
    changed_at: str | None = optional()
    """When (RFC 3339)."""

    @classmethod
    def of(cls, item: DriftItem) -> Self:
        return cls.from_value(
            item,
            author=(item.edit.author or None) if item.edit else None,
            changed_at=(item.edit.time or None) if item.edit else None,
        )


class DriftedAppJson(Format):
    """An app that drifted, or could not be checked."""

    app: str
    """The key of the app."""
    environment: str
    """The environment; empty for none."""
    project: str
    """Its project."""
    location: str
    """Its location."""
    service: str
    """The service that answered; empty for the default one."""
    differences: int
    """How many differences count as drift."""
    items: tuple[DriftedJson, ...]
    """These differences, as far as they fit into the message."""
    checked: bool
    """Whether the app could be read. If not, its last announced state still applies."""

    @classmethod
    def of(cls, app: AppDrift, room: int) -> Self:
        return cls.from_value(
            app,
            service=app.where,
            differences=len(app.alarming),
            items=app.alarming[:room],
            checked=not app.error,
        )


class NotificationJson(Document):
    """What `cesplan drift --notify URL` posts in the format `json`."""

    id: str
    """The same for each repetition of this message."""
    occasion: Occasion
    """How the drift changed since the last message."""
    title: str
    """The message in one line."""
    fingerprint: str
    """The fingerprint of the current drift; empty if there is none."""
    previous_fingerprint: str
    """The fingerprint of the drift that was announced before; empty if there was none."""
    checked_at: str
    """When the service was read (RFC 3339)."""
    differences: int
    """How many differences count as drift in all apps."""
    apps: tuple[DriftedAppJson, ...]
    """The apps that drifted or could not be checked."""

    @classmethod
    def of(cls, message: Announcement) -> Self:
        report, room, apps = message.report, MOST_ITEMS, []
        for app in report.apps:
            if app.alarming or app.error:
                apps.append(DriftedAppJson.of(app, room))
                room = max(0, room - len(app.alarming))
        return cls.from_value(
            message,
            title=_title(message),
            previous_fingerprint=message.previous,
            checked_at=report.checked_at,
            differences=len(report.alarming),
            apps=tuple(apps),
        )


def _title(message: Announcement) -> str:
    """`Drift appeared: 3 differences in 2 apps`."""
    phrase = _TITLES[message.occasion]
    found = len(message.report.alarming)
    if message.occasion is Occasion.GONE or not found:
        return phrase
    apps = sum(bool(app.alarming) for app in message.report.apps)
    return f"{phrase}: {count(found, 'difference')} in {count(apps, 'app')}"


def _lines(message: Announcement, most_characters: int, escaped: Callable[[str], str]) -> list[str]:
    """
    What drifted, a line each, escaped, without anything that a chat acts on; what does not fit is counted.

    `most_characters` bounds all lines together, with up to four characters that end each of them.
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


def _what(item: DriftItem) -> str:
    """What happened to a resource or a field, in a few words."""
    match item.kind:
        case DriftKind.CREATED:
            return "created live"
        case DriftKind.DELETED:
            return "deleted live"
        case DriftKind.CHANGED:
            is_both = item.drift_class is DriftClass.CONFLICT or item.origin is Origin.BOTH
            return "changed live and in the tree" if is_both else "changed live"


def _inert(text: str) -> str:
    """Untrusted text, so that a chat shows it as it is: no markup, no mention, no link."""
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
    where = ", ".join(map(_inert, filter(None, (app.environment, app.project, app.location, app.where))))
    return f"{_inert(app.app)} ({where})" if where else _inert(app.app)


def _row(item: DriftItem) -> str:
    named = f" ({_inert(item.display_name)})" if item.display_name else ""
    # Names of fields are the API's own; keys and elements inside them are untrusted.
    field = f" {_path(item.change.path)}" if item.change else ""
    return f"• {_inert(str(item.address))}{named}{field}: {_what(item)}{_by(item.edit)}"


def _by(edit: LiveEdit | None) -> str:
    if edit is None or not edit.by:
        return ""
    return f" by {_plain(edit.by) if _MAIL.fullmatch(edit.author) else _inert(edit.by)}"


def _path(path: FieldPath) -> str:
    texts = (
        f"{'.' if number else ''}{segment}" if isinstance(segment, str) else _inert(str(segment))
        for number, segment in enumerate(path.segments)
    )
    return _plain("".join(texts))


def _more(number: int) -> str:
    return f"… and {number} more lines"
