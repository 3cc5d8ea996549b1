"""
Sealing: values for a plan file, with every secret removed and its place and template recorded separately. The
places are separate because a marker inside a value could be confused with a real value.
"""

from collections.abc import Iterable, Iterator, Mapping
from itertools import pairwise
from typing import Any, Self

from cesplan.domain.text.template import fill, names
from cesplan.domain.value import Place, Secret, holds_secret, leaves
from cesplan.render.machine.formats.base import Format


class SecretJson(Format):
    """A secret inside a value; the value has a placeholder in its place."""

    at: Place
    """Its position in the value: keys of objects and positions in lists, from the outside in."""
    variables: tuple[str, ...]
    """The secret variables that it comes from; empty if it is the live value."""
    template: str
    """The template of its text: `Bearer ${crmKey}`."""

    @classmethod
    def of(cls, place: Place, secret: Secret) -> Self:
        return cls(at=place, variables=secret.variables, template=secret.recipe)

    def value(self, variables: Mapping[str, str]) -> Secret:
        """The secret; its text is made where all variables are given, and is empty elsewhere."""
        is_known = bool(self.template) and names(self.template) <= variables.keys()
        return Secret(self.variables, fill(self.template, variables) if is_known else "", self.template)


def sealed(value: Any) -> tuple[SecretJson, ...]:
    """The secrets of a value: where, from which variables, and how; without both it is live's own."""
    return tuple(SecretJson.of(place, secret) for place, secret in secret_places(value))


def unsealed(value: Any, secrets: Iterable[SecretJson], variables: Mapping[str, str]) -> Any:
    """A value with its secrets back in their places. Raises LookupError or TypeError for places it has not."""
    for item in secrets:
        value = _put(value, item.at, item.value(variables))
    return value


def secret_places(value: Any) -> Iterator[tuple[Place, Secret]]:
    """Every secret inside a value, with its place; sorted by key."""
    found = leaves(value) if holds_secret(value) else ()
    return ((at, leaf) for at, leaf in found if isinstance(leaf, Secret))


def _put(value: Any, at: Place, secret: Secret) -> Any:
    """A copy of a value with a secret at a place that it has."""
    around = {"": value}
    inside: Any = around
    for step, following in pairwise(("", *at)):
        found = inside[step]
        found[following]  # raises if there is nothing
        inside[step] = inside = dict(found) if isinstance(found, dict) else [*found]
    inside[at[-1] if at else ""] = secret
    return around[""]
