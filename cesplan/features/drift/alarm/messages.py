"""
Announcements in the format of each receiver: cesplan's JSON, Slack, and Google Chat. Untrusted texts have no
effect in a chat: for Slack they are in `plain_text` objects, which have no markup; for Google Chat they are in
a card, escaped as HTML; and in both without mentions and links. Sources: Slack's "Block Kit reference" (a text
object has at most 3,000 characters, a header 150), Google Chat's "Message" resource (32,000 bytes in all).
"""

import html
from enum import StrEnum
from typing import Any, Self

from cesplan.domain.features.drift import AppDrift, DriftClass, DriftItem, DriftKind
from cesplan.features.drift.alarm.announcement import Announcement, Occasion
from cesplan.features.drift.alarm.wording import MOST_ITEMS, lines, title
from cesplan.render.documents import line_of
from cesplan.render.machine.formats.base import AddressText, Document, Format, optional


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
    """The form that a host takes, unless another is wanted."""
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
    heading = title(message)
    details = "\n".join(lines(message, _SLACK_CHARACTERS, _escaped))
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
    details = "<br>".join(lines(message, _CHAT_CHARACTERS, html.escape))
    widgets = [{"textParagraph": {"text": details}}] if details else []
    card = {
        "header": {"title": "cesplan drift", "subtitle": message.report.checked_at},
        **({"sections": [{"widgets": widgets}]} if widgets else {}),
    }
    return {"text": title(message), "cardsV2": [{"cardId": "cesplan-drift", "card": card}]}


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
            title=title(message),
            previous_fingerprint=message.previous,
            checked_at=report.checked_at,
            differences=len(report.alarming),
            apps=tuple(apps),
        )
