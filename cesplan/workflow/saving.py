"""Saving: a plan into a file that can be reviewed, and from there."""

import errno
import os
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from cesplan.config.files import read_regular
from cesplan.config.writing.outputs import why_not_file
from cesplan.config.writing.whole_files import PRIVATE, is_special, write_whole
from cesplan.domain.errors import CesplanError, UsageError
from cesplan.domain.plan import Plan
from cesplan.domain.reviewed import Reviewed
from cesplan.domain.text.times import timestamp
from cesplan.engine.reviewing.record import review

_WRONG_PATHS = frozenset({errno.ENOENT, errno.ENOTDIR, errno.EISDIR, errno.EACCES, errno.EPERM, errno.EROFS})
"""What another path would fix; a full disk it would not."""
_BEGINNING = 1_000
"""Bytes in which a file shows that it is JSON."""


def save(plan: Plan, path: Path, *, seconds: float | None = None) -> Reviewed:
    """
    Write a plan file, whole or not at all, readable by its owner alone: it holds prompts and ids, no secret.

    `seconds` is how long planning took. Raises UsageError for a path at which no file can be written, or where
    one is that is not JSON, and CesplanError for a full disk and for a plan that no file can hold.
    """
    from cesplan.render.machine.plan_file import plan_file_text  # lazily: pydantic is for JSON alone

    _check_name(path, "The plan was not saved.")
    now = timestamp(datetime.now(UTC))
    made_at = plan.made.at if plan.made else now
    reviewed = replace(review(plan), made_at=made_at, seconds=_rounded(seconds))
    text = plan_file_text(reviewed)
    try:
        write_whole(path, text, mode=PRIVATE)
    except OSError as error:
        error_type = UsageError if error.errno in _WRONG_PATHS else CesplanError
        raise error_type(
            summary=f"Cannot write {path}: {error.strerror or error}.", detail="The plan was not saved."
        ) from error
    return reviewed


def check_savable(path: Path) -> None:
    """
    Say before the work what would keep a plan from being saved: raises UsageError as `save` would.

    A path that is fine now can still fail then; nothing is written here.
    """
    detail = "Nothing was planned."
    _check_name(path, detail)
    folder = path.parent
    number = 0
    if path.is_dir():
        number = errno.EISDIR
    elif not folder.is_dir():
        number = errno.ENOTDIR if folder.exists() else errno.ENOENT
    elif not is_special(path) and not os.access(folder, os.W_OK | os.X_OK):
        number = errno.EACCES
    if number:
        raise UsageError(summary=f"Cannot write {path}: {os.strerror(number)}.", detail=detail)


def show(path: Path) -> Reviewed:
    """The content of a plan file, secrets left out. Raises PlanFileError."""
    from cesplan.render.machine.plan_file import read_plan_file  # lazily: pydantic is for JSON alone

    return read_plan_file(read_text(path))


def read_text(path: Path) -> str:
    """The text of a plan file. Raises UsageError if it cannot be read."""
    try:
        return path.read_text(encoding="utf-8")
    except OSError as error:
        raise UsageError(summary=f"Cannot read {path}: {error.strerror or error}.") from error
    except UnicodeDecodeError:
        return ""  # no plan file, which its reader says better


def _check_name(path: Path, detail: str) -> None:
    """A slip in a file's name must not cost a file of the tree, or one behind a link."""
    if why := why_not_file(path):
        raise UsageError(summary=f"{path} {why}", detail=detail)
    try:
        begins = read_regular(path, _BEGINNING).lstrip()[:1] if path.is_file() else b""
    except OSError:
        return  # whether it can be written is said when it is
    if begins not in (b"", b"{"):
        raise UsageError(
            summary=f"{path} already exists and is not a plan file.",
            detail="It was not overwritten. Name another file, or remove this one.",
        )


def _rounded(seconds: float | None) -> float | None:
    return None if seconds is None else round(seconds, 3)
