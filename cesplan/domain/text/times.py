"""
Timestamps of the API, and times as people type them.

The API uses RFC 3339 with 0, 3, 6, or 9 fractional digits.
"""

import re
from datetime import UTC, datetime, timedelta
from typing import Any

_DURATION = re.compile(r"([0-9]{1,6})\s*([smhdw])")
_UNITS = {"s": "seconds", "m": "minutes", "h": "hours", "d": "days", "w": "weeks"}
_DIGITS = 9


def moment(text: Any) -> datetime | None:
    """Parse a timestamp of the API to the microsecond, in UTC if it has no offset; None for anything else."""
    try:
        found = datetime.fromisoformat(str(text))
    except ValueError:
        return None
    return found if found.tzinfo else found.replace(tzinfo=UTC)


def timestamp(time: datetime) -> str:
    """A moment as the API writes it, in UTC and to the second: `2026-11-20T17:40:00Z`."""
    return time.astimezone(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")


def parse_since(text: str, now: datetime) -> datetime:
    """Parse `2026-11-20`, `2026-11-20T17:40Z`, or `24h`. Raises ValueError, which says what is wrong."""
    if found := _DURATION.fullmatch(text.strip()):
        try:
            return now - timedelta(**{_UNITS[found[2]]: int(found[1])})
        except OverflowError as error:
            raise ValueError("that is too long ago") from error
    time = moment(text.strip())
    if time is None:
        raise ValueError("write a time such as 2026-11-20T17:40Z, or how long ago: 30m, 24h, 7d")
    return time


def sortable(text: Any) -> str:
    """
    A text that sorts by time, to the nanosecond; empty, which sorts first, for anything else.

    The timestamps of the API do not: `…:05Z` is before `…:05.5Z` but sorts after it.
    """
    found = moment(text)
    if found is None:
        return ""
    try:
        whole = found.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S").rjust(19, "0")
    except OverflowError:
        return ""
    fraction = _leading_digits(str(text).partition(".")[2])[:_DIGITS]
    return f"{whole}.{fraction.ljust(_DIGITS, '0')}"


def when(time: str) -> str:
    """A timestamp of the API as `2026-11-20 14:02 UTC`; any other text unchanged."""
    found = moment(time)
    return f"{found:%Y-%m-%d %H:%M} {found.tzname() or ''}".rstrip() if found else time


def _leading_digits(text: str) -> str:
    return text[: len(text) - len(text.lstrip("0123456789"))]
