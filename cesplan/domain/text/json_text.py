"""JSON texts from outside: read within limits, so that no text can exhaust the interpreter."""

import json
from typing import Any

DEEPEST = 100
"""Levels of nesting. Readers of protocol buffers stop at the same number, so no real answer has more."""

_CONTAINERS = (dict, list)


class TooDeep(ValueError):
    """JSON, but nested deeper than DEEPEST."""

    def __str__(self) -> str:
        return f"it has more than {DEEPEST} levels"


def decoded(text: str | bytes, **hooks: Any) -> Any:
    """
    The value of a JSON text; `hooks` are those of `json.loads`.

    Raises ValueError if it is not JSON, and TooDeep.
    """
    try:
        value = json.loads(text, **hooks)
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
