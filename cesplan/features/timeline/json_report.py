"""A timeline for machines."""

from typing import Self

from cesplan.domain.change import EditKind
from cesplan.features.timeline.values import Event, Happening, Timeline, Touched
from cesplan.render.machine.formats.base import AddressText, Document, Format, Located


class TouchedJson(Format):
    """One resource that an event changed."""

    address: AddressText
    """
    `<app>` or `<app>/<kind>/<key>`; for a resource that the tree does not have, the id instead of the key.
    """
    name: str
    """The full resource name."""
    display_name: str
    """The display name from the change log; empty if it has none."""
    edits: tuple[EditKind, ...]
    """The kinds of edits, each once, in the order of their first occurrence."""
    times: int
    """The number of change-log entries."""
    first_time: str
    """Time of the first one, RFC 3339."""
    last_time: str
    """The time of the last entry."""
    description: str
    """The description of the last one in the change log; may be empty."""
    fields: tuple[str, ...] | None
    """The changed fields as paths, where `--target` asked for them and the log has both states; else null."""

    @classmethod
    def of(cls, item: Touched) -> Self:
        return cls.from_value(item, first_time=item.first, last_time=item.last, description=item.note)


class EventJson(Format):
    """An apply with everything that it wrote, or the edits by one author between two applies."""

    app: str
    """The key of the app; its id if the tree does not have it."""
    event: Event
    """
    `apply` left a stamp; `partial_apply` had targets, failed in part, or was rolled back; `edit` is everything
    else.
    """
    author: str
    """The author's e-mail address from the change log; empty if it has none."""
    first_time: str
    """Time of the first entry, RFC 3339."""
    last_time: str
    """Time of the last entry; for an apply, that of its stamp."""
    sequence: int
    """`sequenceNumber` of the last entry; -1 if it has none."""
    commit: str
    """The full id of the applied commit; empty for edits, partial applies, and outside git."""
    dirty: bool
    """Whether the applied tree differed from that commit."""
    environment: str
    """The applied environment; empty for none, and for edits."""
    tree: str
    """The applied tree; empty if unnamed, and for edits."""
    subject: str
    """The commit subject; empty if the local repository does not have the commit."""
    resources: tuple[TouchedJson, ...]
    """What was touched, by address."""
    unnamed: int
    """How many writes a partial apply recorded beyond those that the log shows."""

    @classmethod
    def of(cls, item: Happening) -> Self:
        return cls.from_value(
            item, first_time=item.first, last_time=item.last, sequence=item.number, resources=item.touched
        )


class HistoryReport(Located, Document):
    """`cesplan history --format json`."""

    apps: tuple[str, ...]
    """The requested apps that are live."""
    events: tuple[EventJson, ...]
    """The events, newest first."""
    has_more: bool
    """Whether older events were left out because of `--limit`."""
    entries: int
    """How many entries of change logs were read."""
    notices: tuple[str, ...]
    """Information that was not available."""

    @classmethod
    def of(cls, timeline: Timeline) -> Self:
        settings = timeline.settings
        return cls.from_value(timeline, settings, settings.place, events=timeline.happenings)
