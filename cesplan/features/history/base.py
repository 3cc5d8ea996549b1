"""
The base: what was last applied of an app, in the terms of today's tree.

A tree at an older commit may use other keys for the same resources; live ids say which are the same.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from cesplan.domain.address import Address, Key, KindName
from cesplan.domain.desired import DesiredApp, DesiredResource
from cesplan.domain.live import LiveApp, LiveResource
from cesplan.domain.naming import Naming
from cesplan.domain.value import Body
from cesplan.engine.comparing.match import Match, match_resources
from cesplan.engine.comparing.normalize import normalize
from cesplan.model.kinds import kind_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Base:
    """What was last applied of one resource, with references by the tree's keys. Empty: it did not exist."""

    body: Body = field(default_factory=dict)
    extra: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class BaseApp:
    """
    What was last applied, as far as it is known.

    `found` holds what is known to have existed. `source` says in words where it comes from, `weaker` why
    nothing better was there. `notices` are what was left out of it.
    """

    found: Mapping[Address, Base] = field(default_factory=dict)
    source: str = ""
    weaker: str = ""
    notices: tuple[str, ...] = ()


def base_of_tree(old: DesiredApp, tree: DesiredApp, live: LiveApp, naming: Naming) -> BaseApp:
    """The base that an older state of the tree is."""
    matches = match_resources(old, live, naming.place).matches
    names = {item.desired.address: _today(item, tree, naming) for item in matches}
    aliases = {
        before.within_app: now.within_app
        for before, now in names.items()
        if before.within_app != now.within_app
    }
    translated = replace(naming, aliases={**naming.aliases, **aliases})
    return BaseApp(found={names[item.address]: _base(item, translated) for item in old.all()})


def base_of_live(
    resources: Iterable[LiveResource], app: LiveResource, naming: Naming, tree: DesiredApp
) -> BaseApp:
    """The base that an earlier live state is, such as a version's snapshot."""
    found = {tree.app.address: _live_base(app, naming)}
    for item in resources:
        address = Address(app=tree.key, kind=item.kind, key=Key(naming.key_of(item.kind, item.id)))
        found[address] = _live_base(item, naming)
    return BaseApp(found=found)


def base_of_body(kind: str, body: Body, naming: Naming) -> Base:
    """The base that one earlier answer of the service is."""
    return _live_base(LiveResource(kind=KindName(kind), body=body), naming)


def _today(match: Match, tree: DesiredApp, naming: Naming) -> Address:
    """What the tree of today calls a resource of an older one."""
    address = match.desired.address
    if address.kind == tree.app.address.kind:
        return tree.app.address
    key = naming.keys.get((address.kind, match.live.id)) if match.live else None
    return replace(address, app=tree.key, key=Key(key) if key else address.key)


def _base(item: DesiredResource, naming: Naming) -> Base:
    spec = kind_of(item.address.kind).spec
    return Base(body=normalize(spec, item.body, naming).body, extra=item.extra)


def _live_base(item: LiveResource, naming: Naming) -> Base:
    found = normalize(kind_of(item.kind).spec, item.body, naming)
    return Base(body=found.body, extra={str(path): value for path, value in found.unknown})
