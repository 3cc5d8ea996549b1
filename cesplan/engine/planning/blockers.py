"""
Blockers: why a drafted plan cannot be applied.

The guard checks whether a person really wants a change. The blockers are changes that the service or our
guarantees make impossible, with advice.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence

from cesplan.domain.options import PlanOptions
from cesplan.domain.plan import Action
from cesplan.engine.planning.draft import Draft


def refusals(drafts: Sequence[Draft], options: PlanOptions) -> tuple[str, ...]:
    """The blockers, one line each: what, why, and the flag or edit that helps."""
    return (
        *_unchangeable(drafts),
        *_too_many_snapshots(drafts),
        *_unknown_fields(drafts),
        *_dropped_fields(drafts, options),
        *_still_used(drafts, options),
    )


def _unchangeable(drafts: Iterable[Draft]) -> Iterator[str]:
    for draft in drafts:
        if draft.action is Action.UPDATE and not draft.kind.updatable:
            paths = ", ".join(f"`{path}`" for path in draft.mask)
            yield (
                f"{draft.address} differs from live in {paths}, but a {draft.kind.singular} cannot be changed: "
                f"restore {draft.file} and add a new file instead"
            )


def _too_many_snapshots(drafts: Iterable[Draft]) -> Iterator[str]:
    new = [d.address for d in drafts if d.kind.is_snapshot and d.action is Action.CREATE]
    if len(new) > 1:
        names = ", ".join(map(str, new))
        yield (
            f"{names}: no live version has the id or display name of these files, and one apply creates at "
            "most one version because all would have the same contents: keep the file of the version you want "
            "now, and exclude older ones from environments that do not have them "
            "(`$exclude: true` in environments/<name>/)"
        )


def known_versions(drafts: Iterable[Draft], known: Collection[str], newest: str) -> Iterator[str]:
    """
    Version files that an earlier complete apply included, but that match no live version.

    Another version satisfied them, or theirs was deleted since. Creating one now would serve the current app
    under an old name. `newest` is the id of the newest live version, empty if there is none.
    """
    for draft in drafts:
        if draft.kind.is_snapshot and draft.action is Action.CREATE and draft.address.key in known:
            remedy = (
                f"if it means the newest version, write `$id: {newest}` and its display name; otherwise "
                if newest
                else ""
            )
            yield (
                f"{draft.address} is not new: an earlier apply included it, but no live version has its id or "
                f"display name: {remedy}remove {draft.file}, and give a new version a file with a new name"
            )


def _unknown_fields(drafts: Iterable[Draft]) -> Iterator[str]:
    return (f"{draft.address}: {draft.blocked}; upgrade cesplan" for draft in drafts if draft.blocked)


def _dropped_fields(drafts: Iterable[Draft], options: PlanOptions) -> Iterator[str]:
    for draft in drafts:
        if draft.lost and not options.allow_drop_unknown:
            paths = ", ".join(f"`{path}`" for path in draft.lost)
            yield (
                f"{draft.address}: the update would drop {paths}, unknown to this version; "
                "allow it with --allow-drop-unknown"
            )


def _still_used(drafts: Iterable[Draft], options: PlanOptions) -> Iterator[str]:
    going = [item for item in drafts if item.action is Action.DELETE and str(item.address) not in options.force]
    for address, target in sorted((user, item.address) for item in going for user in item.remaining_referrers):
        yield (
            f"{target} cannot be deleted while {address} refers to it: drop that reference, "
            f"or delete it anyway with --force {target}"
        )
