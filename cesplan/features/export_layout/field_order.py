"""The order of fields in the service's files: by their numbers in the protos."""

import json
from functools import cache
from pathlib import Path

from cesplan.model.spec import FieldSpec, MessageSpec, message_spec

COMPILED = Path(__file__).with_name("field_order.json")
"""Messages whose field numbers are not in declaration order; written by `tools/compile_export_order.py`."""


def ordered(spec: MessageSpec) -> tuple[FieldSpec, ...]:
    """The fields of a message by number."""
    return _ordered(spec.name)


@cache
def _ordered(message: str) -> tuple[FieldSpec, ...]:
    fields = message_spec(message).fields
    names = _table().get(message)
    return tuple(fields.values() if names is None else (fields[name] for name in names))


@cache
def _table() -> dict[str, list[str]]:
    table: dict[str, list[str]] = json.loads(COMPILED.read_bytes())
    return table
