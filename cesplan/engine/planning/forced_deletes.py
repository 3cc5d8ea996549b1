"""
Forcing: who refers to what is deleted, and who still will by then.

Those that still do block the delete; by force the service deletes anyway and takes the
reference out of them, whether they are in the tree or not. So each delete knows them.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from cesplan.domain.address import Address
from cesplan.domain.plan import Action
from cesplan.engine.planning.draft import Draft

Survivors = Mapping[Address, frozenset[Address]]
"""What each live resource that stays, and that the plan does not write, goes on referring to."""


def with_referrers(drafts: Sequence[Draft], survivors: Survivors) -> tuple[Draft, ...]:
    """The same drafts; deletes know by whom they are referred to, now and once everything else is done."""
    now, then = _by_target(_before(drafts, survivors)), _by_target(_after(drafts, survivors))
    return tuple(
        replace(item, users=_sorted(now, item), remaining_referrers=_sorted(then, item))
        if item.action is Action.DELETE
        else item
        for item in drafts
    )


_Reference = tuple[Address, Address]
"""Who, and to what."""


def _before(drafts: Sequence[Draft], survivors: Survivors) -> Iterator[_Reference]:
    yield from ((item.address, target) for item in drafts for target in item.references_before)
    yield from _surviving(survivors)


def _after(drafts: Sequence[Draft], survivors: Survivors) -> Iterator[_Reference]:
    staying = (item for item in drafts if item.action is not Action.DELETE)
    yield from ((item.address, target) for item in staying for target in item.references_after)
    yield from _surviving(survivors)


def _surviving(survivors: Survivors) -> Iterator[_Reference]:
    return ((address, target) for address, named in survivors.items() for target in named)


def _by_target(references: Iterator[_Reference]) -> Mapping[Address, set[Address]]:
    found: dict[Address, set[Address]] = defaultdict(set)
    for who, target in references:
        found[target].add(who)
    return found


def _sorted(found: Mapping[Address, set[Address]], draft: Draft) -> tuple[Address, ...]:
    return tuple(sorted(found.get(draft.address, set()) - {draft.address}))
