"""CES068: time zones that are not IANA names."""

from functools import cache

from cesplan.config.checks.placing import shown
from cesplan.config.checks.walking import text_at
from cesplan.config.manifest import AppTree, Finding
from cesplan.config.suggestions import Guess, guess, nearest
from cesplan.domain.field_path import FieldPath

_PATH = FieldPath(("timeZoneSettings", "timeZone"))


def check_time_zones(tree: AppTree) -> list[Finding]:
    """A time zone must be in the IANA list. Not checked if this machine has no list."""
    name = text_at(tree.app.body, *_PATH.fields)
    if not name or is_time_zone(name):
        return []
    return [
        Finding(
            code="CES068",
            file=tree.app,
            path=_PATH,
            summary=f"`{shown(name)}` is not an IANA time zone",
            detail="Use a name such as Europe/Stockholm or America/Chicago.",
            correction=_nearest_zone(name),
        )
    ]


@cache
def is_time_zone(name: str) -> bool:
    """True for names in the list, and for all names if no list is installed."""
    return _is_listed(name) or not _is_listed("Etc/UTC")


def _is_listed(name: str) -> bool:
    from zoneinfo import ZoneInfo, ZoneInfoNotFoundError  # only apps with a time zone need it

    try:
        ZoneInfo(name)  # opens no file outside of the list
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return False
    return True


def _nearest_zone(name: str) -> Guess:
    from zoneinfo import available_timezones

    known = available_timezones()
    cities = {zone.rpartition("/")[2]: zone for zone in sorted(known)}
    found = guess(name, known)
    return found if found.nearest else Guess(name, cities.get(nearest(name.replace(" ", "_"), cities), ""))
