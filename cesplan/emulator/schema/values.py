"""
Scalars and well-known types: what ProtoJSON accepts for each, and the canonical spelling that is returned.

Source: the ProtoJSON mapping of protobuf.dev; numbers inside Struct are returned as doubles
(docs/api-facts.md). Each function returns the stored form, or raises ValueError, which says what was expected.
"""

import base64
import math
import re
import struct
from collections.abc import Callable
from datetime import UTC, datetime
from decimal import Decimal, InvalidOperation
from typing import Any

_DURATION = re.compile(r"(-?)(\d{1,12})(?:\.(\d{1,9}))?s", re.ASCII)
_TIMESTAMP = re.compile(r"(\d{4}-\d\d-\d\d)[Tt](\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?([Zz]|[+-]\d\d:\d\d)", re.ASCII)
_NUMBER = re.compile(r"-?\d+(\.\d+)?([eE][+-]?\d+)?", re.ASCII)
# A 32-bit float represents every integer up to this.
_EXACT_SINGLE = 2**24
_LONGEST_DURATION = 315_576_000_000
_SPECIAL_FLOATS = {"NaN", "Infinity", "-Infinity"}


def string(value: Any) -> str:
    if not isinstance(value, str):
        raise ValueError("expected a string")
    return value


def boolean(value: Any) -> bool:
    if not isinstance(value, bool):
        raise ValueError("expected true or false")
    return value


def int32(value: Any) -> int:
    return _integer(value, 31)


def int64(value: Any) -> str:
    return str(_integer(value, 63))


def double(value: Any) -> float | int | str:
    """Return the number as sent; the three special values are strings."""
    if isinstance(value, str) and value in _SPECIAL_FLOATS:
        return value
    return _number(value)


def single(value: Any) -> float | int | str:
    """Return the shortest decimal that is the same 32-bit number."""
    if isinstance(value, str) and value in _SPECIAL_FLOATS:
        return value
    number = _number(value)
    if isinstance(number, int) and abs(number) <= _EXACT_SINGLE:
        return number
    try:
        packed = struct.pack("f", number)
    except OverflowError as error:
        raise ValueError("expected a 32-bit number") from error
    rounded = struct.unpack("f", packed)[0]
    if math.isinf(rounded):
        raise ValueError("expected a 32-bit number")
    shortest = (float(f"{rounded:.{digits}g}") for digits in range(1, 10))
    return next(short for short in shortest if struct.pack("f", short) == packed)


def base64_bytes(value: Any) -> str:
    text = string(value).replace("-", "+").replace("_", "/").rstrip("=")
    try:
        data = base64.b64decode(text + "=" * (-len(text) % 4), validate=True)
    except ValueError as error:
        raise ValueError("expected base64") from error
    return base64.b64encode(data).decode()


def duration(value: Any) -> str:
    found = _DURATION.fullmatch(string(value))
    if found is None or int(found[2]) > _LONGEST_DURATION:
        raise ValueError("expected a duration such as '3.5s'")
    sign, seconds, fraction = found.groups()
    tail = _fraction(fraction)
    sign = sign if int(seconds) or tail else ""
    return f"{sign}{int(seconds)}{tail}s"


def timestamp(value: Any) -> str:
    found = _TIMESTAMP.fullmatch(string(value))
    if found is None:
        raise ValueError("expected an RFC 3339 timestamp")
    day, clock, fraction, zone = found.groups()
    try:
        moment = datetime.fromisoformat(f"{day}T{clock}{zone.upper().replace('Z', '+00:00')}")
        utc = moment.astimezone(UTC)
    except (ValueError, OverflowError) as error:
        raise ValueError("expected an RFC 3339 timestamp") from error
    return f"{utc.strftime('%Y-%m-%dT%H:%M:%S').rjust(19, '0')}{_fraction(fraction)}Z"


def field_mask(value: Any) -> str:
    return string(value)


def struct_value(value: Any) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise ValueError("expected an object")
    return {key: any_value(item) for key, item in value.items()}


def any_value(value: Any) -> Any:
    """Return a google.protobuf.Value, in which every number is a double."""
    match value:
        case bool() | None | str():
            return value
        case int() | float():
            return float(_number(value))
        case list():
            return [any_value(item) for item in value]
        case _:
            return struct_value(value)


SCALARS: dict[str, Callable[[Any], Any]] = {
    "string": string,
    "bool": boolean,
    "int32": int32,
    "int64": int64,
    "double": double,
    "float": single,
    "bytes": base64_bytes,
    "google.protobuf.Duration": duration,
    "google.protobuf.Timestamp": timestamp,
    "google.protobuf.FieldMask": field_mask,
    "google.protobuf.Struct": struct_value,
    "google.protobuf.Value": any_value,
    "google.protobuf.Any": struct_value,
    # Only in output-only fields, so it is never stored.
    "google.rpc.Status": struct_value,
}

# The default values of fields without presence, which are not stored.
DEFAULTS: dict[str, Any] = {
    "string": "",
    "bool": False,
    "int32": 0,
    "int64": "0",
    "double": 0,
    "float": 0,
    "bytes": "",
}


def _integer(value: Any, bits: int) -> int:
    try:
        number = Decimal(value if isinstance(value, str) and _NUMBER.fullmatch(value) else _number(value))
    except InvalidOperation as error:
        raise ValueError("expected an integer") from error
    if not number.is_finite() or number != number.to_integral_value():
        raise ValueError("expected an integer")
    if not -(2**bits) <= number < 2**bits:
        raise ValueError(f"expected an integer of {bits + 1} bits")
    return int(number)


def _number(value: Any) -> float | int:
    found = float(value) if isinstance(value, str) and _NUMBER.fullmatch(value) else value
    if isinstance(found, bool) or not isinstance(found, int | float):
        raise ValueError("expected a number")
    try:
        finite = math.isfinite(found)
    except OverflowError:
        finite = False
    if not finite:
        raise ValueError("expected a number that fits 64 bits")
    return found


def _fraction(digits: str | None) -> str:
    """Return a fraction of a second with 0, 3, 6, or 9 digits, as ProtoJSON writes it."""
    kept = (digits or "").rstrip("0")
    width = -(-len(kept) // 3) * 3
    return f".{kept.ljust(width, '0')}" if kept else ""
