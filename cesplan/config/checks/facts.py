"""
Facts about single files, so that checks across files need not read them again.

A check of a single file always has the same findings for the same file. A file without such findings is
*sound*. The cache records that, together with the facts that checks across files need, so no check walks a
sound file.
"""

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from cesplan.config.cache.pack import Pack
from cesplan.config.manifest import ResourceFile
from cesplan.domain.value import bare_leaves

_SOUND = b"sound"
"""Appended to the digest of a file, for the cache entry of the checks."""


class Fact:
    """
    A property of a single file, as a tuple of plain values that depends only on the file.

    `name` is its name in the cache. While facts are shared, they are computed only once per file.
    """

    def __init__(self, name: str, found: Callable[[ResourceFile], Iterable[Any]]) -> None:
        self.found = found
        self._name = name
        _every_fact[name] = self

    def of(self, file: ResourceFile) -> tuple[Any, ...]:
        """The fact of a file."""
        if _shared is None:
            return tuple(self.found(file))
        facts: tuple[Any, ...] = _shared.facts(file).get(self._name, ())
        return facts


class _Known(NamedTuple):
    file: ResourceFile
    """Keeps the file alive, so that its id() stays unique."""
    facts: dict[str, tuple[Any, ...]]


class _SharedFacts:
    """The facts about the files of one app, and the pack that stores them."""

    def __init__(self, pack: Pack) -> None:
        self._pack = pack
        self._known: dict[int, _Known] = {}

    def facts(self, file: ResourceFile) -> dict[str, tuple[Any, ...]]:
        known = self._known.get(id(file))
        if known is None:
            found = {name: facts for name, fact in _every_fact.items() if (facts := tuple(fact.found(file)))}
            known = self._known[id(file)] = _Known(file, found)
        return known.facts

    def is_sound(self, file: ResourceFile) -> bool:
        """Whether the pack records that a file is sound; then it also has its facts."""
        found = self._pack.get(file.digest + _SOUND) if file.digest else None
        if found is not None:
            self._known[id(file)] = _Known(file, found)
        return found is not None

    def keep(self, file: ResourceFile) -> None:
        """Record that a file is sound, with its facts."""
        if file.digest:
            facts = self.facts(file)
            texts = (item for item in bare_leaves(facts) if isinstance(item, str))
            self._pack.put(file.digest + _SOUND, facts, *texts)


_every_fact: dict[str, Fact] = {}
_shared: _SharedFacts | None = None


def share_facts(pack: Pack | None) -> None:
    """From now on, compute the facts of each file once and store them in a pack; None ends this."""
    global _shared
    _shared = None if pack is None else _SharedFacts(pack)


def without_sound(files: tuple[ResourceFile, ...]) -> tuple[ResourceFile, ...]:
    """The files that are not known to be sound."""
    return tuple(file for file in files if _shared is None or not _shared.is_sound(file))


def keep_sound(files: Iterable[ResourceFile]) -> None:
    """Record that these files are sound."""
    for file in files if _shared is not None else ():
        _shared.keep(file)  # type: ignore[union-attr]  # of no file otherwise
