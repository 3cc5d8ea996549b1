"""Promotions: what differs between two environments, by address and field."""

from enum import StrEnum

from cesplan.domain.address import Address
from cesplan.domain.change import FieldChange
from cesplan.domain.frozen import dataclass
from cesplan.domain.settings import Settings
from cesplan.domain.value import Body


class Presence(StrEnum):
    """Which of the two has a resource."""

    BOTH = "both"
    SOURCE = "source"
    TARGET = "target"


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """
    One resource that is not the same in both.

    `changes` lead from the source to the target. `secrets` are bodies that hold secrets where neither side may
    be shown.
    """

    address: Address
    presence: Presence = Presence.BOTH
    changes: tuple[FieldChange, ...] = ()
    secrets: tuple[Body, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Promotion:
    """
    Two environments of one tree side by side.

    `is_live` tells the comparison of what is live in both from that of what the tree says. `equal` counts
    resources that are the same.
    """

    source: Settings
    target: Settings
    differences: tuple[Difference, ...]
    equal: int
    is_live: bool = False
