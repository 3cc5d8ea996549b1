"""JSON documents: one form for all of them, complete and the same bytes for the same values."""

import json
from typing import Any

from cesplan import __version__

FORMAT_VERSION = "1.0"
"""Of every document: a minor number adds members, a major one changes what is there (DESIGN §7)."""


def opening() -> dict[str, str]:
    """The first members of every document."""
    return {"format_version": FORMAT_VERSION, "cesplan_version": __version__}


def text_of(document: Any) -> str:
    """The text of a document, ended by a line feed. Members keep their order."""
    return json.dumps(document, indent=2, ensure_ascii=False) + "\n"


def sorted_members(value: Any) -> Any:
    """A JSON value with the members of every object sorted."""
    match value:
        case dict():
            return {key: sorted_members(value[key]) for key in sorted(value)}
        case list():
            return [sorted_members(item) for item in value]
    return value
