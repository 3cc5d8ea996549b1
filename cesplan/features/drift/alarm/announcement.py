"""What to announce: how the drift changed since the last message to a receiver."""

from collections.abc import Iterable, Iterator, Mapping
from enum import StrEnum

from cesplan.domain.features.drift import DriftReport
from cesplan.domain.frozen import dataclass
from cesplan.features.drift.alarm.fingerprint import app_fingerprints, app_name, fingerprint_of
from cesplan.render.machine.digests import digest_of


class Occasion(StrEnum):
    """Why a message is sent."""

    APPEARED = "appeared"
    CHANGED = "changed"
    GONE = "gone"


@dataclass(frozen=True, slots=True, kw_only=True)
class Announcement:
    """One message, before it is put into the form of a service."""

    occasion: Occasion
    report: DriftReport
    fingerprint: str
    """The fingerprint of the announced drift; empty if it is gone."""
    previous: str
    """The fingerprint of the drift that was announced before; empty if there was none."""
    apps: Mapping[str, str]
    """The fingerprints of the apps, which are remembered once the message is delivered."""
    id: str
    """The same for every repetition of this message, so that a receiver can recognize one."""


def announcement(
    report: DriftReport,
    announced: Mapping[str, str],
    announced_at: str = "",
    found: Mapping[str, str] | None = None,
) -> Announcement | None:
    """
    The message for a receiver whose last one was about `announced`; None if there is nothing new in the report.
    `announced` are fingerprints of apps by name, and `found` those of the report, if already known. An app that
    could not be checked keeps its announced state: no drift in a report does not mean that the drift is gone.
    """
    unchecked = _unchecked(report, announced)
    now_there = app_fingerprints(report) if found is None else found
    apps = {**now_there, **{name: announced[name] for name in unchecked}}
    if apps == announced:
        return None
    occasion = _occasion(bool(announced), bool(apps))
    now, before = fingerprint_of(apps), fingerprint_of(announced)
    return Announcement(
        occasion=occasion,
        report=report,
        fingerprint=now,
        previous=before,
        apps=apps,
        id=digest_of([occasion, before, announced_at, now]),
    )


def _unchecked(report: DriftReport, announced: Iterable[str]) -> Iterator[str]:
    """
    The apps without new information; if a whole tree could not be read, all apps that were not checked.
    """
    failed = {app_name(app) for app in report.apps if app.error}
    checked = {app_name(app) for app in report.apps} - failed
    has_failed_tree = any(app.error and not app.app for app in report.apps)
    return (name for name in announced if name not in checked and (has_failed_tree or name in failed))


def _occasion(was_there: bool, is_there: bool) -> Occasion:
    if not is_there:
        return Occasion.GONE
    return Occasion.CHANGED if was_there else Occasion.APPEARED
