"""Times of the API, and times as people type them."""

import re
from datetime import UTC, datetime, timedelta
from typing import Any

_DURATION = re.compile(r"([0-9]{1,6})\s*([smhdw])")
_UNITS = {"s": "seconds", "m": "minutes", "h": "hours", "d": "days", "w": "weeks"}


def moment(text: Any) -> datetime | None:
    """A time of the API (RFC 3339); None for anything else."""
    try:
        return datetime.fromisoformat(str(text))
    except ValueError:
        return None


def aware(time: datetime) -> datetime:
    """A time without an offset is in UTC."""
    return time if time.tzinfo else time.replace(tzinfo=UTC)


def parse_since(text: str, now: datetime) -> datetime:
    """The time that `2026-11-20`, `2026-11-20T17:40Z` or `24h` means. Raises ValueError with what is wrong."""
    if found := _DURATION.fullmatch(text.strip()):
        try:
            return now - timedelta(**{_UNITS[found[2]]: int(found[1])})
        except OverflowError as error:
            raise ValueError("that is longer ago than time is counted") from error
    try:
        return aware(datetime.fromisoformat(text.strip()))
    except ValueError as error:
        raise ValueError("write a time such as 2026-11-20T17:40Z, or how long ago: 30m, 24h, 7d") from error
