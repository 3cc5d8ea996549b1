"""
Live edits of the resources of a location, which has neither a stamp nor a change log. The last applied state is
in the tree at the commit that the stamps of the tree's apps name. The author of an edit is unknown; an edit is
known by a difference from that tree and a write after the stamp.
"""

import os
import tempfile
from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import datetime
from pathlib import Path

from cesplan.config.committed import extract_tree
from cesplan.config.project.variables import with_secrets_given
from cesplan.config.tree.load import load
from cesplan.domain.address import Address
from cesplan.domain.app_metadata.stamp import Stamp
from cesplan.domain.change import EditKind, LiveEdit, Origin
from cesplan.domain.desired import Desired, DesiredResource
from cesplan.domain.frozen import dataclass
from cesplan.domain.live import LiveApp, LiveResource
from cesplan.domain.naming import Naming
from cesplan.domain.plan import Operation, Plan
from cesplan.domain.text.times import moment
from cesplan.engine.comparing.origins import field_origins, together
from cesplan.engine.comparing.stamp import Contact, contact_of, stamp_of
from cesplan.features.history.base import Base, base_of_file
from cesplan.features.history.edit_log import EditLog
from cesplan.features.history.sources import Sources
from cesplan.features.history.three_states import three_states

_MOST_COMMITS = 5
"""If the apps were applied from more commits than this, the newest one is not determined."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Applied:
    """The last apply: the files of the location, and when the stamp was written (None: not known)."""

    files: Mapping[Address, DesiredResource]
    at: datetime | None


def with_location_edits(plan: Plan, desired: Desired, apps: Iterable[LiveResource], sources: Sources) -> Plan:
    """
    The plan with the origin of every operation on a resource of the location; `apps` are live ones there.

    Without such an operation nothing is read. Where the last apply is not known, the origin stays unknown.
    """
    by_address = {item.address: item for item in desired.location_resources}
    operations = [item for item in plan.shown if item.address in by_address]
    applied = _applied(desired, apps, sources) if operations else None
    if applied is None:
        return plan
    known = {id(item): _explained(item, by_address[item.address], applied, desired) for item in operations}
    return replace(plan, operations=tuple(known.get(id(item), item) for item in plan.operations))


def _explained(operation: Operation, file: DesiredResource, applied: _Applied, desired: Desired) -> Operation:
    naming = Naming(place=desired.settings.place, app_id="")
    live, before = operation.seen or {}, applied.files.get(operation.address)
    updated = moment(live.get("updateTime"))
    is_older = updated is not None and applied.at is not None and updated <= applied.at
    base = Base() if before is None else base_of_file(before, naming)
    if before is None or is_older:
        origins: tuple[Origin, ...] = (Origin.TREE,) * len(operation.changes)
    else:
        states = three_states(file, base, live, naming)
        origins = field_origins(operation.changes, states.live_edits, states.tree_edits)
    edit = LiveEdit(kind=EditKind.UPDATED)
    changes = tuple(
        replace(change, origin=origin, edit=None if origin is Origin.TREE else edit)
        for change, origin in zip(operation.changes, origins, strict=True)
    )
    origin = together(origins)
    is_edit = origin is not Origin.TREE
    return replace(operation, changes=changes, origin=origin, reverts=is_edit, edit=edit if is_edit else None)


def _applied(desired: Desired, apps: Iterable[LiveResource], sources: Sources) -> _Applied | None:
    """What the last apply of this tree to the location wrote; None: not known."""
    place = desired.settings.place
    stamps = {item.name: (item, stamp_of(LiveApp(app=item), place)) for item in apps}
    ours = [(app, stamp) for app, stamp in stamps.values() if contact_of(stamp, desired) is Contact.OURS]
    newest = _newest(ours, sources)
    if newest is None:
        return None
    stamp, at = newest
    with tempfile.TemporaryDirectory(prefix="cesplan-") as folder:
        if stamp.dirty or extract_tree(sources.root, stamp.commit, Path(folder)).trouble:
            return None
        old = load(
            Path(folder),
            environment=stamp.environment,
            variables=sources.variables,
            environ=with_secrets_given(os.environ, sources.secrets),
            chosen=lambda *_: False,
        )
    if old.desired is None:
        return None
    return _Applied(files={item.address: item for item in old.desired.location_resources}, at=at)


def _newest(
    applied: Iterable[tuple[LiveResource, Stamp]], sources: Sources
) -> tuple[Stamp, datetime | None] | None:
    """The stamp of the last apply, and when it was written; one app represents all apps of a commit."""
    by_commit = {stamp.commit: (app, stamp) for app, stamp in applied if stamp.commit}
    if not 0 < len(by_commit) <= _MOST_COMMITS:
        return None
    times = [
        (stamp, EditLog(sources.client, app.name, stamp).stamp_time()) for app, stamp in by_commit.values()
    ]
    if len(times) == 1:
        return times[0]
    known = [(stamp, time) for stamp, time in times if time is not None]
    return max(known, key=lambda item: item[1]) if len(known) == len(times) else None
