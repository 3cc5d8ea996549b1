"""
The settings of `cesplan.yaml` for one environment, as the stages need them, and the table of settings.

The table is the only definition of a setting. Parsing, defaults, the schema for editors, plan files, and the
documentation are derived from it. To add a setting, add a field to Settings.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import field, fields, replace
from enum import StrEnum
from typing import Any

from cesplan.domain.app_metadata.names import TREE_NAME
from cesplan.domain.frozen import dataclass
from cesplan.domain.resource_name import LOCATION_PATTERN, PROJECT_PATTERN, Place
from cesplan.domain.service.endpoint import canonical_endpoint, endpoint_of
from cesplan.domain.service.quota import Quota, Quotas

API_VERSIONS = ("v1", "v1beta")


class MaskDepth(StrEnum):
    """How deep the paths of an updateMask may go. What the live service accepts is unverified."""

    NESTED = "nested"
    TOP = "top"


class Ownership(StrEnum):
    """The meaning of an absent field: its default value (full), or not managed (declared)."""

    FULL = "full"
    DECLARED = "declared"


class LiveEdits(StrEnum):
    """How an apply treats live edits that it would revert: `liveEdits:` in cesplan.yaml."""

    REFUSE = "refuse"
    REVERT = "revert"


class Deletes(StrEnum):
    """How an apply treats deletes: `deletes:` in cesplan.yaml."""

    ALLOW = "allow"
    REFUSE = "refuse"


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """
    A key of cesplan.yaml. Its value has the type of its default.

    A list in an environment is added to the list at the top level; any other value replaces it.
    """

    doc: str
    """The description, in one or two sentences. The default is appended."""
    default: Any
    """The value if the key is absent; empty if the key is required or `doc` states the default."""
    key: str = ""
    """The key in the file."""
    field: str = ""
    """The field of Settings; empty if the value is stored elsewhere."""
    choices: tuple[str, ...] = ()
    """The allowed values of a text; empty if any text is allowed."""
    form: re.Pattern[str] | None = None
    """A regular expression that a text must match."""
    form_in_words: str = ""
    """The required form of a text, as a sentence for people."""
    parse: Callable[[str], Any] | None = None
    """Parses a text into the value. Raises ValueError, which says why, for an invalid text."""
    at_least: int = 0
    """The smallest value of a number."""
    at_most: int = 0
    """The largest value of a number."""
    in_environment: bool = True
    """Whether an environment may also set it."""

    @property
    def description(self) -> str:
        """The description with the default."""
        match self.default:
            case bool() as value:
                return f"{self.doc} Default: {str(value).lower()}."
            case int() as value:
                return f"{self.doc} Default: {value}."
            case tuple() as values if values:
                return f"{self.doc} Default: `{', '.join(values)}`."
            case str() as value if value:
                return f"{self.doc} Default: {value}."
        return self.doc

    def problem(self, text: str | int) -> str:
        """Why a text or number is not valid, in a sentence; empty if it is valid."""
        if isinstance(text, int):
            fits = not self.at_most or self.at_least <= text <= self.at_most
            return "" if fits else f"It must be a number from {self.at_least} to {self.at_most}."
        if self.form and not self.form.fullmatch(text):
            return self.form_in_words
        try:
            self.value(text)
        except ValueError as error:
            return f"{str(error)[:1].upper()}{str(error)[1:]}."
        return ""

    def value(self, given: Any) -> Any:
        """Convert a value from the file, which must have the right type."""
        if self.parse:
            return self.parse(given)
        if isinstance(self.default, tuple):
            return tuple(dict.fromkeys(given))
        return type(self.default)(given)


_METADATA = "setting"


def _setting(default: Any, doc: str, **more: Any) -> Any:
    """A field of Settings that is a key of cesplan.yaml."""
    if isinstance(default, StrEnum):
        more["choices"] = tuple(type(default))
    return field(default=default, metadata={_METADATA: Setting(doc=doc, default=default, **more)})


_PER_MINUTE = {"at_least": 1, "at_most": 100_000}


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """One environment of a project. A field that is a setting is described in its row."""

    place: Place
    environment: str = ""
    """The name of the environment; empty if none was chosen."""
    api_version: str = _setting(
        "v1beta",
        "The API version. v1 lacks evaluations, personas, and some fields.",
        choices=API_VERSIONS,
    )
    endpoint: str = _setting(
        "",
        "Another endpoint: `regional`, or a URL such as `https://ces.us.rep.googleapis.com`. One outside "
        "googleapis.com must be confirmed with --endpoint or CESPLAN_ENDPOINT.",
        parse=canonical_endpoint,
    )
    emulated: bool = False
    """Whether requests go to an emulator instead of the endpoint."""
    prune: bool = _setting(True, "If false, resources missing from the tree are listed, not deleted.")
    adopt: bool = _setting(False, "If true, take over apps that have no cesplan stamp.")
    stamp: bool = _setting(True, "If false, do not write a stamp into `metadata`.")
    mask_depth: MaskDepth = _setting(MaskDepth.NESTED, "The depth of update masks.")
    verify_before_write: bool = _setting(
        True, "If false, skip the read before each write, for services that enforce etags."
    )
    deletes: Deletes = _setting(
        Deletes.ALLOW, "If refuse, a resource is deleted only if `--allow-delete` names it."
    )
    protect: tuple[str, ...] = _setting(
        (), "Addresses that are never deleted, with or without the app. `*` matches within one segment."
    )
    tree: str = _setting(
        "",
        "The name of this tree in stamps. Default: its project and its path in git.",
        form=TREE_NAME,
        form_in_words="Use letters, digits, and . _ - / : @ + %, at most 256 of them; "
        "begin with a letter or digit.",
        in_environment=False,
    )
    lease: bool = _setting(False, "If true, only one apply at a time can run against an app.")
    live_edits: LiveEdits = _setting(
        LiveEdits.REFUSE,
        "Whether `apply --auto-approve` refuses to revert live edits, or reverts them.",
    )

    reads_per_minute: int = _setting(
        600, "The most requests that read in one minute. The usual quota of a project is 600.", **_PER_MINUTE
    )
    writes_per_minute: int = _setting(
        600, "The most requests that write in one minute. The usual quota of a project is 600.", **_PER_MINUTE
    )

    @property
    def quotas(self) -> Quotas:
        """The quotas for requests; an emulator has none."""
        if self.emulated:
            return Quotas()
        return Quotas(reads=Quota(self.reads_per_minute), writes=Quota(self.writes_per_minute))

    @property
    def problem(self) -> str:
        """Why no request may be made with these settings, in a few words; empty if they are usable."""
        if self.api_version not in API_VERSIONS:
            return f"`{self.api_version}` is not a version of the API"
        try:
            canonical_endpoint(self.endpoint)
        except ValueError as error:
            return f"`{self.endpoint}` is not a usable endpoint: {error}"
        for row in SETTINGS.values():
            if row.at_most and row.problem(getattr(self, row.field)):
                return f"`{getattr(self, row.field)}` cannot be `{row.key}`"
        return self.place.problem

    @property
    def heading(self) -> tuple[str, ...]:
        """For headings: the environment if it has a name, the place, and what `where` says."""
        return tuple(filter(None, (self.environment, self.place.short, self.where)))

    @property
    def where(self) -> str:
        """The service, for headings; empty for the default service."""
        if self.emulated:
            return "EMULATOR"
        if self.endpoint:
            try:
                return str(endpoint_of(self.endpoint, self.place.location))
            except ValueError:
                return self.endpoint
        return ""


def _table() -> Iterable[Setting]:
    yield Setting(
        key="project",
        doc="The Google Cloud project, by id or number.",
        default="",
        form=PROJECT_PATTERN,
        form_in_words="It must be a project id or a project number.",
    )
    yield Setting(
        key="location",
        doc="The location, such as `us` or `eu`.",
        default="",
        form=LOCATION_PATTERN,
        form_in_words="It must be a location such as `us` or `eu`.",
    )
    yield Setting(
        key="apps", doc="Patterns that match the app folders.", default=("apps/*",), in_environment=False
    )
    for item in fields(Settings):
        if row := item.metadata.get(_METADATA):
            head, *tail = item.name.split("_")
            yield replace(row, key=head + "".join(map(str.capitalize, tail)), field=item.name)


SETTINGS: Mapping[str, Setting] = {item.key: item for item in _table()}
"""All settings by their keys in cesplan.yaml."""


def settings_of(place: Place, environment: str, given: Mapping[str, Any]) -> Settings:
    """The Settings for the values of a file, by key, with defaults for absent keys."""
    rows = ((SETTINGS[key], value) for key, value in given.items())
    values = {row.field: row.value(value) for row, value in rows if row.field}
    return Settings(place=place, environment=environment, **values)
