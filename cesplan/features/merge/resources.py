"""
Resources: which resources are merged, come new, go, or are a conflict as a whole.

Whole resources follow the rule for fields: a change only in live is taken, a change only in the tree is kept,
and different changes on both sides are a conflict.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace

from cesplan.domain.address import APPS, Address
from cesplan.domain.desired import DesiredApp, DesiredResource
from cesplan.domain.features.merge import Fate, MergedResource, ResourceFate, Side
from cesplan.domain.field_path import FieldPath
from cesplan.domain.frozen import dataclass
from cesplan.domain.live import LiveResource
from cesplan.domain.naming import Naming
from cesplan.domain.value import Body
from cesplan.engine.comparing.dropped_references import without_references
from cesplan.engine.comparing.match import Match, Matched
from cesplan.engine.comparing.normalize import normalize, references
from cesplan.engine.comparing.value_redactor import NOTHING_SECRET, ValueRedactor
from cesplan.features.history.base import Base, BaseApp
from cesplan.features.history.edit_log import EditLog
from cesplan.features.history.half_writes import is_half_unlocked, without_going, without_moment_name
from cesplan.features.merge.fields import is_unchanged, is_untouched, merge_resource, own_name
from cesplan.model.kinds import kind_of
from cesplan.model.scalars import Scalar

Chosen = Callable[[Address], bool]


@dataclass(frozen=True, slots=True, kw_only=True)
class MergedApp:
    """All of one app: resources that both sides have, and the fates of those that one side lacks."""

    merged: tuple[MergedResource, ...]
    fates: tuple[ResourceFate, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Merging:
    """The input of one app's merge. `fresh` are live resources without a file, by their new addresses."""

    tree: DesiredApp
    matched: Matched
    fresh: Mapping[Address, LiveResource]
    naming: Naming
    base: BaseApp
    listed: frozenset[str]
    chosen: Chosen
    winner: Side = Side.NEITHER
    markers: bool = False
    redactor: ValueRedactor = NOTHING_SECRET
    log: EditLog | None = None
    """The change log of the app; None: nothing of it is known."""

    def merge(self) -> MergedApp:
        """
        Merge everything that was chosen.

        What was removed live stays where the merged tree still refers to it: a person decides about both.
        """
        fates = tuple(sorted(self._fates(), key=lambda item: item.address))
        needed: Mapping[str, tuple[str, ...]] = {}
        while True:  # each round keeps more resources, which may refer to others in turn
            fates = tuple(self._held(item, needed) for item in fates)
            merged = self._merged(fates, needed)
            still = self._referrers(merged)
            if all(name in needed for name in still):
                return merged
            needed = {**still, **needed}

    def _merged(self, fates: tuple[ResourceFate, ...], needed: Mapping[str, tuple[str, ...]]) -> MergedApp:
        both = [item for item in self.matched.matches if item.live is not None]
        kept = frozenset(item.address.within_app for item in fates if item.keeps_references)
        merged = (self._resource(item, kept, needed) for item in both if self.chosen(item.desired.address))
        return MergedApp(merged=tuple(merged), fates=fates)

    def _held(self, item: ResourceFate, needed: Mapping[str, tuple[str, ...]]) -> ResourceFate:
        referrers = needed.get(item.address.within_app, ())
        if not item.removes_file or not referrers:
            return item
        won = Side.TREE if self.winner is Side.TREE else Side.NEITHER
        return replace(item, fate=Fate.DELETED_LIVE, won=won, referrers=referrers)

    def _referrers(self, merged: MergedApp) -> dict[str, tuple[str, ...]]:
        """What the merged tree no longer has and still refers to, each with the resources that do."""
        removed = {item.address for item in merged.fates if item.removes_file}
        bodies = {item.address: item.body for item in self.tree.all()}
        before = {*_own_names(self.tree.app.body), *(item.within_app for item in removed)}
        bodies |= {item.address: item.body for item in merged.merged}
        lost_names = before - {*_own_names(bodies[self.tree.app.address])}
        found: dict[str, list[str]] = {}
        for address, body in sorted(bodies.items()):
            named = {name for _, name in references(kind_of(address.kind).spec, body)}
            for name in sorted(named & lost_names) if address not in removed else ():
                found.setdefault(name, []).append(address.within_app or "app")
        return {name: tuple(referrers) for name, referrers in found.items()}

    def _resource(
        self, match: Match, kept: frozenset[str], needed: Mapping[str, tuple[str, ...]]
    ) -> MergedResource:
        """
        One resource; that a reference to what is `kept` is missing on one side is not an edit of that side.
        """
        file = match.desired
        live: LiveResource = match.live  # type: ignore[assignment]  # only those that are live come here
        spec = kind_of(file.address.kind).spec
        base = self.base.found.get(file.address, Base())
        base = replace(base, body=self.redactor.redact(without_references(spec, base.body, kept)))
        return merge_resource(
            spec,
            base,
            file,
            self.redactor.redact(self._without_half_writes(live, base, file)),
            self.naming,
            self.winner,
            needed,
            markers=self.markers,
        )

    def _without_half_writes(self, live: LiveResource, base: Base, file: DesiredResource) -> Body:
        """Live as it was before an interrupted apply, whose writes are not edits to take."""
        kind = kind_of(live.kind)
        body = without_moment_name(kind, base.body, live.body, live.id)
        lock = kind.lock_field
        if self.log is None or not lock or body.get(lock) or not (base.body.get(lock) and file.body.get(lock)):
            return body
        is_ours = is_half_unlocked(kind, live.name, FieldPath.parse(lock), self.log)
        return {**body, lock: True} if is_ours else body

    def _fates(self) -> Iterator[ResourceFate]:
        for match in self.matched.matches:
            if match.live is None and self._is_requested(match.desired.address):
                yield self._gone_live(match.desired)
        for address, item in sorted(self.fresh.items()):
            if self.chosen(address):
                yield self._gone_in_tree(address, item)

    def _is_requested(self, address: Address) -> bool:
        return address.kind in self.listed and self.chosen(address)

    def _gone_live(self, file: DesiredResource) -> ResourceFate:
        base = self.base.found.get(file.address)
        if base is None:
            return ResourceFate(address=file.address, fate=Fate.ONLY_IN_TREE)
        if is_unchanged(kind_of(file.address.kind).spec, base, file, self.naming):
            return ResourceFate(address=file.address, fate=Fate.DELETED)
        return ResourceFate(address=file.address, fate=Fate.DELETED_LIVE, won=self.winner)

    def _gone_in_tree(self, address: Address, live: LiveResource) -> ResourceFate:
        base = self.base.found.get(address)
        if base is None:
            return ResourceFate(address=address, fate=Fate.CREATED)
        kind = kind_of(address.kind)
        blank = DesiredResource(address=address, body=base.body, file="", ownership=kind.ownership)
        there = normalize(kind.spec, live.body, self.naming).body
        before, there = without_going(kind, base.body, there, self.tree)
        if is_untouched(kind.spec, replace(base, body=before), blank, there, self.naming):
            return ResourceFate(address=address, fate=Fate.ONLY_LIVE)
        return ResourceFate(address=address, fate=Fate.DELETED_IN_TREE, won=self.winner)


def _own_names(body: Body) -> Iterator[str]:
    """The names that an app declares for others to refer to, such as `evaluationPersonas/calm`."""
    for known in kind_of(APPS).spec.settable:
        for item in (body.get(known.name) or ()) if known.scalar is Scalar.MESSAGE else ():
            yield from own_name(known, item)
