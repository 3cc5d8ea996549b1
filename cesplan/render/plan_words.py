"""Words about plans and outcomes: signs, reasons, counts, and what a plan undoes."""

from collections import Counter
from collections.abc import Iterable
from typing import assert_never

from cesplan.domain.change import FieldChange, Origin
from cesplan.domain.outcome import Applied, Failed, Outcome, Skipped, Unknown
from cesplan.domain.plan import Action, Made, Operation, Reason
from cesplan.domain.text.times import when
from cesplan.domain.text.words import count, listed
from cesplan.render.page import Ink

SIGNS = {Action.CREATE: "+", Action.UPDATE: "~", Action.DELETE: "-"}
INKS = {Action.CREATE: Ink.CREATE, Action.UPDATE: Ink.UPDATE, Action.DELETE: Ink.DELETE}
DONE = {Action.CREATE: "created", Action.UPDATE: "updated", Action.DELETE: "deleted"}
AS_PLANNED = "already as planned"
"""Done without a write of this run: another writer made the same change after the plan was made."""
_FAILED = {Failed: "failed", Skipped: "skipped", Unknown: "unknown"}

_REASONS = {
    Reason.NOT_IN_LIVE: "new",
    Reason.NOT_IN_TREE: "not in the tree",
    Reason.FIELD_CHANGED: "field changed",
    Reason.RESENT: "sent again",
    Reason.ID_CHANGED: "its $id changed",
    Reason.LOCKED: "locked",
    Reason.STAMP: "stamp",
}


def reason_of(operation: Operation) -> str:
    """Why an operation is planned; `removed from the tree` only if the resource is known to have been there."""
    if operation.reason is Reason.NOT_IN_TREE and operation.origin in (Origin.TREE, Origin.BOTH):
        return "removed from the tree"
    return _REASONS[operation.reason]


def done_word(outcome: Applied) -> str:
    """`created`, for example, or `unchanged` if nothing was left to write."""
    return "unchanged" if outcome.was_as_planned else DONE[outcome.operation.action]


def counts_of(outcomes: Iterable[Outcome]) -> dict[str, int]:
    """
    The number of resources that this run created, updated, deleted, and left unchanged, and of the operations
    that did not go well. The stamp of an app does not count.
    """
    counted = [item for item in outcomes if item.operation.reason is not Reason.STAMP]
    done = [item for item in counted if isinstance(item, Applied)]
    acts = Counter(item.operation.action for item in done if not item.was_as_planned)
    return {
        **{DONE[action]: acts[action] for action in Action},
        AS_PLANNED: sum(item.was_as_planned for item in done),
        **{word: sum(isinstance(item, kind) for item in counted) for kind, word in _FAILED.items()},
        "not converged": sum(bool(item.not_converged) for item in done),
    }


def rank_of(outcome: Outcome) -> int:
    """The place of an outcome in a report: what did not go well comes first."""
    match outcome:
        case Failed():
            return 0
        case Unknown():
            return 1
        case Applied():
            return 2 if outcome.not_converged else 4
        case Skipped():
            return 3
        case _:
            assert_never(outcome)


def made_words(origin: Made | None) -> str:
    """`Made from commit 4f2c9e1b03aa with local changes, by cesplan 1.2.0, …`; empty: unknown."""
    if origin is None:
        return ""
    source = f"from commit {origin.commit[:12]}" if origin.commit else "outside git"
    changed = " with local changes" if origin.commit and origin.dirty else ""
    by = f"by cesplan {origin.version}" if origin.version else ""
    parts = ", ".join(filter(None, [source + changed, by, when(origin.at)]))
    return f"Made {parts}."


def since_words(commit: str) -> str:
    """The heading of a plan since a commit, which must not be read as what an apply would do."""
    return f"changes in the tree since {commit[:12]}; live was not read"


def undone_counts(operations: Iterable[Operation]) -> str:
    """`reverts 1 live edit and deletes 2 resources created live`; empty if nothing is undone."""
    found = Counter(_undoing(item) for item in operations)
    parts = ((verb, found[verb, noun], noun) for verb, noun in _UNDONE if found[verb, noun])
    return listed([f"{verb} {count(number, noun, _PLURALS.get(noun, ''))}" for verb, number, noun in parts])


def edit_of(change: FieldChange) -> str:
    """The live edit that a field change reverts, as text; empty if there is none."""
    if change.edit is None:
        return ""
    edit = f"live edit by {change.edit.by}" if change.edit.by else "live edit (unattributed)"
    return f"{edit}; the tree changed it too" if change.origin is Origin.BOTH else edit


_UNKNOWN = ("may revert", "edit of unknown origin")
_CREATED, _EDITED, _DELETED = "resource created live", "resource edited live", "resource deleted live"
_PLURALS = {
    _UNKNOWN[1]: "edits of unknown origin",
    _CREATED: "resources created live",
    _EDITED: "resources edited live",
    _DELETED: "resources deleted live",
}
_UNDONE = (
    ("reverts", "live edit"),
    ("deletes", _CREATED),
    ("deletes", _EDITED),
    ("recreates", _DELETED),
    _UNKNOWN,
)


def _undoing(operation: Operation) -> tuple[str, str]:
    if operation.origin is Origin.UNKNOWN:
        return _UNKNOWN
    match operation.action:
        case Action.CREATE:
            return ("recreates", _DELETED)
        case Action.UPDATE:
            return ("reverts", "live edit")
        case Action.DELETE:
            return ("deletes", _CREATED if operation.origin is Origin.LIVE else _EDITED)
