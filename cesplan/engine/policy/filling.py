"""Filling: a canonical body with the defaults that it leaves out, so that a condition finds what it names."""

from typing import Any

from cesplan.domain.address import KindName
from cesplan.domain.value import Body
from cesplan.model.kinds import KINDS
from cesplan.model.scalars import Scalar
from cesplan.model.spec import Cardinality, FieldSpec, MessageSpec

_DEFAULTS: dict[Scalar, Any] = {
    Scalar.STRING: "",
    Scalar.BYTES: "",
    Scalar.BOOL: False,
    Scalar.INT32: 0,
    Scalar.INT64: 0,
    Scalar.FLOAT: 0.0,
    Scalar.DOUBLE: 0.0,
}


def filled(kind: str, body: Body | None) -> Body | None:
    """
    A body in which every field without presence is there: numbers 0, texts empty, lists and maps too.

    Messages are there, and filled, unless their absence means something: members of a oneof, and fields that
    the server fills in. So a condition may reach into `after.loggingSettings` without asking whether it is set.
    """
    known = KINDS.get(KindName(kind))
    if known is None or not isinstance(body, dict):
        return body
    return _message(known.spec, body, frozenset())


def _message(spec: MessageSpec, body: Body, around: frozenset[str]) -> Body:
    """`around` are the messages that hold this one: a message inside itself ends the filling."""
    found = dict(body)
    inside = around | {spec.name}
    for known in spec.settable:
        if known.name in body:
            found[known.name] = _value(known, body[known.name], inside)
        elif _is_filled(known, inside):
            found[known.name] = _default(known, inside)
    return found


def _is_filled(known: FieldSpec, inside: frozenset[str]) -> bool:
    if known.is_server_defaulted or known.is_input_only or known.is_from_place or known.oneof:
        return False
    if known.cardinality is not Cardinality.ONE:
        return True
    if known.scalar is Scalar.MESSAGE:
        return known.message_name not in inside
    return known.scalar in _DEFAULTS and not known.has_presence


def _default(known: FieldSpec, inside: frozenset[str]) -> Any:
    match known.cardinality:
        case Cardinality.LIST:
            return []
        case Cardinality.MAP:
            return {}
    return _message(known.message, {}, inside) if known.scalar is Scalar.MESSAGE else _DEFAULTS[known.scalar]


def _value(known: FieldSpec, value: Any, inside: frozenset[str]) -> Any:
    if known.scalar is not Scalar.MESSAGE:
        return value
    match known.cardinality, value:
        case Cardinality.ONE, dict():
            return _message(known.message, value, inside)
        case Cardinality.LIST, list():
            return [_message(known.message, item, inside) if isinstance(item, dict) else item for item in value]
        case Cardinality.MAP, dict():
            return {
                key: _message(known.message, item, inside) if isinstance(item, dict) else item
                for key, item in value.items()
            }
    return value
