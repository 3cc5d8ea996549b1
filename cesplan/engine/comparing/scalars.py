"""
Canonical spellings of scalar values: numbers, durations, timestamps, bytes, and free-form JSON.

Protobuf's JSON mapping allows several spellings of a value; here they become equal. A value in an invalid
format stays unchanged, because comparing does not validate.
"""

import base64
import binascii
import re
import struct
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

from cesplan.domain.value import folded
from cesplan.model.scalars import Scalar

_DURATION = re.compile(r"(-?)(\d+)(?:\.(\d{1,9}))?s")
_TIMESTAMP = re.compile(r"(\d{4}-\d{2}-\d{2})[Tt ](\d{2}:\d{2}:\d{2})(?:\.(\d{1,9}))?([Zz]|[+-]\d{2}:\d{2})")
_EXACT = 2**53
"""Beyond this, a double cannot represent every integer."""


def canonical_scalar(scalar: Scalar, value: Any) -> Any:
    """The canonical spelling of a value of this type."""
    spell = _SPELLING.get(scalar)
    return spell(value) if spell else value


def canonical_number(value: Any) -> Any:
    """A number as an integer if it is one, else as a float; `1`, `1.0`, and `1e0` are the same."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return value
    number = float(value) if abs(value) < 1e308 else value
    if isinstance(number, float) and number.is_integer() and abs(number) <= _EXACT:
        return int(number)
    return number


def canonical_free_form(value: Any) -> Any:
    """A Struct or Value with canonical numbers; everything else is unchanged."""
    return folded(value, lambda leaf: canonical_number(leaf) if type(leaf) in (int, float) else leaf)


def _integer(value: Any) -> Any:
    if isinstance(value, str):
        try:
            return int(value)
        except ValueError:
            return value
    return canonical_number(value)


def _float32(value: Any) -> Any:
    """The shortest decimal for the same 32-bit float."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return value
    try:
        packed = struct.pack("f", value)
    except OverflowError:
        return value
    (single,) = struct.unpack("f", packed)
    for digits in range(6, 10):
        short = float(f"{single:.{digits}g}")
        if struct.pack("f", short) == packed:
            return canonical_number(short)
    return canonical_number(single)


def _bytes(value: Any) -> Any:
    if not isinstance(value, str):
        return value
    text = value.strip().replace("-", "+").replace("_", "/").rstrip("=")
    try:
        return base64.b64encode(base64.b64decode(text + "=" * (-len(text) % 4))).decode("ascii")
    except (binascii.Error, ValueError):
        return value


def _duration(value: Any) -> Any:
    found = _DURATION.fullmatch(value) if isinstance(value, str) else None
    if found is None:
        return value
    sign, seconds, fraction = found.groups()
    fraction = (fraction or "").rstrip("0")
    whole = str(int(seconds))
    if whole == "0" and not fraction:
        return "0s"
    return f"{sign}{whole}{'.' + fraction if fraction else ''}s"


def _timestamp(value: Any) -> Any:
    found = _TIMESTAMP.fullmatch(value) if isinstance(value, str) else None
    if found is None:
        return value
    day, time, fraction, offset = found.groups()
    try:
        moment = datetime.fromisoformat(f"{day}T{time}{'+00:00' if offset in 'Zz' else offset}")
        text = moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S")
    except (ValueError, OverflowError):
        return value
    fraction = (fraction or "").rstrip("0")
    return f"{text}{'.' + fraction if fraction else ''}Z"


_SPELLING: dict[Scalar, Callable[[Any], Any]] = {
    Scalar.INT32: _integer,
    Scalar.INT64: _integer,
    Scalar.FLOAT: _float32,
    Scalar.DOUBLE: canonical_number,
    Scalar.BYTES: _bytes,
    Scalar.DURATION: _duration,
    Scalar.TIMESTAMP: _timestamp,
    Scalar.STRUCT: canonical_free_form,
    Scalar.VALUE: canonical_free_form,
}
