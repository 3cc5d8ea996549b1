"""
The memory of the alarm: the last message to each receiver, and the run that is sending messages right now.

It is one small JSON document in a file or an object that the user names. It holds no value of a resource, no
webhook URL, and no digest of one: receivers are known by their host, and by a number where several have the
same.
"""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Protocol, Self

from pydantic import ValidationError

from cesplan.domain.errors import CesplanError
from cesplan.domain.frozen import dataclass
from cesplan.render.machine.formats.base import Document, Format, check_version, optional, problems


class WrittenMeanwhile(Exception):
    """Another run wrote since this one read. Nothing was written."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """What a keeper holds; None: nothing yet. `version` is what a write must find unchanged."""

    text: str | None
    version: str


class Keeper(Protocol):
    """Where the memory is kept: a file, or an object of Cloud Storage."""

    @property
    def name(self) -> str:
        """What to call it in messages."""
        ...

    def read(self) -> Kept:
        """Raises CesplanError if it cannot be read."""
        ...

    def write(self, text: str, version: str) -> str:
        """
        Put a text in the place of what had this version; return the new version.

        Raises WrittenMeanwhile where it has another version, and CesplanError where it cannot be written.
        """
        ...


class Announced(Format):
    """The last message that a receiver got."""

    at: str
    """When (RFC 3339)."""
    apps: dict[str, str]
    """The fingerprint of the drift of each app that had some."""


class Claim(Format):
    """A run that is sending messages."""

    run: str
    """A random name of the run."""
    at: str
    """When it began (RFC 3339)."""
    seconds: int
    """How long it may take; after that another run may begin."""

    def is_alive(self, now: datetime) -> bool:
        """Whether the run may still be sending, by the clocks of both machines."""
        try:
            began = datetime.fromisoformat(self.at)
        except ValueError:
            return False
        if began.tzinfo is None:
            return False
        return now < began + timedelta(seconds=self.seconds)


class AlarmMemory(Document):
    """The file that `--state` names."""

    receivers: dict[str, Announced]
    """The last message to each receiver, by its name."""
    claim: Claim | None = optional()
    """The run that is sending messages; missing where none is."""

    @classmethod
    def of(cls, receivers: Mapping[str, Announced], claim: Claim | None = None) -> Self:
        return cls.from_value(receivers=dict(sorted(receivers.items())), claim=claim)


def read_memory(kept: Kept, name: str) -> AlarmMemory:
    """
    The state in a keeper, as a value; empty if there is none yet. Raises CesplanError for a text that no
    version of cesplan wrote, which is never overwritten.
    """
    if kept.text is None:
        return AlarmMemory.of({})
    try:
        found = AlarmMemory.model_validate_json(kept.text)
        check_version(found.document())
    except ValidationError as error:
        raise _unreadable(name, "\n".join(problems(error))) from None
    except ValueError as error:
        raise _unreadable(name, str(error)) from None
    return found


def _unreadable(name: str, why: str) -> CesplanError:
    return CesplanError(
        summary=f"{name} is not a state file of the drift alarm.",
        detail=f"{why}\nNothing was posted, and the file was not changed. Name another one with --state, or"
        " delete this one: the next run then announces all drift as new.",
    )
