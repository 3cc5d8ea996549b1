"""
Sealing: values for a plan file, with every secret taken out and its place and template noted beside them.

The places stand apart, since no mark inside a value could be told from a value that happens to look like it.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from cesplan.domain.text.template import fill, names
from cesplan.domain.value import Secret

Place: TypeAlias = tuple[str | int, ...]
"""Keys of objects and positions in lists, from the outside in."""


def sealed(value: Any) -> list[dict[str, Any]]:
    """The secrets of a value: where, from which variables, and how; without both it is live's own."""
    return [
        {"at": list(place), "variables": list(secret.variables), "template": secret.recipe}
        for place, secret in secret_places(value)
    ]


def unsealed(value: Any, secrets: Sequence[Mapping[str, Any]], variables: Mapping[str, str]) -> Any:
    """
    A value with its secrets back in their places.

    Texts are made where all variables are given, and are empty elsewhere. Raises LookupError or TypeError for
    places that the value does not have.
    """
    for item in secrets:
        value = _put(value, tuple(item["at"]), _secret(item, variables))
    return value


def secret_places(value: Any, at: Place = ()) -> Iterator[tuple[Place, Secret]]:
    """Every secret inside a value, with its place; sorted by key, for objects have no order in a file."""
    match value:
        case Secret():
            yield at, value
        case dict():
            for key in sorted(value):
                yield from secret_places(value[key], (*at, key))
        case list() | tuple():
            for position, item in enumerate(value):
                yield from secret_places(item, (*at, position))


def _secret(item: Mapping[str, Any], variables: Mapping[str, str]) -> Secret:
    template = str(item["template"])
    is_known = bool(template) and names(template) <= variables.keys()
    text = fill(template, variables) if is_known else ""
    return Secret(tuple(map(str, item["variables"])), text, template)


def _put(value: Any, at: Place, secret: Secret) -> Any:
    """A copy of a value with a secret at a place that it has."""
    if not at:
        return secret
    first, *rest = at
    inner = _put(value[first], tuple(rest), secret)
    if isinstance(value, dict):
        return {**value, first: inner}
    return [inner if position == first else item for position, item in enumerate(value)]
