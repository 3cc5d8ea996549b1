"""
Reading complete collections, page by page.

A failed read is an error, never an empty list, because a plan from an incomplete list would create or delete
the missing resources.
"""

from collections.abc import Callable, Iterator
from functools import partial

from cesplan.domain.errors import ApiError, InvalidRequest, Unavailable
from cesplan.domain.live import Keep, LiveResource, as_read
from cesplan.domain.value import Body
from cesplan.model.kinds import Kind
from cesplan.remote.calling import Calling
from cesplan.remote.calls import (
    PAGE_SIZE,
    Call,
    get,
    list_changes,
    list_conversations,
    list_page,
    list_runs,
)
from cesplan.remote.clock import Clock
from cesplan.remote.partial import hides_oneof, partial_fields

MOST_PAGES = 1000
"""The most pages of a list. A page may have 1,000 resources, but also only one."""

MOST_EMPTY_PAGES = 100
"""The most consecutive pages without anything new. AIP-158 allows empty pages, for selective filters."""

LONGEST_LIST_SECONDS = 15 * 60.0
"""The longest time to read a list; one that takes longer would not be consistent."""

_ONLY_READ = "Listing changes nothing. Check the endpoint, and any proxy in between."
_FEW = 10
"""The number of newest entries to request: several may have been written at the same time."""


class Fetching:
    """Reads collections of one API version. Safe to share between threads."""

    def __init__(self, *, calling: Calling, api_version: str, clock: Clock) -> None:
        self._calling = calling
        self._api_version = api_version
        self._clock = clock

    def all(self, kind: Kind, parent: str, keep: Keep = as_read) -> tuple[LiveResource, ...]:
        """All resources of a kind under a parent, sorted by name, without expensive fields."""
        bodies = {str(body["name"]): body for body in self._listed(kind, parent, keep)}
        return tuple(LiveResource(kind=kind.name, body=bodies[name]) for name in sorted(bodies))

    def changes(self, app_name: str, condition: str, at_most: int) -> tuple[Body, ...]:
        """The newest entries of an app's change log that match an AIP-160 filter, newest first."""
        return self._newest(partial(list_changes, app_name, condition=condition), at_most)

    def newest_changes(self, app_name: str) -> tuple[Body, ...]:
        """The few newest entries of an app's change log, newest first."""
        call = list_changes(app_name, condition="", size=_FEW)
        return tuple(_items(call, self._calling.call(call), call.collection))

    def each_change(self, app_name: str) -> Iterator[Body]:
        """The entries of an app's change log, newest first. Pages are read on demand."""
        pages = _Pages(self._clock)
        while True:
            call = list_changes(app_name, condition="", size=PAGE_SIZE, page_token=pages.token)
            answer = self._calling.call(call)
            items = _items(call, answer, call.collection)
            yield from items
            if not pages.go_on(call, answer, items):
                return

    def runs(self, app_name: str, at_most: int) -> tuple[Body, ...]:
        """The newest evaluation runs of an app, newest first."""
        return self._newest(partial(list_runs, app_name), at_most)

    def conversations(self, app_name: str, condition: str, at_most: int) -> tuple[Body, ...]:
        """Conversations of an app, in no particular order."""
        return self._newest(partial(list_conversations, app_name, condition=condition), at_most)

    def _newest(self, page: Callable[..., Call], at_most: int) -> tuple[Body, ...]:
        """The first items of a list in newest-first order. `page` makes the call for one page."""
        found: list[Body] = []
        pages = _Pages(self._clock)
        while True:
            call = page(page_token=pages.token, size=min(at_most - len(found), PAGE_SIZE))
            answer = self._calling.call(call)
            items = _items(call, answer, call.collection)
            found += items
            if not pages.go_on(call, answer, items) or len(found) >= at_most:
                return tuple(found[:at_most])

    def _listed(self, kind: Kind, parent: str, keep: Keep) -> Iterator[Body]:
        fields = partial_fields(kind, self._api_version)
        if not fields:
            yield from self._pages(kind, parent, "", keep)
            return
        try:
            bodies = list(self._pages(kind, parent, fields, keep))
        except InvalidRequest:
            # The service does not have one of the fields. Saving bytes is not worth a failure.
            yield from self._pages(kind, parent, "", keep)
            return
        for body in bodies:
            whole = self._calling.call(get(kind, body["name"])) if hides_oneof(kind, body) else None
            yield body if whole is None else keep(kind.name, whole)

    def _pages(self, kind: Kind, parent: str, fields: str, keep: Keep) -> Iterator[Body]:
        pages = _Pages(self._clock)
        while True:
            call = list_page(kind, parent, page_token=pages.token, fields=fields)
            answer = self._calling.call(call, shape=partial(_kept, kind, call, keep))
            items = answer[kind.list_key]
            yield from items
            if not pages.go_on(call, answer, items):
                return


class _Pages:
    """
    Paging through one list. It always ends: with the last page, or with an error if the list seems endless.
    """

    def __init__(self, clock: Clock) -> None:
        self.token = ""
        self._clock = clock
        self._started = clock.monotonic()
        self._tokens: set[str] = set()
        self._names: set[str] = set()
        self._pages = 0
        self._without_news = 0

    def go_on(self, call: Call, answer: Body, items: list[Body]) -> bool:
        """Process a page. True if there is another one, to request with `token`. Raises ApiError."""
        self.token = str(answer.get("nextPageToken") or "")
        if not self.token:
            return False
        self._pages += 1
        known = len(self._names)
        self._names |= {str(item["name"]) for item in items}
        self._without_news = 0 if len(self._names) > known else self._without_news + 1
        if why := self._endless():
            raise _malformed(call, f"the list does not end: {why}", _ONLY_READ)
        self._tokens.add(self.token)
        return True

    def _endless(self) -> str:
        if self.token in self._tokens:
            return "a page token was repeated"
        if self._without_news >= MOST_EMPTY_PAGES:
            return f"{MOST_EMPTY_PAGES} pages in a row contained nothing new"
        if self._pages >= MOST_PAGES:
            return f"after {MOST_PAGES} pages there are still more"
        if self._clock.monotonic() - self._started > LONGEST_LIST_SECONDS:
            return f"after {LONGEST_LIST_SECONDS / 60:.0f} minutes there are still more pages"
        return ""


def _items(call: Call, answer: Body, key: str) -> list[Body]:
    items = answer.get(key, [])
    if not isinstance(items, list) or not all(isinstance(item, dict) and item.get("name") for item in items):
        raise _malformed(call, f"`{key}` is not a list of named resources")
    return items


def _kept(kind: Kind, call: Call, keep: Keep, answer: Body) -> Body:
    """A page with what is kept of its items."""
    _refuse_unreachable(call, answer)
    return {**answer, kind.list_key: [keep(kind.name, item) for item in _items(call, answer, kind.list_key)]}


def _refuse_unreachable(call: Call, answer: Body) -> None:
    places = answer.get("unreachable")
    if places:
        raise Unavailable(
            summary=f"Could not {call.what}: some locations could not be reached",
            detail="Unreachable: " + ", ".join(map(str, places)) + "\nTry again later.",
            status="UNAVAILABLE",
            method=call.method,
            resource=call.resource,
        )


def _malformed(call: Call, why: str, detail: str = "") -> ApiError:
    return ApiError(
        summary=f"Could not {call.what}: {why}", detail=detail, method=call.method, resource=call.resource
    )
