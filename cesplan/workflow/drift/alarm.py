"""The alarm of one run: receivers, the state file, and the metrics file."""

from collections.abc import Mapping, Sequence
from dataclasses import field
from pathlib import Path

from cesplan.config.writing.outputs import check_output_file
from cesplan.config.writing.whole_files import write_whole
from cesplan.domain.errors import CesplanError
from cesplan.domain.features.drift import DriftReport
from cesplan.domain.frozen import dataclass
from cesplan.features.drift.alarm.announcing import Delivery, Time, announce
from cesplan.features.drift.alarm.messages import NotifyFormat
from cesplan.features.drift.alarm.metrics import metrics
from cesplan.features.drift.alarm.receivers import keeper_of, parse_state, storage_of, webhook_receivers
from cesplan.remote.clock import Clock
from cesplan.remote.credentials import default_credentials
from cesplan.workflow.connecting import Connection

READABLE = 0o644
"""
The permissions of a metrics file: node_exporter reads it as another user. It contains only names and numbers.
"""

STORAGE_EMULATOR = "STORAGE_EMULATOR_HOST"


@dataclass(frozen=True, slots=True, kw_only=True)
class Alarm:
    """The receivers, the message format, and the state location. Webhook URLs are secrets."""

    urls: Sequence[str] = field(repr=False)
    form: NotifyFormat = NotifyFormat.AUTO
    state: str


def check_alarm(alarm: Alarm, environ: Mapping[str, str]) -> None:
    """Raise UsageError for invalid values, before anything is read."""
    webhook_receivers(alarm.urls, alarm.form, Clock())
    place = parse_state(alarm.state)
    if place.file:
        check_output_file(place.file)
    else:
        storage_of(environ.get(STORAGE_EMULATOR, ""))


def sound_alarm(
    report: DriftReport, alarm: Alarm, connection: Connection, environ: Mapping[str, str]
) -> tuple[Delivery, ...]:
    """
    Notify the receivers of changes since their last message. Raises CesplanError if the state cannot be read or
    written, NotAuthenticated for a Cloud Storage object without credentials, and Interrupted.
    """
    clock = Clock()
    place = parse_state(alarm.state)
    emulator = environ.get(STORAGE_EMULATOR, "")
    needs_login = place.object_name is not None and not emulator
    keeper = keeper_of(
        place,
        login=default_credentials(connection.impersonate) if needs_login else None,
        clock=clock,
        emulator=emulator,
        quota_project=connection.quota_project,
    )
    receivers = webhook_receivers(alarm.urls, alarm.form, clock)
    return announce(report, receivers, keeper, Time(rest=clock.rest))


def write_metrics(report: DriftReport, path: Path) -> None:
    """Write the metrics of a report, whole or not at all. Raises CesplanError."""
    check_output_file(path)
    try:
        write_whole(path, metrics(report), mode=READABLE)
    except OSError as error:
        raise CesplanError(summary=f"Cannot write {path}: {error.strerror or error}.") from error
