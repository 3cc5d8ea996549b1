"""Promotions: the differences between two environments, by address and field."""

from enum import StrEnum

from cesplan.domain.address import Address
from cesplan.domain.change import FieldChange
from cesplan.domain.frozen import dataclass
from cesplan.domain.settings import Settings
from cesplan.domain.value import Body


class WhichSide(StrEnum):
    """Which of the two environments has a resource."""

    BOTH = "both"
    SOURCE = "source"
    TARGET = "target"


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """
    A resource that differs between the two.

    `changes` are relative to the source. `secrets` are the objects with secrets of which neither side may be
    shown.
    """

    address: Address
    presence: WhichSide = WhichSide.BOTH
    changes: tuple[FieldChange, ...] = ()
    secrets: tuple[Body, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Promotion:
    """
    Two environments of one tree side by side.

    `is_live` is true if the live states are compared, false if the tree's. `equal` counts the resources that do
    not differ.
    """

    source: Settings
    target: Settings
    differences: tuple[Difference, ...]
    equal: int
    is_live: bool = False
