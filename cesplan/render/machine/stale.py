"""A stale plan for machines: each operation that moved, with both differences."""

from typing import Any

from cesplan.domain.reviewed import Moved, Stale
from cesplan.render.documents import opening, text_of
from cesplan.render.field_redactor import redactor_of
from cesplan.render.machine.outcome import error_document
from cesplan.render.machine.plan import field_change
from cesplan.render.text.stale import told


def stale_json(stale: Stale, *, exit_code: int) -> str:
    """The JSON text of an apply that wrote nothing because live had moved; ended by a line feed."""
    document = {
        **opening(),
        "exit_code": exit_code,
        "error": error_document(stale),
        "stale": stale_document(stale),
    }
    return text_of(document)


def stale_document(stale: Stale) -> list[dict[str, Any]]:
    """What moved, an object for each operation."""
    return [_moved(item) for item in stale.moved]


def _moved(moved: Moved) -> dict[str, Any]:
    redactor = redactor_of(moved.operation)
    return {
        "address": str(moved.operation.address),
        "action": moved.operation.action,
        "movement": moved.movement,
        "summary": told(moved),
        "edited_by": moved.edit.author if moved.edit else None,
        "edited_at": moved.edit.time if moved.edit else None,
        "names": list(moved.names),
        "copied": str(moved.copied) if moved.copied else None,
        "live_changes": [field_change(item, redactor) for item in moved.changes],
        "planned_changes": [field_change(item, redactor) for item in moved.operation.changes],
    }
