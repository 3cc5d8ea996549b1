"""
Restoring the draft of an app from a version, and verifying it.

The restore takes no etag, so everything is read again just before it; if anything differs from what was shown,
nothing is restored. If a run is killed, the next one finishes it: the live state shows what remains.
"""

from collections.abc import Callable
from dataclasses import replace
from time import sleep

from cesplan.domain.app_metadata.lease import HeldLeases
from cesplan.domain.errors import Conflict, LostResponse, Refused, StalePlan
from cesplan.domain.features.going_back import RestoreResult, VersionTitle
from cesplan.domain.plan import Plan
from cesplan.domain.text.times import sortable
from cesplan.domain.value import Body
from cesplan.features.going_back.kept_metadata import kept_metadata
from cesplan.features.going_back.plans import DraftRestore
from cesplan.model.kinds import kind_of
from cesplan.remote.calls import RESTORE_VERSION
from cesplan.remote.client import Client
from cesplan.render.machine.digests import plan_digest
from cesplan.workflow.connecting import Connection, connected
from cesplan.workflow.going_back.planning import RollbackRequest, WayBack, metadata_of_body
from cesplan.workflow.leasing import leased, write_metadata

_APPS = kind_of("apps")
_TRIES = 3
_WAITS = (2.0, 4.0, 8.0, 16.0)
"""Seconds between reads of a draft whose restore got no response."""


def restore_draft(
    way: WayBack,
    draft: DraftRestore,
    request: RollbackRequest,
    connection: Connection,
    on_progress: Callable[[str], None],
) -> RestoreResult:
    """
    Restore as planned, keep metadata that the tree does not own, and compare draft and version.

    Raises Refused for a plan with blockers, StalePlan if the draft has changed since it was planned, and errors
    of the service; then nothing but a lease has been written.
    """
    if draft.plan.blockers or draft.plan.open_reverts:
        raise Refused(reasons=(*draft.plan.blockers, *draft.plan.revert_reasons))
    settings = way.desired.settings
    before = set(way.versions)
    writing = connected(
        connection,
        settings,
        read_only=False,
        custom=frozenset({RESTORE_VERSION}),
        secrets=way.desired.secrets,
    )
    with writing as client, leased(draft.plan, client, lambda: None) as held:
        on_progress("Reading the draft again")
        way.reread()
        _check_same(way, draft, request)
        kept = way.kept_metadata(draft.version, draft.plan)
        with held.lock:  # the lease is not renewed while the metadata is being replaced
            if not draft.plan.is_empty:
                _restore(way, draft.version, client, on_progress)
            _put_back(way, client, kept, held)
        on_progress("Comparing the draft with the version")
        remaining = way.remaining(draft.version)
    way.reread()
    backups = tuple(
        item
        for item in sorted(way.versions.values(), key=lambda one: sortable(one.create_time))
        if item.id not in before and not draft.plan.is_empty
    )
    return RestoreResult(remaining=remaining, backups=backups, restored=not draft.plan.is_empty)


def _check_same(way: WayBack, draft: DraftRestore, request: RollbackRequest) -> None:
    """Raises StalePlan if restoring would now change anything other than what was shown."""
    again = way.draft_plan(draft.version, request.allowances)
    if plan_digest(_bare(again)) != plan_digest(_bare(draft.plan)):
        raise StalePlan(
            summary="The draft was not restored: it changed after the plan was shown.",
            detail="Run the command again to see what restoring would change now.",
        )


def _bare(plan: Plan) -> Plan:
    """The plan without etags: taking a lease changes that of the app."""
    return replace(plan, operations=tuple(replace(item, etag="") for item in plan.operations))


def _restore(way: WayBack, version: VersionTitle, client: Client, on_progress: Callable[[str], None]) -> None:
    """Raises LostResponse if it cannot be known whether the draft was restored."""
    on_progress(f"Restoring {version.title}")
    try:
        client.restore_version(
            version.name, lambda seconds: on_progress(f"Restoring {version.title}, {seconds:.0f} s")
        )
    except LostResponse:
        for seconds in _WAITS:
            if not way.remaining(version):
                return
            on_progress("The reply was lost; reading the draft")
            sleep(seconds)
        if way.remaining(version):
            raise


def _put_back(way: WayBack, client: Client, kept: Body, held: HeldLeases) -> None:
    """Write the metadata once, with the etag; after a conflict, read it again."""
    name = way.app.app.name
    for tries in range(_TRIES):
        body = client.get(_APPS, name)
        now = metadata_of_body(body)
        metadata = kept_metadata(kept, now, way.owned_metadata, held.keys_of(name))
        if metadata == now:
            return
        try:
            write_metadata(client, name, body, metadata)
            return
        except Conflict:
            if tries + 1 == _TRIES:
                raise
