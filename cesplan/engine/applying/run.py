"""
Applying a plan through a port to the service.

Workers send steps and put the results into an inbox. Everything else, such as the schedule, runs in the thread
that consumes the events. So nothing here needs a lock, and the apply stops if its consumer does.
"""

from collections.abc import Callable, Generator, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from queue import Empty, SimpleQueue
from time import monotonic
from typing import Any, assert_never

from cesplan.domain.errors import CesplanError, Interrupted
from cesplan.domain.frozen import dataclass
from cesplan.domain.options import ApplyOptions
from cesplan.domain.outcome import Event, Failed, Started, Waiting
from cesplan.domain.plan import Operation, Plan, Purpose, Step, steps_of
from cesplan.domain.service.side_by_side import ATTENTION, side_by_side
from cesplan.domain.value import Body
from cesplan.engine.applying.failures import not_awaited, unexpected
from cesplan.engine.applying.ledger import Ledger
from cesplan.engine.applying.ports import Service
from cesplan.engine.applying.relock import Work, relocking, with_lock_details
from cesplan.engine.applying.rollback import Undoing
from cesplan.engine.applying.schedule import Schedule, Task
from cesplan.engine.applying.send import Writer
from cesplan.engine.applying.tally import Tally, Undetermined, Written
from cesplan.engine.applying.version_check import VersionCheck
from cesplan.engine.comparing.convergence import not_converged
from cesplan.engine.comparing.resource_names import Target
from cesplan.engine.comparing.snapshot import makes_version

INTERRUPTED = "interrupted"
"""Why the remaining steps are skipped after `stop`."""


def apply(
    plan: Plan,
    service: Service,
    options: ApplyOptions,
    last: Callable[[], Iterator[Event]] | None = None,
    explain: Callable[[Failed], None] | None = None,
) -> "Applying":
    """
    Apply a plan. Returns an iterator of events, with exactly one outcome for each operation.

    The events of `last` follow at the end: facts that are only known after all writes. `explain` may add the
    service's details to a failure.

    Nothing is sent before the first event is requested. Failures are outcomes and never raised. Only an
    inconsistent plan raises KeyError, before anything is sent.
    """
    return Applying(plan, service, options, last, explain)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Report:
    """The result of a step that was sent."""

    task: Task
    result: Any
    seconds: float


@dataclass(frozen=True, slots=True)
class _Wake:
    """Wakes up the main loop."""


_Message = _Report | Waiting | _Wake


class Applying(Iterator[Event]):
    """
    A running apply.

    A KeyboardInterrupt while it waits means `stop`, and a second one `abandon`. Because an interrupt may also
    occur between two events, commands should call these methods from a signal handler, which is safe.
    """

    def __init__(
        self,
        plan: Plan,
        service: Service,
        options: ApplyOptions,
        last: Callable[[], Iterator[Event]] | None = None,
        explain: Callable[[Failed], None] | None = None,
    ) -> None:
        self._options = options
        self._explain = explain or (lambda failed: None)
        self._last = last
        self._workers = max(1, options.workers)
        self._writer = Writer(plan, service, may_roll_back=options.on_error == "rollback", held=options.held)
        self._versions = VersionCheck(plan, service, self._writer)
        self._schedule = Schedule(plan.operations)
        self._tallies = {id(item): Tally(operation=item) for item in plan.operations}
        self._plan = plan
        self._ledger = Ledger()
        self._service = service
        self._inbox: SimpleQueue[_Message] = SimpleQueue()
        self._running: dict[int, Task] = {}
        self._stopping = False
        self._why = INTERRUPTED
        self._abandoned = False
        self._failed = False
        self._events = self._run()

    def __next__(self) -> Event:
        return next(self._events)

    @property
    def interrupted(self) -> bool:
        """True after a person requested a stop."""
        return self._stopping and self._why == INTERRUPTED

    @property
    def stopped(self) -> bool:
        """True after a stop was requested, by a person or because the run must not continue."""
        return self._stopping

    @property
    def unstamped(self) -> list[tuple[Target, Body]]:
        """The written resources that exist, in their last state, in apps that this run did not stamp."""
        entries = [*reversed(self._ledger.newest_first)]
        stamped = {item.operation.address.app for item in entries if item.done.step.id.purpose is Purpose.STAMP}
        last = {
            item.done.target.name: item.done
            for item in entries
            if item.operation.address.app not in stamped and item.done.target.naming.app_id
        }
        return [(item.target, item.answer) for item in last.values() if item.answer is not None]

    def stop(self, because: str = INTERRUPTED) -> None:
        """
        Start nothing more, and wait only for the responses to requests in flight, which are reported. Unlocked
        apps are locked again. `because` is the reason for the skipped steps; by default they were interrupted.

        It may be called from any thread and from a signal handler.
        """
        if not self._stopping or because == INTERRUPTED:
            self._why = because
        self._stopping = True
        self._inbox.put(_Wake())

    def abandon(self) -> None:
        """
        Do not even wait for responses: the outcome of requests in flight is unknown, and apps stay unlocked.
        """
        self._abandoned = True
        self.stop()

    def close(self) -> None:
        """Wait for the responses to requests in flight, but for no retry, and report nothing more."""
        self._events.close()

    def _run(self) -> Generator[Event, None, None]:
        with side_by_side(self._workers, self.abandon, lambda: self._abandoned) as pool:
            try:
                yield from self._through(pool)
            except GeneratorExit:
                self._service.interrupt()
                raise
        if self._last is not None:
            yield from self._last()

    def _through(self, pool: ThreadPoolExecutor) -> Iterator[Event]:
        """The events of all operations, and of a rollback."""
        yield from self._outcomes()
        while not self._schedule.is_over:
            self._act_on_stop()
            yield from self._start(pool)
            if self._schedule.running:
                yield from self._receive()
            elif not self._schedule.is_over:
                self._schedule.abandon()
            yield from self._outcomes()
        if self._rolls_back:
            undoing = Undoing(self._plan, self._service, self._writer, self._ledger)
            yield from undoing.run(partial(self._in_background, pool), lambda: self._stopping)

    def _act_on_stop(self) -> None:
        """Act on a requested stop, and on a second one."""
        if self._stopping:
            self._schedule.halt(self._why)
        if self._abandoned:
            for task in [*self._running.values()]:
                unknown = Undetermined(error=not_awaited(self._writer.target(task.operation)))
                self._settle(_Report(task=task, result=unknown, seconds=0.0))
            unlocked = any(step.id.purpose is Purpose.UNLOCK for step in steps_of(self._plan))
            self._schedule.abandon(
                f"{INTERRUPTED}; the unlocked apps stay unlocked" if unlocked else INTERRUPTED
            )

    @property
    def _rolls_back(self) -> bool:
        """Whether to roll back. Not after a requested stop, which must start nothing more."""
        return self._failed and self._options.on_error == "rollback" and not self._stopping

    def _start(self, pool: ThreadPoolExecutor) -> Iterator[Event]:
        while self._schedule.running < self._workers and (task := self._schedule.next_task()) is not None:
            self._running[task.number] = task
            pool.submit(self._work, task)
            yield Started(operation=task.operation, step=task.step)

    def _work(self, task: Task) -> None:
        """Send one step and report the result, whatever happens. Runs in a worker."""
        write = partial(self._write, task)
        self._report(task, relocking(write) if task.step.id.purpose is Purpose.LOCK else write)

    def _write(self, task: Task, on_progress: Callable[[float], None]) -> Written:
        written = self._writer.write(task.operation, task.step, on_progress)
        if makes_version(task.operation) and written.answer is not None:
            return self._versions.check(task.operation, written, on_progress)
        return written

    def _report(self, task: Task, work: Work) -> None:
        started = monotonic()
        try:
            result = work(self._waiting(task))
        except (CesplanError, Undetermined) as error:
            result = error
        except BaseException as error:
            result = unexpected(self._writer.target(task.operation), error)
            result.__cause__ = error
        self._inbox.put(_Report(task=task, result=result, seconds=monotonic() - started))

    def _in_background(
        self,
        pool: ThreadPoolExecutor,
        operation: Operation,
        step: Step,
        work: Work,
    ) -> Generator[Event, None, Any]:
        """Run one task in a worker while nothing else runs, and return its result or raise its error."""
        if not self._abandoned:
            pool.submit(self._report, Task(number=-1, operation=operation, step=step), work)
        while self._abandoned or not isinstance(message := self._next_message(), _Report):
            if self._abandoned:
                raise not_awaited(self._writer.target(operation))
            if isinstance(message, Waiting):
                yield message
        if isinstance(message.result, Exception):
            raise message.result
        return message.result

    def _waiting(self, task: Task) -> Callable[[float], None]:
        def tell(seconds: float) -> None:
            self._inbox.put(Waiting(operation=task.operation, step=task.step, seconds=seconds))

        return tell

    def _next_message(self) -> _Message:
        message: _Message | None = None
        while message is None:
            try:
                message = self._inbox.get(timeout=ATTENTION)
            except Empty:
                continue
            except KeyboardInterrupt:
                if self._abandoned:
                    raise
                self._stopping, self._abandoned = True, self._stopping
                message = _Wake()
        if isinstance(message, _Wake):
            self._service.interrupt()
        return message

    def _receive(self) -> Iterator[Event]:
        match self._next_message():
            case Waiting() as message:
                yield message
            case _Report() as report:
                self._settle(report)
            case _Wake():
                return
            case other:
                assert_never(other)

    def _settle(self, report: _Report) -> None:
        task, tally = report.task, self._tallies[id(report.task.operation)]
        tally.seconds += report.seconds
        self._running.pop(task.number, None)
        match report.result:
            case Written(refused=CesplanError() as error) as written:
                self._note(tally, task.step, written)
                tally.fail(task.step, error)
            case Written() as written:
                self._note(tally, task.step, written)
                if written.taint:
                    tally.not_converged = ("snapshot",)
                self._schedule.done(task, written.taint)
                return
            case Undetermined() as undetermined:
                tally.unknown = tally.unknown or undetermined.error
                self._doubt(task)
            case Interrupted():
                self._schedule.dropped(task, self._why)
                return
            case CesplanError() as error:
                tally.fail(task.step, with_lock_details(task, error))
        self._schedule.failed(task)
        self._failed = True
        if self._options.on_error != "continue":
            self._schedule.halt(f"stopped after {task.operation.address}")

    def _doubt(self, task: Task) -> None:
        target = self._writer.target(task.operation)
        before = self._writer.memories.of(target.name).body
        self._ledger.doubt(task.operation, task.step, target, before)

    def _note(self, tally: Tally, step: Step, written: Written) -> None:
        if written.refused is None or written.answer is not None:
            self._ledger.note(tally.operation, step, self._writer.target(tally.operation), written)
        tally.writes += written.writes
        tally.note(written.note)
        tally.answer = written.answer

    def _outcomes(self) -> Iterator[Event]:
        for finished in self._schedule.finished():
            tally = self._tallies.pop(id(finished.operation))
            if tally.answer is not None and not finished.skipped_for and tally.failure is None:
                found = not_converged(self._writer.target(tally.operation), tally.operation, tally.answer)
                tally.not_converged = (*tally.not_converged, *found)
            outcome = tally.outcome(finished.skipped_for)
            if isinstance(outcome, Failed) and not self._stopping:
                self._explain(outcome)
            yield outcome
