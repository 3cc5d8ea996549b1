"""Filling: a canonical body with what its absence says plainly, so that a condition finds what it names."""

from typing import Any

from cesplan.domain.address import KindName
from cesplan.domain.value import Body
from cesplan.model.kinds import KINDS
from cesplan.model.scalars import Scalar
from cesplan.model.spec import Cardinality, FieldSpec, MessageSpec


def with_defaults(kind: str, body: Body | None) -> Body | None:
    """
    A body in which unset switches are off, and unset lists and maps are empty.

    Only where absent and default are one thing. Texts, numbers and messages stay absent: a rule says itself
    what an absent model means to it (`after.?modelSettings.?model.orValue("…")`).
    """
    known = KINDS.get(KindName(kind))
    if known is None or not isinstance(body, dict):
        return body
    return _message(known.spec, body)


def _message(spec: MessageSpec, body: Body) -> Body:
    absent = {item.name: _default(item) for item in spec.settable if item.name not in body and _is_filled(item)}
    present = {
        name: _value(spec.fields[name], value) if name in spec.fields else value for name, value in body.items()
    }
    return {**present, **absent}


def _is_filled(known: FieldSpec) -> bool:
    if known.is_server_defaulted or known.is_input_only or known.is_from_place or known.has_presence:
        return False
    return known.cardinality is not Cardinality.ONE or known.scalar is Scalar.BOOL


def _default(known: FieldSpec) -> Any:
    match known.cardinality:
        case Cardinality.LIST:
            return []
        case Cardinality.MAP:
            return {}
    return False


def _value(known: FieldSpec, value: Any) -> Any:
    if known.scalar is not Scalar.MESSAGE:
        return value
    match known.cardinality, value:
        case Cardinality.ONE, dict():
            return _message(known.message, value)
        case Cardinality.LIST, list():
            return [_message(known.message, item) if isinstance(item, dict) else item for item in value]
        case Cardinality.MAP, dict():
            return {
                key: _message(known.message, item) if isinstance(item, dict) else item
                for key, item in value.items()
            }
    return value
