"""Finding a live app by what a person typed."""

from collections.abc import Sequence
from difflib import get_close_matches

from cesplan.domain.desired import Desired
from cesplan.domain.errors import UsageError
from cesplan.domain.live import LiveResource
from cesplan.domain.resource_name import Place, parse_name
from cesplan.engine.comparing.match import display_name, match_apps
from cesplan.model.kinds import kind_of

_MOST_NAMES = 20


def find_app(wanted: str, desired: Desired, apps: Sequence[LiveResource]) -> LiveResource:
    """
    The live app for a key of the tree, a resource name, an id, or a display name.

    Raises UsageError if there is none, or more than one.
    """
    matched = match_apps(desired, apps).found
    by_key = next((app for key, app in matched.items() if key == wanted), None)
    by_id = next((app for app in apps if wanted in (app.name, app.id)), None)
    if by_key or by_id:
        return by_key or by_id  # type: ignore[return-value]
    named = [app for app in apps if display_name(kind_of("apps"), app.body) == wanted]
    if len(named) == 1:
        return named[0]
    raise _no_such_app(wanted, named or apps, several=bool(named))


def place_in_name(wanted: str) -> Place | None:
    """The project and location in the resource name of an app; None for any other text."""
    parts = parse_name(wanted)
    if parts is None or parts.app is None or parts.kind is not None:
        return None
    return Place(project=parts.project, location=parts.location)


def _no_such_app(wanted: str, apps: Sequence[LiveResource], *, several: bool) -> UsageError:
    names = {display_name(kind_of("apps"), app.body) or app.id: app.id for app in apps}
    listing = "\n".join(
        f"    {app.id}   {display_name(kind_of('apps'), app.body)}" for app in apps[:_MOST_NAMES]
    )
    near = get_close_matches(wanted, [*names, *names.values()], n=1)
    hint = f" Did you mean `{near[0]}`?" if near and not several else ""
    return UsageError(
        summary=f"There is {'more than one' if several else 'no'} app `{wanted}` there.{hint}",
        detail=f"Available apps:\n{listing}" if apps else "This project and location has no apps.",
    )
