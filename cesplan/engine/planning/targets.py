"""
Targets: the requested part of an app's changes, with everything that it depends on.

A reference needs the create of its target, a delete needs all references to its resource to be dropped, a new
owner of a display name needs the old one to give it up, the contents of an app need the app, and a version
needs everything, because it is a snapshot. If a resource is excluded, everything that needs it is excluded too.
"""

from collections.abc import Iterable, Mapping, Sequence

from cesplan.domain.address import Address, app_address
from cesplan.domain.choice import Choice
from cesplan.domain.frozen import dataclass
from cesplan.domain.plan import Action
from cesplan.engine.planning.draft import Draft
from cesplan.engine.planning.unique_names import handovers
from cesplan.model.kinds import KINDS
from cesplan.model.reachable import reachable

_Needs = Mapping[Address, frozenset[Address]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Chosen:
    """The drafts that stay in the plan, and those that are left out."""

    kept: tuple[Draft, ...]
    left: tuple[Draft, ...] = ()


def choose(drafts: Sequence[Draft], choice: Choice) -> Chosen:
    """Apply a choice to the changes of one app."""
    if choice.is_everything:
        return Chosen(kept=tuple(drafts))
    needs = needs_of(drafts)
    selected = _closure((item.address for item in drafts if choice.names(item.address)), needs)
    unwanted = _closure((item.address for item in drafts if choice.excludes(item.address)), _reversed(needs))
    kept = selected - unwanted
    return Chosen(
        kept=tuple(item for item in drafts if item.address in kept),
        left=tuple(item for item in drafts if item.address not in kept),
    )


def needs_of(drafts: Sequence[Draft]) -> _Needs:
    """The direct dependencies of each draft."""
    created = {item.address for item in drafts if item.action is Action.CREATE}
    first = created | {item.address for item in drafts if item.kind.container}
    early = {item.address for item in drafts if not item.kind.is_late}
    droppers = _droppers(drafts)
    needs = {
        item.address: (
            droppers.get(item.address, set())
            if item.action is Action.DELETE
            else _needs(item, created, first, early)
        )
        - {item.address}
        for item in drafts
    }
    for taker, giver in handovers({item.address: item for item in drafts}):
        needs[taker].add(giver)
    return {address: frozenset(named) for address, named in needs.items()}


def _needs(draft: Draft, created: set[Address], first: set[Address], early: set[Address]) -> set[Address]:
    """
    The dependencies of a create or update: its references, its app, and for a new version all that it copies.
    """
    named = {_holder(target) for target in draft.references_after}
    needed = named & first | ({app_address(draft.address.app)} & created)
    return needed | early if draft.kind.is_snapshot and draft.action is Action.CREATE else needed


def _droppers(drafts: Sequence[Draft]) -> Mapping[Address, set[Address]]:
    """By resource, what refers to it now but not after the plan."""
    found: dict[Address, set[Address]] = {}
    for draft in drafts:
        stays = frozenset() if draft.action is Action.DELETE else draft.references_after
        for target in draft.references_before - stays:
            found.setdefault(target, set()).add(draft.address)
    return found


def _holder(address: Address) -> Address:
    """The resource that contains an address: the app for values in its body, which exist once the app does."""
    return address if address.kind in KINDS else app_address(address.app)


def _closure(start: Iterable[Address], needs: _Needs) -> set[Address]:
    return reachable(start, lambda address: needs.get(address, ()))


def _reversed(needs: _Needs) -> _Needs:
    found: dict[Address, set[Address]] = {address: set() for address in needs}
    for one, named in needs.items():
        for address in named & needs.keys():
            found[address].add(one)
    return {address: frozenset(items) for address, items in found.items()}
