"""
Values of bodies: JSON, and secrets that must never be printed.

A secret is not a string on purpose: whatever forgets about it fails instead of leaking it. Only
`reveal` gives its text, for comparing with live and for sending.
"""

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from cesplan.domain.text.template import literal, variable

Body: TypeAlias = dict[str, Any]
"""The fields of a resource under the API's JSON names; leaves are JSON values or a Secret."""


@dataclass(frozen=True, slots=True)
class Secret:
    """
    A text that comes from secret variables; `variables` are their names, sorted.

    `template` says how the text is made of them, where it is more than one variable alone.
    """

    variables: tuple[str, ...]
    text: str = field(repr=False)
    template: str = field(default="", compare=False, repr=False)

    def __str__(self) -> str:
        return f"(secret {', '.join(self.variables)})"

    @property
    def recipe(self) -> str:
        """The template from which the text can be made again; empty if unknown."""
        if self.template or len(self.variables) != 1:
            return self.template
        return variable(self.variables[0])

    @property
    def is_writable(self) -> bool:
        """Whether a file can express it: its template is known, and no `$` is right before a variable."""
        return bool(self.recipe) and "$$${" not in self.recipe


def joined(parts: Sequence[str | Secret]) -> str | Secret:
    """The text of these parts one after the other; a secret as soon as one of them is."""
    secrets = [item for item in parts if isinstance(item, Secret)]
    if not secrets:
        return "".join(map(str, parts))
    return Secret(
        tuple(sorted({name for item in secrets for name in item.variables})),
        "".join(item.text if isinstance(item, Secret) else item for item in parts),
        "".join(item.recipe if isinstance(item, Secret) else literal(item) for item in parts),
    )


def with_leaves(value: Any, leaf: Callable[[Any], Any]) -> Any:
    """A copy of a value with what `leaf` makes of each leaf; everything except a dict, list or tuple is one."""
    if isinstance(value, dict):
        return {key: with_leaves(item, leaf) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [with_leaves(item, leaf) for item in value]
    return leaf(value)


Place: TypeAlias = tuple[str | int, ...]
"""Keys of objects and positions in lists, from the outside in."""


def leaves(value: Any, at: Place = ()) -> Iterator[tuple[Place, Any]]:
    """Every leaf of a value with its place; sorted by key, for objects have no order."""
    if isinstance(value, dict):
        for key in sorted(value):
            yield from leaves(value[key], (*at, key))
    elif isinstance(value, list | tuple):
        for position, item in enumerate(value):
            yield from leaves(item, (*at, position))
    else:
        yield at, value


def reveal(value: Any) -> Any:
    """A copy of a value in which every secret is its text. Only for comparing and sending."""
    return with_leaves(value, lambda item: item.text if isinstance(item, Secret) else item)


def mask_secrets(value: Any) -> Any:
    """A copy of a value in which every secret is the word for it: fit for people and reports."""
    return with_leaves(value, lambda item: str(item) if isinstance(item, Secret) else item)


def secrets_in(*values: Any) -> Iterator[Secret]:
    """Every secret inside values; everything except a dict, list or tuple is a leaf."""
    for value in values:
        match value:
            case Secret():
                yield value
            case dict():
                yield from secrets_in(*value.values())
            case list() | tuple():
                yield from secrets_in(*value)


def holds_secret(value: Any) -> bool:
    """Whether a secret is anywhere inside a value."""
    if isinstance(value, dict):
        return any(map(holds_secret, value.values()))
    if isinstance(value, list | tuple):
        return any(map(holds_secret, value))
    return isinstance(value, Secret)


def secret_variables(value: Any) -> frozenset[str]:
    """The names of all secret variables inside a value."""
    return frozenset(name for secret in secrets_in(value) for name in secret.variables)


def canonical_text(value: Any) -> str:
    """
    One text per value: sorted keys, no white space, secrets by name (RFC 8785 in spirit).

    Equal texts mean equal JSON values, booleans apart from numbers; used for equality and digests.
    """
    return _ENCODER.encode(value)


def revealed_text(value: Any) -> str:
    """The same with secrets by what they say. Only for comparing: it must not be shown, kept or hashed."""
    return _REVEALING.encode(value)


def _named(value: object) -> str:
    if isinstance(value, Secret):
        return str(value)
    raise TypeError(f"not a JSON value: {type(value).__name__}")


def _revealed(value: object) -> str:
    return value.text if isinstance(value, Secret) else _named(value)


def _encoder(default: Callable[[object], str]) -> json.JSONEncoder:
    return json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=False, default=default)


_ENCODER, _REVEALING = _encoder(_named), _encoder(_revealed)
