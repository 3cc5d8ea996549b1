"""Whether the environment turns the cache off."""

from collections.abc import Mapping

OFF = "CESPLAN_NO_CACHE"
"""Turns the cache off."""

_NO = frozenset({"", "0", "false", "no", "off"})


def is_off(environ: Mapping[str, str]) -> bool:
    """Whether the environment turns the cache off."""
    return environ.get(OFF, "").strip().lower() not in _NO
