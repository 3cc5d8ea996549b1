"""Filling: adding unambiguous defaults to a canonical body, so that a condition finds the fields it names."""

from typing import Any

from cesplan.domain.address import KindName
from cesplan.domain.value import Body
from cesplan.model.kinds import KINDS
from cesplan.model.scalars import Scalar
from cesplan.model.spec import Cardinality, FieldSpec, MessageSpec
from cesplan.model.walk import Rewriting, Trail


def with_defaults(kind: str, body: Body | None) -> Body | None:
    """
    A body in which unset booleans are false, and unset lists and maps are empty, where absent and default mean
    the same. Texts, numbers, and messages stay absent: a rule decides what an absent model means to it
    (`after.?modelSettings.?model.orValue("…")`).
    """
    known = KINDS.get(KindName(kind))
    if known is None or not isinstance(body, dict):
        return body
    filled: Body = _Filling().message(known.spec, body)
    return filled


class _Filling(Rewriting):
    def message(self, spec: MessageSpec, body: Any, at: Trail = ()) -> Any:
        result = super().message(spec, body, at)
        absent = (item for item in spec.settable if item.name not in result and _is_filled(item))
        return {**result, **{item.name: _default(item) for item in absent}}


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
