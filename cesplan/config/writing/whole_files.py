"""
Whole files: a text is written to a temporary file and moved into place, so that readers never see a partial
file.

Temporary files are in a folder `.cesplan-tmp-…` next to the target, or at the top of the tree. It is private to
the user. git ignores it, so that leftovers of a killed run are never committed, and the next run removes it.
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
"""The permissions of plans and reports, which contain prompts, names, and ids: only the owner can read them."""

ASIDE = ".cesplan-tmp-"
"""The prefix of folders with temporary files."""

_ABANDONED_SECONDS = 60.0
"""Writing takes far less time, so an older folder was left by a killed run."""


def write_whole(path: Path, text: str, *, mode: int) -> None:
    """
    Write a UTF-8 file with these permissions, as a whole or not at all.

    A symbolic link stays a link. A target that is not a regular file (`/dev/stdout`, a pipe) is written to,
    never replaced. Raises OSError.
    """
    try:
        _write_whole(path, text, mode)
    except OSError as error:
        error.filename = error.filename or str(path)  # a full disk: the system names no file
        raise


def _write_whole(path: Path, text: str, mode: int) -> None:
    if is_special(path):
        path.write_text(text, encoding="utf-8", newline="")
        return
    target = Path(os.path.realpath(path))
    with aside(target.parent) as folder:
        replace_whole(target, text.encode(), mode=mode, folder=folder)


@contextmanager
def aside(parent: Path) -> Iterator[Path]:
    """A folder for temporary files below a parent, for the duration of the context. Raises OSError."""
    _clear(parent)
    folder = Path(tempfile.mkdtemp(prefix=ASIDE, dir=parent))
    try:
        (folder / ".gitignore").write_text("*\n", encoding="utf-8")
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def replace_whole(target: Path, data: bytes, *, mode: int, folder: Path) -> None:
    """
    Replace the content of a file, through a folder from `aside`. Raises OSError.

    Links are not followed but replaced.
    """
    try:
        _replace(target, data, mode, folder)
    except OSError as error:
        if error.errno != errno.EXDEV:
            raise
        with aside(target.parent) as nearer:  # the target is on another file system
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
    """Remove the leftovers of killed runs in a folder."""
    with suppress(OSError), os.scandir(parent) as entries:
        for entry in entries:
            if entry.name.startswith(ASIDE) and entry.is_dir(follow_symlinks=False):
                age = time.time() - entry.stat(follow_symlinks=False).st_mtime
                if age > _ABANDONED_SECONDS:
                    shutil.rmtree(entry.path, ignore_errors=True)


def is_special(path: Path) -> bool:
    """True if the path exists and is neither a regular file nor a folder. Links are followed."""
    try:
        mode = path.stat().st_mode
    except OSError:
        return False
    return not stat.S_ISREG(mode) and not stat.S_ISDIR(mode)
