"""The apps of a project and location: which are live, which are in the tree, and which match."""

from enum import StrEnum

from cesplan.domain.frozen import dataclass
from cesplan.domain.resource_name import last_id
from cesplan.domain.settings import Settings


class Standing(StrEnum):
    """How an app relates to this tree."""

    MANAGED = "managed"
    """In the tree, and last applied from it."""
    NEW = "new"
    """In the tree, and live without the stamp of a complete apply: the first apply adopts it."""
    TAKEN = "taken"
    """In the tree, but last applied from another tree or environment."""
    NOT_LIVE = "not_live"
    """In the tree, but not live yet."""
    FORMER = "former"
    """Last applied from this tree, which no longer has a folder for it."""
    ELSEWHERE = "elsewhere"
    """Not in the tree, and last applied from another tree or environment."""
    UNMANAGED = "unmanaged"
    """Never applied from any tree."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ListedApp:
    """One app. The fields that come from the stamp are empty if there is none."""

    standing: Standing
    key: str = ""
    """The key in the tree; empty if the tree does not have the app."""
    name: str = ""
    """The full resource name; empty if the app is not live."""
    display_name: str = ""
    tree: str = ""
    """The tree of the last apply."""
    environment: str = ""
    """The environment of the last apply."""
    commit: str = ""
    """The commit of the last apply."""
    dirty: bool = False
    """Whether the tree differed from that commit."""

    @property
    def id(self) -> str:
        """The id on the server; empty if the app is not live."""
        return last_id(self.name)


@dataclass(frozen=True, slots=True, kw_only=True)
class AppList:
    """The apps of one project and location: those of the tree by key, then the others by display name."""

    settings: Settings
    apps: tuple[ListedApp, ...]
    requests: int = 0
