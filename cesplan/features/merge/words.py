"""Words that every report of a merge uses."""

from collections.abc import Iterator, Mapping, Sequence

from cesplan.domain.address import Address
from cesplan.domain.change import FieldAction, FieldChange, LiveEdit
from cesplan.domain.features.merge import (
    AppMerge,
    Fate,
    FieldMerge,
    MergedResource,
    MergeOutcome,
    MergeResult,
    ResourceFate,
    Side,
)
from cesplan.domain.text.words import count

WINNERS = {Side.TREE: "the tree wins", Side.LIVE: "live wins", Side.NEITHER: ""}
_FATES = {
    Fate.CREATED: "created live: file added",
    Fate.DELETED: "deleted live: file removed",
    Fate.ONLY_IN_TREE: "not live yet: file kept",
    Fate.ONLY_LIVE: "removed from the tree, still live: no file added",
    Fate.DELETED_LIVE: "conflict: deleted live, changed in the tree",
    Fate.DELETED_IN_TREE: "conflict: removed from the tree, changed live",
}


def short(address: Address) -> str:
    """The address inside its app."""
    return "app" if str(address) == address.app else address.within_app


def shown(app: AppMerge) -> list[MergedResource]:
    """The resources to report: those with a field that is more than a kept change of the tree."""
    return [
        item for item in app.resources if any(field.result is not MergeResult.KEPT for field in item.fields)
    ]


def as_change(found: FieldMerge) -> FieldChange:
    """From what the tree says to what is live, or to what the file gets where that has edits of both."""
    tree, live = found.tree, found.live if found.merged is None else found.merged
    action = (
        FieldAction.ADDED if tree is None else FieldAction.REMOVED if live is None else FieldAction.MODIFIED
    )
    return FieldChange(
        path=found.path,
        mask=found.path.mask,
        action=action,
        before=tree,
        after=live,
        language=found.language,
        is_set=found.is_set,
        typed=found.typed,
    )


def conflict(found: FieldMerge, edit: LiveEdit | None) -> str:
    """`conflict: both changed it, live by eve, 20 Nov 18:03`; empty if there is none."""
    if found.result is not MergeResult.CONFLICT:
        return ""
    if found.won is not Side.NEITHER:
        return f"conflict: {WINNERS[found.won]}"
    by = f", live by {edit.by}" if edit and edit.by else ""
    return f"conflict: both changed it{by}"


def why_open(found: FieldMerge, refused: str) -> str:
    """
    Why a live value must be written by hand; empty if it need not be. `refused` is the reason of the files.
    """
    return refused or (found.why if found.is_open else "")


def refused_of(item: MergedResource, app: AppMerge) -> Mapping[str, str]:
    """The fields that the files of a resource cannot express: by field path, each with the reason."""
    return {path: why for (address, path), why in app.refused.items() if address == str(item.address)}


def fate(item: ResourceFate, edits: Mapping[tuple[Address, str], LiveEdit]) -> str:
    """What happens to a resource that exists on one side only."""
    words = _FATES[item.fate]
    if item.referrers:
        words = f"conflict: deleted live, and {', '.join(item.referrers)} still refers to it"
    won = f" ({WINNERS[item.won]})" if item.won is not Side.NEITHER else ""
    edit = edits.get((item.address, ""))
    by = f", by {edit.by}" if edit and edit.by and item.is_open else ""
    return f"{words}{won}{by}"


def ids(app: AppMerge) -> Iterator[tuple[Address, str]]:
    """Resources whose file gets an `$id`, and why."""
    renewed = {item.address: item for item in app.re_created}
    for address in app.ids:
        new = renewed.get(address)
        yield (
            address,
            f"re-created under another id: {new.old} is gone, its $id is now {new.new}"
            if new
            else "its $id is recorded",
        )


def kept(app: AppMerge) -> str:
    """Fields that only the tree changed, in one line; empty without any."""
    kept = [f"{short(item.address)} {found.path}" for item in app.resources for found in item.fields
            if found.result is MergeResult.KEPT]  # fmt: skip
    return f"Changed only in the tree, and kept: {', '.join(kept)}." if kept else ""


def touched(touched: Mapping[str, Sequence[Address]]) -> Iterator[str]:
    """Which other environments share the edited resources, one line each."""
    for name, found in sorted(touched.items()):
        who = f"environment {name}" if name else "the tree without an environment"
        yield f"also changes {who}: {', '.join(map(str, found))}"


def summary(merged: MergeOutcome) -> tuple[str, str]:
    """The verdict and its numbers: `Merge: `, `2 files written; 1 place left to resolve.`"""
    apps, written, removed = merged.apps, merged.written, merged.removed
    if not apps:
        return "Nothing to merge. ", "None of the tree's apps is live."
    open_ = open_places(apps)
    if not (written or removed or open_):
        rest = "The tree is unchanged." if _kept_by_the_tree(apps) else "The tree already matches live."
        return "Nothing to merge. ", rest
    verb = "would be " if merged.is_check else ""
    parts = [f"{count(len(written), 'file')} {verb}written"]
    parts += [f"{count(len(removed), 'file')} {verb}removed"] if removed else []
    parts += [f"{count(open_, 'place')} left to resolve"] if open_ else []
    marked = {item.file for app in apps for item in _fields(app) if item.has_markers}
    parts += [f"conflict markers in {', '.join(sorted(marked))}"] if marked else []
    return "Merge: ", f"{'; '.join(parts)}."


def open_places(apps: Sequence[AppMerge]) -> int:
    """How many places wait for a decision or an edit by hand."""
    return sum(_open(app) for app in apps)


def _kept_by_the_tree(apps: Sequence[AppMerge]) -> bool:
    """Whether something is live that was decided against."""
    fields = (found for app in apps for item in app.resources for found in item.fields)
    return any(found.won is Side.TREE for found in fields) or any(
        fate.won is Side.TREE for app in apps for fate in app.fates
    )


def _fields(app: AppMerge) -> Iterator[FieldMerge]:
    for item in app.resources:
        yield from item.fields


def _open(app: AppMerge) -> int:
    fields = {
        (str(item.address), str(found.path)) for item in app.resources for found in item.fields if found.is_open
    }
    return len(fields | set(app.refused)) + sum(1 for item in app.fates if item.is_open)


def weakened(apps: Sequence[AppMerge]) -> tuple[str, ...]:
    """The parts of a merge that weaken protection, with their codes."""
    return tuple(
        f"{item.address} {found.text} ({found.code})"
        for app in apps
        for item in app.resources
        for found in item.weakens
    )
