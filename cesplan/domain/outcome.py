"""Outcomes: what happened to each operation of a plan."""

from typing import TypeAlias

from cesplan.domain.errors import CesplanError
from cesplan.domain.frozen import dataclass
from cesplan.domain.plan import Operation, Step


@dataclass(frozen=True, slots=True, kw_only=True)
class Started:
    """A step was sent. This reports progress only; the result is part of the outcome of its operation."""

    operation: Operation
    step: Step


@dataclass(frozen=True, slots=True, kw_only=True)
class Waiting:
    """A long-running operation is still running, `seconds` after it was sent."""

    operation: Operation
    step: Step
    seconds: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Applied:
    """All steps succeeded. `not_converged` names the fields whose value in the response differs."""

    operation: Operation
    seconds: float = 0.0
    writes: int = 1
    not_converged: tuple[str, ...] = ()
    note: str = ""

    @property
    def was_as_planned(self) -> bool:
        """True if there was nothing left to write, because someone else did it after planning; see `note`."""
        return self.writes == 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Failed:
    """
    The service rejected a step, or a conflict prevented it. `writes` counts the steps that succeeded before.
    """

    operation: Operation
    error: CesplanError
    step: Step | None = None
    seconds: float = 0.0
    writes: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Skipped:
    """Not sent. `because` is the address of the earlier failure, or a reason in words."""

    operation: Operation
    because: str
    writes: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Unknown:
    """Sent, but neither the response nor a re-read of the resource shows whether it took effect."""

    operation: Operation
    error: CesplanError
    seconds: float = 0.0
    writes: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class RolledBack:
    """
    The writes of an operation were undone, and a re-read proved that the resource is as it was before.

    `writes` counts the successful writes that undid it. `lost` are lines about what only the service could
    restore, or what is unknown.
    """

    operation: Operation
    seconds: float = 0.0
    writes: int = 0
    lost: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class NotRolledBack:
    """Some or all writes of an operation remain. `because` says why, with the `error` if there was one."""

    operation: Operation
    because: str
    error: CesplanError | None = None
    seconds: float = 0.0
    writes: int = 0
    lost: tuple[str, ...] = ()


Outcome: TypeAlias = Applied | Failed | Skipped | Unknown
"""The outcome of an operation of the plan: exactly one for each."""

Undone: TypeAlias = RolledBack | NotRolledBack
"""The outcome of rolling back an operation after a failure: at most one for each."""

Event: TypeAlias = Started | Waiting | Outcome | Undone
