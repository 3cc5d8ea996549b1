"""A stale plan for machines: each operation that moved, with both differences."""

from typing import Self

from cesplan.domain.plan import Action
from cesplan.domain.reviewed import Moved, Movement, Stale
from cesplan.render.field_redactor import redactor_of
from cesplan.render.machine.formats.base import AddressText, Document, Format
from cesplan.render.machine.formats.outcomes import ErrorJson
from cesplan.render.machine.formats.plan import FieldChangeJson
from cesplan.render.text.stale import movement_text


class MovedJson(Format):
    """An operation that would no longer do what was reviewed."""

    address: AddressText
    """The resource."""
    action: Action
    """The action that would be planned."""
    movement: Movement
    """How live changed after the plan was made."""
    summary: str
    """The same as text."""
    edited_by: str | None
    """The author from the change log; null if it does not have one."""
    edited_at: str | None
    """The time (RFC 3339); null if the change log does not have it."""
    names: tuple[str, ...]
    """References that lead nowhere, resources that refer to it, or places that cannot be compared."""
    copied: AddressText | None
    """The resource that changed, if it is one that a version would copy; otherwise null."""
    live_changes: tuple[FieldChangeJson, ...]
    """The changes from the state at planning to the current live state."""
    planned_changes: tuple[FieldChangeJson, ...]
    """The operations of the plan."""

    @classmethod
    def of(cls, moved: Moved) -> Self:
        redactor = redactor_of(moved.operation)
        return cls.from_value(
            moved,
            address=moved.operation.address,
            action=moved.operation.action,
            summary=movement_text(moved),
            edited_by=(moved.edit.author or None) if moved.edit else None,
            edited_at=(moved.edit.time or None) if moved.edit else None,
            live_changes=tuple(FieldChangeJson.of(item, redactor) for item in moved.changes),
            planned_changes=tuple(FieldChangeJson.of(item, redactor) for item in moved.operation.changes),
        )


class StaleReport(Document):
    """`cesplan apply FILE --format json`, where live has moved since the plan was made."""

    exit_code: int
    """The exit code of the command."""
    error: ErrorJson
    """Why nothing was written."""
    stale: tuple[MovedJson, ...]
    """The changes that made the plan stale."""

    @classmethod
    def of(cls, stale: Stale, *, exit_code: int) -> Self:
        return cls.from_value(exit_code=exit_code, error=stale, stale=stale.moved)
