"""Sounding the alarm: the results of messages and metrics, on stderr and as exit codes."""

import os
from collections.abc import Iterator
from typing import TYPE_CHECKING

from cesplan.cli.alarm.options import AlarmChoice
from cesplan.cli.session import Session
from cesplan.domain.errors import CesplanError
from cesplan.domain.lazily import lazily
from cesplan.render.text.errors import error_text

if TYPE_CHECKING:
    from cesplan.domain.features.drift import DriftReport

with lazily():
    from cesplan.workflow.drift import alarm as drift_alarm


_OCCASION_TEXTS = {"appeared": "drift appeared", "changed": "the drift changed", "gone": "the drift is gone"}


def sound(session: Session, report: "DriftReport", choice: AlarmChoice) -> list[CesplanError]:
    """Write metrics and notify receivers if asked to; returns what failed, which is shown on stderr."""
    failures = [error for step in (_write_metrics, _notify) for error in step(session, report, choice)]
    for error in failures:
        session.console.notify(error_text(error, session.console.err_view))
    return failures


def _write_metrics(session: Session, report: "DriftReport", choice: AlarmChoice) -> Iterator[CesplanError]:
    if choice.metrics is None:
        return
    try:
        drift_alarm.write_metrics(report, choice.metrics)
    except CesplanError as error:
        yield error


def _notify(session: Session, report: "DriftReport", choice: AlarmChoice) -> Iterator[CesplanError]:
    alarm = choice.alarm()
    if alarm is None:
        return
    try:
        deliveries = drift_alarm.sound_alarm(report, alarm, session.connection(""), os.environ)
    except CesplanError as error:
        yield error
        return
    for delivery in deliveries:
        if delivery.problem:
            yield CesplanError(
                summary=f"Could not notify {delivery.receiver}: {delivery.problem}.",
                detail="The message is not marked as delivered: the next run posts it again.",
            )
        else:
            session.console.notify(f"Notified {delivery.receiver}: {_OCCASION_TEXTS[delivery.occasion]}.\n")
