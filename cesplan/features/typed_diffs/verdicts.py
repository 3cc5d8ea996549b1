"""
The verdict on a change of a text, and a plan with the verdicts on all of its changes.

What reads a language is imported where a text in it differs: most plans have none, and start faster.
"""

from collections.abc import Iterator
from dataclasses import replace

from cesplan.domain.change import FieldAction, FieldChange
from cesplan.domain.plan import Action, Operation, Plan
from cesplan.domain.text.typed_diff import TypedDiff, unread
from cesplan.render.field_redactor import FieldRedactor, redactor_of

MOST_CHARACTERS = 20_000_000
"""Characters of all texts of one plan that are read; the rest is compared as text."""
_LONGEST = {"python": 200_000, "yaml": 1_000_000, "markdown": 500_000}
"""Characters of one text that is read, by its language."""
_LONGEST_TEXT = 1_000_000


def verdict(language: str, before: str, after: str) -> TypedDiff | None:
    """What the difference of two texts means in their language; None where the lines say it all."""
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
    from cesplan.features.typed_diffs.structure import structure_diff

    is_json = before.lstrip()[:1] in ("{", "[") and after.lstrip()[:1] in ("{", "[")
    return structure_diff(before, after, only_json=True) if is_json else None


def with_typed_diffs(plan: Plan) -> Plan:
    """The plan with the verdict on each change of a text."""
    budget = _Budget(MOST_CHARACTERS)
    return replace(plan, operations=tuple(_operation(item, budget) for item in plan.operations))


class _Budget:
    """How many characters are still read."""

    def __init__(self, left: int) -> None:
        self._left = left

    def allows(self, size: int) -> bool:
        self._left -= size
        return self._left >= 0


def _operation(operation: Operation, budget: _Budget) -> Operation:
    if operation.action is not Action.UPDATE or not any(_is_text(item) for item in operation.changes):
        return operation
    redactor = redactor_of(operation)
    return replace(operation, changes=tuple(_changes(operation, redactor, budget)))


def _changes(operation: Operation, redactor: FieldRedactor, budget: _Budget) -> Iterator[FieldChange]:
    for change in operation.changes:
        yield replace(change, typed=_verdict(change, redactor, budget)) if _is_text(change) else change


def _is_text(change: FieldChange) -> bool:
    """Two texts of more than a line, or of a document."""
    before, after = change.before, change.after
    if change.action is not FieldAction.MODIFIED or not isinstance(before, str) or not isinstance(after, str):
        return False
    return "\n" in before + after or (before.lstrip()[:1] in ("{", "[") and after.lstrip()[:1] in ("{", "["))


def _verdict(change: FieldChange, redactor: FieldRedactor, budget: _Budget) -> TypedDiff | None:
    before, after = redactor.sides(change)
    if not isinstance(before, str) or not isinstance(after, str):
        return None  # what is hidden from reports must not be quoted by a verdict
    if not budget.allows(len(before) + len(after)):
        return unread("the plan holds too many long texts")
    return verdict(change.language, before, after)


def _document_diff(before: str, after: str) -> TypedDiff | None:
    from cesplan.features.typed_diffs.open_api import is_open_api, open_api_diff
    from cesplan.features.typed_diffs.structure import Unread, read_document, structure_diff

    try:
        old, new = read_document(before), read_document(after)
    except Unread as error:
        return unread(str(error))
    if is_open_api(old) and is_open_api(new):
        return open_api_diff(old, new)
    return structure_diff(before, after)
