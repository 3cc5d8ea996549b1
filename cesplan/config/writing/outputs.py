"""
Outputs: whether a file or folder that a person named may be written.

The name is theirs, but what is there may be a stranger's: a checkout can hold links, and a link chooses
which file of the user is replaced. Everything that writes where an option says goes through here.
"""

import os
import stat
from contextlib import suppress
from pathlib import Path
from typing import IO

from cesplan.config.writing.whole_files import PRIVATE, is_special
from cesplan.domain.errors import UsageError


def why_not_file(path: Path) -> str:
    """
    Why no output must be written to a file; empty if it may be.

    Refused are links to another folder, and everything below the working directory that leads out of it. A
    device or a pipe may be named by itself (`/dev/stdout`).
    """
    found = _leads_out(path)
    if found or is_special(path):
        return found
    return _is_elsewhere(path)


def why_not_folder(path: Path) -> str:
    """The same for a folder of files; a link to it may lead anywhere in the working directory."""
    found = _leads_out(path)
    real = Path(os.path.realpath(path))
    return found if found or real.is_relative_to(os.path.realpath(Path.cwd())) else _is_elsewhere(path)


def check_output_folder(path: Path) -> None:
    """Raise UsageError for a folder into which nothing must be written."""
    if why := why_not_folder(path):
        raise UsageError(summary=f"{path} {why}", detail="Nothing was written.")


def check_output_file(path: Path) -> None:
    """Raise UsageError for a file that must not be written."""
    if why := why_not_file(path):
        raise UsageError(summary=f"{path} {why}", detail="Nothing was written.")


def open_private(path: Path) -> IO[str]:
    """A file that grows while it is read: opened for writing, emptied, and private. Raises OSError."""
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, PRIVATE)
    with suppress(OSError, AttributeError):  # a device, or a system without such permissions
        if stat.S_ISREG(os.fstat(descriptor).st_mode):
            os.fchmod(descriptor, PRIVATE)
    return os.fdopen(descriptor, "w", encoding="utf-8", newline="")


def _leads_out(path: Path) -> str:
    here, path = Path.cwd(), Path(os.path.abspath(path))
    real = Path(os.path.realpath(path))
    if path.is_relative_to(here) and not real.is_relative_to(os.path.realpath(here)):
        return f"leads out of this folder through a symbolic link: name {real} itself."
    return ""


def _is_elsewhere(path: Path) -> str:
    path = Path(os.path.abspath(path))
    real = Path(os.path.realpath(path))
    if path.is_symlink() and real.parent != Path(os.path.realpath(path.parent)):
        return f"is a symbolic link to another folder: name {real} itself."
    return ""
