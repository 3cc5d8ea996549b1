"""Selections of resources by address patterns, as people type them after `--target` and `--exclude`."""

import re
from collections.abc import Iterable
from functools import cached_property

from cesplan.domain.address import Address
from cesplan.domain.frozen import dataclass


@dataclass(frozen=True, kw_only=True)
class Choice:
    """
    The resources that `only` matches (empty: all resources) and `exclude` does not.

    A pattern is an address, with or without the app, in which `*` matches anything inside one part. A kind
    alone matches all resources of that kind.
    """

    only: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()

    def includes(self, address: Address) -> bool:
        """Whether a resource is selected."""
        return self.names(address) and not self.excludes(address)

    def names(self, address: Address) -> bool:
        """Whether `only` matches a resource, whatever `exclude` says."""
        return not self.only or any(_matches(item, address) for item in self._only)

    def excludes(self, address: Address) -> bool:
        """Whether `exclude` matches a resource."""
        return any(_matches(item, address) for item in self._exclude)

    @property
    def is_everything(self) -> bool:
        return not self.only and not self.exclude

    @cached_property
    def _only(self) -> tuple[re.Pattern[str], ...]:
        return tuple(map(compiled, self.only))

    @cached_property
    def _exclude(self) -> tuple[re.Pattern[str], ...]:
        return tuple(map(compiled, self.exclude))


EVERYTHING = Choice()


def unmatched(patterns: Iterable[str], addresses: Iterable[Address]) -> tuple[str, ...]:
    """The patterns that match none of these resources: probably typos."""
    known = tuple(addresses)
    return tuple(text for text in patterns if not any(_matches(compiled(text), item) for item in known))


def compiled(pattern: str) -> re.Pattern[str]:
    """
    A pattern as a regular expression that must match the whole text.

    Between two asterisks the first match is always right, so the groups are atomic. With backtracking, four
    asterisks and a name of 250 letters took a minute.
    """
    first, *others = map(re.escape, pattern.rstrip("/").split("*"))
    if not others:
        return re.compile(first)
    between = "".join(f"(?>[^/]*?{part})" for part in others[:-1] if part)
    return re.compile(f"{first}{between}[^/]*{others[-1]}")


def names_of(address: Address) -> frozenset[str]:
    """All names of a resource that a pattern can match."""
    texts = {str(address), address.within_app, str(address.kind)}
    own = {"app", f"{address.app}/app"} if address.is_app else {f"{address.app}/{address.kind}"}
    return frozenset(texts | own)


def _matches(pattern: re.Pattern[str], address: Address) -> bool:
    return any(pattern.fullmatch(text) for text in names_of(address))
