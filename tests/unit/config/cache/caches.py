"""Caches in a folder of their own, for tests."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from cesplan.config.cache.store import Cache, users_cache
from cesplan.config.tree.load import Loaded, load


@dataclass(frozen=True, kw_only=True)
class Home:
    """Where a user has cache and state; `environ` is what else the environment has."""

    folder: Path
    environ: Mapping[str, str] = field(default_factory=dict)

    @property
    def everything(self) -> dict[str, str]:
        places = {"XDG_CACHE_HOME": str(self.folder / "caches"), "XDG_STATE_HOME": str(self.folder / "states")}
        return {**places, "LOCALAPPDATA": str(self.folder), "HOME": str(self.folder), **self.environ}

    @property
    def packs(self) -> list[Path]:
        """The packs that are there, sorted."""
        return sorted(self.folder.rglob("*.pack"))

    def cache(self, root: Path) -> Cache:
        return users_cache(root, self.everything)

    def read(self, root: Path, **arguments: Any) -> Loaded:
        """Load a tree with the cache."""
        return load(root, **{"environ": self.environ, "cache_of": self.cache, **arguments})


def same(one: Loaded, other: Loaded) -> bool:
    """Whether two readings of a tree came to the same; what findings need of a resource file too."""
    return _told(one) == _told(other)


def _told(loaded: Loaded) -> tuple[Any, ...]:
    return loaded.desired, loaded.diagnostics, loaded.files, loaded.policy, loaded.ignore_rules, _files(loaded)


def _files(loaded: Loaded) -> list[tuple[Any, ...]]:
    apps = loaded.tree.apps if loaded.tree else ()
    return [
        (item.address, item.path, item.body, item.included, item.layers, [*item.body], item.silenced)
        for app in apps
        for item in (app.app, *app.resources)
    ]
