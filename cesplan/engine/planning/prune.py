"""Pruning: live resources without a file are deleted, left alone, or not reported at all."""

from collections.abc import Iterator, Sequence

from cesplan.domain.address import Address
from cesplan.domain.live import LiveResource
from cesplan.domain.plan import Reason, Unmanaged
from cesplan.engine.comparing.match import Match
from cesplan.engine.comparing.stamp import Contact
from cesplan.engine.planning.context import AppContext
from cesplan.engine.planning.draft import (
    PROTECTED,
    PROTECTED_BEFORE,
    Draft,
    Drafted,
    draft_delete,
    unchanged_references,
    unmanaged_references,
)
from cesplan.model.kinds import kind_of


def surplus(context: AppContext) -> Iterator[Draft]:
    """Live, prunable resources that are not in the tree."""
    for item in context.matched.live_only:
        if _why_unmanaged(context, item) == "":
            heir = _heir(context, item)
            yield draft_delete(
                item,
                context.terms,
                context.address(item),
                Reason.ID_CHANGED if heir else Reason.NOT_IN_TREE,
                protected=_protection(context, item, heir),
            )


def empty_folders(context: AppContext) -> Iterator[str]:
    """Notices for empty folders that cause live resources to be deleted: another checkout may lack them."""
    filled = {item.address.kind for item in context.app.resources}
    for kind in sorted(context.app.folders - filled - context.stamp.kinds):
        live = [item for item in context.matched.live_only if item.kind == kind]
        if any(_why_unmanaged(context, item) == "" for item in live):
            yield (
                f"{context.app.key}: the folder {kind}/ is empty, so live {kind} count as removed; "
                "git does not keep empty folders, and without the folder they are left unchanged"
            )


def _protection(context: AppContext, item: LiveResource, heir: Match | None) -> str:
    """
    The note on the protection of a resource from deletion; empty if there is none. Removing a file does not
    remove its protection.
    """
    if heir is not None and heir.desired.protect:
        return PROTECTED
    return PROTECTED_BEFORE if f"{item.kind}/{item.id}" in context.stamp.protected else ""


def unmanaged(context: AppContext) -> Iterator[Unmanaged]:
    for item in context.matched.live_only:
        why = _why_unmanaged(context, item)
        kind = kind_of(item.kind)
        if why and kind.prunable and not kind.is_made_by_service(item.body):
            name = context.redactor.name(kind.display_name_in(item.body))
            yield Unmanaged(address=context.address(item), display_name=name, why=why)


def _why_unmanaged(context: AppContext, item: LiveResource) -> str:
    """Why a live resource without a file is left alone; empty if it is to be deleted."""
    prune = context.settings.prune if context.options.prune is None else context.options.prune
    kind = kind_of(item.kind)
    if not kind.prunable or not kind.deletable:
        return "this kind is never pruned"
    if kind.is_made_by_service(item.body):
        return "created by the service"
    if item.kind not in managed_kinds(context):
        return f"the tree has no folder {item.kind}/"
    return "" if prune else "pruning is off"


def managed_kinds(context: AppContext) -> frozenset[str]:
    """The kinds that the tree has, or had when it was last applied: git does not keep empty folders."""
    is_export = any(
        item.new_id for item in context.app.all()
    )  # exports never contain deployments and schedules
    before = context.stamp.kinds if context.contact is Contact.OURS and not is_export else frozenset()
    return frozenset(context.app.folders) | before


def _heir(context: AppContext, item: LiveResource) -> Match | None:
    """The file with the display name of a live resource but a new id: the id was changed."""
    kind = kind_of(item.kind)
    name = kind.display_name_in(item.body)
    new = (m for m in context.matched.matches if m.live is None and m.desired.resource_id)
    same = (m for m in new if m.desired.address.kind == item.kind and name)
    return next((m for m in same if kind.display_name_in(m.desired.body) == name), None)


def survivors(context: AppContext, drafted: Sequence[Drafted]) -> dict[Address, frozenset[Address]]:
    """The references of each live resource that stays: unmanaged ones, and those without an update."""
    stays = {
        item.address: item.refers
        for item in drafted
        if item.refers is not None and not (item.draft and item.draft.acts)
    }
    for item in drafted:
        if item.unchanged is not None:
            stays[item.address] = unchanged_references(item.address, item.unchanged, context.terms)
    for live in context.matched.live_only:
        if _why_unmanaged(context, live) or context.first_contact:
            address = context.address(live)
            stays[address] = unmanaged_references(address, live, context.matched.naming)
    return stays
