"""
What a release holds of its deployment: plans and drift reports show it and leave it alone.

A change of the version or the split that neither a release nor an apply of this tree made is a live edit. A
release records each of its writes with the app, as an apply of a part does.
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from cesplan.domain.address import Address, Key
from cesplan.domain.change import EditKind, FieldAction, FieldChange, LiveEdit, Origin
from cesplan.domain.features.release import HELD_FIELDS, Release
from cesplan.domain.field_path import FieldPath
from cesplan.domain.frozen import dataclass
from cesplan.domain.live import LiveResource
from cesplan.domain.plan import Action, Plan
from cesplan.domain.value import Body, as_object
from cesplan.engine.applying.partial import body_digest, was_written
from cesplan.engine.comparing.stamp import Contact
from cesplan.engine.planning.context import AppContext
from cesplan.features.history.edit_log import EditLog
from cesplan.features.history.log_entries import live_edit_of
from cesplan.features.releases.split import Position, Stage, fields_of, position_of, words_of
from cesplan.model.kinds import DEPLOYMENTS, kind_of

_MOST_READ = 20
"""How many change-log entries are read in full for one deployment."""
FIRST_VERSION = "serves its first version immediately; releases begin with the second"
"""The note on the create of a deployment that a release will hold."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HeldDeployment:
    """A deployment that a release holds, its traffic, and the edits by others."""

    release: Release
    address: Address
    deployment: LiveResource
    position: Position
    edits: tuple[FieldChange, ...] = ()
    """The live edits, with the live value as `before` and the value before the edit as `after`."""

    @property
    def text(self) -> str:
        """The traffic and the release; empty if the release is done and nothing was edited."""
        if self.position.stage is Stage.DONE and not self.edits:
            return ""
        words = words_of(self.position, self.release)
        edits = [item.edit for item in self.edits if item.edit]
        by = f", by {edits[0].by}" if edits and edits[0].by else ""
        edited = f"; its traffic was edited live{by}" if self.edits else ""
        return f"{self.address} is held by release {self.release.name}: {words}{edited}"


def held_of(context: AppContext, log: EditLog | None) -> Iterator[HeldDeployment]:
    """The deployments that releases of an app hold. Finds edits only with a log, and not on first contact."""
    naming = context.matched.naming
    live = {item.desired.address.within_app: item for item in context.matched.matches}
    for release in context.app.releases:
        match = live.get(release.held)
        if match is None or match.live is None:
            continue
        address = Address(app=context.app.key, kind=DEPLOYMENTS, key=Key(release.deployment))
        found = HeldDeployment(
            release=release,
            address=address,
            deployment=match.live,
            position=position_of(release, match.live.body, naming),
        )
        if log is not None and context.contact is Contact.OURS:
            found = replace(found, edits=tuple(_edits(match.live, context, log)))
        yield found


def with_notes(plan: Plan, releases: tuple[Release, ...]) -> Plan:
    """The plan with a note on each deployment that is created before a release can hold it."""
    held = {(item.app, item.held) for item in releases}
    operations = tuple(
        replace(item, notes=(*item.notes, FIRST_VERSION))
        if item.action is Action.CREATE and (item.address.app, item.address.within_app) in held
        else item
        for item in plan.operations
    )
    return replace(plan, operations=operations) if operations != plan.operations else plan


def _edits(live: LiveResource, context: AppContext, log: EditLog) -> Iterator[FieldChange]:
    """The held fields that others changed since the last complete apply and that still have the new value."""
    entries = log.foreign(live.name)[:_MOST_READ]
    theirs = [whole for item in entries if (whole := log.read(item)) and not _is_ours(whole, context)]
    now = fields_of(live.body, context.matched.naming)
    for name in HELD_FIELDS:
        both = [
            (item, _value(item, "originalResource", name, context), _value(item, "newResource", name, context))
            for item in theirs
        ]
        changed = [(item, before, after) for item, before, after in both if before != after]
        if changed and changed[0][2] == now[name] and changed[-1][1] != now[name]:
            edit = live_edit_of(changed[0][0], EditKind.UPDATED)
            yield _change(name, now[name], changed[-1][1], edit)


def _is_ours(entry: Body, context: AppContext) -> bool:
    """Whether an entry is a write that this tree recorded, such as a move of a release."""
    body = entry.get("newResource")
    if not isinstance(body, dict) or not context.stamp.partial:
        return False
    naming = context.matched.naming
    digest = body_digest(kind_of(DEPLOYMENTS), body, naming.place, naming.app_id, context.redactor)
    return was_written(context.stamp, digest)


def _value(entry: Body, side: str, name: str, context: AppContext) -> Any:
    body = entry.get(side)
    return fields_of(as_object(body), context.matched.naming)[name]


def _change(name: str, now: Any, before: Any, edit: LiveEdit) -> FieldChange:
    path = FieldPath((name,))
    action = FieldAction.MODIFIED
    if now is None:
        action = FieldAction.ADDED
    elif before is None:
        action = FieldAction.REMOVED
    return FieldChange(
        path=path, mask=path.mask, action=action, before=now, after=before, origin=Origin.LIVE, edit=edit
    )
