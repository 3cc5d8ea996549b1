"""One app of a merge: from its tree, live, and the last applied state to the new content of its files."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import field, replace
from pathlib import Path

from cesplan.config.manifest import AppTree, ResourceFile
from cesplan.config.tree.load import Loaded
from cesplan.domain.address import Address, AppKey
from cesplan.domain.change import EditKind, FieldAction, FieldChange, LiveEdit
from cesplan.domain.choice import Choice
from cesplan.domain.features.merge import AppMerge, Fate, FieldMerge, ReCreated, Side
from cesplan.domain.frozen import dataclass
from cesplan.domain.live import LiveApp
from cesplan.domain.value import Body
from cesplan.engine.comparing.match import Match
from cesplan.engine.comparing.stamp import stamp_of
from cesplan.engine.comparing.value_redactor import ValueRedactor
from cesplan.engine.pulling.compare import Compared, compare
from cesplan.features.history.base import BaseApp
from cesplan.features.history.edit_log import EditLog, attributed
from cesplan.features.history.last_applied import BaseQuery, find_base
from cesplan.features.history.sources import EarlierTrees, Sources
from cesplan.features.merge.new_files import notices_of
from cesplan.features.merge.proof import Prover
from cesplan.features.merge.resources import MergedApp, Merging
from cesplan.model.kinds import kind_of
from cesplan.remote.client import Client


@dataclass(frozen=True, slots=True, kw_only=True)
class MergeTree:
    """The tree that is merged into; with `markers` its text files get both sides of what collides."""

    loaded: Loaded
    root: Path
    environment: str
    variables: Mapping[str, str]
    winner: Side
    choice: Choice
    only_here: bool
    markers: bool
    prover: Prover
    redactor: ValueRedactor
    earlier: EarlierTrees = field(default_factory=EarlierTrees, repr=False, compare=False)
    """The tree as of earlier commits, shared by its apps."""

    @property
    def files(self) -> list[ResourceFile]:
        return [item for app in self.loaded.apps for item in app.all()]

    def app(self, key: AppKey) -> AppTree:
        return next(app for app in self.loaded.apps if app.key == key)


@dataclass(frozen=True, slots=True, kw_only=True)
class AppWork:
    """The merge of one app, before its files' `$silence` entries are known."""

    compared: Compared
    result: MergedApp
    base: BaseApp
    ids: Mapping[Address, str]
    re_created: tuple[ReCreated, ...]
    edits: Mapping[tuple[Address, str], LiveEdit]

    @property
    def fresh(self) -> Compared:
        """What was compared, with the resources that get files."""
        created = frozenset(item.address for item in self.result.fates if item.writes_file)
        return replace(self.compared, new=created)

    @property
    def bodies(self) -> dict[Address, Body]:
        """The merged bodies of files that both sides have."""
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
            re_created=self.re_created,
            edits=self.edits,
            notices=(*self.base.notices, *self.compared.notices, *notices_of(self.fresh.new, files)),
        )


def merge_app(
    tree: MergeTree, key: AppKey, live: LiveApp, client: Client, on_progress: Callable[[str], None]
) -> AppWork:
    """Merge one live app into its files; `on_progress` receives each step."""
    desired = tree.loaded.desired
    assert desired is not None
    on_progress(f"Comparing {key}")
    compared = compare(key, live, desired, tree.choice, tree.redactor)
    assert compared.tree is not None
    on_progress(f"Looking up the last apply of {key}")
    query = BaseQuery(
        sources=Sources.of(tree.loaded, client, tree.earlier),
        tree=compared.tree,
        live=live,
        matched=compared.matched,
        naming=compared.naming,
        log=EditLog(client, live.app.name, stamp_of(live, compared.naming.place)),
    )
    base = find_base(query)
    result = _merging(compared, base, tree, query.log).merge()
    return AppWork(
        compared=compared,
        result=result,
        base=base,
        ids=_missing_ids(compared, tree),
        re_created=_re_created(compared, tree),
        edits=dict(_open_edits(compared, result, query.log)),
    )


def _merging(compared: Compared, base: BaseApp, tree: MergeTree, log: EditLog) -> Merging:
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
        chosen=tree.choice.includes,
        winner=tree.winner,
        markers=tree.markers,
        redactor=tree.redactor,
        log=log,
    )


def _open_edits(
    compared: Compared, result: MergedApp, log: EditLog
) -> Iterator[tuple[tuple[Address, str], LiveEdit]]:
    """The live edits that wait for a decision; the log is read only if there are any."""

    def edit_of(address: Address, kind: EditKind, changes: Iterable[FieldChange]) -> LiveEdit:
        name = _name_of(address, compared)
        return attributed(log, kind_of(address.kind), name, kind, changes, compared.naming)

    for item in result.merged:
        for found in item.fields:
            if found.is_open:
                yield (
                    (item.address, str(found.path)),
                    edit_of(item.address, EditKind.UPDATED, [_reverting(found)]),
                )
    for fate in result.fates:
        if fate.is_open and fate.fate is Fate.DELETED_LIVE:
            yield (fate.address, ""), edit_of(fate.address, EditKind.DELETED, ())
        elif fate.is_open:
            name = _name_of(fate.address, compared)
            yield (fate.address, ""), log.last_edit(name) or LiveEdit(kind=EditKind.UPDATED)


def _reverting(found: FieldMerge) -> FieldChange:
    """The change that would put the tree's value over the one that is live."""
    return FieldChange(
        path=found.path,
        mask=found.path.mask,
        action=FieldAction.MODIFIED,
        before=found.live,
        after=found.tree,
        is_set=found.is_set,
    )


def _name_of(address: Address, compared: Compared) -> str:
    if compared.tree is not None and address == compared.tree.app.address:
        return compared.live.app.name
    return compared.naming.to_name(address.within_app)


def _missing_ids(compared: Compared, tree: MergeTree) -> dict[Address, str]:
    """Files that were found by a display name, for want of the right id: that is written down."""
    return {
        item.desired.address: item.resource_id
        for item in compared.matched.matches
        if _lacks_id(item) and tree.choice.includes(item.desired.address)
    }


def _re_created(compared: Compared, tree: MergeTree) -> tuple[ReCreated, ...]:
    return tuple(
        ReCreated(address=item.desired.address, old=item.desired.resource_id or "", new=item.resource_id)
        for item in compared.matched.matches
        if item.is_new_id and _lacks_id(item) and tree.choice.includes(item.desired.address)
    )


def _lacks_id(match: Match) -> bool:
    return match.live is not None and match.by_display_name and match.live.id != match.desired.resource_id
