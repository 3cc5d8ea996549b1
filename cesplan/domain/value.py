"""
Values of bodies: JSON, and secrets that must never be printed.

A secret is not a string on purpose: whatever forgets about it fails instead of leaking it. Only
`reveal` gives its text, for comparing with live and for sending.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

Body: TypeAlias = dict[str, Any]
"""The fields of a resource under the API's JSON names; leaves are JSON values or a Secret."""


@dataclass(frozen=True, slots=True)
class Secret:
    """A text that comes from secret variables; `variables` are their names, sorted."""

    variables: tuple[str, ...]
    text: str = field(repr=False)

    def __str__(self) -> str:
        return f"(secret {', '.join(self.variables)})"


def reveal(value: Any) -> Any:
    """A copy of a value in which every secret is its text. Only for comparing and sending."""
    match value:
        case Secret():
            return value.text
        case dict():
            return {key: reveal(item) for key, item in value.items()}
        case list() | tuple():
            return [reveal(item) for item in value]
    return value


def mask_secrets(value: Any) -> Any:
    """A copy of a value in which every secret is the word for it: fit for people and reports."""
    match value:
        case Secret():
            return str(value)
        case dict():
            return {key: mask_secrets(item) for key, item in value.items()}
        case list() | tuple():
            return [mask_secrets(item) for item in value]
    return value


def secret_variables(value: Any) -> frozenset[str]:
    """The names of all secret variables inside a value."""
    match value:
        case Secret():
            return frozenset(value.variables)
        case Mapping():
            return frozenset().union(*map(secret_variables, value.values()))
        case list() | tuple():
            return frozenset().union(*map(secret_variables, value))
    return frozenset()


def canonical_text(value: Any) -> str:
    """
    One text per value: sorted keys, no white space, secrets by name (RFC 8785 in spirit).

    Equal texts mean equal JSON values, booleans apart from numbers; used for equality and digests.
    """
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, default=_secret_text)


def _secret_text(value: object) -> str:
    if isinstance(value, Secret):
        return str(value)
    raise TypeError(f"not a JSON value: {type(value).__name__}")
