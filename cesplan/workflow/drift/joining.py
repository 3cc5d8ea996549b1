"""Joining: the reports of all shards of one run, read from files, as one."""

import os
from collections.abc import Sequence
from pathlib import Path

from cesplan.config.files import read_regular
from cesplan.domain.errors import UsageError
from cesplan.domain.features.drift import DriftReport
from cesplan.features.drift.shards import joined

_MOST_BYTES = 1 << 30
"""Of one report: long texts of many apps."""


def join_reports(paths: Sequence[Path]) -> DriftReport:
    """
    The report of all shards.

    Raises UsageError for a file that is not a drift report of this format, for a shard that is missing or there
    twice, and for reports of different runs.
    """
    return joined([_read(path) for path in paths])


def _read(path: Path) -> DriftReport:
    from cesplan.render.machine.formats.drift import read_drift  # lazily: pydantic is for JSON alone

    try:
        text = read_regular(path, _MOST_BYTES + 1).decode("utf-8-sig")
    except OSError as error:
        raise UsageError(
            summary=f"Cannot read {path}: {error.strerror or os.strerror(error.errno or 0)}."
        ) from error
    except UnicodeDecodeError as error:
        raise UsageError(summary=f"{path} is not a drift report.", detail="It is not UTF-8.") from error
    if len(text) > _MOST_BYTES:
        raise UsageError(summary=f"{path} is larger than {_MOST_BYTES >> 20} MiB.")
    try:
        return read_drift(text)
    except ValueError as error:
        raise UsageError(summary=f"{path} is not a drift report.", detail=str(error)) from error
