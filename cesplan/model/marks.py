"""
Marks: the meaning of a field beyond its type, declared at the field in `Annotated[...]`.

Each mark is one fact about the API. Nothing here acts; stages read the marks through `cesplan.model.spec`.
"""

import re
from enum import StrEnum
from typing import Any, ClassVar, NoReturn, dataclass_transform


@dataclass_transform(frozen_default=True)
class Mark:
    """
    Metadata of a field: a frozen value, compared with others of its class by its fields.

    It behaves like a frozen dataclass but is not one, because compiling two dozen dataclasses would cost every
    command about 15 ms at startup.
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
    """The resource name (AIP-148 `name`): a transport field, never part of a body."""


class Etag(Mark):
    """The etag (AIP-154): a transport field, never part of a body."""


class Required(Mark):
    """
    Documented as required by the API.

    Many such fields are missing in real apps, so a missing one causes only a warning. `refused` is True if the
    service cannot store the resource without it: a field that names a resource, or an element that others refer
    to.
    """

    refused: bool = False


class OutputOnly(Mark):
    """Set by the server: never sent, never compared (AIP-203)."""


class InputOnly(Mark):
    """Never returned: sent, but not compared (AIP-203)."""


class ServerDefaulted(Mark):
    """
    Set by the server if absent. `value` is the known default. It is empty if the server derives the value from
    another field, as the function `derived` in `cesplan.model.derived_values` does.
    """

    value: str = ""
    derived: str = ""


class Reference(Mark):
    """
    Refers to another resource.

    `kinds` are the collections of this API that it may refer to. It is empty for resources of other APIs, whose
    names match `pattern`. `words` are plain words that the field accepts instead of a reference.
    """

    kinds: tuple[str, ...] = ()
    pattern: str = ""
    words: tuple[str, ...] = ()

    @property
    def patterns(self) -> tuple[str, ...]:
        """The forms of the full resource names that the field accepts."""
        return tuple(f"projects/*/locations/*/apps/*/{kind}/*" for kind in self.kinds) or (self.pattern,)


class OwnName(Mark):
    """
    The resource name of an element in its parent's body; files have a key instead
    (`evaluationPersonas[].name`).
    """

    collection: str


class FilledFromPlace(Mark):
    """Follows from the path of the file: set when sent, forbidden in files (`request.app`)."""


class AsSet(Mark):
    """A list whose order has no meaning, compared as a multiset."""


class KeyedBy(Mark):
    """A list whose elements are identified by a field. `fields` are alternatives; dots lead into messages."""

    fields: tuple[str, ...]


class OneOf(Mark):
    """A member of a oneof: at most one of them is set, and each has presence."""

    group: str


class Presence(Mark):
    """Absent and default differ: `optional` scalars, and messages whose empty value has a meaning."""


class OwnedByKey(Mark):
    """A map in which keys that the tree does not name belong to others (`App.metadata`)."""


class LanguageKeys(Mark):
    """A map whose keys are language codes, ignoring case."""


CONTEXT_PREFIX = "$context.variables."
"""How a value begins that comes from a session variable."""
CONTEXT_VARIABLE = re.escape(CONTEXT_PREFIX) + "[A-Za-z_][A-Za-z0-9_]*"
"""The format of such a value: `$context.variables.<name>`."""


class Secrecy(StrEnum):
    """Why a value is sensitive."""

    SECRET = "secret"
    """The secret itself: it may only come from a secret variable, and is never shown."""
    VARIABLE_ONLY = "variable_only"
    """Must be `$context.variables.<name>`; anything else would be a token in plain text."""
    SECRET_NAME = "secret_name"
    """The resource name of a secret version: it is shown, and its format is checked."""


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
    """The direction of change in which a field weakens protection."""

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
    Protects something; `falls` is the direction of change that weakens protection.

    `order` are the values of an enum from the strictest to the laxest. `absent` is the meaning of an absent
    value, if known. For a list that allows everything if it is empty, it is a description, such as `all
    origins`.
    """

    what: Guards
    falls: Falls
    order: tuple[str, ...] = ()
    absent: str = ""


class LongText(Mark):
    """Long text in a `language`: `markdown`, `python`, `yaml`, `text`. Best kept in a separate file."""

    language: str = "text"


class Deprecated(Mark):
    """Still accepted. `instead` is the field to use, if there is one."""

    instead: str = ""


class OnlyIn(Mark):
    """Exists in one API version only."""

    version: str


class Renamed(Mark):
    """The field has another name in some responses: read either, send ours."""

    other: str


class Within(Mark):
    """A documented range, both ends included. Without presence, zero means unset and is accepted."""

    low: float
    high: float


class AtMost(Mark):
    """A documented maximum: elements of a list or map, characters of a text."""

    count: int


class Form(Mark):
    """A documented format of a text: a regular expression for the whole text, and a description in words."""

    pattern: str
    name: str


class Choices(Mark):
    """A string field that accepts only these values."""

    values: tuple[str, ...]
