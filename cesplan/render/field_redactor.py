"""
Redaction by field: sensitive values are hidden before a renderer shows a body.

A value is hidden when it is a Secret, when it is the live value at a place where a secret will be written, or
when the model marks its field as sensitive and it is not a reference to a conversation variable. The engine has
already wrapped the secrets that `ValueRedactor` recognizes by value; this is the last gate and only hides more.
"""

from collections.abc import Iterable, Iterator
from typing import Any, TypeAlias

from cesplan.domain.change import FieldAction, FieldChange
from cesplan.domain.field_path import Element, Entry, FieldPath, Index
from cesplan.domain.frozen import dataclass
from cesplan.domain.plan import Operation
from cesplan.domain.value import Secret, folded, holds_secret, leaves
from cesplan.model.kinds import kind_of
from cesplan.model.scalars import DEFAULTS, Scalar
from cesplan.model.spec import Cardinality, FieldSpec, MessageSpec, has_sensitive_fields
from cesplan.render.values import SENSITIVE

HIDDEN = Secret((), "")
"""A sensitive live value that does not come from a variable of the tree."""

_ANY = "*"

Pattern: TypeAlias = tuple[str, ...]
"""A field path in which every element of a list is `*`."""


@dataclass(frozen=True, slots=True)
class _Place:
    """
    A position in a walk: the pattern of its path, and its type in the model.

    `message` is set if the value is a message; `field` is the field that holds it, or its list or map.
    """

    pattern: Pattern = ()
    message: MessageSpec | None = None
    field: FieldSpec | None = None

    def member(self, name: str) -> "_Place":
        """A member of an object: a field of a message, or an entry of a map or free-form value."""
        pattern = (*self.pattern, name)
        if self.message is None:
            return _Place(pattern, _message(self.field), self.field)
        known = self.message.fields.get(name)
        single = known is not None and known.cardinality is Cardinality.ONE
        return _Place(pattern, _message(known) if single else None, known)

    @property
    def may_be_sensitive(self) -> bool:
        """Whether the model marks anything here, or inside, as sensitive."""
        if self.message is not None:
            return has_sensitive_fields(self.message.name)
        if self.field is None:
            return False
        inner = _message(self.field)
        return self.field.secrecy is not None or (inner is not None and has_sensitive_fields(inner.name))

    def element(self) -> "_Place":
        return _Place((*self.pattern, _ANY), _message(self.field), self.field)


class FieldRedactor:
    """Hides the sensitive fields in bodies and changes of one resource."""

    def __init__(self, spec: MessageSpec, secret: frozenset[Pattern]) -> None:
        self._spec = spec
        self._secret = secret

    def body(self, body: Any) -> Any:
        """A whole body in which every sensitive leaf is a Secret; the body itself where nothing is hidden."""
        return self._walk(body, _Place(message=self._spec))

    def value(self, path: FieldPath, value: Any) -> Any:
        """The value at a path in which every sensitive leaf is a Secret; the value itself if none is."""
        return self._walk(value, self._at(path))

    def sides(self, change: FieldChange) -> tuple[Any, Any]:
        """The redacted values before and after a change. Positions are not secret."""
        if change.action is FieldAction.MOVED:
            return change.before, change.after
        return self.value(change.path, change.before), self.value(change.path, change.after)

    def readable_sides(self, change: FieldChange) -> tuple[Any, Any]:
        """
        Like `sides`, with `false` or `0` where such a field is absent.

        Without presence, absent and default are one value (proto3), and `enabled not set → true` would hide
        that it was off. A field stays absent where the message around it may be absent too.
        """
        before, after = self.sides(change)
        default = self._default(change)
        return default if before is None else before, default if after is None else after

    def _default(self, change: FieldChange) -> Any:
        """The value of an absent boolean or number without presence; None for anything else."""
        known = self.field(change.path)
        if known is None or known.cardinality is not Cardinality.ONE or known.has_presence:
            return None
        is_in_element = len(change.path.segments) > 1 and isinstance(change.path.segments[-2], Index | Element)
        if known.is_server_defaulted or not (is_in_element or change.mask == change.path.mask):
            return None
        default = DEFAULTS.get(known.scalar)
        return None if default == "" else default

    def field(self, path: FieldPath) -> FieldSpec | None:
        """The field of the model at a path, or the list field that holds the element there."""
        return self._at(path).field

    def _at(self, path: FieldPath) -> _Place:
        place = _Place(message=self._spec)
        for segment in path.segments:
            match segment:
                case str():
                    place = place.member(segment)
                case Entry():
                    place = place.member(segment.key)
                case Index() | Element():
                    place = place.element()
        return place

    def _walk(self, value: Any, place: _Place) -> Any:
        """
        Walk without the shared walker: this also enters values that the model does not know, and stops early.
        """
        if isinstance(value, Secret) or (not self._secret and not place.may_be_sensitive):
            return value
        if isinstance(value, dict):
            return {key: self._walk(item, place.member(key)) for key, item in value.items()}
        if isinstance(value, list | tuple):
            return [self._walk(item, place.element()) for item in value]
        return HIDDEN if self._is_hidden(value, place) else value

    def _is_hidden(self, value: Any, place: _Place) -> bool:
        if value in (None, ""):
            return False
        if place.pattern in self._secret:
            return True
        return place.field is not None and place.field.is_secret(value)


def redactor_of(operation: Operation) -> FieldRedactor:
    """A redactor that also hides live values wherever this operation has secrets."""
    bodies = (operation.after, operation.before, *(step.body for step in operation.steps))
    return redactor_over(kind_of(operation.address.kind).spec, bodies)


def redactor_over(spec: MessageSpec, bodies: Iterable[Any]) -> FieldRedactor:
    """A redactor that hides every place where one of these bodies has a secret."""
    return FieldRedactor(spec, frozenset(pattern for body in bodies for pattern in _secret_places(body)))


def shown(value: Any) -> Any:
    """A redacted value for JSON: a secret is the reference to its variable, as a tree writes it."""
    return folded(value, _shown) if holds_secret(value) else value


def _shown(leaf: Any) -> Any:
    match leaf:
        case Secret(variables=()):
            return SENSITIVE
        case Secret(variables=(name,)):
            return {"$var": name}
        case Secret():
            return {"$var": list(leaf.variables)}
    return leaf


def sensitive_parts(value: Any) -> Any:
    """The shape of a redacted value with only its sensitive leaves, as true (Terraform's form)."""
    if not holds_secret(value):
        return {} if isinstance(value, dict) else [] if isinstance(value, list | tuple) else False
    return folded(
        value,
        lambda leaf: isinstance(leaf, Secret),
        lambda members: {key: item for key, item in members.items() if item},
        lambda parts: parts if any(parts) else [],
    )


def _message(field: FieldSpec | None) -> MessageSpec | None:
    return field.message if field is not None and field.scalar is Scalar.MESSAGE else None


def _secret_places(body: Any) -> Iterator[Pattern]:
    """The patterns of secrets in a body; a hidden live value says nothing about its neighbors."""
    for at, leaf in leaves(body) if holds_secret(body) else ():
        if isinstance(leaf, Secret) and leaf.variables:
            yield tuple(_ANY if isinstance(part, int) else part for part in at)
