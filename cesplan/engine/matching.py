"""
Matching: which live resource each file means, without a state file.

In this order: the id that the file gives, an id equal to the key, a display name that is unique on both
sides and not yet claimed (DESIGN §3). What nobody claims is live only. Files whose ids do not bind, those of an
export, are matched by what has both the same, then by display name, and only then by the id they give.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import count
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
    """A file and the live resource it means; None where it is to be created, with `free_id` if there is one."""

    desired: DesiredResource
    live: LiveResource | None
    by_display_name: bool = False
    free_id: str = ""

    @property
    def resource_id(self) -> str:
        """The id on the server, or the one it will be created with."""
        if self.live:
            return self.live.id
        return self.free_id or self.desired.resource_id or self.desired.address.key


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
    root = Match(desired=app.app, live=live.app if live else None, free_id=app.app.new_id)
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
    """Stages of claims; a live resource is claimed once."""
    binding = [file for file in files if not file.new_id]
    loose = [file for file in files if file.new_id]
    found = _by_id(kind, binding, live) | _by_both(kind, loose, live)
    rest = [file for file in files if file.address.key not in found]
    found |= _by_name(
        kind, [file for file in rest if file.new_id or file.resource_id is None], _free(live, found)
    )
    rest = [file for file in loose if file.address.key not in found and file.resource_id]
    found |= _by_id(kind, rest, _free(live, found))
    taken = {item.id for item in live}
    return [found.get(file.address.key) or _unmatched(file, taken) for file in files]


def _by_id(kind: Kind, files: Iterable[DesiredResource], live: Iterable[LiveResource]) -> dict[str, Match]:
    by_id = {item.id: item for item in live}
    pairs = ((file, by_id.get(file.resource_id or file.address.key)) for file in files)
    return {file.address.key: Match(desired=file, live=claimed) for file, claimed in pairs if claimed}


def _by_both(kind: Kind, files: Iterable[DesiredResource], live: Iterable[LiveResource]) -> dict[str, Match]:
    """Same id and same display name: enough even where several have that name."""
    by_both = {(item.id, display_name(kind, item.body)): item for item in live}
    pairs = ((file, by_both.get((file.new_id, display_name(kind, file.body)))) for file in files)
    return {file.address.key: Match(desired=file, live=claimed) for file, claimed in pairs if claimed}


def _by_name(kind: Kind, files: Iterable[DesiredResource], live: Iterable[LiveResource]) -> dict[str, Match]:
    by_name = _unique(kind, ((item, item.body) for item in live))
    wanted: dict[str, DesiredResource] = _unique(kind, ((file, file.body) for file in files))
    found: dict[str, Match] = {}
    for name in sorted(wanted.keys() & by_name.keys()):
        file = wanted[name]
        says_so = not file.new_id  # the other layout has no line that could be added
        found[file.address.key] = Match(desired=file, live=by_name[name], by_display_name=says_so)
    return found


def _free(live: Iterable[LiveResource], found: Mapping[str, Match]) -> list[LiveResource]:
    taken = {item.live.name for item in found.values() if item.live}
    return [item for item in live if item.name not in taken]


def _unmatched(file: DesiredResource, taken: set[str]) -> Match:
    """A file without a live resource; an id that does not bind gives way to one that another resource has."""
    if file.new_id not in taken:
        return Match(desired=file, live=None, free_id=file.new_id)
    free = next(name for number in count(2) if (name := _numbered(file.new_id, number)) not in taken)
    taken.add(free)
    return Match(desired=file, live=None, free_id=free)


def _numbered(resource_id: str, number: int) -> str:
    """At most 36 characters (FACTS §1)."""
    return f"{resource_id[:32]}-{number}"


def _unique(kind: Kind, items: Iterable[tuple[Any, Body]]) -> dict[str, Any]:
    """Items by display name, those left out that share theirs."""
    named = [(display_name(kind, body), item) for item, body in items]
    counts = Counter(name for name, _ in named)
    return {name: item for name, item in named if name and counts[name] == 1}
