"""JSON as a server sent it: read within limits, so that no answer can exhaust the interpreter."""

import json
from typing import Any

DEEPEST = 100
"""Levels of nesting. Readers of protocol buffers stop at the same number, so no real answer has more."""

_CONTAINERS = (dict, list)


class TooDeep(ValueError):
    """JSON, but nested deeper than DEEPEST."""


def decoded(data: bytes) -> Any:
    """The value of a response. Raises ValueError if it is not JSON, and TooDeep."""
    try:
        value = json.loads(data)
    except RecursionError as error:
        raise TooDeep from error
    _check_depth(value)
    return value


def _check_depth(value: Any) -> None:
    """Level by level, without recursion; leaves cost next to nothing."""
    level = [value] if type(value) in _CONTAINERS else []
    for _ in range(DEEPEST):
        if not level:
            return
        level = [
            child
            for node in level
            for child in (node.values() if type(node) is dict else node)
            if type(child) in _CONTAINERS
        ]
    if level:
        raise TooDeep
