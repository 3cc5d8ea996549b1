"""
Whole files: a text is written to a temporary file and moved into place, so that readers never see a partial
file.

Aside is a folder `.cesplan-tmp-…` beside the target, or at the top of the tree. It is private to the user, it
ignores itself in git, so that what a killed run leaves is in no commit, and the next run removes it.
"""

import errno
import os
import shutil
import stat
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

PRIVATE = 0o600
"""The permissions of plans and reports, which hold prompts, names and ids: readable by their owner alone."""

ASIDE = ".cesplan-tmp-"
"""How the names of folders of unfinished files begin."""

_ABANDONED_SECONDS = 60.0
"""A file is written in far less; what is older belongs to a run that was killed."""


def write_whole(path: Path, text: str, *, mode: int) -> None:
    """
    Write a file of UTF-8 with these permissions, whole or not at all.

    A symbolic link stays one, and what is not a regular file (`/dev/stdout`, a pipe) is written to and never
    replaced. Raises OSError.
    """
    if is_special(path):
        path.write_text(text, encoding="utf-8", newline="")
        return
    target = Path(os.path.realpath(path))
    with aside(target.parent) as folder:
        replace_whole(target, text.encode(), mode=mode, folder=folder)


@contextmanager
def aside(parent: Path) -> Iterator[Path]:
    """A folder for unfinished files below a parent, as long as the context lasts. Raises OSError."""
    _clear(parent)
    folder = Path(tempfile.mkdtemp(prefix=ASIDE, dir=parent))
    try:
        (folder / ".gitignore").write_text("*\n", encoding="utf-8")
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def replace_whole(target: Path, data: bytes, *, mode: int, folder: Path) -> None:
    """
    Put other data instead of a file, by way of a folder from `aside`. Raises OSError.

    Links are not followed: they are replaced.
    """
    try:
        _replace(target, data, mode, folder)
    except OSError as error:
        if error.errno != errno.EXDEV:
            raise
        with aside(target.parent) as nearer:  # the target is on a file system of its own
            _replace(target, data, mode, nearer)


def _replace(target: Path, data: bytes, mode: int, folder: Path) -> None:
    handle, name = tempfile.mkstemp(dir=folder)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        os.chmod(name, mode)
        os.replace(name, target)
    except BaseException:
        with suppress(OSError):
            os.unlink(name)
        raise


def _clear(parent: Path) -> None:
    """Remove what killed runs left in a folder."""
    with suppress(OSError), os.scandir(parent) as entries:
        for entry in entries:
            if entry.name.startswith(ASIDE) and entry.is_dir(follow_symlinks=False):
                age = time.time() - entry.stat(follow_symlinks=False).st_mtime
                if age > _ABANDONED_SECONDS:
                    shutil.rmtree(entry.path, ignore_errors=True)


def is_special(path: Path) -> bool:
    """True for what is there and is neither a regular file nor a folder; links are followed."""
    try:
        mode = path.stat().st_mode
    except OSError:
        return False
    return not stat.S_ISREG(mode) and not stat.S_ISDIR(mode)
