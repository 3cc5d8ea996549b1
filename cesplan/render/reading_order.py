"""
The order in which people read a plan: risky operations first, then other changes, then new resources by kind.

It differs from the order in which a plan is carried out, which JSON keeps.
"""

from collections.abc import Iterable
from enum import IntEnum

from cesplan.domain.address import Address, KindName
from cesplan.domain.frozen import dataclass
from cesplan.domain.plan import Action, Operation
from cesplan.model.kinds import kind_of
from cesplan.render.impact import impact_of

_FEWEST = 4
"""The fewest new resources of one kind that share a line."""


class Concern(IntEnum):
    """Why an operation comes early: the smaller the value, the earlier."""

    DELETE_OF_LIVE_EDIT = 0
    DELETE = 1
    REVERT = 2
    WEAKENS = 3
    SERVES = 4
    """A deployment, which decides what users get."""
    CHANGE = 5
    NEW = 6


@dataclass(frozen=True, slots=True, kw_only=True)
class NewOfKind:
    """New resources of one kind that need no description of their own."""

    kind: KindName
    operations: tuple[Operation, ...]


def concern_of(operation: Operation) -> Concern:
    """The first of the reasons that applies."""
    match operation.action:
        case Action.DELETE:
            return Concern.DELETE_OF_LIVE_EDIT if operation.reverts else Concern.DELETE
        case _ if operation.reverts:
            return Concern.REVERT
        case Action.CREATE:
            return Concern.NEW
    if operation.weakens:
        return Concern.WEAKENS
    return Concern.SERVES if kind_of(operation.address.kind).after_versions else Concern.CHANGE


def in_reading_order(operations: Iterable[Operation]) -> list[Operation]:
    """
    Operations by concern, guardrails and security settings first; new resources are ordered by the rank of
    their kind.
    """
    return sorted(operations, key=_place)


def grouped(operations: Iterable[Operation]) -> list[Operation | NewOfKind]:
    """The operations, with several new resources of one kind in one group."""
    ordered = in_reading_order(operations)
    plain: dict[KindName, list[Operation]] = {}
    for item in ordered:
        if _is_plain(item):
            plain.setdefault(item.address.kind, []).append(item)
    found: list[Operation | NewOfKind] = []
    for item in ordered:
        together = plain.get(item.address.kind, []) if _is_plain(item) else []
        if len(together) < _FEWEST:
            found.append(item)
        elif item is together[0]:
            found.append(NewOfKind(kind=item.address.kind, operations=tuple(sorted(together, key=_address))))
    return found


def _address(operation: Operation) -> Address:
    return operation.address


def _place(operation: Operation) -> tuple[int, int]:
    concern, kind = concern_of(operation), kind_of(operation.address.kind)
    return (concern, kind.rank if concern is Concern.NEW else 0 if kind.is_safety else 1)


def _is_plain(operation: Operation) -> bool:
    """Whether the resource is new and needs no description of its own."""
    kind = kind_of(operation.address.kind)
    is_of_many = not (kind.container or kind.is_snapshot or kind.guarded_delete)
    is_silent = not (operation.notes or impact_of(operation))
    return concern_of(operation) is Concern.NEW and is_of_many and is_silent
