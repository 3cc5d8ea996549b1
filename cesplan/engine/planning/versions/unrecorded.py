"""
Unrecorded versions: existing versions that a plan starts to refer to and that no complete apply recorded.

A run that is killed between creating and checking a version leaves one with the name from the tree, which may
contain an edit that was never reviewed. The stamp lists the version files of complete applies. Any other
version is read, and compared with the app as it will be after the plan.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace

from cesplan.domain.address import AppKey
from cesplan.domain.live import LiveApp, LiveResource
from cesplan.domain.plan import Plan
from cesplan.engine.comparing.resource_names import target_of
from cesplan.engine.comparing.snapshot import (
    is_written_whole,
    snapshot_base,
    snapshot_of,
    unlike_base,
    unlike_planned,
)


def with_unlike_versions(
    plan: Plan, apps: Mapping[AppKey, LiveApp], wholes: Mapping[str, LiveResource], *, adopt: bool
) -> Plan:
    """
    The plan with a refusal for each unrecorded version that differs from the planned app. `wholes` are these
    versions by name, with snapshots. It is only a notice if no stamp could record them, or with `adopt`.
    """
    found = [
        (text, _advice(plan, key, item))
        for key, versions in sorted(plan.unrecorded.items())
        for item in versions
        for text in _differences(plan, key, apps[key], wholes[item.name])
    ]
    if adopt or not plan.settings.stamp:
        return replace(plan, notices=(*plan.notices, *(text for text, _ in found)))
    return replace(plan, refusals=(*plan.refusals, *(f"{text}; {advice}" for text, advice in found)))


def _advice(plan: Plan, key: AppKey, version: LiveResource) -> str:
    """Why the version is not served unchanged, and what to do."""
    is_again = plan.namings[key].key_of(version.kind, version.id) in plan.remade.get(key, ())
    why = (
        "it was deleted and re-created since an apply recorded it"
        if is_again
        else "no complete apply of this tree has recorded it, so it may be left over from an interrupted one"
    )
    return f"{why}: delete it, or give a new version a file with a new name, or serve it as it is with --adopt"


def _differences(plan: Plan, key: AppKey, live: LiveApp, version: LiveResource) -> Iterator[str]:
    """The differences between a version and the planned app, in a sentence."""
    naming = plan.namings[key]
    address = f"{key}/{version.kind}/{naming.key_of(version.kind, version.id)}"
    snapshot = snapshot_of(version.body)
    if snapshot is None:
        yield f"{address} would be served, and the service shows no snapshot of it to compare"
        return
    written = [
        (item, target_of(plan, item))
        for item in plan.operations
        if item.address.app == key and is_written_whole(item)
    ]
    deleted = frozenset(
        item.address.within_app for item, _ in written if any(step.force for step in item.steps)
    )
    found = (
        *unlike_planned(snapshot, written, deleted),
        *unlike_base(snapshot, snapshot_base(live), naming, [target for _, target in written], deleted),
    )
    if found:
        yield f"{address} would be served, and it differs from what this plan leaves: {'; '.join(found)}"
