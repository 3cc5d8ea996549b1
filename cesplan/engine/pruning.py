"""
Pruning: what is live and has no file: deleted, left alone, or not ours to speak of (DESIGN §4).
"""

from collections.abc import Iterator, Sequence

from cesplan.domain.address import Address
from cesplan.domain.live import LiveResource
from cesplan.domain.plan import Reason, Unmanaged
from cesplan.engine.context import AppContext
from cesplan.engine.drafting import Draft, Drafted, draft_delete, live_references
from cesplan.engine.matching import Match, display_name
from cesplan.model.kinds import kind_of


def surplus(context: AppContext) -> Iterator[Draft]:
    """What is live, prunable, and not in the tree."""
    for item in context.matched.live_only:
        if _why_unmanaged(context, item) == "":
            heir = _heir(context, item)
            yield draft_delete(
                item,
                context.terms,
                context.address(item),
                Reason.ID_CHANGED if heir else Reason.NOT_IN_TREE,
                protected=heir is not None and heir.desired.protect,
            )


def unmanaged(context: AppContext) -> Iterator[Unmanaged]:
    for item in context.matched.live_only:
        why = _why_unmanaged(context, item)
        kind = kind_of(item.kind)
        if why and kind.prunable and not _comes_by_itself(item):
            name = context.scrubber.name(display_name(kind, item.body))
            yield Unmanaged(address=context.address(item), display_name=name, why=why)


def _why_unmanaged(context: AppContext, item: LiveResource) -> str:
    """Why a live resource without a file is left alone; empty when it is to be deleted."""
    prune = context.settings.prune if context.options.prune is None else context.options.prune
    kind = kind_of(item.kind)
    if not kind.prunable or not kind.deletable:
        return "this kind is never pruned"
    if _comes_by_itself(item):
        return "made by the service"
    if item.kind not in context.app.folders:
        return f"the tree has no folder {item.kind}/"
    return "" if prune else "pruning is off"


def _comes_by_itself(item: LiveResource) -> bool:
    return any(item.body.get(name) for name in kind_of(item.kind).never_pruned)


def _heir(context: AppContext, item: LiveResource) -> Match | None:
    """The file that takes over a live resource's display name under a new id: its id has changed."""
    kind = kind_of(item.kind)
    name = display_name(kind, item.body)
    new = (m for m in context.matched.matches if m.live is None and m.desired.resource_id)
    same = (m for m in new if m.desired.address.kind == item.kind and name)
    return next((m for m in same if display_name(kind, m.desired.body) == name), None)


def survivors(context: AppContext, drafted: Sequence[Drafted]) -> dict[Address, frozenset[Address]]:
    """What each live resource that stays will refer to: unmanaged ones, and files without an update."""
    stays = {
        item.address: item.refers
        for item in drafted
        if item.refers is not None and not (item.draft and item.draft.acts)
    }
    for live in context.matched.live_only:
        if _why_unmanaged(context, live) or context.gentle:
            address = context.address(live)
            stays[address] = live_references(address, live, context.matched.naming)
    return stays
