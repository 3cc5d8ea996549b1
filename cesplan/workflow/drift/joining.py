"""Joining: the reports of all shards of one run, read from files, as one."""

from collections.abc import Sequence
from pathlib import Path

from cesplan.config.files import read_report
from cesplan.domain.features.drift import DriftReport
from cesplan.features.drift.shards import joined


def join_reports(paths: Sequence[Path]) -> DriftReport:
    """
    The report of all shards.

    Raises UsageError for a file that is not a drift report of this format, for a missing or duplicate shard,
    and for reports of different runs.
    """
    from cesplan.render.machine.formats.drift import read_drift  # lazily: pydantic is for JSON alone

    return joined([read_report(path, read_drift, "a drift report") for path in paths])
