"""Resource names and ids."""

import re
import uuid
from dataclasses import dataclass

from cesplan.emulator.errors import invalid

ID_PATTERN = "[a-zA-Z0-9][a-zA-Z0-9-_]{4,35}"

_ID = re.compile(ID_PATTERN)


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """
    The target of a request. `parent` is the resource above, `kind` the collection. `name` is empty for the
    collection itself.
    """

    version: str
    parent: str
    kind: str
    name: str = ""

    @property
    def location(self) -> str:
        return "/".join(self.parent.split("/")[:4])

    @property
    def app(self) -> str:
        """Return the name of the app of the target, or of the target itself; '' above apps."""
        parts = (self.name or self.parent).split("/")
        return "/".join(parts[:6]) if len(parts) >= 6 else ""


def chosen_id(requested: str, parameter: str) -> str:
    """Return the requested id, or a new UUID. Raise Refused if it does not match the pattern."""
    if not requested:
        return str(uuid.uuid4())
    if not _ID.fullmatch(requested):
        raise invalid(parameter, f"'{requested}' does not match {ID_PATTERN}")
    return requested


def is_id(text: str) -> bool:
    """Say whether a text is a valid id of a resource."""
    return _ID.fullmatch(text) is not None


def parent_of(name: str) -> str:
    """Return the name of the parent: the name without its last collection and id."""
    return name.rsplit("/", 1 if _is_singleton(name) else 2)[0]


def kind_of(name: str) -> str:
    """Return the collection of a resource name."""
    return name.split("/")[-1 if _is_singleton(name) else -2]


def _is_singleton(name: str) -> bool:
    """Say whether a name ends with its collection, because there is only one: `securitySettings`."""
    return name.count("/") % 2 == 0
