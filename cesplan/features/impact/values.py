"""The graph of an app: its resources, and what they name, with the direction of transfer rules."""

from enum import StrEnum

from cesplan.domain.address import Address
from cesplan.domain.frozen import dataclass
from cesplan.domain.plan import Action


class Direction(StrEnum):
    """Which way a transfer rule hands over (message TransferRule.Direction)."""

    TO_CHILD = "parent_to_child"
    TO_PARENT = "child_to_parent"


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class Edge:
    """A reference from one resource to another."""

    source: Address
    """The referring resource."""
    target: Address
    """The resource that is referred to."""
    field: str
    """The field that names it, without positions: `transferRules.childAgent`; empty if that is not known."""
    direction: Direction | None = None
    """Of a transfer rule, which way it hands over: TO_PARENT is from the target to the source."""
    action: Action | None = None
    """Whether a plan makes (CREATE) or drops (DELETE) the reference; None for one that stays."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Node:
    """One resource."""

    address: Address
    """The resource."""
    display_name: str = ""
    """The display name; empty if it has none."""
    is_root: bool = False
    """True for the agent with which conversations begin."""
    action: Action | None = None
    """What a plan does with it; None if nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Graph:
    """An app, or a part of it."""

    nodes: tuple[Node, ...] = ()
    """The resources, by address."""
    edges: tuple[Edge, ...] = ()
    """The references among them, sorted; one for each field and direction."""
    cycles: tuple[tuple[Address, ...], ...] = ()
    """A shortest way around for each group of resources that lead to each other, the first not repeated."""
    unreached: tuple[Address, ...] = ()
    """What takes part in conversations, and no conversation reaches."""
    uncovered: tuple[Address, ...] = ()
    """Agents, tools, and toolsets that no evaluation runs through; empty if there are no evaluations."""
