"""
The tree resource of a change-log entry: by its id, else by its display name if exactly one file of that kind
has it. This reads no live resources, so the history of an app costs only the pages of its log.
"""

from collections import Counter
from collections.abc import Mapping

from cesplan.domain.address import Address, AppKey, Key, KindName, app_address
from cesplan.domain.desired import DesiredApp
from cesplan.domain.resource_name import last_id, parse_name
from cesplan.domain.value import Body
from cesplan.features.history.log_entries import resource_of
from cesplan.model.kinds import KINDS


class EntryNames:
    """The addresses of the resources in the entries of one app's log."""

    def __init__(self, key: AppKey, app: DesiredApp | None = None) -> None:
        self.key = key
        self._by_id: dict[tuple[str, str], Address] = {}
        self._by_title: Mapping[tuple[str, str], Address] = {}
        if app is not None:
            items = app.resources
            self._by_id = {
                (item.address.kind, item.resource_id or item.address.key): item.address for item in items
            }
            titles = [(item.address.kind, _title(item.address.kind, item.body)) for item in items]
            once = Counter(titles)
            self._by_title = {
                title: item.address
                for title, item in zip(titles, items, strict=True)
                if title[1] and once[title] == 1 and item.resource_id is None
            }

    def address(self, entry: Body) -> Address:
        """The address by the key in the tree; by the id if the tree does not have the resource."""
        name = resource_of(entry)
        parts = parse_name(name)
        if parts is None or parts.app is None:
            return self._other(str(entry.get("resourceType") or "resources"), last_id(name))
        if parts.kind is None or parts.id is None:
            return app_address(self.key)
        known = self._by_id.get((parts.kind, parts.id))
        known = known or self._by_title.get((parts.kind, str(entry.get("displayName", ""))))
        return known or self._other(parts.kind, parts.id)

    def _other(self, kind: str, resource_id: str) -> Address:
        """An address from values of the service, which may contain `/`: the result is one kind and one key."""
        parts = (part.replace("/", "_") for part in (kind, resource_id or "unknown"))
        return Address(app=self.key, kind=KindName(next(parts)), key=Key(next(parts)))


def _title(kind: KindName, body: Body) -> str:
    return KINDS[kind].display_name_in(body) or ""
