"""A timeline for machines."""

from typing import Self

from cesplan.domain.change import EditKind
from cesplan.features.timeline.values import Event, Happening, Timeline, Touched
from cesplan.render.documents import opening
from cesplan.render.machine.formats.base import AddressText, Document, Format


class TouchedJson(Format):
    """One resource that an event touched."""

    address: AddressText
    """`<app>` or `<app>/<kind>/<key>`; a resource that the tree does not have is called by its id."""
    name: str
    """The full resource name."""
    display_name: str
    """As the change log has it; empty if it has none."""
    edits: tuple[EditKind, ...]
    """What was done to it, each once, in the order of their first time."""
    times: int
    """How many entries of the change log these are."""
    first_time: str
    """Time of the first one, RFC 3339."""
    last_time: str
    """Time of the last one."""
    description: str
    """What the change log says of the last one; empty if it says nothing."""
    fields: tuple[str, ...] | None
    """The changed fields as paths, where `--target` asked for them and the log has both states; else null."""

    @classmethod
    def of(cls, item: Touched) -> Self:
        return cls.from_value(item, first_time=item.first, last_time=item.last, description=item.note)


class EventJson(Format):
    """An apply with everything that it wrote, or the edits of one author between two applies."""

    app: str
    """The key of the app; its id if the tree does not have it."""
    event: Event
    """
    `apply` left its stamp; `partial_apply` had targets, failed in part, or was rolled back; `edit` is the rest.
    """
    author: str
    """The e-mail address in the change log; empty if it has none."""
    first_time: str
    """Time of the first entry, RFC 3339."""
    last_time: str
    """Time of the last entry: of an apply that of its stamp."""
    sequence: int
    """`sequenceNumber` of the last entry; -1 if it has none."""
    commit: str
    """The full id of the applied commit; empty for edits, partial applies, and outside git."""
    dirty: bool
    """Whether the applied tree differed from that commit."""
    environment: str
    """The environment that was applied; empty for none, and for edits."""
    tree: str
    """The tree that was applied; empty if nothing names it, and for edits."""
    subject: str
    """The first line of the commit's message; empty if the local repository does not have the commit."""
    resources: tuple[TouchedJson, ...]
    """What was touched, by address."""
    unnamed: int
    """How many writes a partial apply recorded beyond those that the log shows."""

    @classmethod
    def of(cls, item: Happening) -> Self:
        return cls.from_value(
            item,
            first_time=item.first,
            last_time=item.last,
            sequence=item.number,
            resources=tuple(map(TouchedJson.of, item.touched)),
        )


class HistoryReport(Document):
    """`cesplan history --format json`."""

    environment: str
    """The environment of `cesplan.yaml`; empty if none was chosen."""
    project: str
    """The id of the Google Cloud project."""
    location: str
    """The location of the apps."""
    apps: tuple[str, ...]
    """The apps that were asked about and are live."""
    events: tuple[EventJson, ...]
    """The events, newest first."""
    has_more: bool
    """Whether older events were left out because of `--limit`."""
    entries: int
    """How many entries of change logs were read."""
    notices: tuple[str, ...]
    """What could not be known."""

    @classmethod
    def of(cls, timeline: Timeline) -> Self:
        settings = timeline.settings
        return cls.from_value(
            timeline,
            **opening(),
            environment=settings.environment,
            project=settings.place.project,
            location=settings.place.location,
            events=tuple(map(EventJson.of, timeline.happenings)),
        )
