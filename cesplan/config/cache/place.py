"""
Where the cache is: in the user's cache folder, and never where a pull request could put a file.

The key is in the user's state folder, not in the cache: pipelines restore cache folders that other runs saved,
including those of a stranger's pull request.
"""

import os
import stat
import sys
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from cesplan.domain.errors import UsageError

FOLDER = "CESPLAN_CACHE_DIR"
"""Overrides the default folder of the cache."""

KEY_SIZE = 32
_KEY_FILE = "cache-key"
_PRIVATE = 0o700
_OTHERS_MAY_WRITE = stat.S_IWGRP | stat.S_IWOTH


def cache_folder(root: Path, environ: Mapping[str, str]) -> Path | None:
    """
    The folder of the cache for the tree with this root, created if it is missing; None if no folder can be
    used.

    Raises UsageError if the environment variable names a folder inside the tree or its repository.
    """
    named = environ.get(FOLDER, "")
    folder = Path(named).absolute() if named else _usual(environ, "XDG_CACHE_HOME", ".cache", "Library/Caches")
    if folder is None:
        return None
    if _is_in_repository(folder, root):
        if named:
            raise UsageError(
                summary=f"{FOLDER} is inside the tree: {named}",
                detail="A pull request could commit files there. Set it to a folder outside the repository, or "
                "unset it.",
            )
        return None
    return folder if _is_ours(folder) else None


def cache_key(root: Path, environ: Mapping[str, str]) -> bytes:
    """This user's key for the codes of packs, created if it is missing; empty if no folder can be used."""
    folder = _usual(environ, "XDG_STATE_HOME", ".local/state", "Library/Application Support")
    if folder is None or _is_in_repository(folder, root) or not _is_ours(folder):
        return b""
    path = folder / _KEY_FILE
    return _read_key(path) or _new_key(path)


def read_private(path: Path, most: int) -> bytes:
    """
    The content of a file that no other user can have written; empty if it is missing, too large, or unsafe.
    """
    try:
        with open(path, "rb", opener=_not_following) as file:
            status = os.fstat(file.fileno())
            if not stat.S_ISREG(status.st_mode) or not _is_private(status) or status.st_size > most:
                return b""
            return file.read(most)
    except OSError:
        return b""


def write_private(path: Path, *parts: bytes) -> None:
    """Replace a file atomically by these parts; only its owner can read it. Raises OSError."""
    aside = f"{path}.{os.urandom(8).hex()}"
    handle = os.open(aside, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o600)
    try:
        with os.fdopen(handle, "wb") as file:
            file.writelines(parts)
        os.replace(aside, path)
    except BaseException:
        with suppress(OSError):
            os.unlink(aside)
        raise


def _usual(environ: Mapping[str, str], variable: str, below_home: str, on_mac: str) -> Path | None:
    """
    cesplan's folder in the platform's folder for such files; None if the home folder does not exist. It is not
    created: service users have such a home folder so that nothing is written there.
    """
    home = Path(environ.get("HOME", ""))
    if sys.platform == "win32":
        folder = Path(environ.get("LOCALAPPDATA", ""), "cesplan", variable)
    elif environ.get(variable, ""):
        folder = Path(environ[variable], "cesplan")
    elif not home.is_dir():
        return None
    else:
        folder = home / (on_mac if sys.platform == "darwin" else below_home) / "cesplan"
    return folder if folder.is_absolute() else None


def _is_in_repository(folder: Path, root: Path) -> bool:
    """Whether a folder is in the tree or its git repository, after following symbolic links."""
    real = Path(os.path.realpath(root))
    top = next((item for item in (real, *real.parents) if (item / ".git").exists()), real)
    return Path(os.path.realpath(folder)).is_relative_to(top)


def _is_ours(folder: Path) -> bool:
    """Whether this user owns a folder, created if it is missing, and only this user may write to it."""
    try:
        folder.mkdir(mode=_PRIVATE, parents=True, exist_ok=True)
        status = os.lstat(folder)
    except OSError:
        return False
    return stat.S_ISDIR(status.st_mode) and _is_private(status)


def _is_private(status: os.stat_result) -> bool:
    if sys.platform == "win32":
        return True  # user folders are private there, and modes mean nothing
    return status.st_uid == os.geteuid() and not status.st_mode & _OTHERS_MAY_WRITE


def _read_key(path: Path) -> bytes:
    data = read_private(path, KEY_SIZE)
    return data if len(data) == KEY_SIZE else b""


def _new_key(path: Path) -> bytes:
    """A new key. If two runs create one at once, one of them finds its pack invalid next time."""
    try:
        write_private(path, os.urandom(KEY_SIZE))
    except OSError:
        return b""
    return _read_key(path)


def _not_following(path: str, flags: int) -> int:
    """Open a file, but not a link or a pipe in its place."""
    return os.open(path, flags | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0))
