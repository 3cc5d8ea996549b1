"""Lost responses: did the write take effect? Only the current live state can tell."""

from enum import StrEnum

from cesplan.domain.plan import Action, Step
from cesplan.domain.value import Body
from cesplan.engine.applying.verify import changed_since
from cesplan.engine.comparing.convergence import shortfalls
from cesplan.engine.comparing.resource_names import Target


class Effect(StrEnum):
    """The result of a re-read. UNDECIDED: both states look the same, as with fields that are never returned."""

    TOOK = "took"
    NONE = "none"
    OTHER = "other"
    UNDECIDED = "undecided"


def effect_of(
    target: Target, step: Step, before: Body | None, live: Body | None, deleted: frozenset[str] = frozenset()
) -> Effect:
    """
    The effect of a write whose response was lost.

    `before` is the resource as this run last saw it, `live` as it is now; None if it does not exist.
    References to `deleted`, which this run deletes by force, do not count.
    """
    match step.action:
        case Action.CREATE:
            return _of_create(target, step, live)
        case Action.UPDATE:
            return _of_update(target, step, before, live, deleted)
        case Action.DELETE:
            if live is None:
                return Effect.TOOK
            return Effect.NONE if _is_unchanged(target, step, before, live, deleted) else Effect.OTHER


def _of_create(target: Target, step: Step, live: Body | None) -> Effect:
    if live is None:
        return Effect.NONE
    return Effect.OTHER if shortfalls(target, step.body, live) else Effect.TOOK


def _of_update(
    target: Target, step: Step, before: Body | None, live: Body | None, deleted: frozenset[str]
) -> Effect:
    if live is None:
        return Effect.OTHER
    is_as_requested = not shortfalls(target, step.body, live, step.mask)
    if _is_unchanged(target, step, before, live, deleted):
        return Effect.UNDECIDED if is_as_requested else Effect.NONE
    return Effect.TOOK if is_as_requested else Effect.OTHER


def _is_unchanged(target: Target, step: Step, before: Body | None, live: Body, deleted: frozenset[str]) -> bool:
    return before is not None and not changed_since(target, before, live, step.mask, deleted)
