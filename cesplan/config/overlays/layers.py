"""Layers: the files that one resource is made of."""

from cesplan.config.report import SourceFile
from cesplan.config.yaml.nodes import Mapping
from cesplan.domain.address import Key, KindName
from cesplan.domain.frozen import dataclass

Place = tuple[KindName, Key]
"""A resource in its app, by kind and key; the app itself has the kind `apps`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Layers:
    """The paths of the base, the overlay to merge, and the patch; each is empty if there is no such file."""

    base: str = ""
    over: str = ""
    patch: str = ""

    @property
    def first(self) -> str:
        """The main file of the resource."""
        return self.base or self.over

    @property
    def upper(self) -> tuple[str, ...]:
        """The overlay files on the first one."""
        return tuple(path for path in (self.over, self.patch) if path and path != self.first)


@dataclass(frozen=True, slots=True, kw_only=True)
class Opened:
    """
    A resource before it is read. `file` is its main file, `root` the result of all its layers.

    `layers` are the other files. `mentioned` are the texts that any layer names, used or not.
    """

    file: SourceFile
    root: Mapping
    layers: tuple[str, ...] = ()
    mentioned: frozenset[str] = frozenset()
