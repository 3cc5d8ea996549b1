"""
Field paths as people write them (`variableDeclarations[name=tier].schema`), checked against a message.
"""

import re
from dataclasses import dataclass

from cesplan.config.suggesting import nearest
from cesplan.model.scalars import Scalar
from cesplan.model.spec import Cardinality, FieldSpec, MessageSpec

_PART = re.compile(r'([A-Za-z][A-Za-z0-9]*)|\[(\d+|[A-Za-z.]+=[^\]]*|"[^"]*")\]|\.')

_NAMES = re.compile(r"[A-Za-z_][A-Za-z0-9_]*(\.[A-Za-z_][A-Za-z0-9_]*)*")


@dataclass(frozen=True, slots=True)
class Unknown:
    """Why a path leads to no field."""

    summary: str
    detail: str = ""
    suggestion: str = ""


def unknown_part(spec: MessageSpec, text: str) -> Unknown | None:
    """What is wrong with a path in this message; None when it names a field, or something inside a value."""
    parts = _split(text)
    if parts is None:
        return Unknown(
            f"`{text}` is no field path",
            'Write `field`, `field.field`, `list[0]`, `list[name=key]` or `map["key"]`.',
        )
    field: FieldSpec | None = None
    for part in parts:
        if part.startswith("["):
            if field is None or field.cardinality is Cardinality.ONE:
                return None if _is_free(field) else Unknown(f"`{text}`: nothing before `{part}` has elements")
            continue
        if field is not None:
            if field.scalar is not Scalar.MESSAGE:
                return None if _is_free(field) else Unknown(f"`{text}`: `{field.name}` has no fields")
            spec = field.message
        field = spec.fields.get(part)
        if field is None:
            known = [item.name for item in spec.settable]
            return Unknown(
                f"unknown field `{part}` in `{text}`", f"{spec.name} does not have it.", nearest(part, known)
            )
    return None


def unsendable(spec: MessageSpec, text: str) -> Unknown | None:
    """Why a write cannot send a new field at this path: masks name fields in messages only (AIP-161)."""
    if not _NAMES.fullmatch(text):
        return Unknown(
            f"`$extra` cannot set `{text}`: an update names fields only",
            "Write `field` or `field.field`. What is inside a list or a map cannot be sent by itself.",
        )
    for name in text.split(".")[:-1]:
        field = spec.fields.get(name)
        if field is None:
            return None
        if field.cardinality is not Cardinality.ONE or field.scalar is not Scalar.MESSAGE:
            return Unknown(f"`$extra` cannot set `{text}`: `{name}` is no message, so it has no new fields")
        spec = field.message
    return None


def _is_free(field: FieldSpec | None) -> bool:
    return field is not None and field.scalar in (Scalar.STRUCT, Scalar.VALUE)


def _split(text: str) -> list[str] | None:
    parts, end = [], 0
    while end < len(text):
        found = _PART.match(text, end)
        if not found:
            return None
        if found[0] != ".":
            parts.append(found[0])
        end = found.end()
    return parts or None
