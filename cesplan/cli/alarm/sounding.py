"""Sounding the alarm: what became of messages and metrics, on stderr and as exit codes."""

import os
from collections.abc import Iterator
from typing import TYPE_CHECKING

from cesplan.cli.alarm.options import AlarmChoice
from cesplan.cli.exit_codes import ExitCode
from cesplan.cli.session import Session
from cesplan.domain.errors import CesplanError
from cesplan.render.text.errors import error_text

if TYPE_CHECKING:
    from cesplan.domain.features.drift import DriftReport

_TOLD = {"appeared": "drift appeared", "changed": "the drift changed", "gone": "the drift is gone"}


def sound(session: Session, report: "DriftReport", choice: AlarmChoice) -> list[int]:
    """Write metrics and notify as far as that is wanted; the exit codes of what failed."""
    return [code for step in (_write_metrics, _notify) for code in step(session, report, choice)]


def _write_metrics(session: Session, report: "DriftReport", choice: AlarmChoice) -> Iterator[int]:
    if choice.metrics is None:
        return
    from cesplan.workflow.drift.alarm import write_metrics

    try:
        write_metrics(report, choice.metrics)
    except CesplanError as error:
        yield _failed(session, error)


def _notify(session: Session, report: "DriftReport", choice: AlarmChoice) -> Iterator[int]:
    alarm = choice.alarm()
    if alarm is None:
        return
    from cesplan.workflow.drift.alarm import sound_alarm

    try:
        deliveries = sound_alarm(report, alarm, session.connection(""), os.environ)
    except CesplanError as error:
        yield _failed(session, error)
        return
    for delivery in deliveries:
        if delivery.problem:
            failure = CesplanError(
                summary=f"Could not notify {delivery.receiver}: {delivery.problem}.",
                detail="What was to be told is not marked as told: the next run posts again.",
            )
            yield _failed(session, failure)
        else:
            session.console.tell(f"Notified {delivery.receiver}: {_TOLD[delivery.occasion]}.\n")


def _failed(session: Session, error: CesplanError) -> int:
    session.console.tell(error_text(error, session.console.err_view))
    return error.exit_code or ExitCode.ERROR
