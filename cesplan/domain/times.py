"""Times of the API."""

from datetime import datetime
from typing import Any


def moment(text: Any) -> datetime | None:
    """A time of the API (RFC 3339); None for anything else."""
    try:
        return datetime.fromisoformat(str(text))
    except ValueError:
        return None
