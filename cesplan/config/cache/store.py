"""The packs of one run: read when they are asked for, written when they have something new."""

import os
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from hashlib import blake2b
from pathlib import Path

from cesplan.config.cache.fingerprint import fingerprint
from cesplan.config.cache.pack import Pack, read_pack
from cesplan.config.cache.place import cache_folder, cache_key, read_private, write_private
from cesplan.config.cache.switch import is_off

MOST_BYTES = 512 * 1024 * 1024
"""Of all packs together; the ones that were used least recently go first."""

MOST_OF_ONE = 256 * 1024 * 1024
"""Bytes of one pack: as much as the files of a tree may have."""

_SUFFIX = ".pack"
_DAY = 24 * 60 * 60.0


class Cache:
    """The packs of one run; without a key (`Cache()`) all of them are off."""

    def __init__(self, folder: Path = Path(), key: bytes = b"", mark: bytes = b"") -> None:
        self.packs: list[Pack] = []
        self._folder = folder
        self._key = key
        self._mark = mark
        self._open: dict[Path, Pack] = {}

    def pack(self, *names: str) -> Pack:
        """The pack of what has these names; they only say which entries are together."""
        if not self._key:
            return Pack()
        named = blake2b("\0".join(names).encode("utf-8", "surrogatepass"), key=self._key, digest_size=16)
        path = self._folder / f"{named.hexdigest()}{_SUFFIX}"
        if path not in self._open:
            self._open[path] = read_pack(read_private(path, MOST_OF_ONE), self._key, self._mark)
        return self._open[path]

    def save(self) -> None:
        """Write the packs that have something new. What cannot be written is not, and nothing is said."""
        written = [self._save(path, pack) for path, pack in self._open.items()]
        self._open.clear()
        if any(written):
            _drop_oldest(self._folder)

    def _save(self, path: Path, pack: Pack) -> bool:
        with suppress(OSError):
            if pack.has_news:
                data = pack.written(self._mark)
                if len(data) <= MOST_OF_ONE:
                    write_private(path, data)
                    return True
            elif time.time() - path.stat().st_mtime > _DAY:
                os.utime(path)
        return False


CacheOf = Callable[[Path], Cache]
"""The cache for the tree with this root."""


def no_cache(root: Path) -> Cache:
    """No cache: nothing is found and nothing is kept."""
    return Cache()


def users_cache(root: Path, environ: Mapping[str, str] = os.environ) -> Cache:
    """
    The cache of this user for the tree with this root; off if it is not wanted, or can be trusted nowhere.

    Raises UsageError if the environment names a folder inside the tree.
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
    """Delete the packs used least recently until the rest is small enough, and what killed runs left."""
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
