"""
Filters: which live edits a report includes. Both leave out pending changes, which were not made live. `since`
keeps an edit of unknown time, because it may be new; for `author`, an unknown author has an empty name.
"""

from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime
from fnmatch import fnmatchcase

from cesplan.domain.choice import EVERYTHING, Choice
from cesplan.domain.features.drift import AppDrift, DriftClass, DriftItem
from cesplan.domain.frozen import dataclass
from cesplan.domain.text.times import moment


@dataclass(frozen=True, kw_only=True)
class DriftFilter:
    """`authors` are patterns of e-mail addresses in which `*` is a wildcard; empty means all."""

    choice: Choice = EVERYTHING
    since: datetime | None = None
    authors: tuple[str, ...] = ()

    def filtered(self, found: AppDrift) -> AppDrift:
        """The drift with the requested differences, and the number of those left out."""
        kept = tuple(item for item in found.items if self.includes(item))
        return replace(found, items=kept, left_out=found.left_out + len(found.items) - len(kept))

    def includes(self, item: DriftItem) -> bool:
        """Whether a difference is requested."""
        if not self.choice.includes(item.address):
            return False
        if self.since is None and not self.authors:
            return True
        return item.drift_class is not DriftClass.PENDING and self._is_after(item) and self._is_by(item)

    def _is_after(self, item: DriftItem) -> bool:
        time = moment(item.edit.time) if item.edit and item.edit.time else None
        return self.since is None or time is None or time >= self.since

    def _is_by(self, item: DriftItem) -> bool:
        author = item.edit.author.casefold() if item.edit else ""
        return not self.authors or any(fnmatchcase(author, pattern.casefold()) for pattern in self.authors)


def named_apps(patterns: Iterable[str], keys: Iterable[str]) -> frozenset[str]:
    """The app keys that match any of these patterns; all without patterns."""
    requested = tuple(patterns)
    return frozenset(
        key for key in keys if not requested or any(fnmatchcase(key, pattern) for pattern in requested)
    )
