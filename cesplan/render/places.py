"""
Names for places in lists: the agent of a transfer rule, the description of a callback. Their numbers alone
would mean nothing to a reader.
"""

import ast
from collections.abc import Iterator
from typing import Any

from cesplan.domain.field_path import FieldPath, Index, Segment
from cesplan.domain.plan import Operation
from cesplan.domain.value import Body
from cesplan.model.kinds import kind_of
from cesplan.model.marks import LongText
from cesplan.model.scalars import Scalar
from cesplan.model.spec import Cardinality, MessageSpec
from cesplan.render.field_redactor import FieldRedactor
from cesplan.render.values import shortened

_LONGEST = 40
"""The most characters of a purpose: enough to recognize a callback."""
_LONGEST_CODE = 20_000
"""The most characters of code that are read to find its purpose."""


def element_name(path: FieldPath, operation: Operation, redactor: FieldRedactor) -> str:
    """A name for the first numbered element of a path: `billing, child to parent`; empty if it has none."""
    spec = kind_of(operation.address.kind).spec
    for body in (operation.after, operation.before):
        found = _element(path.segments, spec, body) if body is not None else None
        if found is not None:
            at, message, value = found
            if name := _about(message, redactor.value(at, value)):
                return name
    return ""


def _element(
    segments: tuple[Segment, ...], spec: MessageSpec, body: Body
) -> tuple[FieldPath, MessageSpec, Any] | None:
    """The first numbered element of a path in a body: its own path, its message, and its value."""
    known = None
    value: Any = body
    for number, segment in enumerate(segments):
        if isinstance(segment, str) and isinstance(value, dict) and segment in spec.fields:
            known, value = spec.fields[segment], value.get(segment)
            if known.scalar is not Scalar.MESSAGE:
                return None
            spec = known.message
        elif isinstance(segment, Index) and known is not None and known.cardinality is Cardinality.LIST:
            is_there = isinstance(value, list) and segment.position < len(value)
            return (FieldPath(segments[: number + 1]), spec, value[segment.position]) if is_there else None
        else:
            return None
    return None


def _about(spec: MessageSpec, element: Any) -> str:
    """The resource that an element of a list names, and the direction that the element gives."""
    if not isinstance(element, dict):
        return ""
    for known in spec.fields.values():
        named = element.get(known.name)
        if known.reference is not None and known.reference.kinds and isinstance(named, str):
            direction = element.get("direction")
            words = f", {direction.lower().replace('_', ' ')}" if isinstance(direction, str) else ""
            return f"{named.rpartition('/')[2]}{words}"
    return _purpose(spec, element)


def _purpose(spec: MessageSpec, element: Body) -> str:
    """The purpose of an element: the first line of its description, or of the docstring of its code."""
    description = element.get("description") or next(filter(None, map(_docstring, _codes(spec, element))), "")
    lines = description.strip().splitlines() if isinstance(description, str) else []
    return shortened(lines[0], _LONGEST) if lines else ""


def _codes(spec: MessageSpec, element: Body) -> Iterator[str]:
    for known in spec.fields.values():
        mark, text = known.mark(LongText), element.get(known.name)
        if mark is not None and mark.language == "python" and isinstance(text, str):
            yield text


def _docstring(code: str) -> str:
    """The docstring of the first function in a text; empty if the text cannot be parsed."""
    if len(code) > _LONGEST_CODE:
        return ""
    try:
        found = next((item for item in ast.parse(code).body if isinstance(item, ast.FunctionDef)), None)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ""
    return ast.get_docstring(found) or "" if found else ""
