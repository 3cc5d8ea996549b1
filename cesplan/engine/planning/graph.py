"""Strongly connected components and a stable topological order."""

from collections.abc import Callable, Hashable, Iterable, Mapping
from heapq import heappop, heappush
from typing import Any, TypeVar

_N = TypeVar("_N", bound=Hashable)


def components(edges: Mapping[_N, Iterable[_N]]) -> list[list[_N]]:
    """
    The strongly connected components of a graph, given as node → successors (Tarjan, without recursion).

    Components with a single node are included. Nodes that only occur as successors count.
    """
    return _Tarjan(edges).run()


def topological(after: Mapping[_N, Iterable[_N]], key: Callable[[_N], Any]) -> list[_N]:
    """
    The nodes in an order in which each comes after everything that it waits for; `key` breaks ties.

    `after` maps a node to the nodes that it waits for; unknown nodes are ignored. Raises ValueError on a cycle.
    """
    remaining = {node: {item for item in before if item in after} for node, before in after.items()}
    followers: dict[_N, list[_N]] = {}
    for node, before in remaining.items():
        for item in before:
            followers.setdefault(item, []).append(node)
    ready: list[tuple[Any, int, _N]] = []
    numbers = {node: number for number, node in enumerate(sorted(after, key=key))}
    for node, before in remaining.items():
        if not before:
            heappush(ready, (key(node), numbers[node], node))
    ordered: list[_N] = []
    while ready:
        node = heappop(ready)[2]
        ordered.append(node)
        for follower in followers.get(node, ()):
            remaining[follower].discard(node)
            if not remaining[follower]:
                heappush(ready, (key(follower), numbers[follower], follower))
    if len(ordered) != len(remaining):
        raise ValueError("the graph has a cycle")
    return ordered


class _Tarjan:
    def __init__(self, edges: Mapping[_N, Iterable[_N]]) -> None:
        self._edges: Mapping[Any, Iterable[Any]] = edges
        self._index: dict[Any, int] = {}
        self._low: dict[Any, int] = {}
        self._stack: list[Any] = []
        self._on_stack: set[Any] = set()
        self._found: list[list[Any]] = []

    def run(self) -> list[list[Any]]:
        for node in self._edges:
            if node not in self._index:
                self._visit(node)
        return self._found

    def _visit(self, root: Any) -> None:
        path = [(root, iter(self._enter(root)))]
        while path:
            node, successors = path[-1]
            following = next((item for item in successors if self._is_open(node, item)), None)
            if following is not None:
                path.append((following, iter(self._enter(following))))
                continue
            path.pop()
            if path:
                parent = path[-1][0]
                self._low[parent] = min(self._low[parent], self._low[node])
            self._close(node)

    def _enter(self, node: Any) -> Iterable[Any]:
        self._index[node] = self._low[node] = len(self._index)
        self._stack.append(node)
        self._on_stack.add(node)
        return self._edges.get(node, ())

    def _is_open(self, node: Any, successor: Any) -> bool:
        """True if the successor was never visited. One on the stack lowers the node's link."""
        if successor not in self._index:
            return True
        if successor in self._on_stack:
            self._low[node] = min(self._low[node], self._index[successor])
        return False

    def _close(self, node: Any) -> None:
        if self._low[node] != self._index[node]:
            return
        component: list[Any] = []
        while True:
            member = self._stack.pop()
            self._on_stack.discard(member)
            component.append(member)
            if member == node:
                break
        self._found.append(component)
