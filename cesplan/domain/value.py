"""
Values of bodies: JSON, and secrets that must never be printed.

A secret is not a string on purpose: whatever forgets about it fails instead of leaking it. Only
`reveal` gives its text, for comparing with live and for sending.
"""

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import field
from typing import Any, TypeAlias

from cesplan.domain.frozen import dataclass
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


UNREAD = "cesplan-unread-secret-91c5be20-"
"""
The beginning of the text of a secret whose value was not read; the name of its variable follows.

Offline it has the place of the value. It is never sent.
"""


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


ABSENT: Any = object()
"""No value at all, where None is a value."""


def folded(
    value: Any,
    leaf: Callable[[Any], Any],
    objects: Callable[[dict[str, Any]], Any] | None = None,
    lists: Callable[[list[Any]], Any] | None = None,
) -> Any:
    """
    A value from the inside out: what `leaf` makes of each leaf, `objects` and `lists` of what is around them.

    Everything except a dict, list or tuple is a leaf. Without `objects` and `lists` it is a copy of the value
    with other leaves. Recursive, as the one fold over values: what is made of the inside is needed first.
    """
    if isinstance(value, dict):
        members = {key: folded(item, leaf, objects, lists) for key, item in value.items()}
        return members if objects is None else objects(members)
    if isinstance(value, list | tuple):
        items = [folded(item, leaf, objects, lists) for item in value]
        return items if lists is None else lists(items)
    return leaf(value)


Place: TypeAlias = tuple[str | int, ...]
"""Keys of objects and positions in lists, from the outside in."""


def with_leaves(value: Any, leaf: Callable[[Place, Any], Any], at: Place = ()) -> Any:
    """
    A copy of a value with what `leaf` makes of each leaf and its place.

    Recursive, as the one copy that knows places: a fold goes from the inside out and cannot.
    """
    if isinstance(value, dict):
        return {key: with_leaves(item, leaf, (*at, key)) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [with_leaves(item, leaf, (*at, position)) for position, item in enumerate(value)]
    return leaf(at, value)


def leaves(value: Any) -> Iterator[tuple[Place, Any]]:
    """Every leaf of a value with its place; sorted by key, for objects have no order."""
    waiting: list[tuple[Place, Any]] = [((), value)]
    while waiting:
        at, item = waiting.pop()
        if isinstance(item, dict):
            waiting.extend(((*at, key), item[key]) for key in sorted(item, reverse=True))
        elif isinstance(item, list | tuple):
            waiting.extend(((*at, position), item[position]) for position in range(len(item) - 1, -1, -1))
        else:
            yield at, item


def bare_leaves(value: Any) -> Iterator[Any]:
    """Every leaf of a value, in the order of the value: cheaper than with the places."""
    waiting = [value]
    while waiting:
        item = waiting.pop()
        if isinstance(item, dict):
            waiting.extend(reversed(item.values()))
        elif isinstance(item, list | tuple):
            waiting.extend(reversed(item))
        else:
            yield item


def at_place(value: Any, place: Place, missing: Any = None) -> Any:
    """What a value has at a place; `missing` where there is none."""
    for step in place:
        is_there = step in value if isinstance(value, dict) else _is_position(value, step)
        if not is_there:
            return missing
        value = value[step]
    return value


def _is_position(value: Any, step: str | int) -> bool:
    return isinstance(value, list | tuple) and isinstance(step, int) and step < len(value)


def differing_places(one: Any, other: Any, at: Place = ()) -> Iterator[tuple[Place, Any, Any]]:
    """
    The narrowest places at which two values differ, with what each has there; ABSENT where it has no member.

    Lists of different lengths differ as a whole. Recursive, as the one walk over two values without a schema.
    """
    if isinstance(one, dict) and isinstance(other, dict):
        for key in {**one, **other}:
            if key in one and key in other:
                yield from differing_places(one[key], other[key], (*at, key))
            else:
                yield (*at, key), one.get(key, ABSENT), other.get(key, ABSENT)
    elif isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        for position, (item, there) in enumerate(zip(one, other, strict=True)):
            yield from differing_places(item, there, (*at, position))
    elif canonical_text(one) != canonical_text(other):
        yield at, one, other


def only_in(these: Iterable[Any], those: Iterable[Any]) -> list[Any]:
    """The elements of the first list that the second does not have, in order; repeated ones count."""
    left = Counter(map(canonical_text, those))
    found = []
    for item in these:
        text = canonical_text(item)
        if left[text]:
            left[text] -= 1
        else:
            found.append(item)
    return found


def reveal(value: Any) -> Any:
    """A copy of a value in which every secret is its text. Only for comparing and sending."""
    return folded(value, lambda item: item.text if isinstance(item, Secret) else item)


def mask_secrets(value: Any) -> Any:
    """A copy of a value in which every secret is the word for it: fit for people and reports."""
    return folded(value, lambda item: str(item) if isinstance(item, Secret) else item)


def secrets_in(*values: Any) -> Iterator[Secret]:
    """Every secret inside values; everything except a dict, list or tuple is a leaf."""
    return (leaf for leaf in bare_leaves(values) if isinstance(leaf, Secret))


def holds_secret(value: Any) -> bool:
    """Whether a secret is anywhere inside a value. Asked very often, so without a generator."""
    waiting = [value]
    for item in waiting:
        if isinstance(item, dict):
            waiting.extend(item.values())
        elif isinstance(item, list | tuple):
            waiting.extend(item)
        elif isinstance(item, Secret):
            return True
    return False


def secret_variables(value: Any) -> frozenset[str]:
    """The names of all secret variables inside a value."""
    return frozenset(name for secret in secrets_in(value) for name in secret.variables)


def is_same(one: Any, other: Any) -> bool:
    """
    True only for values of one canonical text; cheaper than two texts. False leaves it open.

    `==` takes true for 1, 1 for 1.0 and 0.0 for -0.0: where two equal values hold numbers, these are looked at.
    """
    if one != other:
        return False
    waiting = [(one, other)]
    for mine, yours in waiting:
        if isinstance(mine, dict):
            waiting.extend((item, yours[key]) for key, item in mine.items() if item.__class__ is not str)
        elif isinstance(mine, list | tuple):
            pairs = zip(mine, yours, strict=True)
            waiting.extend(pair for pair in pairs if pair[0].__class__ is not str)
        elif (mine.__class__ is not yours.__class__ or isinstance(mine, float)) and repr(mine) != repr(yours):
            return False
    return True


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
