"""Relocking: an app that was unlocked is locked again, whatever else fails."""

from collections.abc import Callable
from typing import Any

from cesplan.domain.errors import CesplanError, Interrupted
from cesplan.domain.plan import Purpose, StepId
from cesplan.engine.applying.schedule import Task

Work = Callable[[Callable[[float], None]], Any]
"""A worker's task. Its argument is called with the progress of long-running operations."""

_LEFT_UNLOCKED = "The app is still unlocked. Lock it, or run the same command again."


def relocking(work: Work) -> Work:
    """The same task, repeated without waiting if it was stopped before anything was sent."""

    def run_again(on_progress: Callable[[float], None]) -> Any:
        try:
            return work(on_progress)
        except Interrupted:
            return work(on_progress)

    return run_again


def with_lock_details(task: Task, error: CesplanError) -> CesplanError:
    """An error of a step, with a notice if the app stays unlocked."""
    unlock = StepId(address=task.step.id.address, purpose=Purpose.UNLOCK)
    opened = any(step.id == unlock for step in task.operation.steps)
    if opened and task.step.id.purpose is Purpose.LOCK:
        error.detail = "\n".join(filter(None, (error.detail, _LEFT_UNLOCKED)))
    return error
