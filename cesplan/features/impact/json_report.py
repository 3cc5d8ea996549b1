"""A graph for machines."""

from typing import Self

from cesplan.domain.settings import Settings
from cesplan.features.impact.values import Direction, Graph, Node
from cesplan.render.machine.formats.base import AddressText, Document, Format, Located


class NodeJson(Format):
    """One resource."""

    address: AddressText
    """`<app>` or `<app>/<kind>/<key>`."""
    type: str
    """The kind."""
    display_name: str
    """The display name; empty if it has none."""
    is_root: bool
    """Whether conversations begin with it."""

    @classmethod
    def of(cls, node: Node) -> Self:
        return cls.from_value(node, type=node.address.kind)


class EdgeJson(Format):
    """A reference from one resource to another."""

    source: AddressText
    """The referring resource."""
    target: AddressText
    """The resource that is referred to."""
    field: str
    """The field with the reference, without list positions."""
    direction: Direction | None
    """
    Of a transfer rule, which way it hands over: `parent_to_child` from source to target, `child_to_parent` from
    target to source. Null for other references.
    """


class GraphReport(Located, Document):
    """`cesplan graph --format json`."""

    live: bool
    """Whether this shows the live resources instead of the tree."""
    nodes: tuple[NodeJson, ...]
    """The resources, by address."""
    edges: tuple[EdgeJson, ...]
    """The references between them, one for each field and direction."""
    cycles: tuple[tuple[AddressText, ...], ...]
    """
    One shortest cycle for each group of resources that refer to each other; the first is not repeated at the
    end.
    """
    unreached: tuple[AddressText, ...]
    """Agents, tools, toolsets, and guardrails that no conversation reaches."""
    uncovered: tuple[AddressText, ...]
    """Agents, tools, and toolsets that no evaluation runs through; empty if there are no evaluations."""

    @classmethod
    def of(cls, graph: Graph, settings: Settings, *, live: bool) -> Self:
        return cls.from_value(graph, settings, settings.place, live=live)
