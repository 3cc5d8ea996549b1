"""
Shards: the part of a fleet that a run checks, and joining the reports of the parts.

The names of an app decide its shard, so adding an app does not move the others.
"""

import hashlib
from collections.abc import Mapping, Sequence
from itertools import pairwise

from cesplan.domain.errors import UsageError
from cesplan.domain.features.drift import AppDrift, DriftReport
from cesplan.domain.frozen import dataclass
from cesplan.domain.text.words import some_of
from cesplan.features.drift.alarm.ignoring import joined_unused

_INDEXES = (("JOB_COMPLETION_INDEX", "JOB_COMPLETIONS"), ("CLOUD_RUN_TASK_INDEX", "CLOUD_RUN_TASK_COUNT"))
"""The variables in which Kubernetes (indexed jobs) and Cloud Run give the task index (from 0) and count."""
_MOST = 10_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Shard:
    """Part `index` of `count`, from 1."""

    index: int
    count: int

    def __str__(self) -> str:
        return f"{self.index}/{self.count}"

    def has(self, project: str, location: str, key: str) -> bool:
        """Whether an app is in this shard, without reading a file."""
        name = f"{project}/{location}/{key}"
        found = int.from_bytes(hashlib.sha256(name.encode()).digest()[:8])
        return found % self.count == self.index - 1


WHOLE = Shard(index=1, count=1)


def parse_shard(text: str) -> Shard:
    """The shard for a text such as `2/8`. Raises ValueError with the reason."""
    index, slash, count = text.partition("/")
    if not slash or not (index.isascii() and index.isdecimal() and count.isascii() and count.isdecimal()):
        raise ValueError("write the number of this shard and the number of shards: 2/8")
    if len(count) > 5 or len(index) > 5 or not 1 <= int(index) <= int(count) <= _MOST:
        raise ValueError(f"shards are numbered from 1 to their count, of at most {_MOST:,}")
    return Shard(index=int(index), count=int(count))


def shard_of_job(environ: Mapping[str, str]) -> Shard:
    """
    The shard of this task, from the job's variables; the whole fleet outside a job.

    Raises UsageError if only one of the two numbers is set: each task would check everything.
    """
    for index, count in _INDEXES:
        if index not in environ:
            continue
        if count not in environ:
            raise UsageError(
                summary=f"{index} is set in the environment, but {count} is not.",
                detail=f"Set {count} to the number of tasks, or name the part: --shard 1/1 checks all.",
            )
        try:
            return parse_shard(f"{int(environ[index]) + 1}/{environ[count]}")
        except ValueError as error:
            raise UsageError(
                summary=f"{index} and {count} in the environment do not identify the shard.",
                detail=f"They are `{environ[index]}` (counted from 0) and `{environ[count]}`.",
            ) from error
    return WHOLE


def joined(parts: Sequence[DriftReport]) -> DriftReport:
    """
    The report of all shards of one run.

    Raises UsageError if a shard is missing or duplicate, if shard counts differ, or if an app is in two.
    """
    shards = [_shard(item) for item in parts]
    counts = sorted({item.count for item in shards})
    if len(counts) > 1:
        raise UsageError(
            summary="These reports are from different runs: "
            f"one has {counts[0]:,} shards, another {counts[-1]:,}.",
        )
    indexes = sorted(item.index for item in shards)
    for index in indexes:
        if indexes.count(index) > 1:
            raise UsageError(summary=f"Shard {index}/{counts[0]} is given twice.")
    if missing := sorted(set(range(1, counts[0] + 1)) - set(indexes)):
        names = some_of([f"{index}/{counts[0]}" for index in missing], 5)
        raise UsageError(
            summary=f"Shard {names} is missing.",
            detail="A partial report would hide drift in the other shards. Name the files of all shards.",
        )
    return _joined_reports(parts)


def _shard(report: DriftReport) -> Shard:
    return parse_shard(report.shard) if report.shard else WHOLE


def _joined_reports(parts: Sequence[DriftReport]) -> DriftReport:
    apps = sorted((app for part in parts for app in part.apps), key=app_order)
    for one, other in pairwise(apps):
        if app_order(one) == app_order(other) and one.app:
            raise UsageError(
                summary=f"{one.app} of {one.tree} is in more than one report: they are from different runs."
            )
    first = min((part.checked_at for part in parts), default="")
    unused = dict(sorted(joined_unused(parts).items()))
    return DriftReport(apps=tuple(_once(apps)), checked_at=first, seconds=None, unused=unused)


def _once(apps: Sequence[AppDrift]) -> list[AppDrift]:
    """Without duplicates: every shard reports a tree that cannot be read."""
    found: dict[tuple[str, ...], AppDrift] = {}
    for app in apps:
        found.setdefault(app_order(app), app)
    return list(found.values())


def app_order(app: AppDrift) -> tuple[str, ...]:
    """The sort key of a report: tree, environment, app. Resources of a location come after the apps."""
    return (app.tree, app.environment, "1" if app.app.startswith("@") else "0", app.app)
