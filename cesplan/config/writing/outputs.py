"""
Outputs: whether it is safe to write to a file or folder that a person named.

The person chose the name, but a stranger may have created what is there: a checkout can contain links, and a
link decides which file of the user is replaced. All writes to a path from an option go through here.
"""

import os
import shlex
import stat
from contextlib import suppress
from pathlib import Path
from typing import IO

from cesplan.config.writing.whole_files import PRIVATE, is_special, write_whole
from cesplan.domain.errors import InvalidConfiguration, UsageError

OWN_FOLDER = ".cesplan"
"""The folder in a tree for cesplan's own files."""
_IGNORE = ".gitignore"
_PRIVATE_FOLDER = 0o700
_READABLE = 0o644


def why_not_file(path: Path) -> str:
    """
    Why an output file must not be written; empty if it may be.

    Links to another folder are refused, and so is any path below the working directory that leads out of it. A
    device or a pipe may be named directly (`/dev/stdout`).
    """
    found = _leads_out(path)
    if found or is_special(path):
        return found
    return _is_elsewhere(path)


def why_not_folder(path: Path) -> str:
    """
    Why an output folder must not be written to; empty if it may be. Links inside the working directory are
    fine.
    """
    found = _leads_out(path)
    real = Path(os.path.realpath(path))
    return found if found or real.is_relative_to(os.path.realpath(Path.cwd())) else _is_elsewhere(path)


def check_output_folder(path: Path) -> None:
    """Raise UsageError for a folder that must not be written to."""
    if why := why_not_folder(path):
        raise UsageError(summary=f"{path} {why}", detail="Nothing was written.")


def check_output_file(path: Path) -> None:
    """Raise UsageError for a file that must not be written."""
    if why := why_not_file(path):
        raise UsageError(summary=f"{path} {why}", detail="Nothing was written.")


def own_place(root: Path, *names: str) -> Path:
    """
    The path of one of cesplan's own files in a tree, `names` below `.cesplan`. Nothing is created.

    The tree may come from a stranger, and git stores symbolic links: a link in place of the file or of a parent
    folder would make cesplan write wherever it leads. Raises InvalidConfiguration for a link.
    """
    folder = root / OWN_FOLDER
    on_the_way = [folder, folder / _IGNORE]
    path = folder
    for name in names:
        path /= name
        on_the_way.append(path)
    for item in on_the_way:
        if item.is_symlink():
            raise InvalidConfiguration(
                summary=f"{item} is a symbolic link, but cesplan keeps its own files only inside the tree.",
                detail=f"Remove the link so that a file can be created:\n\n    rm {shlex.quote(str(item))}",
            )
    return path


def make_room(path: Path) -> None:
    """Create the folder of a file. `.cesplan` is private to the user, and git ignores it. Raises OSError."""
    path.parent.mkdir(parents=True, exist_ok=True)
    own = next((folder for folder in path.parents if folder.name == OWN_FOLDER), None)
    if own is None:
        return
    with suppress(PermissionError):  # a folder that another user owns and lets us write to
        own.chmod(_PRIVATE_FOLDER)
    if not (own / _IGNORE).exists():
        write_whole(own / _IGNORE, "*\n", mode=_READABLE)  # an empty one would be taken for the user's


def open_private(path: Path) -> IO[str]:
    """Open a file that is read while it grows: for writing, truncated, and private. Raises OSError."""
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
