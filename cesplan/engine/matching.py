"""
Matching: which live resource each file means, without a state file.

In this order: the id that the file gives, an id equal to the key, a display name that is unique on both
sides and not yet claimed (DESIGN §3). What nobody claims is live only.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from cesplan.domain.address import AppKey, KindName
from cesplan.domain.desired import Desired, DesiredApp, DesiredResource
from cesplan.domain.live import LiveApp, LiveResource
from cesplan.domain.naming import Naming
from cesplan.domain.resource_name import Place, parse_name
from cesplan.domain.value import Body
from cesplan.engine.composing import take
from cesplan.model.kinds import Kind, kind_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Match:
    """A file and the live resource it means; None where it does not exist yet."""

    desired: DesiredResource
    live: LiveResource | None
    by_display_name: bool = False

    @property
    def resource_id(self) -> str:
        """The id on the server, or the one it will be created with."""
        return self.live.id if self.live else self.desired.resource_id or self.desired.address.key


@dataclass(frozen=True, slots=True, kw_only=True)
class Matched:
    """All matches of one app (the app itself first), live resources without a file, and the ids."""

    matches: tuple[Match, ...]
    live_only: tuple[LiveResource, ...]
    naming: Naming


def match_apps(desired: Desired, live_apps: Sequence[LiveResource]) -> dict[AppKey, LiveResource]:
    """The live app of each app in the tree, where it exists."""
    files = [app.app for app in desired.apps]
    found = _match(kind_of("apps"), files, live_apps)
    return {item.desired.address.app: item.live for item in found if item.live}


def match_resources(app: DesiredApp, live: LiveApp | None, place: Place) -> Matched:
    """Match everything of one app. `live` is None for an app that does not exist yet."""
    children: Mapping[KindName, tuple[LiveResource, ...]] = live.children if live else {}
    root = Match(desired=app.app, live=live.app if live else None)
    matches = [root]
    for kind in sorted({item.address.kind for item in app.resources}):
        files = [item for item in app.resources if item.address.kind == kind]
        matches += _match(kind_of(kind), files, children.get(kind, ()))
    claimed = {item.live.name for item in matches if item.live}
    everything = (item for kind in sorted(children) for item in children[kind])
    return Matched(
        matches=tuple(matches),
        live_only=tuple(item for item in everything if item.name not in claimed),
        naming=_naming(place, root, matches),
    )


def display_name(kind: Kind, body: Mapping[str, Any]) -> str:
    """The name that people see; for kinds that derive it, from where it is derived."""
    for path in kind.display_name_at:
        value = take(dict(body), tuple(path.split(".")))
        if isinstance(value, str) and value:
            return value
    return ""


def _naming(place: Place, root: Match, matches: Iterable[Match]) -> Naming:
    ids: dict[tuple[str, str], str] = {
        (m.desired.address.kind, m.desired.address.key): m.resource_id for m in matches
    }
    parts = parse_name(root.live.name) if root.live else None
    aliases = {parts.project} - {place.project} if parts else set()
    return Naming(
        place=place,
        app_id=root.resource_id,
        ids=ids,
        keys={(kind, resource_id): key for (kind, key), resource_id in ids.items()},
        project_aliases=frozenset(aliases),
    )


def _match(kind: Kind, files: Sequence[DesiredResource], live: Sequence[LiveResource]) -> list[Match]:
    by_id = {item.id: item for item in live}
    found: dict[str, Match] = {}
    for file in files:
        claimed = by_id.get(file.resource_id or file.address.key)
        if claimed is not None:
            found[file.address.key] = Match(desired=file, live=claimed)
    taken = {item.live.name for item in found.values() if item.live}
    rest = [file for file in files if file.address.key not in found and file.resource_id is None]
    free = [item for item in live if item.name not in taken]
    by_name = _unique(kind, ((item, item.body) for item in free))
    wanted: dict[str, DesiredResource] = _unique(kind, ((file, file.body) for file in rest))
    for name in sorted(wanted.keys() & by_name.keys()):
        file = wanted[name]
        found[file.address.key] = Match(desired=file, live=by_name[name], by_display_name=True)
    return [found.get(file.address.key, Match(desired=file, live=None)) for file in files]


def _unique(kind: Kind, items: Iterable[tuple[Any, Body]]) -> dict[str, Any]:
    """Items by display name, those left out that share theirs."""
    named = [(display_name(kind, body), item) for item, body in items]
    counts = Counter(name for name, _ in named)
    return {name: item for name, item in named if name and counts[name] == 1}
