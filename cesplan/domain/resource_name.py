"""
Resource names of the API (AIP-122): `projects/P/locations/L/apps/A/agents/B`.

This handles the text only. `cesplan.domain.naming` maps names to the keys of a tree.
"""

import re
from functools import cache

from cesplan.domain.frozen import dataclass

ID_PATTERN = re.compile(r"[a-zA-Z0-9][a-zA-Z0-9-_]{4,35}")
"""An id that the service accepts on create."""

PROJECT_PATTERN = re.compile(r"(?:[a-z0-9][a-z0-9.-]*:)?[a-z][a-z0-9-]{0,28}[a-z0-9]?|[0-9]{1,20}")
"""
A project id, with or without the domain of an organization, or a project number.

New ids have at least 6 characters (resourcemanager v3, `Project.projectId`); older ones may be shorter.
"""

LOCATION_PATTERN = re.compile(r"[a-z](?:[a-z0-9-]{0,30}[a-z0-9])?")
"""`us`, `eu`, or a Google Cloud region."""

SEGMENT_PATTERN = re.compile(r"(?!\.{1,2}\Z)[A-Za-z0-9._~:@%+-]{1,200}")
"""One part of a resource name (AIP-122): it cannot end a path, leave its folder, or begin a query."""

_PART = SEGMENT_PATTERN.pattern.replace(r"\Z", "(?:/|$)")
_NAME = re.compile(
    rf"projects/(?P<project>{_PART})/locations/(?P<location>{_PART})"
    rf"(?:/apps/(?P<app>{_PART})(?:/(?P<kind>{_PART})/(?P<id>{_PART}))?)?"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """A project and a location, which contain apps."""

    project: str
    location: str

    @property
    def problem(self) -> str:
        """The problem with the project or location, in a few words; empty if both are valid."""
        for what, pattern, text in (
            ("project", PROJECT_PATTERN, self.project),
            ("location", LOCATION_PATTERN, self.location),
        ):
            if not pattern.fullmatch(text):
                return f"`{text}` cannot be a {what}"
        return ""

    @property
    def name(self) -> str:
        return f"projects/{self.project}/locations/{self.location}"

    @property
    def short(self) -> str:
        """`acme-prod/us`."""
        return f"{self.project}/{self.location}"

    def app(self, app_id: str) -> str:
        """The resource name of an app here."""
        return f"{self.name}/apps/{app_id}"


@dataclass(frozen=True, slots=True, kw_only=True)
class ResourceName:
    """The parts of a resource name below a location. `kind` and `id` are None for the app itself."""

    project: str
    location: str
    app: str | None
    kind: str | None
    id: str | None


def parse_name(text: str) -> ResourceName | None:
    """Parse a name below a location; None for a name of any other form."""
    found = _NAME.fullmatch(text)
    return ResourceName(**found.groupdict()) if found else None


FULL_NAMES = ("projects/", "organizations/", "folders/")
"""The beginnings of full resource names."""


def matches(pattern: str, name: str) -> bool:
    """Whether a resource name matches a pattern such as `{projects|organizations}/*/locations/*`."""
    return _compiled(pattern).fullmatch(name) is not None


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    text = re.escape(pattern).replace(r"\*", _PART)
    return re.compile(re.sub(r"\\\{(.*?)\\\}", lambda found: f"(?:{found[1].replace(chr(92), '')})", text))


def last_id(name: str) -> str:
    """The last part of a resource name: its id."""
    return name.rpartition("/")[2]


def within_app(name: str) -> str:
    """The last two parts of a resource name: `agents/greeter`."""
    return "/".join(name.split("/")[-2:])
