"""
Keying: names for live resources as a tree would call them: readable, unique, and the same on every pull.

A tree that exists decides first, by matching. Else an id that someone chose is the key; an id that was made
by a machine gives way to the display name, `Front Desk` → `front-desk`. Where two resources would have one
name, the older keeps it and the younger gets the beginning of its id behind it.
"""

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace

from cesplan.domain.address import AppKey, Key, KindName
from cesplan.domain.live import LiveApp, LiveResource
from cesplan.domain.naming import Naming
from cesplan.domain.text.slug import is_reserved, slug
from cesplan.engine.comparing.match import display_name
from cesplan.model.kinds import kind_of

_CHOSEN = re.compile(r"[A-Za-z]+[0-9]{0,4}(?:[-_][A-Za-z]*[0-9]{0,4})*")
"""An id made of words and short numbers; those that machines make mix both inside one word."""


def app_key(live: LiveResource, taken: Collection[str] = ()) -> AppKey:
    """The key for an app that no tree has yet; `taken` are the keys of other apps."""
    return AppKey(_keys([live], taken)[live.name])


def key_resources(
    naming: Naming, resources: Iterable[LiveResource], taken: Mapping[str, Collection[str]]
) -> Naming:
    """
    The same naming, with a key for each of these resources.

    `taken` holds by kind the keys that are given away, such as those of files that are not live.
    """
    by_kind: dict[KindName, list[LiveResource]] = {}
    for item in resources:
        by_kind.setdefault(item.kind, []).append(item)
    ids = dict(naming.ids)
    for kind, items in sorted(by_kind.items()):
        keys = _keys(items, taken.get(kind, ()))
        ids |= {(kind, keys[item.name]): item.id for item in items}
    return replace(naming, ids=ids, keys={(kind, id_): key for (kind, key), id_ in ids.items()})


def everything(live: LiveApp) -> list[LiveResource]:
    """What lives in an app, kind by kind, in the order of names."""
    return [item for kind in sorted(live.children) for item in live.children[kind]]


def _keys(items: Iterable[LiveResource], taken: Collection[str]) -> dict[str, Key]:
    """A key for each resource of one kind, by resource name. Case does not tell keys apart: file systems."""
    used = {key.casefold() for key in taken}
    found: dict[str, Key] = {}
    for item in sorted(items, key=_seniority):
        key = _free(item, used)
        used.add(key.casefold())
        found[item.name] = Key(key)
    return found


def _seniority(item: LiveResource) -> tuple[bool, str, str]:
    """Ids that are keys come first, so that no display name takes one away; then who was there first."""
    return not _is_chosen(item.id), str(item.body.get("createTime") or ""), item.id


def _is_chosen(resource_id: str) -> bool:
    return _CHOSEN.fullmatch(resource_id) is not None and not is_reserved(resource_id)


def _free(item: LiveResource, used: set[str]) -> str:
    """The first unused name for a resource."""
    if _is_chosen(item.id) and item.id.casefold() not in used:
        return item.id
    kind = kind_of(item.kind)
    named = slug(display_name(kind, item.body))
    if named and named not in used:
        return named
    base = named or slug(re.sub(r"(?<=[a-z])(?=[A-Z])", "-", kind.singular))
    mark = re.sub(r"[^a-z0-9]", "", item.id.lower())
    sizes = range(4, len(mark) + 1)
    free = (name for size in sizes if (name := f"{base}-{mark[:size]}") not in used)
    return next(free, None) or next(
        name for number in range(2, len(used) + 3) if (name := f"{base}-{number}") not in used
    )
