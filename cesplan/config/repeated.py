"""What has the same name, id, or other key as something before it."""

from collections.abc import Callable, Hashable, Iterable, Iterator
from typing import TypeVar

_T = TypeVar("_T")


def repeated(items: Iterable[_T], key: Callable[[_T], Hashable]) -> Iterator[tuple[_T, _T]]:
    """Each item whose key an earlier one has, with the first of those. An empty key is none."""
    first: dict[Hashable, _T] = {}
    for item in items:
        found = key(item)
        if found and first.setdefault(found, item) is not item:
            yield item, first[found]
