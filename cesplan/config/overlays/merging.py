"""Merging a partial file over a base, value by value. Neither input is changed."""

from dataclasses import replace

from cesplan.config.report import MarkIn, SourceFile
from cesplan.config.resource.values import VALUE_DIRECTIVES, is_directive
from cesplan.config.yaml.nodes import Mapping, Node, Scalar, Sequence


def merged(base: Mapping, over: Mapping) -> Mapping:
    """
    The base with the overlay applied.

    Mappings are merged key by key, and all other values are replaced. `{$file: …}` and other directives are
    values. `null` removes a directive, and sets a field to null, which clears it.
    """
    result = replace(base, entries=dict(base.entries), has_directive=base.has_directive or over.has_directive)
    for name, key, value in over:
        known = base.entries.get(name)
        if is_directive(name) and isinstance(value, Scalar) and value.value is None:
            result.entries.pop(name, None)
        elif (
            known and isinstance(known[1], Mapping) and isinstance(value, Mapping) and _merges(known[1], value)
        ):
            result.entries[name] = (known[0], merged(known[1], value))
        else:
            result.entries[name] = (key, value)
    return result


def is_value(node: Node) -> bool:
    """Whether a node is a single value: a scalar, or a directive in place of one."""
    match node:
        case Mapping():
            return node.has_directive and any(name in node.entries for name in VALUE_DIRECTIVES)
        case Sequence():
            return False
    return True


def placed(root: Node, source: SourceFile) -> None:
    """Record in every node which file it is in."""
    pending: list[Node] = [root]
    while pending:
        node = pending.pop()
        if isinstance(node.start, MarkIn):
            continue  # an alias: already visited
        node.start = MarkIn(node.start.line, node.start.column, source)
        match node:
            case Mapping():
                pending += [part for entry in node.entries.values() for part in entry]
            case Sequence():
                pending += node.items


def _merges(one: Mapping, other: Mapping) -> bool:
    return not is_value(one) and not is_value(other)
