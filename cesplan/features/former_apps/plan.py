"""Former apps in a plan: listed as unmanaged, or deleted if the user allows it by name."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

from cesplan.domain.change import EditKind, Origin
from cesplan.domain.desired import Desired
from cesplan.domain.live import Live, LiveApp
from cesplan.domain.naming import Naming
from cesplan.domain.options import Allowances, PlanOptions
from cesplan.domain.plan import Action, Operation, Plan, Purpose, Reason, Unmanaged, steps_of
from cesplan.domain.text.times import when
from cesplan.domain.text.words import count
from cesplan.engine.comparing.copies import contents_of
from cesplan.engine.comparing.stamp import stamp_mark
from cesplan.engine.comparing.value_redactor import ValueRedactor
from cesplan.engine.planning.draft import PROTECTED_BEFORE, Terms, draft_delete
from cesplan.engine.planning.lock import Lock, with_lock
from cesplan.engine.planning.order import order
from cesplan.features.former_apps.former_app import FormerApp, former_apps, origin_of, words_of
from cesplan.features.history.consistent_reads import read_consistently
from cesplan.features.history.edit_log import EditLog
from cesplan.features.history.log_entries import live_edit_of
from cesplan.model.kinds import DEPLOYMENTS, app_kinds, kind_of
from cesplan.remote.client import Client

_MOST_NAMES = 20


def with_former_apps(
    plan: Plan, desired: Desired, live: Live, options: PlanOptions, allowances: Allowances, client: Client
) -> tuple[Plan, Live]:
    """The plan with the former apps, and the live state with the contents of those it deletes."""
    for former in former_apps(desired, live):
        log = EditLog(client, former.app.name, former.stamp)
        plan = replace(plan, notices=(*plan.notices, *_successor(plan, desired, live, former)))
        if str(former.address) not in allowances.delete:
            plan = replace(plan, unmanaged=(*plan.unmanaged, _unmanaged(former, plan, log)))
        elif not options.choice.includes(former.address):
            plan = replace(plan, left_out=tuple(sorted((*plan.left_out, former.address))))
        else:
            plan, live = _with_delete(plan, desired, live, former, log, client)
    return replace(plan, requests=client.requests), live


def _with_delete(
    plan: Plan, desired: Desired, live: Live, former: FormerApp, log: EditLog, client: Client
) -> tuple[Plan, Live]:
    settings, key = desired.settings, former.address.app
    read = read_consistently(former.app, app_kinds(settings.api_version), client)
    naming = Naming(place=settings.place, app_id=former.app.id)
    terms = Terms(naming=naming, settings=settings, redactor=ValueRedactor(plan.secrets))
    is_protected = f"{former.address.kind}/{former.app.id}" in former.stamp.protected
    draft = draft_delete(
        read.app.app,
        terms,
        former.address,
        Reason.NOT_IN_TREE,
        protected=PROTECTED_BEFORE if is_protected else "",
    )
    (operation,) = order([draft], depth=settings.mask_depth)
    lock = Lock(address=former.address, resource_id=former.app.id, live=read.app, desired=False)
    (operation,) = with_lock((operation,), lock)
    operation = _last(_explained(operation, log), plan)
    notes = (*operation.notes, *_contents(read.app), "cannot be undone: a new app would have none of this")
    notices = [f"{key}: live edits cannot be read: {log.trouble}"] if log.trouble else []
    changed = replace(
        plan,
        operations=(*plan.operations, replace(operation, notes=notes)),
        namings={**plan.namings, str(key): naming},
        stamps={**plan.stamps, str(key): stamp_mark(read.app.app.body, former.app.name)},
        sequences=plan.sequences if read.sequence is None else {**plan.sequences, str(key): read.sequence},
        notices=(*plan.notices, *notices),
        contents={**plan.contents, key: contents_of(read.app)},
    )
    return changed, replace(live, apps={**live.apps, key: read.app})


def _last(operation: Operation, plan: Plan) -> Operation:
    """The delete, after every other write except stamps and locks has succeeded: it cannot be undone."""
    before = {step.id for step in steps_of(plan) if step.id.purpose not in (Purpose.STAMP, Purpose.LOCK)}
    steps = (replace(step, after=tuple(sorted({*step.after, *before}))) for step in operation.steps)
    return replace(operation, steps=tuple(steps))


def _explained(operation: Operation, log: EditLog) -> Operation:
    """The delete with the edits made since the last apply, which are lost with the app."""
    origin, edits = origin_of(log), log.foreign_entries()
    if origin is not Origin.BOTH:
        return replace(operation, origin=origin, reverts=origin is Origin.UNKNOWN)
    return replace(
        operation,
        origin=origin,
        reverts=True,
        edit=live_edit_of(edits[0], EditKind.UPDATED),
        notes=(*operation.notes, *words_of(edits)),
    )


def _contents(app: LiveApp) -> Iterator[str]:
    """The resources that the service deletes with an app."""
    counts = Counter({kind: len(items) for kind, items in app.children.items() if items})
    if counts:
        parts = (count(number, kind_of(kind).singular, kind) for kind, number in sorted(counts.items()))
        yield f"deletes everything in it: {', '.join(parts)}"
    if names := [item.id for item in app.children.get(DEPLOYMENTS, ())][:_MOST_NAMES]:
        yield f"its {DEPLOYMENTS} stop serving: {', '.join(names)}"


def _unmanaged(former: FormerApp, plan: Plan, log: EditLog) -> Unmanaged:
    time = log.stamp_time()
    parts = [
        f"commit {former.stamp.commit[:12]}" if former.stamp.commit else "",
        when(str(time)) if time else "",
    ]
    reason = ", ".join(filter(None, parts))
    name = ValueRedactor(plan.secrets).name(kind_of(former.app.kind).display_name_in(former.app.body))
    return Unmanaged(
        address=former.address,
        display_name=name,
        why=f"an app of this tree without a folder, last applied{f' from {reason}' if reason else ''}; "
        f"--allow-delete {former.address} deletes it with everything in it",
    )


def _successor(plan: Plan, desired: Desired, live: Live, former: FormerApp) -> Iterator[str]:
    """An app that is created again while the old one stays: its `$id` was changed."""
    name = kind_of(former.app.kind).display_name_in(former.app.body)
    created = {item.address for item in plan.operations if item.action is Action.CREATE}
    for app in desired.apps:
        is_same = former.app.id == app.key or name == kind_of(former.app.kind).display_name_in(app.app.body)
        if app.app.address in created and is_same:
            yield (
                f"{app.key} is created as a new app, {app.app.resource_id or app.key}: the app that this tree "
                f"was applied to before, {former.app.id}, stays with everything in it, its deployments and "
                f"conversations included; for the same app, write `$id: {former.app.id}` into {app.app.file}"
            )
