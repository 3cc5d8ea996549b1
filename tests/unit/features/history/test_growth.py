"""Telling of live edits takes a time that grows with the edits, and no faster."""

from collections.abc import Callable
from typing import Any

from cesplan.domain.app_metadata.stamp import Stamp
from cesplan.domain.change import EditKind
from cesplan.features.history.edit_log import EditLog
from tests.costs import calls_of

_APP = "projects/acme/locations/us/apps/shop-desk"


class _Service:
    """A change log of one edit of each of so many agents."""

    def __init__(self, count: int) -> None:
        self._entries = [
            {"name": f"{_APP}/changelogs/{n}", "resource": f"{_APP}/agents/agent-{n}", "author": f"author-{n}"}
            for n in range(count)
        ]

    def list_changes(self, app: str, *, at_most: int) -> tuple[dict[str, Any], ...]:
        return tuple(self._entries)

    def read(self, name: str) -> dict[str, Any]:
        return {"originalResource": {"displayName": "Old"}, "newResource": {"displayName": "New"}}


def _authors(count: int) -> Callable[[], list[str]]:
    """Who edited each of so many agents."""
    log = EditLog(_Service(count), _APP, Stamp())  # type: ignore[arg-type]  # what it asks of a client
    names = [f"{_APP}/agents/agent-{n}" for n in range(count)]
    return lambda: [log.edit(name, EditKind.UPDATED, lambda *_: True).author for name in names]


def test_the_authors_of_many_edits_are_found_in_one_pass_over_the_log() -> None:
    assert _authors(3)() == ["author-0", "author-1", "author-2"]
    calls = [calls_of(_authors(count)) for count in (1, 200, 400)]
    assert calls[2] <= 2.1 * calls[1]
