"""Layers: the files that one resource is made of."""

from cesplan.config.report import SourceFile
from cesplan.config.yaml.nodes import Mapping
from cesplan.domain.address import Key, KindName
from cesplan.domain.frozen import dataclass

Place = tuple[KindName, Key]
"""A resource inside its app; the app itself is of the kind `apps`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Layers:
    """Paths, each empty if there is no such file: the base, what is merged over it, and the patch."""

    base: str = ""
    over: str = ""
    patch: str = ""

    @property
    def first(self) -> str:
        """The file that the resource goes by."""
        return self.base or self.over

    @property
    def upper(self) -> tuple[str, ...]:
        """The files that are laid over the first."""
        return tuple(path for path in (self.over, self.patch) if path and path != self.first)


@dataclass(frozen=True, slots=True, kw_only=True)
class Opened:
    """
    A resource before it is read: `file` is where it begins, `root` the result of all its layers.

    `layers` are the further files. `mentioned` are texts that some layer names, used or not.
    """

    file: SourceFile
    root: Mapping
    layers: tuple[str, ...] = ()
    mentioned: frozenset[str] = frozenset()
