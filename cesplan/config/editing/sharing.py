"""Sharing: a text that is included in several places may be edited only if all of them want the same text."""

import re
from collections import Counter
from collections.abc import Iterable

from cesplan.config.manifest import ResourceFile

_BY_KEY = re.compile(r"\[[A-Za-z.]+=")
"""A place inside a keyed list is known by its key too: the same place a second time."""


class Sharing:
    """Which places use which text, and the new texts that they want."""

    def __init__(self, files: Iterable[ResourceFile]) -> None:
        self._users = Counter(
            item.path for file in files for at, item in file.included.items() if not _BY_KEY.search(at)
        )
        self._wanted: dict[str, list[str]] = {}

    def count(self, edits: Iterable[tuple[str, str]]) -> None:
        """Record the requested edits: paths and new values."""
        for path, value in edits:
            self._wanted.setdefault(path, []).append(value)

    def agree(self, path: str) -> bool:
        """True if all places that use a text want the same new one."""
        wanted = self._wanted.get(path, [])
        return len(wanted) >= self._users[path] and len(set(wanted)) <= 1
