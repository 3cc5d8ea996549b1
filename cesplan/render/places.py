"""
Names for places in lists: a transfer rule by the agent that it is about, and not by its number.
"""

from typing import Any

from cesplan.domain.field_path import FieldPath, Index, Segment
from cesplan.domain.plan import Operation
from cesplan.domain.value import Body
from cesplan.model.kinds import kind_of
from cesplan.model.scalars import Scalar
from cesplan.model.spec import Cardinality, MessageSpec


def name_of(path: FieldPath, operation: Operation) -> str:
    """What the first numbered element of a path is about: `billing, child to parent`; empty if nothing does."""
    for body in (operation.after, operation.before):
        if body is not None and (name := _named(path.segments, kind_of(operation.address.kind).spec, body)):
            return name
    return ""


def _named(segments: tuple[Segment, ...], spec: MessageSpec, body: Body) -> str:
    known = None
    value: Any = body
    for segment in segments:
        if isinstance(segment, str) and isinstance(value, dict) and segment in spec.fields:
            known, value = spec.fields[segment], value.get(segment)
            if known.scalar is not Scalar.MESSAGE:
                return ""
            spec = known.message
        elif isinstance(segment, Index) and known is not None and known.cardinality is Cardinality.LIST:
            is_there = isinstance(value, list) and segment.position < len(value)
            return _about(spec, value[segment.position]) if is_there else ""
        else:
            return ""
    return ""


def _about(spec: MessageSpec, element: Any) -> str:
    """The resource that an element of a list names, and the direction of what it says of it."""
    if not isinstance(element, dict):
        return ""
    for known in spec.fields.values():
        named = element.get(known.name)
        if known.reference is not None and known.reference.kinds and isinstance(named, str):
            direction = element.get("direction")
            words = f", {direction.lower().replace('_', ' ')}" if isinstance(direction, str) else ""
            return f"{named.rpartition('/')[2]}{words}"
    return ""
