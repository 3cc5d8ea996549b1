"""
Writable values: which live values a file cannot express, and a body without them.

Files are strict and never contain secrets, while a live app may have an unknown enum value, a text where a
reference is expected, or a token in plain text. Such a value is removed at the nearest place that a field path
can name and a file may lack, and `$ignore` covers that place.
"""

from collections.abc import Iterable, Iterator
from typing import Any

from cesplan.domain.address import FORBIDDEN_IN_KEYS
from cesplan.domain.field_path import FieldPath
from cesplan.domain.frozen import dataclass
from cesplan.domain.resource_name import matches
from cesplan.domain.value import Body, secrets_in
from cesplan.engine.comparing.bodies import take, without
from cesplan.engine.comparing.normalize import Normalized
from cesplan.model.marks import OwnName, Required
from cesplan.model.scalars import Scalar
from cesplan.model.spec import FieldSpec, MessageSpec
from cesplan.model.walk import FieldWalk


@dataclass(frozen=True, slots=True, kw_only=True)
class Inexpressible:
    """A value that a file cannot express, and why. If it `is_newer` than the models, it is not reported."""

    path: FieldPath
    why: str
    is_newer: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Cut:
    """
    A body without its misfits. `ignore` are the places to ignore.

    `is_partial` is true if a field is missing that a file with full ownership must have.
    """

    body: Body
    ignore: tuple[FieldPath, ...] = ()
    notices: tuple[str, ...] = ()
    is_partial: bool = False


def misfits(spec: MessageSpec, live: Normalized) -> tuple[Inexpressible, ...]:
    """The values of a canonical live body that a file cannot express."""
    return tuple(_in_message(spec, live.body))


def why_unsayable(known: FieldSpec, value: Any) -> str:
    """Why a file cannot express a canonical value or element of a field; empty if it can."""
    if known.scalar is Scalar.MESSAGE and isinstance(value, dict):
        return next((item.why for item in _in_message(known.message, value)), "")
    return _why_unfit(known, value)


def cut_out(spec: MessageSpec, body: Body, unfit: Iterable[Inexpressible]) -> Cut:
    """The body without these values."""
    ignore: dict[FieldPath, None] = {}
    notices: list[str] = []
    is_partial = False
    for item in unfit:
        place = _place(spec, item.path.fields)
        is_partial |= _is_needed(spec, place)
        body = _removed(spec, body, place)
        if not (item.is_newer and place == item.path.segments):
            ignore[FieldPath(place)] = None
        at = f"`{item.path}`" + (
            f", so `{FieldPath(place)}` is left alone" if place != item.path.segments else ""
        )
        notices.append(f"{item.why}: {at}")
    return Cut(body=body, ignore=tuple(ignore), notices=tuple(notices), is_partial=is_partial)


_VALUES = FieldWalk(lambda _, known: known.scalar is not Scalar.MESSAGE, as_written=True)


def _in_message(spec: MessageSpec, body: Body) -> Iterator[Inexpressible]:
    for visit in _VALUES.visits(spec, body):
        for path, item in visit.parts():
            if why := _why_unfit(visit.field, item):
                yield Inexpressible(path=path, why=why, is_newer=visit.field.scalar is Scalar.ENUM)


_SECRET = "it contains a secret in plain text, which is not written to a file"


def _why_unfit(known: FieldSpec, value: Any) -> str:
    secrets = [*secrets_in(value)]
    if secrets:
        takes = not known.is_resource_name and known.scalar is not Scalar.ENUM
        return "" if takes and all(item.is_writable for item in secrets) else _SECRET
    if known.scalar is Scalar.ENUM:
        return "" if value in known.enum else "the value is unknown to this version and is left unchanged"
    if not known.marks or not isinstance(value, str):
        return ""
    if known.is_secret(value):
        return _SECRET
    return "" if _names_something(known, value) else "it is not a reference that files can contain"


def _names_something(known: FieldSpec, value: str) -> bool:
    own = known.mark(OwnName)
    if own is not None:
        collection, _, key = value.partition("/")
        return collection == own.collection and _is_key(key)
    reference = known.reference
    if reference is None or not value or value in reference.words:
        return True
    kind, _, key = value.partition("/")
    if kind in reference.kinds:
        return _is_key(key.removeprefix("@"))
    return any(matches(pattern, value) for pattern in reference.patterns)


def _is_key(text: str) -> bool:
    return bool(text) and not set(text) & FORBIDDEN_IN_KEYS


def _place(spec: MessageSpec, fields: tuple[str, ...]) -> tuple[str, ...]:
    """The deepest place on the path to a value that a file may lack; the top if there is none."""
    chain = spec.along(fields)
    optional = [size for size, known in enumerate(chain, 1) if not _is_required(known)]
    return fields[: optional[-1]] if optional else fields[:1]


def _is_needed(spec: MessageSpec, place: tuple[str, ...]) -> bool:
    return _is_required(spec.along(place)[-1])


def _is_required(known: FieldSpec) -> bool:
    mark = known.mark(Required)
    return mark is not None and mark.refused


def _removed(spec: MessageSpec, body: Body, place: tuple[str, ...]) -> Body:
    """The body without a place, and without messages that become empty."""
    body = without(body, place)
    for size in range(len(place) - 1, 0, -1):
        parent = place[:size]
        if take(body, parent) == {} and not spec.along(parent)[-1].has_presence:
            body = without(body, parent)
    return body
