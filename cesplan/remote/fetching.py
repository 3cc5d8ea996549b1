"""
Reading whole collections, page by page.

What could not be read is an error, never an empty list: a plan made from half an answer would delete or
create the other half.
"""

from collections.abc import Callable, Iterator
from functools import partial

from cesplan.domain.errors import ApiError, InvalidRequest, Unavailable
from cesplan.domain.live import LiveResource
from cesplan.domain.value import Body
from cesplan.model.kinds import Kind
from cesplan.remote.calling import Calling
from cesplan.remote.calls import PAGE_SIZE, Call, get, list_changes, list_page, list_runs
from cesplan.remote.partial import hides_oneof, partial_fields


class Fetching:
    """Reads collections of one API version. Safe to share between threads."""

    def __init__(self, *, calling: Calling, api_version: str) -> None:
        self._calling = calling
        self._api_version = api_version

    def all(self, kind: Kind, parent: str) -> tuple[LiveResource, ...]:
        """All resources of a kind under a parent, by name; expensive fields are left out."""
        bodies = {str(body["name"]): body for body in self._listed(kind, parent)}
        return tuple(LiveResource(kind=kind.name, body=bodies[name]) for name in sorted(bodies))

    def changes(self, app_name: str, condition: str, at_most: int) -> tuple[Body, ...]:
        """The newest entries of an app's change log that meet an AIP-160 condition, newest first."""
        return self._newest(partial(list_changes, app_name, condition=condition), at_most)

    def runs(self, app_name: str, at_most: int) -> tuple[Body, ...]:
        """The newest evaluation runs of an app, newest first."""
        return self._newest(partial(list_runs, app_name), at_most)

    def _newest(self, page: Callable[..., Call], at_most: int) -> tuple[Body, ...]:
        """The first items of a list that begins with the newest; `page` makes the call for one page."""
        found: list[Body] = []
        token = ""
        while True:
            call = page(page_token=token, size=min(at_most - len(found), PAGE_SIZE))
            answer = self._calling.call(call)
            found += _items(call, answer, call.collection)
            token = str(answer.get("nextPageToken") or "")
            if not token or len(found) >= at_most:
                return tuple(found[:at_most])

    def _listed(self, kind: Kind, parent: str) -> Iterator[Body]:
        fields = partial_fields(kind, self._api_version)
        if not fields:
            yield from self._pages(kind, parent, "")
            return
        try:
            bodies = list(self._pages(kind, parent, fields))
        except InvalidRequest:
            # A field of ours that this service does not have: the economy is not worth a failure.
            yield from self._pages(kind, parent, "")
            return
        for body in bodies:
            yield self._calling.call(get(kind, body["name"])) if hides_oneof(kind, body) else body

    def _pages(self, kind: Kind, parent: str, fields: str) -> Iterator[Body]:
        token = ""
        seen: set[str] = set()
        while True:
            call = list_page(kind, parent, page_token=token, fields=fields)
            answer = self._calling.call(call)
            _refuse_unreachable(call, answer)
            yield from _items(call, answer, kind.list_key)
            token = str(answer.get("nextPageToken") or "")
            if not token:
                return
            if token in seen:
                raise _malformed(call, "the list does not end: a page token came twice")
            seen.add(token)


def _items(call: Call, answer: Body, key: str) -> list[Body]:
    items = answer.get(key, [])
    if not isinstance(items, list) or not all(isinstance(item, dict) and item.get("name") for item in items):
        raise _malformed(call, f"`{key}` is no list of resources with names")
    return items


def _refuse_unreachable(call: Call, answer: Body) -> None:
    places = answer.get("unreachable")
    if places:
        raise Unavailable(
            summary=f"Could not {call.what}: parts of it were not reached",
            detail="Unreachable: " + ", ".join(map(str, places)) + "\nTry again later.",
            status="UNAVAILABLE",
            method=call.method,
            resource=call.resource,
        )


def _malformed(call: Call, why: str) -> ApiError:
    return ApiError(summary=f"Could not {call.what}: {why}", method=call.method, resource=call.resource)
