"""Whole files: a text is written beside its target and moved into place, so that nobody reads half of one."""

import os
import stat
import tempfile
from contextlib import suppress
from pathlib import Path


def write_whole(path: Path, text: str, *, mode: int) -> None:
    """
    Write a file of UTF-8 with these permissions, whole or not at all.

    A symbolic link stays one, and what is no regular file (`/dev/stdout`, a pipe) is written to and never
    replaced. Raises OSError.
    """
    if _is_special(path):
        path.write_text(text, encoding="utf-8", newline="")
        return
    replace_whole(path, text.encode(), mode=mode)


def replace_whole(path: Path, data: bytes, *, mode: int) -> None:
    """Put other data in the place of whatever a path leads to; a symbolic link stays one. Raises OSError."""
    target = Path(os.path.realpath(path))
    handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        os.chmod(name, mode)
        os.replace(name, target)
    except BaseException:
        with suppress(OSError):
            os.unlink(name)
        raise


def _is_special(path: Path) -> bool:
    """True for what is there and is neither a regular file nor a folder; links are followed."""
    try:
        mode = path.stat().st_mode
    except OSError:
        return False
    return not stat.S_ISREG(mode) and not stat.S_ISDIR(mode)
