"""The findings and actions of a release command, as one value for all formats."""

from dataclasses import field
from datetime import datetime
from enum import StrEnum
from typing import Any

from cesplan.domain.features.gate import GatePlan, GateReport
from cesplan.domain.features.release import Release
from cesplan.domain.frozen import dataclass
from cesplan.domain.settings import Settings
from cesplan.features.releases.canary import CanaryReport
from cesplan.features.releases.split import Position


class Ending(StrEnum):
    """How a command ended; each has its exit code."""

    DONE = "done"
    """The command did what was asked, or nothing is due."""
    REFUSED = "refused"
    """The gate failed, or the canary was worse than allowed."""
    INCONCLUSIVE = "inconclusive"
    """The gate is inconclusive."""
    HOLDING = "holding"
    """The step needs more time or more conversations."""
    FOREIGN = "foreign"
    """Someone else moved the traffic."""
    PARTIAL = "partial"
    """The outcome of the move is not known, or live differs from what was written."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Move:
    """One move of the traffic: the share written, and when; `action` is start, step, or abort."""

    action: str
    percent: int
    time: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """
    The record of a release besides the live split: the fields of the deployment before it, and its moves. It
    decides only what `abort` restores, and only if live agrees.
    """

    before: dict[str, Any] | None = None
    moves: tuple[Move, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ReleaseReport:
    """
    `position` is the current position of the release, `moved_from` the previous one if this command moved it.
    `summary` gives the result of the command in one sentence.
    """

    action: str
    service: Settings
    release: Release
    position: Position
    ending: Ending
    summary: str
    moved_from: Position | None = None
    plan: GatePlan | None = None
    gate: GateReport | None = None
    canary: CanaryReport | None = None
    not_converged: tuple[str, ...] = ()
    notices: tuple[str, ...] = field(default=())
