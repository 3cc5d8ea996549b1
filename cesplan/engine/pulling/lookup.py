"""Finding a live app, or a resource of one, by what a person typed."""

from collections.abc import Sequence

from cesplan.domain.address import KindName
from cesplan.domain.desired import Desired
from cesplan.domain.errors import UsageError
from cesplan.domain.live import LiveApp, LiveResource
from cesplan.domain.naming import Naming
from cesplan.domain.resource_name import Place, parse_name
from cesplan.domain.text.words import did_you_mean
from cesplan.engine.comparing.match import match_apps
from cesplan.model.kinds import kind_of

_MOST_NAMES = 20
_WORDS = {"evaluationDatasets": "dataset"}
"""What people call a kind, where it is not its name."""


def find_app(name: str, desired: Desired, apps: Sequence[LiveResource]) -> LiveResource:
    """
    The live app for a key of the tree, a resource name, an id, or a display name.

    Raises UsageError if there is none, or more than one.
    """
    matched = match_apps(desired, apps).live
    by_key = next((app for key, app in matched.items() if key == name), None)
    by_id = next((app for app in apps if name in (app.name, app.id)), None)
    if by_key or by_id:
        return by_key or by_id  # type: ignore[return-value]
    named = [app for app in apps if kind_of("apps").display_name_in(app.body) == name]
    if len(named) == 1:
        return named[0]
    raise _no_such_app(name, named or apps, several=bool(named))


def find_child(name: str, kind: KindName, live: LiveApp, naming: Naming) -> LiveResource:
    """
    The resource of a kind that was read, by key, id, full name, or display name.

    Raises UsageError for none and for several.
    """
    listed = live.children.get(kind, ())
    keys = {item.name: naming.to_key(item.name) for item in listed}
    titles = {item.name: str(item.body.get("displayName") or "") for item in listed}
    found = [item for item in listed if name in (item.name, item.id, keys[item.name])]
    found = found or [item for item in listed if titles[item.name] == name]
    if len(found) == 1:
        return found[0]
    word = _WORDS.get(kind, kind.removesuffix("s"))
    hint = "" if found else did_you_mean(name, [*keys.values(), *titles.values()])
    rows = [f"    {keys[item.name]}   {titles[item.name]}".rstrip() for item in listed[:_MOST_NAMES]]
    raise UsageError(
        summary=f"The app has {'more than one' if found else 'no'} {word} `{name}`.{hint}",
        detail="\n".join([f"Available {word}s:", *rows]) if rows else f"It has no {word}s.",
    )


def place_in_name(name: str) -> Place | None:
    """The project and location in the resource name of an app; None for any other text."""
    parts = parse_name(name)
    if parts is None or parts.app is None or parts.kind is not None:
        return None
    return Place(project=parts.project, location=parts.location)


def _no_such_app(name: str, apps: Sequence[LiveResource], *, several: bool) -> UsageError:
    names = {kind_of("apps").display_name_in(app.body) or app.id: app.id for app in apps}
    listing = "\n".join(
        f"    {app.id}   {kind_of('apps').display_name_in(app.body)}" for app in apps[:_MOST_NAMES]
    )
    hint = "" if several else did_you_mean(name, [*names, *names.values()])
    return UsageError(
        summary=f"There is {'more than one' if several else 'no'} app `{name}` there.{hint}",
        detail=f"Available apps:\n{listing}" if apps else "This project and location has no apps.",
    )
