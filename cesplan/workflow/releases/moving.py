"""
Moving: one update writes the split of a deployment, with its etag and after reading it again. The write is an
operation of a plan like any other: the guard and the policy can refuse it, a lost response is resolved, and it
is recorded in the app as ours.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from cesplan.domain.address import APPS, AppKey
from cesplan.domain.choice import Choice
from cesplan.domain.desired import Desired
from cesplan.domain.errors import CesplanError, Conflict, Refused
from cesplan.domain.features.release import HELD_FIELDS
from cesplan.domain.live import Live
from cesplan.domain.options import NO_ALLOWANCES, Allowances, PlanOptions
from cesplan.domain.outcome import Applied, Failed, Outcome, Skipped, Unknown
from cesplan.domain.plan import Action, Plan, Reason
from cesplan.domain.settings import Ownership
from cesplan.domain.value import Body
from cesplan.engine.planning.guard import guard
from cesplan.features.policy.check import police, runs_of
from cesplan.model.kinds import kind_of
from cesplan.workflow.apply_plan import applying
from cesplan.workflow.planning import read_and_plan
from cesplan.workflow.releases.opening import OpenRelease


def plan_move(
    opened: OpenRelease,
    fields: dict[str, Any],
    allowances: Allowances = NO_ALLOWANCES,
    facts: Mapping[str, Any] | None = None,
) -> Plan:
    """
    The plan that only sets these two fields of the deployment; empty if they are already set. `facts` are what
    the policy can know about the release. Raises Conflict if the deployment has changed since it was read, and
    Refused if the guard or the policy refuses.
    """
    desired = _with_fields(opened, fields)
    options = PlanOptions(choice=Choice(only=(str(opened.address),)))
    live, plan = read_and_plan(desired, opened.client, options)
    _check_unmoved(live, opened)
    _check_only_the_split(plan, opened)
    refusals = (*plan.refusals, *guard(plan, live, allowances))
    plan = replace(plan, refusals=refusals, allowances=allowances)
    runs = runs_of(plan, opened.loaded.policy, desired, live, opened.client)
    releases = {str(opened.address): facts} if facts else {}
    plan = police(plan, opened.loaded.policy, allowances, runs, releases)
    if plan.operations and plan.blockers:
        raise Refused(summary="The traffic cannot be moved.", reasons=plan.blockers)
    return plan


def carry_out(plan: Plan, opened: OpenRelease) -> Outcome | None:
    """Write the move. None if there is nothing to write. Raises errors of the service."""
    outcome: Outcome | None = None
    with applying(plan, connection=opened.connection) as events:
        for event in events:
            match event:
                case Applied() | Skipped() | Unknown() if event.operation.address == opened.address:
                    outcome = event
                case Failed():
                    raise event.error
    if isinstance(outcome, Skipped):
        raise CesplanError(summary=f"Nothing was written: {outcome.because}.")
    return outcome


def _with_fields(opened: OpenRelease, fields: dict[str, Any]) -> Desired:
    """The tree in which the deployment has only these fields, and leaves all others alone."""
    app = opened.app
    resources = tuple(
        replace(
            item,
            body=dict(fields),
            ownership=Ownership.DECLARED,
            ignore=(),
            extra={},
            files={},
        )
        if item.address == opened.address
        else item
        for item in app.resources
    )
    lock = kind_of(APPS).lock_field
    live = opened.live.apps[app.key].app.body
    own = replace(app.app, body={**app.app.body, lock: True}) if live.get(lock) else app.app  # it stays locked
    moved = replace(app, app=own, resources=resources, folders=frozenset(), releases=())
    return replace(opened.desired, apps=(moved,))


def _check_unmoved(live: Live, opened: OpenRelease) -> None:
    """The move was decided for the split as first read; someone else may have moved it since."""
    listed = live.apps[AppKey(opened.release.app)].children.get(opened.address.kind, ())
    name = opened.deployment.name if opened.deployment else ""
    now = next((item.body for item in listed if item.name == name), None)
    if _split_of(now) != _split_of(opened.deployment.body if opened.deployment else None):
        raise Conflict(
            summary=f"The traffic of {opened.address} was moved in the meantime: nothing was written.",
            detail="Run `cesplan release status` to see where it is.",
            resource=name,
        )


def _check_only_the_split(plan: Plan, opened: OpenRelease) -> None:
    """The plan may only update these two fields, apart from unlocking and locking the app."""
    for item in plan.operations:
        if item.reason is Reason.LOCKED:
            continue
        is_update = item.action is Action.UPDATE and item.address == opened.address
        if not is_update or {path.fields[0] for path in item.mask} - {*HELD_FIELDS}:
            raise Conflict(
                summary=f"{item.address} has changed: nothing was written.",
                detail="Run the command again.",
            )


def _split_of(body: Body | None) -> tuple[Any, ...]:
    return tuple((body or {}).get(name) for name in HELD_FIELDS)
