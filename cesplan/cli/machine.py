"""
Errors of the operating system: a full disk or a missing permission is not a bug, and is reported in its own
words.
"""

import os

from cesplan.domain.errors import CesplanError

_WHERE = "The operating system refused it; `--debug` shows where."


def refused_by_the_machine(error: Exception) -> CesplanError | None:
    """The words for an error of the operating system; None for any other."""
    if not isinstance(error, OSError) or error.errno is None:
        return None
    refusal = _no_folder() or _refused(error)
    refusal.__cause__ = error
    return refusal


def _no_folder() -> CesplanError | None:
    """Where the current folder was deleted, each use of a path fails, and none of them says why."""
    try:
        os.getcwd()
    except FileNotFoundError:
        return CesplanError(
            summary="The current folder no longer exists.",
            detail="It was deleted or moved. Change to a folder that exists, or name one with -C.",
        )
    return None


def _refused(error: OSError) -> CesplanError:
    reason = error.strerror or str(error)
    if error.filename is None:
        return CesplanError(summary=f"{reason}.", detail=_WHERE)
    path = os.fsdecode(error.filename) if isinstance(error.filename, bytes) else str(error.filename)
    return CesplanError(summary=f"`{path}` cannot be used: {reason.lower()}", detail=_WHERE)
