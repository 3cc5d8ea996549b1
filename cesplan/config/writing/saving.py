"""Saving: writes files to disk, each as a whole or not at all, and never outside the tree."""

import os
import stat
from collections.abc import Mapping
from pathlib import Path

from cesplan.config.files import read_regular
from cesplan.config.writing.whole_files import aside, replace_whole
from cesplan.domain.errors import CesplanError, FileChanged
from cesplan.domain.text.words import in_sentence

_LEFT = "It was left unchanged. Files before it, in the order of their names, may have been written."


def save(root: Path, files: Mapping[str, str] | Mapping[str, bytes]) -> tuple[str, ...]:
    """
    Write files under a root; return the paths whose content changed, sorted.

    Files with unchanged content are not touched. Raises CesplanError for a path that leads out of the root,
    before anything is written, and for a file that cannot be written.
    """
    contents = {path: text.encode() if isinstance(text, str) else text for path, text in files.items()}
    for path in contents:
        check_inside(root, path)
    changed = [path for path in sorted(contents) if not _has_content(root, path, contents[path])]
    if changed:
        _write(root, {path: contents[path] for path in changed})
    return tuple(changed)


def exchange(root: Path, files: Mapping[str, tuple[bytes, bytes]]) -> None:
    """
    Replace the content of files: each must have the first of two contents, and gets the second.

    Each is compared again right before it is replaced. An edit by another process in the short time between is
    lost. Raises FileChanged, and CesplanError for a file that must not or cannot be written.
    """
    for path, (before, _) in files.items():
        _check_unchanged(root, path, before)
    for path, (before, after) in files.items():
        _check_unchanged(root, path, before, _LEFT)
        _write(root, {path: after})


def why_not_edited(root: Path, path: str) -> str:
    """Why a file must not be edited in place, as a clause with the file as subject; empty if it may be."""
    if os.path.realpath(root / path) != os.path.join(os.path.realpath(root), *path.split("/")):
        return "is reached through a symbolic link"
    try:
        found = os.lstat(root / path)
    except OSError as error:
        return f"cannot be read: {in_sentence(error.strerror or str(error))}"
    if not stat.S_ISREG(found.st_mode):
        return "is not a regular file"
    return "has another name (a hard link)" if found.st_nlink > 1 else ""


def _check_unchanged(root: Path, path: str, before: bytes, others: str = "Nothing was written.") -> None:
    if why := why_not_edited(root, path):
        raise CesplanError(summary=f"`{path}` {why}: it was not written.", detail=others)
    if not _has_content(root, path, before):
        raise FileChanged(
            summary=f"`{path}` changed since it was read: it was not written.",
            detail=f"{others} Run the command again to see the file as it is now.",
        )


def remove(root: Path, paths: tuple[str, ...]) -> None:
    """Delete files under a root; missing ones are not an error."""
    for path in paths:
        check_inside(root, path)
        (root / path).unlink(missing_ok=True)


def check_inside(root: Path, path: str) -> None:
    """Raise CesplanError for a path that leads out of the root, also through symbolic links."""
    real_root = os.path.realpath(root)
    real = os.path.realpath(root / path)
    if not real.startswith(real_root + os.sep):
        raise CesplanError(summary=f"`{path}` leads out of the tree: nothing was written there.")


def _has_content(root: Path, path: str, data: bytes) -> bool:
    """Whether a file currently has this content."""
    try:
        return read_regular(root / path, len(data)) == data
    except FileNotFoundError:
        return False
    except OSError as error:
        raise _unusable(path, error) from error


def _write(root: Path, files: Mapping[str, bytes]) -> None:
    """Write whole files, and keep their permissions."""
    path = "."
    try:
        root.mkdir(parents=True, exist_ok=True)
        with aside(root) as folder:
            for path, data in files.items():
                target = Path(os.path.realpath(root / path))
                target.parent.mkdir(parents=True, exist_ok=True)
                mode = target.stat().st_mode & 0o777 if target.exists() else 0o666 & ~_umask()
                replace_whole(target, data, mode=mode, folder=folder)
    except OSError as error:
        raise _unusable(str(root / path), error, _LEFT) from error


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def _unusable(path: str, error: OSError, detail: str = "") -> CesplanError:
    reason = in_sentence(error.strerror or str(error))
    return CesplanError(summary=f"`{path}` cannot be written: {reason}", detail=detail)
