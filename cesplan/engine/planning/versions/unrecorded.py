"""
Unrecorded: a version that exists, that something of a plan starts to name, and that no complete apply recorded.

A run that was killed between making a version and comparing it leaves one under the name that the tree gives
it, and that one may hold an edit that was never reviewed. The stamp has the version files of complete applies;
any other version is read, and compared with what the app will be once the plan is applied.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import replace

from cesplan.domain.address import AppKey
from cesplan.domain.live import LiveApp, LiveResource
from cesplan.domain.plan import Operation, Plan
from cesplan.engine.comparing.match import Match
from cesplan.engine.comparing.normalize import references
from cesplan.engine.comparing.resource_names import target_of
from cesplan.engine.comparing.snapshot import (
    is_written_whole,
    snapshot_base,
    snapshot_of,
    unlike_base,
    unlike_planned,
)
from cesplan.model.kinds import kind_of


def unrecorded(
    matches: Iterable[Match], operations: Collection[Operation], recorded: Collection[str]
) -> tuple[LiveResource, ...]:
    """The live versions of files that `operations` come to name; `recorded` are keys of version files."""
    named = {name for item in operations for name in _newly_named(item)}
    return tuple(
        match.live
        for match in matches
        if match.live is not None
        and kind_of(match.desired.address.kind).is_snapshot
        and match.desired.address.key not in recorded
        and match.desired.address.within_app in named
    )


def with_unlike_versions(
    plan: Plan, apps: Mapping[AppKey, LiveApp], wholes: Mapping[str, LiveResource], *, adopt: bool
) -> Plan:
    """
    The plan with a refusal for each unrecorded version that is not what the plan leaves; `wholes` are these
    versions by name, snapshot included. It is a notice where no stamp could record them, or with `adopt`.
    """
    said = [
        text
        for key, versions in sorted(plan.unrecorded.items())
        for item in versions
        for text in _unlike(plan, key, apps[key], wholes[item.name])
    ]
    if adopt or not plan.settings.stamp:
        return replace(plan, notices=(*plan.notices, *said))
    advice = (
        "no complete apply of this tree has recorded it, so it may be left over from an interrupted one: "
        "delete it, or give a new version a file with a new name, or serve it as it is with --adopt"
    )
    return replace(plan, refusals=(*plan.refusals, *(f"{text}; {advice}" for text in said)))


def _newly_named(operation: Operation) -> set[str]:
    spec = kind_of(operation.address.kind).spec
    before, after = (
        {name for _, name in references(spec, body or {})} for body in (operation.before, operation.after)
    )
    return after - before


def _unlike(plan: Plan, key: AppKey, live: LiveApp, version: LiveResource) -> Iterator[str]:
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
    gone = frozenset(item.address.within_app for item, _ in written if any(step.force for step in item.steps))
    found = (
        *unlike_planned(snapshot, written, gone),
        *unlike_base(snapshot, snapshot_base(live), naming, [target for _, target in written], gone),
    )
    if found:
        yield f"{address} would be served, and it differs from what this plan leaves: {'; '.join(found)}"
