"""The packs of one run: read on demand, and written if they have new entries."""

import os
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from hashlib import blake2b
from pathlib import Path
from secrets import token_bytes

from cesplan.config.cache.fingerprint import fingerprint
from cesplan.config.cache.pack import Pack, read_pack
from cesplan.config.cache.place import cache_folder, cache_key, read_private, write_private
from cesplan.config.cache.switch import is_off

MOST_BYTES = 512 * 1024 * 1024
"""The maximum size of all packs together. The least recently used are deleted first."""

MOST_OF_ONE = 256 * 1024 * 1024
"""The maximum size of one pack in bytes: the limit for the files of a tree."""

_SUFFIX = ".pack"
_DAY = 24 * 60 * 60.0


class Cache:
    """The packs of one run. Without a key (`Cache()`), all of them are off."""

    def __init__(self, folder: Path = Path(), key: bytes = b"", mark: bytes = b"") -> None:
        self.packs: list[Pack] = []
        self._folder = folder
        self._key = key
        self._mark = mark
        self._open: dict[Path, Pack] = {}

    def pack(self, *names: str) -> Pack:
        """The pack with these names, which only say which entries belong together."""
        if not self._key:
            return Pack()
        named = blake2b("\0".join(names).encode("utf-8", "surrogatepass"), key=self._key, digest_size=16)
        path = self._folder / f"{named.hexdigest()}{_SUFFIX}"
        if path not in self._open:
            self._open[path] = self._read(path, partial(self._read, path))
        return self._open[path]

    def _read(self, path: Path, again: Callable[[], Pack] | None = None) -> Pack:
        return read_pack(read_private(path, MOST_OF_ONE), self._key, self._mark, again)

    def save(self) -> None:
        """Write the packs that have new entries. Failures are ignored."""
        written = [self._save(path, pack) for path, pack in self._open.items()]
        self._open.clear()
        if any(written):
            _drop_oldest(self._folder)

    def _save(self, path: Path, pack: Pack) -> bool:
        with suppress(OSError):
            if pack.has_news:
                content = pack.written(self._mark)
                if sum(map(len, content)) <= MOST_OF_ONE:
                    write_private(path, *content)
                    return True
            elif time.time() - path.stat().st_mtime > _DAY:
                os.utime(path)
        return False


class RunningCache(Cache):
    """The packs of one command that reads a tree several times; in memory alone, and gone with it."""

    def __init__(self) -> None:
        super().__init__()
        self._key = token_bytes(32)
        self._known: dict[tuple[str, ...], Pack] = {}

    def pack(self, *names: str) -> Pack:
        """The pack of what has these names."""
        return self._known.setdefault(names, Pack(self._key))

    def save(self) -> None:
        """Nothing is written."""


CacheOf = Callable[[Path], Cache]
"""The cache for the tree with this root."""


def no_cache(root: Path) -> Cache:
    """A cache that finds and keeps nothing."""
    return Cache()


def users_cache(root: Path, environ: Mapping[str, str] = os.environ) -> Cache:
    """
    This user's cache for the tree with this root. It is off if the user disabled it, or if no folder can be
    trusted.

    Raises UsageError if the environment variable names a folder inside the tree or its repository.
    """
    if is_off(environ):
        return Cache()
    folder = cache_folder(root, environ)
    key = cache_key(root, environ) if folder else b""
    if folder is None or not key:
        return Cache()
    try:
        return Cache(folder, key, fingerprint())
    except OSError:
        return Cache()


def _drop_oldest(folder: Path) -> None:
    """Delete the least recently used packs until the rest is small enough, and leftovers of killed runs."""
    found = []
    with suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            status = entry.stat(follow_symlinks=False)
            if entry.name.endswith(_SUFFIX):
                found.append((status.st_mtime, status.st_size, entry.path))
            elif _SUFFIX in entry.name and time.time() - status.st_mtime > _DAY:
                os.unlink(entry.path)
    left = MOST_BYTES
    for _, size, path in sorted(found, reverse=True):
        left -= size
        if left < 0:
            with suppress(OSError):
                os.unlink(path)
