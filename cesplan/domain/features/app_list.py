"""The apps of a place: what is live there, what the tree has, and which of them belong together."""

from enum import StrEnum

from cesplan.domain.frozen import dataclass
from cesplan.domain.settings import Settings


class Standing(StrEnum):
    """What an app is to the tree at hand."""

    MANAGED = "managed"
    """The tree has it, and applied it last."""
    NEW = "new"
    """The tree has it, and live has no stamp of a complete apply: a first apply takes it over."""
    TAKEN = "taken"
    """The tree has it, and another tree or environment applied it last."""
    NOT_LIVE = "not_live"
    """The tree has it, and it is not live yet."""
    FORMER = "former"
    """The tree applied it last, and has no folder for it any more."""
    ELSEWHERE = "elsewhere"
    """Another tree or environment applied it last."""
    UNMANAGED = "unmanaged"
    """No tree applied it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ListedApp:
    """One app. What the stamp says is empty where there is none."""

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
        return self.name.rpartition("/")[2]


@dataclass(frozen=True, slots=True, kw_only=True)
class AppList:
    """The apps of one place: first those of the tree, by key, then the others, by display name."""

    settings: Settings
    apps: tuple[ListedApp, ...]
    requests: int = 0
