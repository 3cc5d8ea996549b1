"""
What is known of single files, so that a check across files need not look into them.

A check of one file alone finds the same in it each time. So a file without such findings is *sound*: the cache
keeps that, and with it the facts that checks across files ask for. A sound file is walked by none of them.
"""

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from cesplan.config.cache.pack import Pack
from cesplan.config.manifest import ResourceFile

_SOUND = b"sound"
"""Behind the digest of a file: what the checks keep of it."""


class Fact:
    """
    What one file says of something, as a tuple of plain values; it depends on nothing but the file.

    `name` is what the cache calls it. While facts are shared, they are found once for each file.
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
    """Kept here, so that its id is that of no other file."""
    facts: dict[str, tuple[Any, ...]]


class _SharedFacts:
    """The facts of the files of one app, and the pack that they are from and go to."""

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
        """Whether the pack knows that a file has no findings of its own; then it knows the facts too."""
        found = self._pack.get(file.digest + _SOUND) if file.digest else None
        if found is not None:
            self._known[id(file)] = _Known(file, found)
        return found is not None

    def keep(self, file: ResourceFile) -> None:
        """Keep that a file is sound, and its facts."""
        if file.digest:
            self._pack.put(file.digest + _SOUND, self.facts(file))


_every_fact: dict[str, Fact] = {}
_shared: _SharedFacts | None = None


def share_facts(pack: Pack | None) -> None:
    """From here on, find the facts of each file once, and keep them in a pack; or no longer (None)."""
    global _shared
    _shared = None if pack is None else _SharedFacts(pack)


def without_sound(files: tuple[ResourceFile, ...]) -> tuple[ResourceFile, ...]:
    """The files of which it is not known that they are sound."""
    return tuple(file for file in files if _shared is None or not _shared.is_sound(file))


def keep_sound(files: Iterable[ResourceFile]) -> None:
    """Keep that these files are sound."""
    for file in files if _shared is not None else ():
        _shared.keep(file)  # type: ignore[union-attr]  # of no file otherwise
