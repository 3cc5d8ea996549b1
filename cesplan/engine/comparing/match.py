"""
Matching: which live resource belongs to each file, without a state file.

The order is: the id in the file, an id equal to the key, a display name that is unique on both sides and not
yet claimed. Files whose ids are not binding, as in an export, are matched by both id and display name, then by
display name, and only then by id. If the `$id` of a file is not live, and an unclaimed resource has its display
name, the resource was re-created under another id, as an import does with all resources. Ambiguous matches are
unclear: such resources are neither created nor deleted until `$id` decides.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from itertools import count
from typing import Any

from cesplan.domain.address import AppKey, KindName
from cesplan.domain.desired import Desired, DesiredApp, DesiredResource
from cesplan.domain.frozen import dataclass
from cesplan.domain.live import LiveApp, LiveResource
from cesplan.domain.naming import Naming
from cesplan.domain.resource_name import Place, parse_name
from cesplan.domain.value import Body
from cesplan.model.kinds import Kind, kind_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Match:
    """
    A file and its live resource; None if it is to be created, with `free_id` if there is one.

    If it was found `by_display_name`, its id is not in the tree. If it `is_new_id`, the tree has another id.
    """

    desired: DesiredResource
    live: LiveResource | None
    by_display_name: bool = False
    free_id: str = ""

    @property
    def is_new_id(self) -> bool:
        return self.by_display_name and self.desired.resource_id is not None

    @property
    def resource_id(self) -> str:
        """The id on the server, or the id to create it with."""
        if self.live:
            return self.live.id
        return self.free_id or self.desired.resource_id or self.desired.address.key


@dataclass(frozen=True, slots=True, kw_only=True)
class Unclear:
    """
    Files and live resources with the same display name that cannot be distinguished.

    `elsewhere` is true if `$id` maps assign the live ids to other environments.
    """

    files: tuple[DesiredResource, ...]
    live: tuple[LiveResource, ...]
    elsewhere: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Matched:
    """
    All matches of one app (the app itself first), the live resources without a file, and the ids.

    `unclear` resources are in neither list.
    """

    matches: tuple[Match, ...]
    live_only: tuple[LiveResource, ...]
    naming: Naming
    unclear: tuple[Unclear, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchedApps:
    """The live app of each app in the tree, if it exists and is certain."""

    live: Mapping[AppKey, LiveResource]
    unclear: tuple[Unclear, ...] = ()


Managed = Callable[[str, str], bool]
"""Whether an earlier apply of the tree managed a live resource, by kind and id."""


def _never_managed(kind: str, resource_id: str) -> bool:
    return False


def match_apps(desired: Desired, live_apps: Sequence[LiveResource]) -> MatchedApps:
    """The live app of each app in the tree. An app with an id matches only that id."""
    found, unclear = _match(kind_of("apps"), [app.app for app in desired.apps], live_apps)
    return MatchedApps(
        live={item.desired.address.app: item.live for item in found if item.live}, unclear=tuple(unclear)
    )


def match_resources(
    app: DesiredApp, live: LiveApp | None, place: Place, managed: Managed = _never_managed
) -> Matched:
    """
    Match everything of one app. `live` is None for an app that does not exist yet.

    If a resource was `managed` before and the file now has another `$id`, a person changed the id, so the two
    are not matched.
    """
    children: Mapping[KindName, tuple[LiveResource, ...]] = live.children if live else {}
    root = Match(
        desired=app.app,
        live=live.app if live else None,
        by_display_name=live is not None and not app.app.new_id and live.app.id != _own_id(app.app),
        free_id=app.app.new_id,
    )
    matches, unclear = [root], []
    for kind in sorted({item.address.kind for item in app.resources}):
        files = [item for item in app.resources if item.address.kind == kind]
        found, doubts = _match(kind_of(kind), files, children.get(kind, ()), managed)
        matches += found
        unclear += doubts
    claimed = {item.live.name for item in matches if item.live}
    claimed |= {item.name for doubt in unclear for item in doubt.live}
    everything = (item for kind in sorted(children) for item in children[kind])
    return Matched(
        matches=tuple(matches),
        live_only=tuple(item for item in everything if item.name not in claimed),
        naming=_naming(place, root, matches),
        unclear=tuple(unclear),
    )


def _naming(place: Place, root: Match, matches: Iterable[Match]) -> Naming:
    ids: dict[tuple[str, str], str] = {
        (m.desired.address.kind, m.desired.address.key): m.resource_id for m in matches
    }
    parts = parse_name(root.live.name) if root.live else None
    aliases = {parts.project} - {place.project} if parts else set()
    naming = Naming(place=place, app_id=root.resource_id, project_aliases=frozenset(aliases))
    return naming.with_ids(ids)


def _match(
    kind: Kind,
    files: Sequence[DesiredResource],
    live: Sequence[LiveResource],
    managed: Managed | None = None,
) -> tuple[list[Match], list[Unclear]]:
    """Match in stages. A live resource is claimed only once. Without `managed` nothing counts as re-created."""
    binding = [file for file in files if not file.new_id]
    loose = [file for file in files if file.new_id]
    given = [file for file in binding if file.resource_id is not None]
    elsewhere = {name for file in files for name in file.other_ids} - {file.resource_id for file in given}
    ours = [item for item in live if item.id not in elsewhere]
    found = _by_id(given, live) | _by_id([file for file in binding if file.resource_id is None], ours)
    found |= _by_both(kind, loose, ours)
    rest = [file for file in files if file.address.key not in found]
    found |= _by_name(
        kind, [file for file in rest if file.new_id or file.resource_id is None], _free(ours, found)
    )
    rest = [file for file in loose if file.address.key not in found and file.resource_id]
    found |= _by_id(rest, _free(ours, found))
    if managed is not None:
        rest = [file for file in given if file.address.key not in found]
        found |= _re_created(kind, rest, _free(ours, found), managed)
    unclear = _unclear(kind, files, live, found, elsewhere, managed)
    doubtful = {file.address.key for doubt in unclear for file in doubt.files}
    live_ids = {item.id for item in live}
    return [
        found.get(file.address.key) or _unmatched(file, live_ids)
        for file in files
        if file.address.key not in doubtful
    ], unclear


def _own_id(file: DesiredResource) -> str:
    return file.resource_id or file.address.key


def _by_id(files: Iterable[DesiredResource], live: Iterable[LiveResource]) -> dict[str, Match]:
    by_id = {item.id: item for item in live}
    pairs = ((file, by_id.get(_own_id(file))) for file in files)
    return {file.address.key: Match(desired=file, live=claimed) for file, claimed in pairs if claimed}


def _re_created(
    kind: Kind, files: Sequence[DesiredResource], live: Sequence[LiveResource], managed: Managed
) -> dict[str, Match]:
    """Files whose id no longer exists, with live resources of the same display name that no apply managed."""
    pairs = _by_name(kind, files, live)
    return {key: match for key, match in pairs.items() if not _was_renamed(match, managed)}


def _was_renamed(match: Match, managed: Managed) -> bool:
    """True if a person changed the `$id` of a resource that the tree already had."""
    known = match.live is not None and managed(match.desired.address.kind, match.live.id)
    return known or (match.live is not None and match.live.id == match.desired.address.key)


def _unclear(
    kind: Kind,
    files: Sequence[DesiredResource],
    live: Sequence[LiveResource],
    found: Mapping[str, Match],
    elsewhere: Container[str],
    managed: Managed | None,
) -> list[Unclear]:
    """The remaining resources on both sides, by display name and then by id."""
    free = _free(live, found)
    groups = []
    for name, left in sorted(_named(kind, files, found, given=managed is not None).items()):
        same = [item for item in free if kind.display_name_in(item.body) == name]
        if managed is not None and all(file.resource_id is not None for file in left):
            keys = {str(file.address.key) for file in left}
            same = [item for item in same if item.id not in keys and not managed(kind.name, item.id)]
        groups.append((left, same))
    doubtful = {file.address.key for left, same in groups if same for file in left}
    in_use = {item.id: item for item in free if item.id in elsewhere}
    for file in files:
        key = file.address.key
        if key not in found and key not in doubtful and file.resource_id is None and key in in_use:
            groups.append(([file], [in_use[key]]))
    return [_doubt(left, same, elsewhere) for left, same in groups if same]


def _named(
    kind: Kind, files: Iterable[DesiredResource], found: Mapping[str, Match], *, given: bool
) -> dict[str, list[DesiredResource]]:
    """Unmatched files by display name. Files with an id are included only if `given`."""
    left: dict[str, list[DesiredResource]] = defaultdict(list)
    for file in files:
        needs_name = given or file.resource_id is None or file.new_id
        if needs_name and file.address.key not in found and (name := kind.display_name_in(file.body)):
            left[name].append(file)
    return left


def _doubt(
    files: Sequence[DesiredResource], live: Sequence[LiveResource], elsewhere: Container[str]
) -> Unclear:
    ours = tuple(item for item in live if item.id not in elsewhere)
    return Unclear(files=tuple(files), live=ours or tuple(live), elsewhere=not ours)


def _by_both(kind: Kind, files: Iterable[DesiredResource], live: Iterable[LiveResource]) -> dict[str, Match]:
    """Match by id and display name together, which is enough even if several share the name."""
    by_both = {(item.id, kind.display_name_in(item.body)): item for item in live}
    pairs = ((file, by_both.get((file.new_id, kind.display_name_in(file.body)))) for file in files)
    return {file.address.key: Match(desired=file, live=claimed) for file, claimed in pairs if claimed}


def _by_name(kind: Kind, files: Iterable[DesiredResource], live: Iterable[LiveResource]) -> dict[str, Match]:
    by_name = _unique(kind, ((item, item.body) for item in live))
    by_title: dict[str, DesiredResource] = _unique(kind, ((file, file.body) for file in files))
    found: dict[str, Match] = {}
    for name in sorted(by_title.keys() & by_name.keys()):
        file = by_title[name]
        says_so = not file.new_id  # in the export layout no `$id` line can be added
        found[file.address.key] = Match(desired=file, live=by_name[name], by_display_name=says_so)
    return found


def _free(live: Iterable[LiveResource], found: Mapping[str, Match]) -> list[LiveResource]:
    matched = {item.live.name for item in found.values() if item.live}
    return [item for item in live if item.name not in matched]


def _unmatched(file: DesiredResource, live_ids: set[str]) -> Match:
    """A file without a live resource. A non-binding id is changed if another resource already has it."""
    if file.new_id not in live_ids:
        return Match(desired=file, live=None, free_id=file.new_id)
    free = next(name for number in count(2) if (name := _numbered(file.new_id, number)) not in live_ids)
    live_ids.add(free)
    return Match(desired=file, live=None, free_id=free)


def _numbered(resource_id: str, number: int) -> str:
    """At most 36 characters."""
    return f"{resource_id[:32]}-{number}"


def _unique(kind: Kind, items: Iterable[tuple[Any, Body]]) -> dict[str, Any]:
    """Items by display name, without those whose name is not unique."""
    named = [(kind.display_name_in(body), item) for item, body in items]
    counts = Counter(name for name, _ in named)
    return {name: item for name, item in named if name and counts[name] == 1}
