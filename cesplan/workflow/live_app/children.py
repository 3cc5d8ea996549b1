"""Finding a resource of a live app by what the user typed."""

from difflib import get_close_matches

from cesplan.domain.address import KindName
from cesplan.domain.errors import UsageError
from cesplan.domain.live import LiveApp, LiveResource
from cesplan.domain.naming import Naming

_MOST_NAMES = 20


def find_child(wanted: str, kind: KindName, live: LiveApp, naming: Naming) -> LiveResource:
    """
    The resource of a kind that was read, by key, id, full name or display name.

    Raises UsageError for none and for several.
    """
    listed = live.children.get(kind, ())
    keys = {item.name: naming.to_key(item.name) for item in listed}
    titles = {item.name: str(item.body.get("displayName") or "") for item in listed}
    found = [item for item in listed if wanted in (item.name, item.id, keys[item.name])]
    found = found or [item for item in listed if titles[item.name] == wanted]
    if len(found) == 1:
        return found[0]
    word = kind.removesuffix("s")
    near = get_close_matches(wanted, [*keys.values(), *titles.values()], n=1)
    hint = f" Did you mean `{near[0]}`?" if near and not found else ""
    rows = [f"    {keys[item.name]}   {titles[item.name]}".rstrip() for item in listed[:_MOST_NAMES]]
    raise UsageError(
        summary=f"The app has {'more than one' if found else 'no'} {word} `{wanted}`.{hint}",
        detail="\n".join([f"Available {word}s:", *rows]) if rows else f"It has no {word}s.",
    )
