"""
Merging: what was changed live into the files of a tree, without losing an edit on either side.

Only the lines of what changed are touched. What both sides changed is a conflict and stays as it was, unless
somebody said who wins.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from cesplan.config.discovery import ENVIRONMENTS
from cesplan.config.editing.layers import edit_layers
from cesplan.config.editing.overlaying import Overlay
from cesplan.config.editing.resource_edits import Edited, Wanted
from cesplan.config.manifest import AppTree, ResourceFile
from cesplan.config.tree.load import Loaded, load
from cesplan.config.writing.app_files import app_keys
from cesplan.config.writing.saving import remove, save
from cesplan.domain.address import Address, AppKey
from cesplan.domain.choice import Choice
from cesplan.domain.desired import DesiredApp
from cesplan.domain.diagnostic import Diagnostic
from cesplan.domain.errors import InvalidConfiguration, UsageError
from cesplan.domain.live import LiveApp
from cesplan.domain.merge import AppMerge, Author, Side
from cesplan.domain.settings import Settings
from cesplan.domain.value import Body, canonical_text
from cesplan.engine.basing import BaseApp
from cesplan.engine.comparing.match import Match, match_apps
from cesplan.engine.comparing.normalize import normalize
from cesplan.engine.comparing.redactor import secrets_of_tree
from cesplan.engine.merge_apps import MergedApp, Merging
from cesplan.model.kinds import kind_of
from cesplan.remote.client import Client
from cesplan.workflow.connecting import Connection, connected
from cesplan.workflow.merge_authors import authors_of
from cesplan.workflow.merge_base import Asked, find_base
from cesplan.workflow.merge_proof import Proof, Prover
from cesplan.workflow.pull_comparing import Compared, compare
from cesplan.workflow.pull_files import folder_of, new_files, notices_of, silences_for
from cesplan.workflow.pull_reading import find_app, read_app

_GOOGLE = Connection()
_EVERYTHING = Choice()


@dataclass(frozen=True, slots=True, kw_only=True)
class Merged:
    """
    A whole merge. `written` and `removed` are files, also where `check` kept them from being so.

    `touched` are resources that other environments say differently now, by environment. `service` is the
    service that was read, where that is not the default one.
    """

    root: Path
    apps: tuple[AppMerge, ...]
    written: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    is_check: bool = False
    diagnostics: tuple[Diagnostic, ...] = ()
    touched: Mapping[str, tuple[Address, ...]] = field(default_factory=dict)
    requests: int = 0
    service: str = ""

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
    only_here: bool
    prover: Prover

    @property
    def files(self) -> list[ResourceFile]:
        apps = self.loaded.tree.apps if self.loaded.tree else ()
        return [item for app in apps for item in (app.app, *app.resources)]

    def app(self, key: AppKey) -> AppTree:
        assert self.loaded.tree is not None
        return next(app for app in self.loaded.tree.apps if app.key == key)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Work:
    """What one app comes to, before it is known what its files have to silence."""

    compared: Compared
    result: MergedApp
    base: BaseApp
    ids: Mapping[Address, str]
    authors: Mapping[Address, Author]

    @property
    def fresh(self) -> Compared:
        """What was compared, with the resources that get files."""
        created = frozenset(item.address for item in self.result.fates if item.writes_file)
        return replace(self.compared, new=created)

    @property
    def bodies(self) -> dict[Address, Body]:
        """What files that both sides have should say."""
        return {item.address: item.body for item in self.result.merged if item.is_changed}

    def report(self, refused: Mapping[tuple[str, str], str], files: Mapping[str, str]) -> AppMerge:
        return AppMerge(
            key=self.compared.app.key,
            base=self.base.source,
            weaker=self.base.weaker,
            resources=self.result.merged,
            fates=self.result.fates,
            refused=refused,
            ids=tuple(self.ids),
            authors=self.authors,
            notices=(*self.base.notices, *self.compared.notices, *notices_of(self.fresh.new, files)),
        )


Silences = Mapping[Address, Mapping[str, str]]


def merge(
    folder: Path,
    app: str = "",
    *,
    environment: str = "",
    variables: Mapping[str, str] | None = None,
    endpoint: str = "",
    choice: Choice = _EVERYTHING,
    winner: Side = Side.NEITHER,
    only_here: bool = False,
    check: bool = False,
    connection: Connection = _GOOGLE,
    tell: Callable[[str], None] = lambda text: None,
) -> Merged:
    """
    Take what was changed live into the tree around a folder; `app` is one app of it, empty for all.

    `winner` decides conflicts. With `only_here` everything goes into the files of the environment. With `check`
    nothing is written. Raises InvalidConfiguration for a tree with errors, and for one that would have some in
    any of its environments, before a file is written; UsageError for an app that the tree does not have, and
    what the service answers.
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
        only_here=only_here,
        prover=Prover(loaded.root, environment, variables or {}),
    )
    settings = connection.at(loaded.desired.settings, endpoint)
    with connected(connection, settings, read_only=True, secrets=secrets_of_tree(loaded.desired)) as client:
        works = [
            _merge_app(tree, key, live, client, tell)
            for key, live in _apps(tree, app, client, settings).items()
        ]
        requests = client.requests
    return replace(_finish(tree, works, requests, check=check), service=settings.where)


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
    return _Work(
        compared=compared,
        result=result,
        base=base,
        ids=_missing_ids(compared, tree),
        authors=authors_of(client, live, compared, result),
    )


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


def _edit(tree: _Tree, work: _Work, silences: Silences, stuck: Mapping[Address, str]) -> Edited:
    """The edits of files that both sides have; those that are `stuck` stay as they are."""
    files = {item.address: item for item in tree.files}
    wanted = [
        Wanted(
            file=files[item.address],
            body=item.body,
            extra=item.extra,
            add_id=work.ids.get(item.address, ""),
            silence=silences.get(item.address, {}),
        )
        for item in work.result.merged
        if (item.is_changed or item.address in work.ids) and item.address not in stuck
    ]
    after = _after(work.compared, work.result)
    keys = app_keys(after, work.compared.app.resources)
    overlay = Overlay(tree.root, keys, environment=tree.environment, variables=tree.variables)
    edited = edit_layers(tree.root, wanted, tree.files, keys, overlay, only_here=tree.only_here)
    refused = {(str(address), ""): why for address, why in stuck.items() if address in work.bodies}
    return replace(edited, refused={**edited.refused, **refused})


def _after(compared: Compared, result: MergedApp) -> DesiredApp:
    """The app of the tree with the bodies that the merge gave it."""
    assert compared.tree is not None
    bodies: dict[Address, Body] = {item.address: item.body for item in result.merged}
    app = compared.tree
    return replace(app, app=replace(app.app, body=bodies.get(app.app.address, app.app.body)))


def _missing_ids(compared: Compared, tree: _Tree) -> dict[Address, str]:
    """Files that were found by a display name, for want of the right id: that is written down."""
    return {
        item.desired.address: item.resource_id
        for item in compared.matched.matches
        if _lacks_id(item) and tree.choice.takes(item.desired.address)
    }


def _lacks_id(match: Match) -> bool:
    return match.live is not None and match.by_display_name and match.live.id != match.desired.resource_id


@dataclass(frozen=True, slots=True, kw_only=True)
class _Files:
    """What is to be written (also `of` each app) and removed, and what cannot be said, app by app."""

    written: Mapping[str, str]
    of: Mapping[AppKey, Mapping[str, str]]
    removed: tuple[str, ...]
    refused: Mapping[AppKey, Mapping[tuple[str, str], str]]


def _files(
    tree: _Tree, works: list[_Work], silences: Silences, stuck: Mapping[Address, str], mine: frozenset[str]
) -> _Files:
    written: dict[str, str] = {}
    removed: list[str] = []
    of, refused = {}, {}
    for work in works:
        edited = _edit(tree, work, silences, stuck)
        gone, left_out = _removed(tree, [item.address for item in work.result.fates if item.removes_file])
        folder = folder_of(work.compared.app.key, tree.loaded)
        if tree.only_here and tree.environment and not folder.startswith(f"{ENVIRONMENTS}/"):
            folder = f"{ENVIRONMENTS}/{tree.environment}/{folder}"
        new = new_files(work.fresh, folder, tree.root, tree.environment, silences, mine)
        of[work.compared.app.key] = {**edited.files, **new, **left_out}
        written |= of[work.compared.app.key]
        removed += gone
        refused[work.compared.app.key] = edited.refused
    return _Files(written=written, of=of, removed=tuple(removed), refused=refused)


def _removed(tree: _Tree, gone: list[Address]) -> tuple[tuple[str, ...], dict[str, str]]:
    """
    The files of resources that go, with the texts that nothing else uses, and files that leave others out.

    What is gone live in one environment may be there in others: it is left out of the one, and its files stay.
    """
    going = [item for item in tree.files if item.address in gone]
    kept = {text.path for item in tree.files if item.address not in gone for text in item.included.values()}
    texts = {text.path for item in going for text in item.included.values()} - kept
    paths = {*(path for item in going for path in item.paths), *texts}
    if not (tree.environment and tree.prover.others):
        return tuple(sorted(paths)), {}
    folder = f"{ENVIRONMENTS}/{tree.environment}/"
    shared = [item.path for item in going if not item.path.startswith(folder)]
    left_out = {f"{folder}{path}": "$exclude: true\n" for path in shared}
    own = {path for path in paths if path.startswith(folder)}
    return tuple(sorted(own - left_out.keys())), left_out


def _finish(tree: _Tree, works: list[_Work], requests: int, *, check: bool) -> Merged:
    """Write what is proven right. What the checks refuse although it is live is silenced in its file."""
    found = _files(tree, works, {}, {}, frozenset())
    proof = tree.prover.prove(found.written, found.removed)
    silences, stuck = _silences(works, proof), _stuck(tree, works, proof, found)
    if silences or stuck:
        found = _files(tree, works, silences, stuck, frozenset(found.written))
        proof = tree.prover.prove(found.written, found.removed)
    if proof.errors:
        raise InvalidConfiguration(
            summary="With what is live the tree would have errors. Nothing was written.",
            detail="Leave out what brings them with --exclude, or merge each side by hand.",
            diagnostics=proof.errors,
        )
    by_app = {work.compared.app.key: work for work in works}
    merged = Merged(
        root=tree.root,
        apps=tuple(work.report(found.refused[key], found.of[key]) for key, work in by_app.items()),
        written=tuple(sorted(found.written)),
        removed=found.removed,
        touched=proof.touched,
        is_check=check,
        requests=requests,
    )
    if check or not (found.written or found.removed):
        return merged
    save(tree.root, found.written)
    remove(tree.root, found.removed)
    return replace(merged, diagnostics=proof.diagnostics)


def _silences(works: list[_Work], proof: Proof) -> Silences:
    """The codes that files have to silence because the service takes more than the checks."""
    taken = [
        item
        for work in works
        for item in (work.compared.tree.all() if work.compared.tree else ())
        if item.address in work.bodies
    ]
    new = [item for work in works for item in work.fresh.app.all() if item.address in work.fresh.new]
    return silences_for(proof.errors, [*taken, *new])


def _stuck(tree: _Tree, works: list[_Work], proof: Proof, found: _Files) -> dict[Address, str]:
    """Resources with layers of which the files together do not say what was wanted: a patch is in the way."""
    layered = {item.address: item.layers for item in tree.files if item.layers}
    open_ = {address for refused in found.refused.values() for address, _ in refused}
    return {
        address: f"{layered[address][-1]} is laid over its file: edit one of them"
        for work in works
        for address, body in work.bodies.items()
        if address in layered and str(address) not in open_
        if _canonical(address, proof.bodies.get(address, {}), work) != _canonical(address, body, work)
    }


def _canonical(address: Address, body: Body, work: _Work) -> str:
    """A text that is equal for bodies that mean the same; a null above a shared field is no field."""
    return canonical_text(normalize(kind_of(address.kind).spec, body, work.compared.naming).body)
