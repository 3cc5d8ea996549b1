"""
Marks: what a field means beyond its type, written beside the field in `Annotated[...]`.

Each mark is one fact of the API (DESIGN §12, api notes); nothing here acts. Stages read them through
`cesplan.model.spec`.
"""

from dataclasses import dataclass
from enum import StrEnum


class Mark:
    """What may stand in the metadata of a field."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Identifier(Mark):
    """The resource name (AIP-148 `name`): transport, never part of a body."""


@dataclass(frozen=True, slots=True)
class Etag(Mark):
    """Transport, never part of a body (AIP-154)."""


@dataclass(frozen=True, slots=True)
class Required(Mark):
    """Required by the API. `refused` is False where real apps lack it all the same: worth a warning only."""

    refused: bool = True


@dataclass(frozen=True, slots=True)
class OutputOnly(Mark):
    """Filled by the server: never sent, never compared (AIP-203)."""


@dataclass(frozen=True, slots=True)
class InputOnly(Mark):
    """Never comes back: sent, and not compared (AIP-203)."""


@dataclass(frozen=True, slots=True)
class ServerDefaulted(Mark):
    """The server fills it in when absent: then it is left alone (FACTS §3)."""


@dataclass(frozen=True, slots=True)
class Reference(Mark):
    """
    Names another resource.

    `kinds` are the collections of this API that it may name; empty for resources outside, whose form is
    `pattern`. `words` are plain words that the field takes instead of a reference.
    """

    kinds: tuple[str, ...] = ()
    pattern: str = ""
    words: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class OwnName(Mark):
    """A resource name inside the body of its parent: the files hold a key (`evaluationPersonas[].name`)."""

    collection: str


@dataclass(frozen=True, slots=True)
class FilledFromPlace(Mark):
    """Repeats where the file stands: filled in when sent, forbidden in files (`request.app`)."""


@dataclass(frozen=True, slots=True)
class AsSet(Mark):
    """A list whose order means nothing; compared as a multiset."""


@dataclass(frozen=True, slots=True)
class KeyedBy(Mark):
    """A list whose elements are found by a field; `fields` are alternatives, dots lead into messages."""

    fields: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class OneOf(Mark):
    """A member of a oneof: at most one of them is set, and each has presence."""

    group: str


@dataclass(frozen=True, slots=True)
class Presence(Mark):
    """Absent and default differ: `optional` scalars, and messages whose empty value says something."""


@dataclass(frozen=True, slots=True)
class OwnedByKey(Mark):
    """A map in which keys that the tree does not name belong to others (`App.metadata`)."""


@dataclass(frozen=True, slots=True)
class LanguageKeys(Mark):
    """A map whose keys are language codes without case."""


CONTEXT_VARIABLE = r"\$context\.variables\.[A-Za-z_][A-Za-z0-9_]*"
"""The form of values that must be taken from a session variable: `$context.variables.<name>`."""


class Secrecy(StrEnum):
    """Why a value must be handled with care."""

    SECRET = "secret"
    """The secret itself: may only come from a secret variable, is never shown."""
    VARIABLE_ONLY = "variable_only"
    """Must be `$context.variables.<name>`: anything else would be a token in clear."""
    SECRET_NAME = "secret_name"
    """The name of a secret version: shown, and checked for its form."""


@dataclass(frozen=True, slots=True)
class Sensitive(Mark):
    secrecy: Secrecy


@dataclass(frozen=True, slots=True)
class LongText(Mark):
    """Text of many lines, in `language`: `markdown`, `python`, `yaml`, `text`. Best kept in a file."""

    language: str = "text"


@dataclass(frozen=True, slots=True)
class Deprecated(Mark):
    """Still accepted; `instead` names the field to use, where there is one."""

    instead: str = ""


@dataclass(frozen=True, slots=True)
class OnlyIn(Mark):
    """Exists in one API version only."""

    version: str


@dataclass(frozen=True, slots=True)
class Renamed(Mark):
    """The same field has another name in some answers: read either, send ours."""

    other: str


@dataclass(frozen=True, slots=True)
class Within(Mark):
    """A documented range, both ends included. Zero is unset, and accepted, where there is no presence."""

    low: float
    high: float


@dataclass(frozen=True, slots=True)
class AtMost(Mark):
    """A documented limit: elements of a list or map, characters of a text."""

    count: int


@dataclass(frozen=True, slots=True)
class Form(Mark):
    """A documented form of a text: a whole-match regular expression and its name in plain words."""

    pattern: str
    name: str


@dataclass(frozen=True, slots=True)
class Choices(Mark):
    """A text that is an enum in all but type."""

    values: tuple[str, ...]
