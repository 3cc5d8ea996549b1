"""
The verdict on a change of a text, and a plan with the verdicts on all its changes. The module of a language is
imported only if a text in it differs: most plans have none, and start faster.
"""

from dataclasses import replace

from cesplan.domain.address import KindName
from cesplan.domain.change import FieldAction, FieldChange
from cesplan.domain.plan import Action, Operation, Plan
from cesplan.domain.text.typed_diff import TypedDiff, unread
from cesplan.domain.value import Body, mask_secrets
from cesplan.features.typed_diffs.schema_fields import schema_of
from cesplan.model.kinds import kind_of
from cesplan.render.field_redactor import FieldRedactor, redactor_of

MOST_CHARACTERS = 20_000_000
"""Total characters of texts read for one plan; the rest is compared as text."""
_LONGEST = {"python": 200_000, "yaml": 1_000_000, "markdown": 500_000}
"""Characters of one text that is read, by language."""
_LONGEST_TEXT = 1_000_000


def verdict(language: str, before: str, after: str) -> TypedDiff | None:
    """The meaning of the difference between two texts in their language; None if a line diff is enough."""
    longest = _LONGEST.get(language, _LONGEST_TEXT)
    if max(len(before), len(after)) > longest:
        return unread(f"longer than {longest:,} characters") if language in _LONGEST else None
    match language:
        case "python":
            from cesplan.features.typed_diffs.python_code import python_diff

            return python_diff(before, after)
        case "yaml":
            return _document_diff(before, after)
        case "markdown":
            from cesplan.features.typed_diffs.instructions import instruction_diff

            return instruction_diff(before, after)
    is_json = before.lstrip()[:1] in ("{", "[") and after.lstrip()[:1] in ("{", "[")
    if is_json and "json-schema.org" in before and "json-schema.org" in after:
        return _document_diff(before, after)
    from cesplan.features.typed_diffs.structure import structure_diff

    return structure_diff(before, after, only_json=True) if is_json else None


def with_typed_diffs(plan: Plan) -> Plan:
    """The plan with the verdict on each change of a text."""
    reading = DiffReader(MOST_CHARACTERS)
    return replace(plan, operations=tuple(_operation(item, reading) for item in plan.operations))


class DiffReader:
    """Reads the texts of one report, up to `left` characters in all."""

    def __init__(self, left: int = MOST_CHARACTERS) -> None:
        self._left = left

    def read(self, change: FieldChange, redactor: FieldRedactor) -> FieldChange:
        """The change with the verdict on its two texts; unchanged if there is none."""
        return replace(change, typed=self._verdict(change, redactor)) if _is_text(change) else change

    def read_all(
        self,
        changes: tuple[FieldChange, ...],
        kind: KindName,
        before: Body | None,
        after: Body | None,
        redactor: FieldRedactor,
    ) -> tuple[FieldChange, ...]:
        """All changes of one resource between two bodies, with the verdicts on their texts and schemas."""
        marked = tuple(self.read(item, redactor) for item in changes)
        spec = kind_of(kind).spec
        if not any(schema_of(spec, item.path) for item in changes):
            return marked
        from cesplan.features.typed_diffs.tool_schemas import with_schema_verdicts

        bodies = (mask_secrets(redactor.body(body)) for body in (before or {}, after or {}))
        return with_schema_verdicts(marked, spec, *bodies)

    def _verdict(self, change: FieldChange, redactor: FieldRedactor) -> TypedDiff | None:
        before, after = redactor.sides(change)
        if not isinstance(before, str) or not isinstance(after, str):
            return None  # a verdict must not quote values hidden from reports
        self._left -= len(before) + len(after)
        return (
            unread("the plan holds too many long texts")
            if self._left < 0
            else verdict(change.language, before, after)
        )


def _operation(operation: Operation, reading: DiffReader) -> Operation:
    if operation.action is not Action.UPDATE or not operation.changes:
        return operation
    redactor = redactor_of(operation)
    changes = reading.read_all(
        operation.changes, operation.address.kind, operation.before, operation.after, redactor
    )
    return replace(operation, changes=changes)


def _is_text(change: FieldChange) -> bool:
    """Whether both sides are texts, with more than one line or in the form of a JSON document."""
    before, after = change.before, change.after
    if change.action is not FieldAction.MODIFIED or not isinstance(before, str) or not isinstance(after, str):
        return False
    return "\n" in before + after or (before.lstrip()[:1] in ("{", "[") and after.lstrip()[:1] in ("{", "["))


def _document_diff(before: str, after: str) -> TypedDiff | None:
    from cesplan.features.typed_diffs.open_api import is_open_api, open_api_diff
    from cesplan.features.typed_diffs.structure import Unread, read_document, structure_diff
    from cesplan.features.typed_diffs.tool_schemas import is_json_schema, json_schema_diff

    try:
        old, new = read_document(before), read_document(after)
    except Unread as error:
        return unread(str(error))
    if is_open_api(old) and is_open_api(new):
        return open_api_diff(old, new)
    if is_json_schema(old) and is_json_schema(new):
        return json_schema_diff(old, new)
    return structure_diff(before, after)
