"""Bodies as a hostile service sends them: each value in turn is of another type."""

import copy
from collections.abc import Iterator
from typing import Any

Path = tuple[str | int, ...]

ODD: tuple[Any, ...] = (None, True, 7, -1.5, "odd", "", [], {}, [7], [None], {"odd": 7})


def odd_bodies(body: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Copies of a body. In each, one value, however deep it is, is replaced."""
    for path in _paths(body):
        for value in ODD:
            made: Any = copy.deepcopy(body)
            held = made
            for step in path[:-1]:
                held = held[step]
            held[path[-1]] = value
            yield made


def _paths(value: Any, path: Path = ()) -> Iterator[Path]:
    items: Any = (
        value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    )
    for key, item in items:
        yield (*path, key)
        yield from _paths(item, (*path, key))
