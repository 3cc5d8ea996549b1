"""Equality of JSON values as Python defines it, as texts that are equal exactly where the values are."""

import json
from typing import Any

from cesplan.domain.value import folded


def canonical(value: Any) -> str:
    """
    A text that two JSON values share exactly if Python compares them as equal.

    The order of members does not matter; `1`, `1.0`, and `true` are equal, `"1"` is not. Takes linear
    time; so does comparing the text with many others.
    """
    return json.dumps(folded(value, _plain), sort_keys=True, separators=(",", ":"))


def _plain(leaf: Any) -> Any:
    return int(leaf) if isinstance(leaf, bool) or (isinstance(leaf, float) and leaf.is_integer()) else leaf
