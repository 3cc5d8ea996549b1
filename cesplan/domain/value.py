"""
Values in bodies: JSON, and secrets that must never be printed.

A secret is deliberately not a string: code that forgets about secrets fails instead of leaking one. Only
`reveal` returns its text, for comparing with live and for sending.
"""

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from typing import Any, TypeAlias, TypeGuard

from cesplan.domain.frozen import dataclass
from cesplan.domain.text.template import literal, values_in, variable

Body: TypeAlias = dict[str, Any]
"""The fields of a resource by the API's JSON names. Leaves are JSON values or a Secret."""


@dataclass(frozen=True, slots=True)
class Secret:
    """
    A text that contains secret variables. `variables` are their names, sorted.

    `template` says how the text is made from them, if it is more than a single variable.
    """

    variables: tuple[str, ...]
    text: str = field(repr=False)
    template: str = field(default="", compare=False, repr=False)

    def __str__(self) -> str:
        return f"(secret {', '.join(self.variables)})"

    @property
    def recipe(self) -> str:
        """The template that reproduces the text; empty if unknown."""
        if self.template or len(self.variables) != 1:
            return self.template
        return variable(self.variables[0])

    @property
    def is_writable(self) -> bool:
        """Whether a file can express it: its template is known, and no variable directly follows a `$`."""
        return bool(self.recipe) and "$$${" not in self.recipe


UNREAD = "cesplan-unread-secret-91c5be20-"
"""
The beginning of the placeholder for a secret whose value was not read. The variable name follows.

It stands for the value offline and is never sent.
"""


def joined(parts: Sequence[str | Secret]) -> str | Secret:
    """The parts concatenated; a Secret if any part is one."""
    secrets = [item for item in parts if isinstance(item, Secret)]
    if not secrets:
        return "".join(map(str, parts))
    return Secret(
        tuple(sorted({name for item in secrets for name in item.variables})),
        "".join(item.text if isinstance(item, Secret) else item for item in parts),
        "".join(item.recipe if isinstance(item, Secret) else literal(item) for item in parts),
    )


ABSENT: Any = object()
"""Stands for no value at all, where None is a value."""


def folded(
    value: Any,
    leaf: Callable[[Any], Any],
    objects: Callable[[dict[str, Any]], Any] | None = None,
    lists: Callable[[list[Any]], Any] | None = None,
) -> Any:
    """
    Fold a value from the inside out: map leaves with `leaf`, then objects with `objects` and lists with
    `lists`.

    Everything except a dict, list, or tuple is a leaf. Without `objects` and `lists` the result is a copy with
    mapped leaves. This is the only fold over values; it is recursive because the results of the inside come
    first.
    """
    if isinstance(value, dict):
        members = {key: folded(item, leaf, objects, lists) for key, item in value.items()}
        return members if objects is None else objects(members)
    if isinstance(value, list | tuple):
        items = [folded(item, leaf, objects, lists) for item in value]
        return items if lists is None else lists(items)
    return leaf(value)


Place: TypeAlias = tuple[str | int, ...]
"""A path into a value: object keys and list positions, outermost first."""


def place_text(place: Place) -> str:
    """A place in the notation of messages: `tools[0].name`."""
    return "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in place).removeprefix(".")


def with_leaves(
    value: Any,
    leaf: Callable[[Place, Any], Any],
    kept: Callable[[Place, Any], Any] = lambda _, inside: inside,
    at: Place = (),
) -> Any:
    """
    A copy of a value in which `leaf` has mapped each leaf, given its place.

    `kept` returns what to copy of an object or a list, given its place; by default, everything. This is the
    only copy that tracks places; it is recursive because a fold goes from the inside out.
    """
    if isinstance(value, dict):
        return {key: with_leaves(item, leaf, kept, (*at, key)) for key, item in kept(at, value).items()}
    if isinstance(value, list | tuple):
        return [with_leaves(item, leaf, kept, (*at, place)) for place, item in enumerate(kept(at, value))]
    return leaf(at, value)


def leaves(value: Any) -> Iterator[tuple[Place, Any]]:
    """All leaves of a value with their places, sorted by key because objects have no order."""
    pending: list[tuple[Place, Any]] = [((), value)]
    while pending:
        at, item = pending.pop()
        if isinstance(item, dict):
            pending.extend(((*at, key), item[key]) for key in sorted(item, reverse=True))
        elif isinstance(item, list | tuple):
            pending.extend(((*at, position), item[position]) for position in range(len(item) - 1, -1, -1))
        else:
            yield at, item


def bare_leaves(value: Any) -> Iterator[Any]:
    """All leaves of a value, in its order. Cheaper than `leaves`."""
    pending = [value]
    while pending:
        item = pending.pop()
        if isinstance(item, dict):
            pending.extend(reversed(item.values()))
        elif isinstance(item, list | tuple):
            pending.extend(reversed(item))
        else:
            yield item


def at_place(value: Any, place: Place, missing: Any = None) -> Any:
    """The part of a value at a place; `missing` if there is none."""
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
    The innermost places where two values differ, with both parts; ABSENT for a missing member.

    Lists of different lengths differ as a whole. This is the only recursive walk over two values without a
    schema.
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
    """The elements of the first list that are not in the second, in order. Duplicates count."""
    left = Counter(map(canonical_text, those))
    found = []
    for item in these:
        text = canonical_text(item)
        if left[text]:
            left[text] -= 1
        else:
            found.append(item)
    return found


def as_object(value: object) -> Body:
    """The value, or an empty object in place of anything else: for what others have written."""
    return value if isinstance(value, dict) else {}


def as_list(value: object) -> list[Any]:
    """The value, or an empty list in place of anything else."""
    return value if isinstance(value, list) else []


def as_objects(value: object) -> list[Body]:
    """The objects of a list, without what is none; nothing of anything else."""
    return [item for item in as_list(value) if isinstance(item, dict)]


def as_text(value: object) -> str:
    """The value, or an empty text in place of anything else."""
    return value if isinstance(value, str) else ""


def is_number(value: object) -> TypeGuard[int | float]:
    """False for what Python calls numbers, and JSON does not: true and false."""
    return isinstance(value, int | float) and not isinstance(value, bool)


def reveal(value: Any) -> Any:
    """A copy of a value with the texts of all secrets. Only for comparing and sending."""
    return folded(value, lambda item: item.text if isinstance(item, Secret) else item)


def mask_secrets(value: Any) -> Any:
    """A copy of a value with `(secret NAME)` for every secret, safe to show."""
    return folded(value, lambda item: str(item) if isinstance(item, Secret) else item)


def secrets_in(*values: Any) -> Iterator[Secret]:
    """All secrets inside values. Everything except a dict, list, or tuple is a leaf."""
    return (leaf for leaf in bare_leaves(values) if isinstance(leaf, Secret))


def holds_secret(value: Any) -> bool:
    """Whether a secret is anywhere inside a value. A hot path, so it avoids generators."""
    pending = [value]
    for item in pending:
        if isinstance(item, dict):
            pending.extend(item.values())
        elif isinstance(item, list | tuple):
            pending.extend(item)
        elif isinstance(item, Secret):
            return True
    return False


def secret_variables(value: Any) -> frozenset[str]:
    """The names of all secret variables inside a value."""
    return frozenset(name for secret in secrets_in(value) for name in secret.variables)


SHORTEST_PART = 6
"""A shorter secret would match inside longer texts by accident, so it only hides texts equal to it."""


def known_secrets(*values: Any) -> tuple[Secret, ...]:
    """
    All distinct secrets inside values, and the values of their variables as far as the texts reveal them.

    For a composed text (`Bearer ${key}`) the parts count too, because a service that quotes only the key
    reveals the secret.
    """
    found: dict[str, Secret] = {}
    for secret in secrets_in(*values):
        found.setdefault(secret.text, secret)
        for name, text in values_in(secret.template, secret.text).items():
            found.setdefault(text, Secret((name,), text))
    return tuple(secret for text, secret in found.items() if text)


def is_same(one: Any, other: Any) -> bool:
    """
    True only if both values have the same canonical text. False means that they may or may not. Cheaper than
    two texts.

    `==` does not distinguish true from 1, 1 from 1.0, or 0.0 from -0.0, so the numbers in equal values are
    checked.
    """
    return bool(one == other) and (_holds_texts_alone(one) or _has_same_numbers(one, other))


def _holds_texts_alone(value: Any) -> bool:
    """Whether there is nothing in a value that `==` takes for something else. Asked of every value."""
    pending = [value]
    for item in pending:
        kind = item.__class__
        if kind is dict:
            pending.extend(item.values())
        elif kind is list:
            pending.extend(item)
        elif kind is not str and item is not None:
            return False
    return True


def _has_same_numbers(one: Any, other: Any) -> bool:
    """Whether two equal values have the same numbers and booleans."""
    pending = [(one, other)]
    for mine, yours in pending:
        if isinstance(mine, dict):
            pending.extend((item, yours[key]) for key, item in mine.items() if item.__class__ is not str)
        elif isinstance(mine, list | tuple):
            pairs = zip(mine, yours, strict=True)
            pending.extend(pair for pair in pairs if pair[0].__class__ is not str)
        elif (mine.__class__ is not yours.__class__ or isinstance(mine, float)) and repr(mine) != repr(yours):
            return False
    return True


def canonical_text(value: Any) -> str:
    """
    One text per value: sorted keys, no white space, secrets by name (RFC 8785 in spirit).

    Equal texts mean equal JSON values, with booleans distinct from numbers. Used for equality and digests.
    """
    return _ENCODER.encode(value)


def canonical_members(members: Mapping[str, Any]) -> Iterator[str]:
    """
    The canonical text of an object in pieces: for each member, and for each item of a member that is a list, or
    an iterator over the items of one.

    The text of a whole tree or plan has megabytes.
    """
    begin = "{"
    for name in sorted(members):
        value = members[name]
        yield f"{begin}{canonical_text(name)}:"
        if isinstance(value, list | tuple | Iterator):
            yield "["
            yield from (f"{',' if at else ''}{canonical_text(item)}" for at, item in enumerate(value))
            yield "]"
        else:
            yield canonical_text(value)
        begin = ","
    yield "}" if members else "{}"


def comparable(value: Any) -> str:
    """The canonical text with secrets revealed. Only for comparing: never show, store, or hash it."""
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
