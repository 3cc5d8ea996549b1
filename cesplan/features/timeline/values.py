"""
The timeline of an app: what was applied when, by whom, and from which commit, and what was edited in between.

It is as complete as the change log of the app; its coverage and retention are not documented.
"""

from enum import StrEnum

from cesplan.domain.address import Address, AppKey
from cesplan.domain.change import EditKind
from cesplan.domain.frozen import dataclass
from cesplan.domain.settings import Settings


class Event(StrEnum):
    """What happened to an app."""

    APPLY = "apply"
    """A complete apply: it left its stamp."""
    PARTIAL_APPLY = "partial_apply"
    """An apply that had targets, failed in part, or was rolled back: it left records of what it wrote."""
    EDIT = "edit"
    """One author's edits between two applies: in the console, by another tool, by an apply without a stamp."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Touched:
    """One resource that an event changed."""

    address: Address
    """By the key in the tree; by the id where the tree does not have the resource."""
    name: str
    """The full resource name."""
    display_name: str = ""
    """The display name from the change log; empty if it has none."""
    edits: tuple[EditKind, ...]
    """The kinds of edits, each once, in the order of their first occurrence."""
    times: int = 1
    """The number of change-log entries."""
    first: str = ""
    """Time of the first one, RFC 3339."""
    last: str = ""
    """The time of the last entry."""
    note: str = ""
    """The description of the last entry in the change log; empty if it has none."""
    fields: tuple[str, ...] | None = None
    """The changed fields, as paths; None: not asked for, or the log does not hold both states."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Happening:
    """One event: an apply with everything it wrote, or the edits of one author between two applies."""

    app: AppKey
    event: Event
    author: str
    """The email address; empty if the log does not have it."""
    first: str
    """Time of the first entry, RFC 3339."""
    last: str
    """Time of the last entry; for an apply, that of its stamp."""
    number: int
    """`sequenceNumber` of the last entry; -1 if it has none."""
    commit: str = ""
    """The full id of the applied commit; empty for edits, and for an apply outside git."""
    dirty: bool = False
    """Whether the applied tree differed from that commit."""
    environment: str = ""
    tree: str = ""
    subject: str = ""
    """The subject of the commit; empty if the local repository does not have it."""
    touched: tuple[Touched, ...] = ()
    """The resources, by address."""
    unnamed: int = 0
    """The number of recorded writes that the log does not show."""

    @property
    def is_apply(self) -> bool:
        return self.event is not Event.EDIT


@dataclass(frozen=True, slots=True, kw_only=True)
class Timeline:
    """What happened to the apps of a tree, the newest first."""

    settings: Settings
    apps: tuple[AppKey, ...]
    """The requested apps that are live."""
    happenings: tuple[Happening, ...]
    has_more: bool = False
    """Whether older events were left out because of the limit."""
    notices: tuple[str, ...] = ()
    entries: int = 0
    """How many entries of change logs were read."""
    requests: int = 0
