"""
Marks: what a field means beyond its type, written beside the field in `Annotated[...]`.

Each mark is one fact of the API; nothing here acts. Stages read them through
`cesplan.model.spec`.
"""

from enum import StrEnum
from typing import Any, ClassVar, NoReturn, dataclass_transform


@dataclass_transform(frozen_default=True)
class Mark:
    """
    What may be in the metadata of a field: a frozen value, equal to others of its class by its fields.

    It behaves like a frozen dataclass and is none, because two dozen of those, each compiled when it is made,
    would cost every command about 15 ms at its start.
    """

    FIELDS: ClassVar[tuple[str, ...]] = ()

    def __init_subclass__(cls) -> None:
        cls.FIELDS = tuple(cls.__annotations__)
        type.__setattr__(cls, "__match_args__", cls.FIELDS)

    def __init__(self, *values: Any, **named: Any) -> None:
        if len(values) > len(self.FIELDS):
            raise TypeError(f"{type(self).__name__} takes {len(self.FIELDS)} values, not {len(values)}")
        self.__dict__.update(zip(self.FIELDS, values, strict=False))
        self.__dict__.update(named)
        wrong = [name for name in (*self.FIELDS, *named) if name not in self.FIELDS or not hasattr(self, name)]
        if wrong:
            raise TypeError(f"{type(self).__name__}: missing or unknown: {', '.join(wrong)}")

    def as_tuple(self) -> tuple[Any, ...]:
        """The values of all fields, in order."""
        return tuple(getattr(self, name) for name in self.FIELDS)

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and isinstance(other, Mark) and other.as_tuple() == self.as_tuple()

    def __hash__(self) -> int:
        return hash((type(self), self.as_tuple()))

    def __repr__(self) -> str:
        return f"{type(self).__name__}{self.as_tuple()}"

    def __setattr__(self, name: str, value: Any) -> NoReturn:
        raise AttributeError(f"{type(self).__name__} is a value: it cannot be changed")


class Identifier(Mark):
    """The resource name (AIP-148 `name`): transport, never part of a body."""


class Etag(Mark):
    """Transport, never part of a body (AIP-154)."""


class Required(Mark):
    """
    Required by the API's description.

    Real apps lack many such fields, so a missing one is worth a warning. `refused` is True if the service
    cannot keep the resource without it: what names a resource, or an element that others refer to.
    """

    refused: bool = False


class OutputOnly(Mark):
    """Filled by the server: never sent, never compared (AIP-203)."""


class InputOnly(Mark):
    """Never comes back: sent, and not compared (AIP-203)."""


class ServerDefaulted(Mark):
    """
    The server fills it in when absent. `value` is what it is known to put there; empty if that is derived
    from another field, by the function of `cesplan.model.derived_values` that `derived` names.
    """

    value: str = ""
    derived: str = ""


class Reference(Mark):
    """
    Names another resource.

    `kinds` are the collections of this API that it may name; empty for resources outside, whose form is
    `pattern`. `words` are plain words that the field takes instead of a reference.
    """

    kinds: tuple[str, ...] = ()
    pattern: str = ""
    words: tuple[str, ...] = ()


class OwnName(Mark):
    """A resource name inside the body of its parent: the files hold a key (`evaluationPersonas[].name`)."""

    collection: str


class FilledFromPlace(Mark):
    """Repeats the file's position: filled in when sent, forbidden in files (`request.app`)."""


class AsSet(Mark):
    """A list whose order means nothing; compared as a multiset."""


class KeyedBy(Mark):
    """A list whose elements are found by a field; `fields` are alternatives, dots lead into messages."""

    fields: tuple[str, ...]


class OneOf(Mark):
    """A member of a oneof: at most one of them is set, and each has presence."""

    group: str


class Presence(Mark):
    """Absent and default differ: `optional` scalars, and messages whose empty value says something."""


class OwnedByKey(Mark):
    """A map in which keys that the tree does not name belong to others (`App.metadata`)."""


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


class Sensitive(Mark):
    secrecy: Secrecy


class Guards(StrEnum):
    """What a field protects."""

    GUARDRAIL = "guardrail"
    SAFETY = "safety"
    EVALUATION = "evaluation"
    AUTHENTICATION = "authentication"
    ORIGINS = "origins"
    LOGGING = "logging"


class Falls(StrEnum):
    """In which direction of a field protection falls."""

    WHEN_FALSE = "when_false"
    WHEN_TRUE = "when_true"
    WHEN_LOWER = "when_lower"
    WHEN_LAXER = "when_laxer"
    """Later in `order`, or not in it at all."""
    WHEN_FEWER = "when_fewer"
    """A list that loses elements."""
    WHEN_MORE = "when_more"
    """A list that gains elements."""
    WHEN_GONE = "when_gone"


class Protects(Mark):
    """
    Protects something; `falls` says in which direction that weakens.

    `order` are values of an enum from the strictest to the laxest. `absent` is what an absent value means,
    where it is known; for a list of which an empty one allows everything, the words for that.
    """

    what: Guards
    falls: Falls
    order: tuple[str, ...] = ()
    absent: str = ""


class LongText(Mark):
    """Text of many lines, in `language`: `markdown`, `python`, `yaml`, `text`. Best kept in a file."""

    language: str = "text"


class Deprecated(Mark):
    """Still accepted; `instead` names the field to use, where there is one."""

    instead: str = ""


class OnlyIn(Mark):
    """Exists in one API version only."""

    version: str


class Renamed(Mark):
    """The same field has another name in some answers: read either, send ours."""

    other: str


class Within(Mark):
    """A documented range, both ends included. Without presence, zero means unset and is accepted."""

    low: float
    high: float


class AtMost(Mark):
    """A documented limit: elements of a list or map, characters of a text."""

    count: int


class Form(Mark):
    """A documented form of a text: a whole-match regular expression and its name in plain words."""

    pattern: str
    name: str


class Choices(Mark):
    """A text that is an enum in all but type."""

    values: tuple[str, ...]
