"""
Scalars of the API in files: whether a value has the JSON format of its type.

The formats are those of protobuf's JSON mapping. Each function returns the value to send, or raises Misfit.
"""

import base64
import binascii
import math
import re
from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any

from cesplan.model.scalars import Scalar

_DURATION = re.compile(r"-?(\d+)(?:\.\d{1,9})?s")
_LONGEST_DURATION = 315_576_000_000
"""The longest duration in seconds, about 10,000 years (google.protobuf.Duration)."""
_TIMESTAMP = re.compile(r"(\d{4}-\d{2}-\d{2})[Tt](\d{2}:\d{2}:\d{2})(?:\.\d{1,9})?(?:[Zz]|[+-]\d{2}:\d{2})")
_INTEGER = re.compile(r"-?\d{1,19}")


class Misfit(Exception):
    """A value is invalid; `wants` says what is expected. `is_type`: its type is wrong, not only its format."""

    def __init__(self, wants: str, *, is_type: bool = True) -> None:
        super().__init__(wants)
        self.wants = wants
        self.is_type = is_type


def fit(scalar: Scalar, value: Any) -> Any:
    """Convert a value to this scalar type. Raises Misfit."""
    return _FITTERS[scalar](value)


def _string(value: Any) -> str:
    if not isinstance(value, str):
        raise Misfit("a string")
    return value


def _bool(value: Any) -> bool:
    if not isinstance(value, bool):
        raise Misfit("true or false")
    return value


def _integer(bits: int) -> Callable[[Any], Any]:
    low, high = -(2 ** (bits - 1)), 2 ** (bits - 1) - 1

    def fit_integer(value: Any) -> Any:
        number = value
        if bits == 64 and isinstance(value, str) and _INTEGER.fullmatch(value):
            number = int(value)
        if isinstance(number, float) and number.is_integer():
            number = int(number)
        if isinstance(number, bool) or not isinstance(number, int):
            raise Misfit("an integer", is_type=not isinstance(number, float))
        if not low <= number <= high:
            raise Misfit(f"a {bits}-bit integer", is_type=False)
        return number

    return fit_integer


def _number(value: Any) -> int | float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise Misfit("a number")
    if isinstance(value, float) and not math.isfinite(value):
        raise Misfit("a finite number", is_type=False)
    return value


def _bytes(value: Any) -> str:
    text = "".join(_string(value).split())
    try:
        base64.b64decode(text.replace("-", "+").replace("_", "/") + "=" * (-len(text) % 4), validate=True)
    except (binascii.Error, ValueError):
        raise Misfit("base64", is_type=False) from None
    return text


def _duration(value: Any) -> str:
    if not isinstance(value, str):
        raise Misfit("a duration such as `30s`")
    found = _DURATION.fullmatch(value)
    if not found or len(found[1]) > 12 or int(found[1]) > _LONGEST_DURATION:
        raise Misfit("a duration in seconds such as `30s` or `3.5s`", is_type=False)
    return value


def _timestamp(value: Any) -> str:
    if not isinstance(value, str):
        raise Misfit("a timestamp such as `2027-01-04T09:00:00Z`")
    found = _TIMESTAMP.fullmatch(value)
    try:
        if not found:
            raise ValueError(value)
        datetime.fromisoformat(f"{found[1]}T{found[2]}")
    except ValueError:
        raise Misfit(
            "a timestamp with a time zone, such as `2027-01-04T09:00:00Z` (RFC 3339)", is_type=False
        ) from None
    return value


_FITTERS: Mapping[Scalar, Callable[[Any], Any]] = {
    Scalar.STRING: _string,
    Scalar.BOOL: _bool,
    Scalar.INT32: _integer(32),
    Scalar.INT64: _integer(64),
    Scalar.FLOAT: _number,
    Scalar.DOUBLE: _number,
    Scalar.BYTES: _bytes,
    Scalar.DURATION: _duration,
    Scalar.TIMESTAMP: _timestamp,
}
