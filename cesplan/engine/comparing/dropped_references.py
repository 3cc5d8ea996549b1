"""
Dropped references: a body after resources that it referred to are deleted.

A forced delete removes the references to its resource from others, which does not count as an edit by someone
else. Messages that require the reference are removed too, and so are messages that become empty.
"""

from typing import Any

from cesplan.domain.value import ABSENT, Body
from cesplan.model.marks import Required
from cesplan.model.spec import Cardinality, FieldSpec, MessageSpec
from cesplan.model.walk import Rewriting, Trail


def without_references(spec: MessageSpec, body: Body, deleted: frozenset[str]) -> Body:
    """A copy of a canonical body without references to `deleted`, which are texts such as `tools/x`."""
    if not deleted:
        return body
    left = _Dropping(deleted).message(spec, body)
    return {} if left is ABSENT else dict(left)


class _Dropping(Rewriting):
    def __init__(self, deleted: frozenset[str]) -> None:
        self._deleted = deleted

    def message(self, spec: MessageSpec, body: Any, at: Trail = ()) -> Any:
        kept = super().message(spec, body, at)
        if not isinstance(body, dict) or len(kept) == len(body):
            return kept
        required = (name for name in body.keys() - kept.keys() if spec.fields[name].mark(Required))
        return ABSENT if not kept or any(required) else kept

    def field(self, known: FieldSpec, value: Any, at: Trail) -> Any:
        if not known.holds_references:
            return value
        left = super().field(known, value, at)
        return ABSENT if left in ([], {}) and known.cardinality is not Cardinality.ONE else left

    def leaf(self, known: FieldSpec, value: Any, at: Trail) -> Any:
        return ABSENT if isinstance(value, str) and value in self._deleted else value
