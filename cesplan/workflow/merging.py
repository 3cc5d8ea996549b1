"""
Merging: what was changed live into the files of a tree, without losing an edit on either side.

Only the lines of what changed are touched. What both sides changed is a conflict and stays as it was, unless
somebody said who wins.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from cesplan.config.editing.overlaying import Overlay
from cesplan.config.editing.resource_edits import Edited, Wanted, edit_resources
from cesplan.config.loading import Loaded, load
from cesplan.config.tree import AppTree, ResourceFile
from cesplan.config.writing.app_files import app_keys
from cesplan.config.writing.saving import remove, save
from cesplan.domain.address import Address, AppKey
from cesplan.domain.choice import Choice
from cesplan.domain.desired import DesiredApp
from cesplan.domain.diagnostic import Diagnostic
from cesplan.domain.errors import InvalidConfiguration, UsageError
from cesplan.domain.live import LiveApp
from cesplan.domain.merge import AppMerge, Side
from cesplan.domain.settings import Settings
from cesplan.domain.value import Body
from cesplan.engine.basing import BaseApp
from cesplan.engine.matching import Match, match_apps
from cesplan.engine.merge_apps import MergedApp, Merging
from cesplan.engine.scrubbing import secrets_of_tree
from cesplan.remote.client import Client
from cesplan.workflow.connecting import Connection, connected
from cesplan.workflow.merge_authors import authors_of
from cesplan.workflow.merge_base import Asked, find_base
from cesplan.workflow.pull_comparing import Compared, compare
from cesplan.workflow.pull_files import folder_of, new_files, notices_of, silences_for
from cesplan.workflow.pull_reading import find_app, read_app

_GOOGLE = Connection()
_EVERYTHING = Choice()


@dataclass(frozen=True, slots=True, kw_only=True)
class Merged:
    """A whole merge. `written` and `removed` are files, also where `check` kept them from being so."""

    root: Path
    apps: tuple[AppMerge, ...]
    written: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    is_check: bool = False
    diagnostics: tuple[Diagnostic, ...] = ()
    requests: int = 0

    @property
    def is_empty(self) -> bool:
        """True where there was nothing to merge."""
        return not any(item.is_changed or item.is_open for item in self.apps)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Tree:
    """The tree that is merged into."""

    loaded: Loaded
    root: Path
    environment: str
    variables: Mapping[str, str]
    winner: Side
    choice: Choice

    @property
    def files(self) -> list[ResourceFile]:
        apps = self.loaded.tree.apps if self.loaded.tree else ()
        return [item for app in apps for item in (app.app, *app.resources)]

    def app(self, key: AppKey) -> AppTree:
        assert self.loaded.tree is not None
        return next(app for app in self.loaded.tree.apps if app.key == key)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Work:
    """What one app comes to: the report, the files to write and those to remove."""

    merge: AppMerge
    files: Mapping[str, str]
    removed: tuple[str, ...]
    compared: Compared


def merge(
    folder: Path,
    app: str = "",
    *,
    environment: str = "",
    variables: Mapping[str, str] | None = None,
    endpoint: str = "",
    choice: Choice = _EVERYTHING,
    winner: Side = Side.NEITHER,
    check: bool = False,
    connection: Connection = _GOOGLE,
    tell: Callable[[str], None] = lambda text: None,
) -> Merged:
    """
    Take what was changed live into the tree around a folder; `app` is one app of it, empty for all.

    `winner` decides conflicts. With `check` nothing is written. Raises InvalidConfiguration for a tree with
    errors, UsageError for an app that the tree does not have, and what the service answers.
    """
    loaded = load(folder, environment=environment, variables=variables or {})
    if loaded.desired is None or loaded.root is None:
        raise InvalidConfiguration(diagnostics=loaded.diagnostics)
    tree = _Tree(
        loaded=loaded,
        root=loaded.root,
        environment=environment,
        variables=variables or {},
        winner=winner,
        choice=choice,
    )
    settings = connection.at(loaded.desired.settings, endpoint)
    with connected(connection, settings, read_only=True, secrets=secrets_of_tree(loaded.desired)) as client:
        works = [
            _merge_app(tree, key, live, client, tell)
            for key, live in _apps(tree, app, client, settings).items()
        ]
        requests = client.requests
    return _finish(tree, works, requests, check=check)


def _apps(tree: _Tree, wanted: str, client: Client, settings: Settings) -> dict[AppKey, LiveApp]:
    """The live apps to merge, by the tree's keys."""
    desired = tree.loaded.desired
    assert desired is not None
    listed = client.list_apps(settings.place)
    known = match_apps(desired, listed).found
    if wanted:
        found = find_app(wanted, desired, listed)
        known = {key: live for key, live in known.items() if live.name == found.name}
        if not known:
            raise UsageError(
                summary=f"The tree does not have the app `{wanted}`.",
                detail=f"To take it in: cesplan pull {wanted}",
            )
    return {key: read_app(live, client, settings) for key, live in sorted(known.items())}


def _merge_app(tree: _Tree, key: AppKey, live: LiveApp, client: Client, tell: Callable[[str], None]) -> _Work:
    desired = tree.loaded.desired
    assert desired is not None
    tell(f"Comparing {key}")
    compared = compare(key, live, desired, tree.choice)
    assert compared.tree is not None
    tell(f"Looking for what was applied last to {key}")
    asked = Asked(
        root=tree.root,
        tree=compared.tree,
        live=live,
        matched=compared.matched,
        naming=compared.naming,
        environment=tree.environment,
        variables=tree.variables,
        client=client,
    )
    base = find_base(asked)
    result = _merging(compared, base, tree).merge()
    edited, ids = _edit(tree, compared, result)
    report = AppMerge(
        key=key,
        base=base.source,
        weaker=base.weaker,
        resources=result.merged,
        fates=result.fates,
        refused=edited.refused,
        ids=ids,
        authors=authors_of(client, live, compared, result),
        notices=(*base.notices, *compared.notices),
    )
    return _work(tree, compared, report, edited)


def _merging(compared: Compared, base: BaseApp, tree: _Tree) -> Merging:
    assert compared.tree is not None
    by_id = {(item.kind, item.id): item for item in compared.matched.live_only}
    fresh = {
        item.address: by_id[found]
        for item in compared.app.resources
        if (found := (item.address.kind, compared.naming.id_of(item.address.kind, item.address.key))) in by_id
    }
    return Merging(
        tree=compared.tree,
        matched=compared.matched,
        fresh=fresh,
        naming=compared.naming,
        base=base,
        listed=frozenset(compared.live.children),
        chosen=tree.choice.takes,
        winner=tree.winner,
    )


def _edit(tree: _Tree, compared: Compared, result: MergedApp) -> tuple[Edited, tuple[Address, ...]]:
    """The edits of files that both sides have, and the files that get an id."""
    assert compared.tree is not None
    files = {item.address: item for item in tree.files}
    ids = _missing_ids(compared, tree)
    wanted = [
        Wanted(file=files[item.address], body=item.body, extra=item.extra, add_id=ids.get(item.address, ""))
        for item in result.merged
        if item.is_changed or item.address in ids
    ]
    after = _after(compared, result)
    keys = app_keys(after, compared.app.resources)
    overlay = Overlay(tree.root, keys, environment=tree.environment, variables=tree.variables)
    return edit_resources(tree.root, wanted, tree.files, keys, overlay), tuple(ids)


def _after(compared: Compared, result: MergedApp) -> DesiredApp:
    """The app of the tree with the bodies that the merge gave it."""
    assert compared.tree is not None
    bodies: dict[Address, Body] = {item.address: item.body for item in result.merged}
    app = compared.tree
    return replace(app, app=replace(app.app, body=bodies.get(app.app.address, app.app.body)))


def _missing_ids(compared: Compared, tree: _Tree) -> dict[Address, str]:
    """Files that were found by a display name only: their id is written down, for this environment."""
    return {
        item.desired.address: item.resource_id
        for item in compared.matched.matches
        if _lacks_id(item) and tree.choice.takes(item.desired.address)
    }


def _lacks_id(match: Match) -> bool:
    return match.by_display_name and match.live is not None and match.desired.resource_id is None


def _work(tree: _Tree, compared: Compared, report: AppMerge, edited: Edited) -> _Work:
    created = frozenset(item.address for item in report.fates if item.writes_file)
    gone = [item.address for item in report.fates if item.removes_file]
    fresh = replace(compared, new=created)
    folder = folder_of(compared.app.key, tree.loaded)
    files = {**edited.files, **new_files(fresh, folder, tree.root, tree.environment)}
    report = replace(report, notices=(*report.notices, *notices_of(created, files)))
    return _Work(merge=report, files=files, removed=_removed(tree, gone), compared=fresh)


def _removed(tree: _Tree, gone: list[Address]) -> tuple[str, ...]:
    """The files of resources that go, with the texts that nothing else uses."""
    going = [item for item in tree.files if item.address in gone]
    kept = {text.path for item in tree.files if item.address not in gone for text in item.included.values()}
    texts = {text.path for item in going for text in item.included.values()} - kept
    return tuple(sorted({*(path for item in going for path in item.paths), *texts}))


def _finish(tree: _Tree, works: list[_Work], requests: int, *, check: bool) -> Merged:
    files = {path: text for work in works for path, text in work.files.items()}
    removed = tuple(path for work in works for path in work.removed)
    merged = Merged(
        root=tree.root,
        apps=tuple(work.merge for work in works),
        written=tuple(sorted(files)),
        removed=removed,
        is_check=check,
        requests=requests,
    )
    if check or not (files or removed):
        return merged
    save(tree.root, files)
    remove(tree.root, removed)
    return replace(merged, diagnostics=_checked(tree, works))


def _checked(tree: _Tree, works: list[_Work]) -> tuple[Diagnostic, ...]:
    """Read the tree again; what new resources break of the rules for files is silenced in their files."""
    again = load(tree.root, environment=tree.environment, variables=tree.variables)
    silenced = False
    for work in works:
        new = [item for item in work.compared.app.all() if item.address in work.compared.new]
        silences = silences_for(again.diagnostics, new)
        if silences:
            folder = folder_of(work.compared.app.key, tree.loaded)
            mine = frozenset(work.files)
            save(tree.root, new_files(work.compared, folder, tree.root, tree.environment, silences, mine))
            silenced = True
    if silenced:
        again = load(tree.root, environment=tree.environment, variables=tree.variables)
    return again.diagnostics
