"""Applying: exactly what a plan says, or nothing."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

from cesplan.domain.errors import Refused
from cesplan.domain.options import ApplyOptions
from cesplan.domain.outcome import Event
from cesplan.domain.plan import Plan
from cesplan.engine.applying import run as engine
from cesplan.engine.applying.run import Applying
from cesplan.engine.reviewing.recheck import secrets_of
from cesplan.workflow.connecting import Connection, connected
from cesplan.workflow.leasing import leased
from cesplan.workflow.partial import record_partial

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
    if plan.hindrances:
        raise Refused(reasons=plan.hindrances)
    with connected(connection, plan.settings, read_only=False, secrets=secrets_of(plan)) as client:
        running: list[Applying] = []

        def stop() -> None:
            for item in running:
                item.stop()

        with leased(plan, client, stop) as held:
            running.append(engine.apply(plan, client, replace(options, held=held)))
            try:
                yield running[0]
            finally:
                record_partial(plan, running[0], client, held)
