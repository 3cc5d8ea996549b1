"""
Referrers: which resource refers to which, now and after the plan.

A remaining reference to a deleted resource blocks the delete. With force, the service deletes anyway and
removes the reference, whether the referrer is in the tree or not. So each delete lists its referrers, and each
other change lists what uses the resource.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TypeAlias

from cesplan.domain.address import Address
from cesplan.domain.plan import Action
from cesplan.engine.planning.draft import Draft

Refers: TypeAlias = Mapping[Address, frozenset[Address]]
"""The references of each resource inside one state of an app."""


def refers_before(drafts: Sequence[Draft], staying: Refers) -> Refers:
    """The references of each live resource. `staying` are those of resources that the plan does not write."""
    live = (item for item in drafts if item.action is not Action.CREATE)
    return {**staying, **{item.address: item.references_before for item in live}}


def refers_after(drafts: Sequence[Draft], staying: Refers) -> Refers:
    """The references of each resource after the plan."""
    left = (item for item in drafts if item.action is not Action.DELETE)
    return {**staying, **{item.address: item.references_after for item in left}}


def with_referrers(drafts: Sequence[Draft], before: Refers, after: Refers) -> tuple[Draft, ...]:
    """The drafts, each with its referrers."""
    if not drafts:
        return ()
    now, then = _by_target(before), _by_target(after)
    return tuple(
        replace(item, users=_sorted(now, item), remaining_referrers=_sorted(then, item))
        if item.action is Action.DELETE
        else replace(item, users=_sorted(then, item))
        for item in drafts
    )


def _by_target(refers: Refers) -> Mapping[Address, set[Address]]:
    found: dict[Address, set[Address]] = defaultdict(set)
    for who, targets in refers.items():
        for target in targets:
            found[target].add(who)
    return found


def _sorted(found: Mapping[Address, set[Address]], draft: Draft) -> tuple[Address, ...]:
    return tuple(sorted(found.get(draft.address, set()) - {draft.address}))
