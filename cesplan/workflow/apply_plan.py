"""
Applying: exactly what a plan says, or nothing.

The writes of an incomplete apply are recorded with the app, so that the next apply recognizes them.

A complete apply ends with its stamp, which fails if another apply has written the app's metadata in the
meantime. A partial apply leaves no stamp; it ends with its record and a read of the stamp. So of two applies
that overlap, the one that ends last says that live may be a mixture of both.
"""

from collections import defaultdict, deque
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import replace

from cesplan.domain.address import AppKey, app_address
from cesplan.domain.app_metadata.lease import HeldLeases
from cesplan.domain.errors import CesplanError, Conflict, Refused
from cesplan.domain.options import ApplyOptions
from cesplan.domain.outcome import Event, Failed
from cesplan.domain.plan import Action, Operation, Plan, Reason
from cesplan.domain.value import Body
from cesplan.engine.applying import run as engine
from cesplan.engine.applying.partial import body_digest, with_partial
from cesplan.engine.applying.run import Applying
from cesplan.engine.comparing.stamp import stamp_mark
from cesplan.engine.comparing.value_redactor import ValueRedactor
from cesplan.engine.reviewing.recheck import secrets_of
from cesplan.features.history.edit_log import editors
from cesplan.model.kinds import kind_of
from cesplan.remote.client import Client
from cesplan.workflow.connecting import GOOGLE, Connection, connected
from cesplan.workflow.leasing import LEASE_LOST, leased, write_metadata

_TRIES = 3
_APPS = kind_of("apps")


def record_partial(plan: Plan, run: Applying, client: Client, held: HeldLeases) -> Iterator[Failed]:
    """
    Record the digests of what a run wrote in each app without a new stamp, and look for other applies.

    Best effort: without the record, the next plan takes these writes for live edits, which is safe. After a
    stop, nothing new is begun, including this. Reports do not count the record: like a lease, it is
    bookkeeping.
    """
    if run.stopped:
        return
    redactor = ValueRedactor(secrets_of(plan))
    digests: dict[str, list[str]] = defaultdict(list)
    for target, answer in run.unstamped:
        naming = target.naming
        digests[naming.app_name].append(body_digest(target.kind, answer, naming.place, naming.app_id, redactor))
    keys = {naming.app_name: AppKey(key) for key, naming in plan.namings.items()}
    stamping = {item.address.app for item in plan.operations if item.reason is Reason.STAMP}
    for name in sorted(digests):
        with suppress(CesplanError):
            with held.lock:
                body = _record(client, name, digests[name]) if plan.settings.stamp else client.get(_APPS, name)
            key = keys[name]
            if key not in stamping and stamp_mark(body, name) != plan.stamps.get(key, ""):
                yield _mixture(key, plan.namings[key].app_id, name)


def _mixture(key: AppKey, resource_id: str, name: str) -> Failed:
    """The error that a complete apply reports about its stamp in the same case."""
    operation = Operation(
        address=app_address(key),
        action=Action.UPDATE,
        reason=Reason.STAMP,
        steps=(),
        resource_id=resource_id,
    )
    error = Conflict(
        summary="Another apply of this app ended while this one ran: live may be a mixture of both.",
        detail="All writes of this apply succeeded. A new plan shows what differs from the tree.",
        resource=name,
    )
    return Failed(operation=operation, error=error)


def _record(client: Client, name: str, digests: list[str]) -> Body:
    """The app as last read."""
    for _ in range(_TRIES):
        body = client.get(_APPS, name)
        if body.get(_APPS.lock_field):
            return body
        metadata = dict(body.get(_APPS.stamp_field) or {})
        with suppress(Conflict):
            write_metadata(client, name, body, with_partial(metadata, name, digests))
            break
    return body


_DEFAULTS = ApplyOptions()


def apply(plan: Plan, *, connection: Connection = GOOGLE, options: ApplyOptions = _DEFAULTS) -> Iterator[Event]:
    """
    Carry out a plan and yield what happens: progress, and exactly one outcome for each operation.

    Raises Refused, before anything is sent, for a plan with refusals, unapproved policy rules, or unapproved
    live edits.
    """
    with applying(plan, connection=connection, options=options) as events:
        yield from events


@contextmanager
def applying(
    plan: Plan, *, connection: Connection = GOOGLE, options: ApplyOptions = _DEFAULTS
) -> Iterator[Applying]:
    """The same as a context manager, for callers that may stop it on the way (`Applying.stop`)."""
    if plan.quick:
        raise Refused(reasons=("A quick plan cannot be applied: plan without --quick.",))
    if plan.blockers or plan.open_reverts:
        raise Refused(reasons=(*plan.blockers, *plan.revert_reasons))
    with connected(connection, plan.settings, read_only=False, secrets=secrets_of(plan)) as client:
        running: list[Applying] = []

        def stop() -> None:
            for item in running:
                item.stop(LEASE_LOST)

        with leased(plan, client, stop) as held:
            recorded = False

            def last() -> Iterator[Event]:
                nonlocal recorded
                recorded = True
                yield from record_partial(plan, running[0], client, held)

            explain = editors(plan, client)
            running.append(engine.apply(plan, client, replace(options, held=held), last, explain))
            try:
                with closing(running[0]):
                    yield running[0]
            finally:
                if not recorded:  # the caller left before the end
                    deque(record_partial(plan, running[0], client, held), maxlen=0)
