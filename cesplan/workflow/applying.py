"""
Applying: exactly what a plan says, or nothing.

What an incomplete apply wrote is recorded with the app, so that the next one recognizes its own work.
"""

from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace

from cesplan.domain.app_metadata.lease import Held
from cesplan.domain.errors import CesplanError, Conflict, Refused
from cesplan.domain.field_path import MaskPath
from cesplan.domain.options import ApplyOptions
from cesplan.domain.outcome import Event
from cesplan.domain.plan import Plan
from cesplan.engine.applying import run as engine
from cesplan.engine.applying.partial import body_digest, with_partial
from cesplan.engine.applying.run import Applying
from cesplan.engine.comparing.value_redactor import ValueRedactor
from cesplan.engine.reviewing.recheck import secrets_of
from cesplan.model.kinds import kind_of
from cesplan.remote.client import Client
from cesplan.workflow.connecting import Connection, connected
from cesplan.workflow.leasing import LEASE_LOST, leased

_TRIES = 3
_APPS = kind_of("apps")


def record_partial(plan: Plan, run: Applying, client: Client, held: Held) -> None:
    """
    Leave the digests of what a run wrote with each app that it gave no stamp to.

    At best effort: without the record the next plan takes these writes for another's, which is safe. After
    a stop nothing new is begun, this neither. Reports do not count it: it is bookkeeping, as a lease is.
    """
    if not plan.settings.stamp or run.stopped:
        return
    redactor = ValueRedactor(secrets_of(plan))
    digests: dict[str, list[str]] = defaultdict(list)
    for target, answer in run.unstamped:
        naming = target.naming
        digests[naming.app_name].append(body_digest(target.kind, answer, naming.place, naming.app_id, redactor))
    for name in sorted(digests):
        with suppress(CesplanError), held.lock:
            _record(client, name, digests[name])


def _record(client: Client, name: str, digests: list[str]) -> None:
    field = _APPS.stamp_field
    for _ in range(_TRIES):
        body = client.get(_APPS, name)
        if body.get(_APPS.lock_field):
            return
        sent = {field: with_partial(dict(body.get(field) or {}), name, digests)}
        if body.get("etag"):
            sent["etag"] = body["etag"]
        with suppress(Conflict):
            client.update(_APPS, name, sent, (MaskPath((field,)),))
            return


_DEFAULTS = ApplyOptions()
_GOOGLE = Connection()


def apply(
    plan: Plan, *, connection: Connection = _GOOGLE, options: ApplyOptions = _DEFAULTS
) -> Iterator[Event]:
    """
    Carry out a plan and tell what happens: progress, and exactly one outcome for each operation.

    Raises Refused, before anything is sent, for a plan with refusals, or that the policy wants approved.
    """
    with applying(plan, connection=connection, options=options) as events:
        yield from events


@contextmanager
def applying(
    plan: Plan, *, connection: Connection = _GOOGLE, options: ApplyOptions = _DEFAULTS
) -> Iterator[Applying]:
    """The same as a context, for those who may want to stop it on the way (`Applying.stop`)."""
    if plan.blockers:
        raise Refused(reasons=plan.blockers)
    with connected(connection, plan.settings, read_only=False, secrets=secrets_of(plan)) as client:
        running: list[Applying] = []

        def stop() -> None:
            for item in running:
                item.stop(LEASE_LOST)

        with leased(plan, client, stop) as held:
            running.append(engine.apply(plan, client, replace(options, held=held)))
            try:
                yield running[0]
            finally:
                record_partial(plan, running[0], client, held)
