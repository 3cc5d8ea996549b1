"""
Dropping: a body as it is once others are gone that it referred to.

A delete by force removes the references to its resource from others, which does not count as an edit by
someone else. Content that requires the reference is removed with it: a message that requires it, and what is
left empty.
"""

from collections.abc import Iterable
from typing import Any

from cesplan.domain.value import Body
from cesplan.engine.comparing.normalize import ABSENT
from cesplan.model.marks import Required
from cesplan.model.scalars import Scalar
from cesplan.model.spec import Cardinality, FieldSpec, MessageSpec


def without_references(spec: MessageSpec, body: Body, gone: frozenset[str]) -> Body:
    """A copy of a canonical body without any reference to `gone`, which are texts such as `tools/x`."""
    if not gone:
        return body
    left = _message(spec, body, gone)
    return {} if left is ABSENT else dict(left)


def _message(spec: MessageSpec, body: Any, gone: frozenset[str]) -> Any:
    if not isinstance(body, dict):
        return body
    kept: Body = {}
    for name, value in body.items():
        known = spec.fields.get(name)
        left = _field(known, value, gone) if known is not None and known.holds_references else value
        if left is not ABSENT:
            kept[name] = left
        elif known is not None and known.mark(Required) is not None:
            return ABSENT
    return kept if kept or not body else ABSENT


def _field(known: FieldSpec, value: Any, gone: frozenset[str]) -> Any:
    if known.cardinality is Cardinality.LIST and isinstance(value, list):
        return _filled(_one(known, item, gone) for item in value)
    if known.cardinality is Cardinality.MAP and isinstance(value, dict):
        left = {key: _one(known, item, gone) for key, item in value.items()}
        return {key: item for key, item in left.items() if item is not ABSENT} or ABSENT
    return _one(known, value, gone)


def _filled(items: Iterable[Any]) -> Any:
    return [item for item in items if item is not ABSENT] or ABSENT


def _one(known: FieldSpec, value: Any, gone: frozenset[str]) -> Any:
    if known.scalar is Scalar.MESSAGE:
        return _message(known.message, value, gone)
    return ABSENT if isinstance(value, str) and value in gone else value
