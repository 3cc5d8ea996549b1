"""
Unchanged resources: a single walk over both raw bodies.

Most resources match their files. These need no normalizing: an identical value on both sides has the same
canonical form, which is computed only if the spellings differ (references, defaults). Whatever is uncertain
here is compared in full, so this never decides that something differs.
"""

from enum import IntEnum
from functools import cache
from typing import Any, NamedTuple

from cesplan.domain.naming import Naming
from cesplan.domain.value import ABSENT, Body, is_same
from cesplan.engine.comparing.normalize import Canonical
from cesplan.model.scalars import Scalar
from cesplan.model.spec import Cardinality, FieldSpec, MessageSpec, message_spec


def is_unchanged(spec: MessageSpec, desired: Body, live: Body, naming: Naming) -> bool:
    """
    Whether a full comparison would certainly find no difference.

    False if it may find one, or a place that the model does not know. `desired` and `live` are raw bodies of
    this message. The desired one has no place that the model does not know.
    """
    walk = _Agreeing(naming)
    return walk.agrees(_steps(spec.name), desired, live, is_element=False) and not walk.newer


class _Way(IntEnum):
    """How the values of a field are compared."""

    NOT = 0
    """Not at all: the field addresses the resource, or follows from the path of the file."""
    AS_IT_IS = 1
    """As texts that have only one spelling."""
    MESSAGE = 2
    MESSAGES = 3
    CANONICAL = 4
    """By their canonical form."""


class _Step(NamedTuple):
    """A field of a message."""

    field: FieldSpec
    way: _Way
    is_input_only: bool


class _Agreeing(Canonical):
    """Recursive, because it walks two bodies together."""

    def agrees(self, steps: dict[str, _Step], desired: Body, live: Body, *, is_element: bool) -> bool:
        """
        Whether two bodies of a message are equal.

        In an element of a list (`is_element`), or below it, no value may be left to the service, because the
        pairing of elements depends on all their content.
        """
        common = 0
        for name, theirs in live.items():
            step = steps.get(name)
            if step is None:
                return False
            ours = desired.get(name, ABSENT)
            common += ours is not ABSENT
            if step.way is _Way.NOT or ours is theirs:
                continue
            if not self._agrees(step, ours, theirs, desired, is_element=is_element):
                return False
        return common == len(desired) or all(
            self._is_insignificant(steps.get(name), value, is_element=is_element)
            for name, value in desired.items()
            if name not in live
        )

    def _agrees(self, step: _Step, ours: Any, theirs: Any, desired: Body, *, is_element: bool) -> bool:
        way = step.way
        if way is _Way.AS_IT_IS and ours == theirs and theirs.__class__ is str:
            return True
        if step.is_input_only:
            return False
        if ours is not ABSENT and is_same(ours, theirs):
            return True
        if way is _Way.MESSAGE and ours.__class__ is theirs.__class__ is dict:
            return self.agrees(_steps(step.field.message_name), ours, theirs, is_element=is_element)
        if way is _Way.MESSAGES and ours.__class__ is theirs.__class__ is list:
            inner = _steps(step.field.message_name)
            return len(ours) == len(theirs) and all(
                one is other
                or (
                    one.__class__ is other.__class__ is dict and self.agrees(inner, one, other, is_element=True)
                )
                for one, other in zip(ours, theirs, strict=True)
            )
        return self._agrees_canonically(step.field, ours, theirs, desired, is_element=is_element)

    def _agrees_canonically(
        self, known: FieldSpec, ours: Any, theirs: Any, desired: Body, *, is_element: bool
    ) -> bool:
        there = self.field(known, theirs, (known.name,))
        here = self._canonical(known, ours)
        if here is ABSENT:
            return there is ABSENT or (not is_element and known.is_filled_in(there, desired))
        return there is not ABSENT and is_same(here, there)

    def _is_insignificant(self, step: _Step | None, value: Any, *, is_element: bool) -> bool:
        """Whether live may lack a value that only the file has."""
        if step is None:
            return False
        if step.way is _Way.NOT or (step.is_input_only and not is_element):
            return True
        return self._canonical(step.field, value) is ABSENT

    def _canonical(self, known: FieldSpec, ours: Any) -> Any:
        return ABSENT if ours is ABSENT else Canonical(self.naming).field(known, ours, (known.name,))


@cache
def _steps(message: str) -> dict[str, _Step]:
    """The fields of a message by name."""
    return {
        name: _Step(field=known, way=_way(known), is_input_only=known.is_input_only)
        for name, known in message_spec(message).fields.items()
    }


def _way(known: FieldSpec) -> _Way:
    if not known.is_compared:
        return _Way.NOT
    if known.is_plain_text:
        return _Way.AS_IT_IS
    if known.scalar is Scalar.MESSAGE and known.cardinality is not Cardinality.MAP:
        return _Way.MESSAGE if known.cardinality is Cardinality.ONE else _Way.MESSAGES
    return _Way.CANONICAL
