"""
Keys: names for live resources in a tree that are readable, unique, and the same on every pull.

If there is a tree, matching decides first. Otherwise an id that a person chose is the key, while a generated id
is replaced by the display name, `Front Desk` → `front-desk`. If two resources would get the same key, the older
one gets it, and the beginning of the id is appended for the newer one.
"""

import re
from collections.abc import Callable, Collection, Iterable, Mapping

from cesplan.domain.address import AppKey, Key, KindName
from cesplan.domain.desired import DesiredApp
from cesplan.domain.live import LiveApp, LiveResource
from cesplan.domain.naming import Naming
from cesplan.domain.text.slug import is_reserved, slug
from cesplan.engine.comparing.match import Matched
from cesplan.model.kinds import kind_of

_CHOSEN = re.compile(r"[A-Za-z]+[0-9]{0,4}(?:[-_][A-Za-z]*[0-9]{0,4})*")
"""An id of words and short numbers. Generated ids mix both inside one word."""


def app_key(live: LiveResource, taken: Collection[str] = ()) -> AppKey:
    """The key for an app that is not in the tree yet. `taken` are the keys of other apps."""
    return AppKey(_keys([live], taken)[live.name])


def key_resources(
    naming: Naming, resources: Iterable[LiveResource], taken: Mapping[str, Collection[str]]
) -> Naming:
    """
    The naming with a key for each of these resources.

    `taken` holds the keys in use, by kind, such as those of files that are not live.
    """
    by_kind: dict[KindName, list[LiveResource]] = {}
    for item in resources:
        by_kind.setdefault(item.kind, []).append(item)
    ids = dict(naming.ids)
    for kind, items in sorted(by_kind.items()):
        keys = _keys(items, taken.get(kind, ()))
        ids |= {(kind, keys[item.name]): item.id for item in items}
    return naming.with_ids(ids)


def key_unclaimed(
    matched: Matched,
    resources: Iterable[LiveResource],
    tree: DesiredApp | None,
    shown: Callable[[LiveResource], LiveResource] = lambda item: item,
) -> Naming:
    """
    The naming with a key for each of these resources that matches no file of the tree.

    `shown` changes a resource before a key is made from its display name.
    """
    claimed = {match.live.name for match in matched.matches if match.live}
    taken: dict[str, list[str]] = {}
    for file in tree.resources if tree else ():
        taken.setdefault(file.address.kind, []).append(file.address.key)
    unclaimed = (shown(item) for item in resources if item.name not in claimed)
    return key_resources(matched.naming, unclaimed, taken)


def everything(live: LiveApp) -> list[LiveResource]:
    """The contents of an app, by kind and name."""
    return [item for kind in sorted(live.children) for item in live.children[kind]]


def _keys(items: Iterable[LiveResource], taken: Collection[str]) -> dict[str, Key]:
    """A key for each resource of one kind, by resource name. Keys must differ in more than case."""
    used = {key.casefold() for key in taken}
    found: dict[str, Key] = {}
    for item in sorted(items, key=_seniority):
        key = _free(item, used)
        used.add(key.casefold())
        found[item.name] = Key(key)
    return found


def _seniority(item: LiveResource) -> tuple[bool, str, str]:
    """The sort key: ids that are keys first, so that no display name takes them, then by age."""
    return not _is_chosen(item.id), str(item.body.get("createTime") or ""), item.id


def _is_chosen(resource_id: str) -> bool:
    return _CHOSEN.fullmatch(resource_id) is not None and not is_reserved(resource_id)


def _free(item: LiveResource, used: set[str]) -> str:
    """The first unused name for a resource."""
    if _is_chosen(item.id) and item.id.casefold() not in used:
        return item.id
    kind = kind_of(item.kind)
    named = slug(kind.display_name_in(item.body))
    if named and named not in used:
        return named
    base = named or slug(re.sub(r"(?<=[a-z])(?=[A-Z])", "-", kind.singular))
    mark = re.sub(r"[^a-z0-9]", "", item.id.lower())
    sizes = range(4, len(mark) + 1)
    free = (name for size in sizes if (name := f"{base}-{mark[:size]}") not in used)
    return next(free, None) or next(
        name for number in range(2, len(used) + 3) if (name := f"{base}-{number}") not in used
    )
