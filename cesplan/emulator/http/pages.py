"""
Pages and order of lists. A page token is opaque and belongs to one query.

`orderBy` takes one field ("field to sort by" in the reference), not AIP-132's list of several.
"""

import base64
import hashlib
import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from cesplan.emulator.contract import Kind
from cesplan.emulator.errors import invalid
from cesplan.emulator.storage.store import Row
from cesplan.emulator.switches import Switches

# Orders that need the body, or a resource that it refers to; see `Reading`.
BODY_ORDERS = frozenset({"next_scheduled_execution", "last_completed_run.create_time"})
# Without a direction, these sort ascending in all lists (reference).
_ASCENDING = frozenset({"name", "next_scheduled_execution"})
_NOT_IN_QUERY = {"pageSize", "pageToken"}
_LARGEST_INT32 = 2**31


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """The requested part of a list: see `Store.page`."""

    order: str
    after: tuple[Any, ...] | None
    size: int
    digest: str


Key = Callable[[Row, str], Any]


def column_of(row: Row, column: str) -> Any:
    """Return the sort value of a row."""
    return getattr(row, column)


def requested_page(kind: Kind, parent: str, query: dict[str, str], switches: Switches) -> Page:
    """Return the page that a list request asks for. Raise Refused for an invalid request."""
    digest = _digest(kind, parent, query)
    return Page(
        order=_order(kind, query.get("orderBy", "")),
        after=read_token(query.get("pageToken", ""), digest),
        size=read_size(query.get("pageSize", ""), switches),
        digest=digest,
    )


def following(page: Page, rows: list[Row], key: Key = column_of) -> list[Row]:
    """Return the rows after the page's start, in its order."""
    column, _, direction = page.order.partition(" ")
    by_name = sorted(rows, key=lambda row: row.name)
    ordered = sorted(by_name, key=lambda row: key(row, column), reverse=direction == "desc")
    if page.after is None:
        return ordered
    value, name = page.after

    def is_after(row: Row) -> bool:
        own = key(row, column)
        if own == value:
            return row.name > str(name)
        return bool(own < value if direction == "desc" else own > value)

    return [row for row in ordered if is_after(row)]


def next_token(page: Page, last: Row, key: Key = column_of) -> str:
    """Return the token of the page that follows `last`."""
    return token_of(page.digest, key(last, page.order.partition(" ")[0]), last.name)


def token_of(digest: str, value: Any, name: str) -> str:
    """Return the token of the page after the item of this name, in the list of one query."""
    text = json.dumps([digest, value, name])
    return base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")


def _order(kind: Kind, text: str) -> str:
    order = text.strip() or kind.default_order
    if not order:
        return "seq"
    field, _, direction = order.partition(" ")
    if field not in kind.order_by or direction.strip() not in ("", "asc", "desc"):
        raise invalid("orderBy", f"'{text}': one of {', '.join(kind.order_by)} is expected")
    # The kinds with a documented default sort times descending, except future times.
    if not direction.strip() and kind.default_order and field not in _ASCENDING:
        direction = "desc"
    return f"{field} {direction.strip()}".strip()


def read_size(text: str, switches: Switches) -> int:
    """Return the number of items of a page. Raise Refused for an invalid size."""
    try:
        size = int(text or 0)
    except ValueError:
        size = -1
    if not 0 <= size < _LARGEST_INT32:
        raise invalid("pageSize", f"'{text}' is not a page size")
    return min(size or switches.default_page_size, switches.page_size_cap)


def _digest(kind: Kind, parent: str, query: dict[str, str]) -> str:
    same = sorted((k, v) for k, v in query.items() if k not in _NOT_IN_QUERY)
    return hashlib.sha256(json.dumps([kind.collection, parent, same]).encode()).hexdigest()[:16]


def read_token(text: str, digest: str) -> tuple[Any, ...] | None:
    """Return the content of a page token, None for the first page. Raise Refused for an invalid token."""
    if not text:
        return None
    try:
        padded = text + "=" * (-len(text) % 4)
        found, value, name = json.loads(base64.urlsafe_b64decode(padded))
        if not isinstance(value, str | int) or not isinstance(name, str):
            raise ValueError("a token contains a plain value and a name")
    except (ValueError, TypeError, RecursionError) as error:
        raise invalid("pageToken", "this is not a token that a list returned") from error
    if found != digest:
        raise invalid("pageToken", "the token belongs to another query")
    return value, name
