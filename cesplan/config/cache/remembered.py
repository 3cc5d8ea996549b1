"""Memoized functions of a text: in memory for one run, and in a pack for later runs."""

from collections.abc import Callable
from typing import Any, Generic, TypeVar

from cesplan.config.cache.pack import Pack
from cesplan.domain.value import folded

_T = TypeVar("_T", bound=tuple[Any, ...])


class Remembered(Generic[_T]):
    """
    A memoized pure function from a text to a nested NamedTuple of plain values.

    `name` is the name of its values in the pack. `restored` rebuilds a value from nested tuples. A value that
    is not `is_sound` is not kept after the run.
    """

    def __init__(
        self,
        name: str,
        function: Callable[[str], _T],
        restored: Callable[..., _T],
        is_sound: Callable[[_T], bool],
    ) -> None:
        self.pack = Pack()
        self._name = name
        self._function = function
        self._restored = restored
        self._is_sound = is_sound
        self._known: dict[str, _T] = {}

    def __call__(self, text: str) -> _T:
        found = self._known.get(text)
        if found is None:
            found = self._known[text] = self._from_pack(text) if self.pack.is_on else self._function(text)
        return found

    def __len__(self) -> int:
        """The number of remembered texts."""
        return len(self._known)

    def forget(self) -> None:
        """Forget all texts and the pack."""
        self._known.clear()
        self.pack = Pack()

    def _from_pack(self, text: str) -> _T:
        digest = self.pack.digest(self._name, text)
        kept = self.pack.get(digest)
        if kept is not None:
            return self._restored(*kept)
        found = self._function(text)
        if self._is_sound(found):
            bare = folded(found, lambda leaf: leaf, lists=tuple)  # marshal takes no NamedTuple
            self.pack.put(digest, bare, text)
        return found
