"""
The base: the last applied state of an app, in the terms of the current tree.

A tree at an older commit may use other keys for the same resources; live ids say which are the same.
"""

from collections.abc import Iterable, Mapping
from dataclasses import field, replace
from typing import Any

from cesplan.domain.address import Address, Key, KindName
from cesplan.domain.desired import DesiredApp, DesiredResource
from cesplan.domain.field_path import FieldPath
from cesplan.domain.frozen import dataclass
from cesplan.domain.live import LiveApp, LiveResource
from cesplan.domain.naming import Naming
from cesplan.domain.settings import Ownership
from cesplan.domain.value import Body
from cesplan.engine.comparing.copies import address_of
from cesplan.engine.comparing.match import Match, match_resources
from cesplan.engine.comparing.normalize import normalize
from cesplan.model.kinds import kind_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Base:
    """The last applied state of one resource, with references by the tree's keys. Empty: it did not exist."""

    body: Body = field(default_factory=dict)
    """Canonical."""
    extra: Mapping[str, Any] = field(default_factory=dict)
    """Fields newer than the models, by path."""
    named: frozenset[FieldPath] = frozenset()
    """Fields that its file wrote down although they equal an absent one."""
    cleared: frozenset[FieldPath] = frozenset()
    """Messages among them that it wrote as a null or as empty, with all that could be in them."""
    ownership: Ownership = Ownership.FULL
    """The meaning of an absent field at that time."""
    exists: bool = True
    """False if it is known that it did not exist."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BaseApp:
    """
    The last applied state, as far as it is known. `source` names where it comes from, `weaker` says why nothing
    better was available. `notices` list what was left out.
    """

    found: Mapping[Address, Base] = field(default_factory=dict)
    """The resources known to have existed, by their key in the current tree."""
    by_id: Mapping[tuple[str, str], Base] = field(default_factory=dict)
    """The same for resources that are still live, by kind and id."""
    whole: frozenset[str] | None = frozenset()
    """The kinds that are known completely; None means all."""
    exact: bool = True
    """False if it may differ from what was applied: variables had other values then."""
    source: str = ""
    weaker: str = ""
    notices: tuple[str, ...] = ()

    def over(self, other: "BaseApp") -> "BaseApp":
        """The two bases combined; where both know a resource, this one wins."""
        return replace(
            self,
            found={**other.found, **self.found},
            by_id={**other.by_id, **self.by_id},
            whole=other.whole,
            source=f"{self.source}; otherwise {other.source}",
        )

    def of(self, address: Address, live_id: str = "") -> Base | None:
        """The base of a resource, with `exists` False if it is known not to have existed; None: not known."""
        known = self.by_id.get((address.kind, live_id)) or self.found.get(address)
        if known is None and (self.whole is None or address.kind in self.whole):
            return Base(exists=False)
        return known


def base_of_tree(old: DesiredApp, tree: DesiredApp, live: LiveApp, naming: Naming) -> BaseApp:
    """The base, from an older state of the tree."""
    matches = match_resources(old, live, naming.place).matches
    names = {item.desired.address: _today(item, tree, naming) for item in matches}
    aliases = {
        before.within_app: now.within_app
        for before, now in names.items()
        if before.within_app != now.within_app
    }
    translated = replace(naming, aliases={**naming.aliases, **aliases})
    found = {
        names.get(item.address, replace(item.address, app=tree.key)): base_of_file(item, translated)
        for item in old.all()
    }
    ids: dict[tuple[str, str], Base] = {
        (item.desired.address.kind, item.live.id): found[names[item.desired.address]]
        for item in matches
        if item.live is not None
    }
    return BaseApp(found=found, by_id=ids, whole=None)


def base_of_live(
    resources: Iterable[LiveResource], app: LiveResource, naming: Naming, tree: DesiredApp
) -> BaseApp:
    """The base, from an earlier live state such as a version's snapshot."""
    found = {address_of(item, tree.key, naming): _live_base(item, naming) for item in (app, *resources)}
    return BaseApp(found=found, whole=frozenset(address.kind for address in found))


def base_of_body(kind: str, body: Body, naming: Naming) -> Base:
    """The base of one resource, from an earlier response of the service."""
    return _live_base(LiveResource(kind=KindName(kind), body=body), naming)


def _today(match: Match, tree: DesiredApp, naming: Naming) -> Address:
    """The address in the current tree of a resource of an older tree."""
    address = match.desired.address
    if address.kind == tree.app.address.kind:
        return tree.app.address
    key = naming.keys.get((address.kind, match.live.id)) if match.live else None
    return replace(address, app=tree.key, key=Key(key) if key else address.key)


def base_of_file(item: DesiredResource, naming: Naming) -> Base:
    """The base of one resource, from its file as it was applied."""
    normalized = normalize(kind_of(item.address.kind).spec, item.body, naming)
    return Base(
        body=normalized.body,
        extra=item.extra,
        named=normalized.named,
        cleared=normalized.cleared,
        ownership=item.ownership,
    )


def _live_base(item: LiveResource, naming: Naming) -> Base:
    found = normalize(kind_of(item.kind).spec, item.body, naming)
    return Base(body=found.body, extra={str(path): value for path, value in found.unknown})
