"""Outcomes: what happened to each operation of a plan."""

from typing import TypeAlias

from cesplan.domain.errors import CesplanError
from cesplan.domain.frozen import dataclass
from cesplan.domain.plan import Operation, Step


@dataclass(frozen=True, slots=True, kw_only=True)
class Started:
    """A step was sent. Progress only; every step that starts ends in one of the outcomes of its operation."""

    operation: Operation
    step: Step


@dataclass(frozen=True, slots=True, kw_only=True)
class Waiting:
    """A long-running operation goes on; `seconds` since it was sent."""

    operation: Operation
    step: Step
    seconds: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Applied:
    """All steps were acknowledged. `not_converged` names fields whose answer differs from what was asked."""

    operation: Operation
    seconds: float = 0.0
    writes: int = 1
    not_converged: tuple[str, ...] = ()
    note: str = ""

    @property
    def was_as_planned(self) -> bool:
        """True if nothing was left to write: another did it since the plan was made, `note` says how."""
        return self.writes == 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Failed:
    """A step was refused by the service, or by a conflict. `writes` counts steps acknowledged before it."""

    operation: Operation
    error: CesplanError
    step: Step | None = None
    seconds: float = 0.0
    writes: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Skipped:
    """Not sent, because of `because`: the address of what failed before it, or a reason in words."""

    operation: Operation
    because: str
    writes: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Unknown:
    """Sent, and neither the answer nor a look at the resource could tell whether it took effect."""

    operation: Operation
    error: CesplanError
    seconds: float = 0.0
    writes: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class RolledBack:
    """
    What an operation wrote was taken back, and a re-read proved that its resource is what it was.

    `writes` counts the acknowledged writes that took it back; `lost` are lines about what only the service
    could create again, or that are unknown.
    """

    operation: Operation
    seconds: float = 0.0
    writes: int = 0
    lost: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class NotRolledBack:
    """Writes of an operation are still there, all or in part: `because`, and `error` if there was one."""

    operation: Operation
    because: str
    error: CesplanError | None = None
    seconds: float = 0.0
    writes: int = 0
    lost: tuple[str, ...] = ()


Outcome: TypeAlias = Applied | Failed | Skipped | Unknown
"""What became of an operation of the plan: exactly one for each."""

Undone: TypeAlias = RolledBack | NotRolledBack
"""What became of what an operation wrote, where a failure was rolled back: at most one for each."""

Event: TypeAlias = Started | Waiting | Outcome | Undone
