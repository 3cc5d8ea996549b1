"""
Ignored fields: a body with the values of another body at some places.

With live's own values, the fields that a file ignores do not differ: they are not shown, and a list that must
be replaced as a whole is sent with their live values. A place that live lacks is not written.
"""

from collections.abc import Iterable, Iterator

from cesplan.domain.field_path import Element, FieldPath, Segment
from cesplan.domain.value import ABSENT, Body
from cesplan.model.scalars import Scalar
from cesplan.model.spec import Cardinality, FieldSpec, MessageSpec


def with_values_of(spec: MessageSpec, body: Body, other: Body, paths: Iterable[FieldPath]) -> Body:
    """A copy of a canonical body with the other's values at these paths, except in elements that it lacks."""
    for path in paths:
        value = path.get(other, ABSENT)
        if value is ABSENT:
            body = _without(spec, body, path)
        elif _may_hold(spec, body, path):
            body = _with(body, path, value)
    return body


def _with(body: Body, path: FieldPath, value: object) -> Body:
    last, parent = path.segments[-1], FieldPath(path.segments[:-1])
    try:
        if isinstance(last, Element) and path.get(body, ABSENT) is ABSENT:
            return dict(parent.put(body, [*parent.get(body, []), value]))
        return dict(path.put(body, value))
    except LookupError:
        return body


def _without(spec: MessageSpec, body: Body, path: FieldPath) -> Body:
    """The body without the value, and without messages that become empty, which canonical bodies never have."""
    if path.get(body, ABSENT) is ABSENT:
        return body
    body = path.remove(body)
    fields = [*_fields(spec, path.segments)]
    for size in range(len(path.segments) - 1, 0, -1):
        parent, known = FieldPath(path.segments[:size]), fields[size - 1]
        if parent.get(body) or known is None or known.has_presence:
            break
        body = parent.remove(body)
    return body


def _may_hold(spec: MessageSpec, body: Body, path: FieldPath) -> bool:
    """False if the place is inside a oneof member and the body has another member."""
    for size, known in enumerate(_fields(spec, path.segments)):
        holder = FieldPath(path.segments[:size]).get(body)
        if known is None or not known.oneof or not isinstance(holder, dict) or known.name in holder:
            continue
        at = _message_at(spec, path.segments[:size])
        if at is not None and any(name in holder for name in at.oneofs[known.oneof]):
            return False
    return True


def _fields(spec: MessageSpec, segments: tuple[Segment, ...]) -> Iterator[FieldSpec | None]:
    """The field at each step of a path; None for elements, entries, and values without a schema."""
    for size, segment in enumerate(segments):
        at = _message_at(spec, segments[:size])
        yield at.fields.get(segment) if at is not None and isinstance(segment, str) else None


def _message_at(spec: MessageSpec, segments: tuple[Segment, ...]) -> MessageSpec | None:
    """The message at the end of a path; None if it is not a message."""
    message: MessageSpec | None = spec
    known: FieldSpec | None = None
    for segment in segments:
        if message is not None and isinstance(segment, str):
            known = message.fields.get(segment)
            is_one = known is not None and known.cardinality is Cardinality.ONE
            message = known.message if is_one and known and known.scalar is Scalar.MESSAGE else None
        else:
            is_element = message is None and known is not None and known.scalar is Scalar.MESSAGE
            message, known = known.message if is_element and known else None, None
    return message
