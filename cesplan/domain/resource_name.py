"""
Resource names of the API (AIP-122): `projects/P/locations/L/apps/A/agents/B`.

Pure text algebra; which key a name has in a tree is the business of `cesplan.domain.naming`.
"""

import re
from dataclasses import dataclass

ID_PATTERN = re.compile(r"[a-zA-Z0-9][a-zA-Z0-9-_]{4,35}")
"""What the service accepts as an id on create (FACTS §1)."""

_NAME = re.compile(
    r"projects/(?P<project>[^/]+)/locations/(?P<location>[^/]+)"
    r"(?:/apps/(?P<app>[^/]+)(?:/(?P<kind>[^/]+)/(?P<id>[^/]+))?)?"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """A project and a location: where apps live."""

    project: str
    location: str

    @property
    def name(self) -> str:
        return f"projects/{self.project}/locations/{self.location}"

    def app(self, app_id: str) -> str:
        """The resource name of an app here."""
        return f"{self.name}/apps/{app_id}"


@dataclass(frozen=True, slots=True, kw_only=True)
class ResourceName:
    """The parts of a resource name in a location; `kind` and `id` are None for the app itself."""

    project: str
    location: str
    app: str | None
    kind: str | None
    id: str | None


def parse_name(text: str) -> ResourceName | None:
    """The parts of a name below a location, or None for names of any other form."""
    found = _NAME.fullmatch(text)
    return ResourceName(**found.groupdict()) if found else None


def last_id(name: str) -> str:
    """The last part of a resource name: its id."""
    return name.rpartition("/")[2]
