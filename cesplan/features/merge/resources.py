"""
Resources: which resources are merged, come new, go, or are a conflict as a whole.

For a whole resource the same holds as for a field: what only live did is taken, what only the tree did is kept,
what both did differently is a conflict.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace

from cesplan.domain.address import Address
from cesplan.domain.desired import DesiredApp, DesiredResource
from cesplan.domain.features.merge import Fate, MergedResource, ResourceFate, Side
from cesplan.domain.live import LiveResource
from cesplan.domain.naming import Naming
from cesplan.engine.comparing.dropped_references import without_references
from cesplan.engine.comparing.match import Match, Matched
from cesplan.features.history.base import Base, BaseApp
from cesplan.features.merge.fields import is_unchanged, is_untouched, merge_resource
from cesplan.model.kinds import kind_of

Chosen = Callable[[Address], bool]


@dataclass(frozen=True, slots=True, kw_only=True)
class MergedApp:
    """All of one app: resources that both sides have, and the fates of those that one side lacks."""

    merged: tuple[MergedResource, ...]
    fates: tuple[ResourceFate, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Merging:
    """What a merge of one app needs. `fresh` are live resources without a file, by their new addresses."""

    tree: DesiredApp
    matched: Matched
    fresh: Mapping[Address, LiveResource]
    naming: Naming
    base: BaseApp
    listed: frozenset[str]
    chosen: Chosen
    winner: Side = Side.NEITHER

    def merge(self) -> MergedApp:
        """Merge everything that was chosen."""
        both = [item for item in self.matched.matches if item.live is not None]
        fates = tuple(sorted(self._fates(), key=lambda item: item.address))
        kept = frozenset(item.address.within_app for item in fates if item.keeps_references)
        return MergedApp(
            merged=tuple(self._resource(item, kept) for item in both if self.chosen(item.desired.address)),
            fates=fates,
        )

    def _resource(self, match: Match, kept: frozenset[str]) -> MergedResource:
        """One resource; that a reference to what is `kept` is missing on one side is no edit of that side."""
        file = match.desired
        live: LiveResource = match.live  # type: ignore[assignment]  # only those that are live come here
        spec = kind_of(file.address.kind).spec
        base = self.base.found.get(file.address, Base())
        base = replace(base, body=without_references(spec, base.body, kept))
        return merge_resource(spec, base, file, live.body, self.naming, self.winner)

    def _fates(self) -> Iterator[ResourceFate]:
        for match in self.matched.matches:
            if match.live is None and self._is_asked(match.desired.address):
                yield self._gone_live(match.desired)
        for address, item in sorted(self.fresh.items()):
            if self.chosen(address):
                yield self._gone_in_tree(address, item)

    def _is_asked(self, address: Address) -> bool:
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
        if is_untouched(kind.spec, base, blank, live.body, self.naming):
            return ResourceFate(address=address, fate=Fate.ONLY_LIVE)
        return ResourceFate(address=address, fate=Fate.DELETED_IN_TREE, won=self.winner)
