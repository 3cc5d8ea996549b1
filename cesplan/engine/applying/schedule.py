"""
Scheduling: which step may be sent next, and the effect of a failure on other steps.

The schedule knows the plan but not the service. A step waits for all steps that it names. If one of those is
not done, the step is skipped, and so are the steps that wait for it. There are two exceptions: an app that was
unlocked is always locked again, and the stamp is written only if nothing failed. It is used by a single thread.
"""

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import field
from enum import StrEnum
from heapq import heappop, heappush

from cesplan.domain.address import Address
from cesplan.domain.frozen import dataclass
from cesplan.domain.plan import Operation, Purpose, Step, StepId

STAMP_LEFT = "the stamp is unchanged because not everything else was applied"
STUCK = "waits for a step that can never be sent"


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """A step that may be sent now. `number` identifies it in the schedule."""

    number: int
    operation: Operation
    step: Step


@dataclass(frozen=True, slots=True, kw_only=True)
class Finished:
    """An operation without remaining steps. `skipped_for` says why steps were not sent; empty if all were."""

    operation: Operation
    skipped_for: str


class _State(StrEnum):
    WAITING = "waiting"
    RUNNING = "running"
    DONE = "done"
    BROKEN = "broken"
    SKIPPED = "skipped"


@dataclass(slots=True, kw_only=True)
class _Node:
    """A step in the graph. `opened_by` is the step that unlocked the app that this one locks again."""

    operation: int
    step: Step
    waits: int = 0
    followers: list[int] = field(default_factory=list)
    state: _State = _State.WAITING
    opened_by: int | None = None

    @property
    def is_stamp(self) -> bool:
        return self.step.id.purpose is Purpose.STAMP

    @property
    def is_before_stamps(self) -> bool:
        return self.step.id.purpose not in (Purpose.STAMP, Purpose.LOCK)


_End = tuple[int, _State, str]
"""The end of a step: its number, its state, and why later steps must not build on it."""


class Schedule:
    """The state of all steps of a plan while it is applied."""

    def __init__(self, operations: Sequence[Operation]) -> None:
        self._operations = operations
        self._nodes = [_Node(operation=at, step=step) for at, o in enumerate(operations) for step in o.steps]
        self._left = [len(item.steps) for item in operations]
        self._skipped_for = [""] * len(operations)
        self._ready: list[int] = []
        self._busy: set[Address] = set()
        self._finished = deque(at for at, left in enumerate(self._left) if not left)
        self._open = len(operations) - len(self._finished)
        self._before_stamps = sum(1 for node in self._nodes if node.is_before_stamps)
        self._flawed = False
        self._halted = ""
        self.running = 0
        self._connect()

    @property
    def is_over(self) -> bool:
        """True if all operations have finished, whether or not `finished` has returned them."""
        return self._open == 0

    def next_task(self) -> Task | None:
        """The next step that may be sent, in plan order. Steps of one resource never overlap."""
        parked: list[int] = []
        found: Task | None = None
        while self._ready and found is None:
            number = heappop(self._ready)
            node = self._nodes[number]
            if node.state is not _State.WAITING:
                continue
            if node.step.id.address in self._busy:
                parked.append(number)
                continue
            found = self._start(number)
        for number in parked:
            heappush(self._ready, number)
        return found

    def done(self, task: Task, taint: str = "") -> None:
        """Record that a step succeeded. `taint` is why later steps must not build on it anyway."""
        self._flawed = self._flawed or bool(taint)
        self._end(task, _State.DONE, taint)

    def failed(self, task: Task) -> None:
        """Record that a step failed or has an unknown outcome: its dependents are skipped."""
        self._end(task, _State.BROKEN, str(task.step.id.address))

    def dropped(self, task: Task, because: str) -> None:
        """Record that a started step was not sent after all."""
        self._end(task, _State.SKIPPED, because)

    def halt(self, because: str) -> None:
        """Start nothing more, except locking unlocked apps again."""
        self._halted = because
        pending = (at for at, node in enumerate(self._nodes) if node.opened_by is None)
        self._settle((at, _State.SKIPPED, because) for at in pending)

    def abandon(self, because: str = STUCK) -> None:
        """Give up on steps that can never be sent, such as steps that wait for each other."""
        self._settle((at, _State.SKIPPED, because) for at in range(len(self._nodes)))

    def finished(self) -> Iterator[Finished]:
        """The operations that have finished since the last call."""
        while self._finished:
            at = self._finished.popleft()
            yield Finished(operation=self._operations[at], skipped_for=self._skipped_for[at])

    def _connect(self) -> None:
        numbers: dict[StepId, int] = {}
        for at, node in enumerate(self._nodes):
            numbers.setdefault(node.step.id, at)
        for at, node in enumerate(self._nodes):
            address = node.step.id.address
            if node.step.id.purpose is Purpose.LOCK:
                node.opened_by = numbers.get(StepId(address=address, purpose=Purpose.UNLOCK))
            # A plan may be part of a larger one. Steps outside it are not waited for.
            for before in sorted({numbers[item] for item in node.step.after if item in numbers}):
                self._nodes[before].followers.append(at)
                node.waits += 1
        for at in range(len(self._nodes)):
            self._offer(at)

    def _start(self, number: int) -> Task:
        node = self._nodes[number]
        node.state = _State.RUNNING
        self._busy.add(node.step.id.address)
        self.running += 1
        return Task(number=number, operation=self._operations[node.operation], step=node.step)

    def _end(self, task: Task, state: _State, because: str) -> None:
        self.running -= 1
        self._busy.discard(task.step.id.address)
        self._nodes[task.number].state = _State.WAITING
        self._settle([(task.number, state, because)])

    def _settle(self, ends: Iterable[_End]) -> None:
        """End steps, with all consequences."""
        work = deque(ends)
        while work:
            number, state, because = work.popleft()
            node = self._nodes[number]
            if node.state is not _State.WAITING:
                continue
            node.state = state
            self._flawed = self._flawed or state is not _State.DONE
            self._count_down(node, because)
            work.extend(self._consequences(number, because))

    def _consequences(self, number: int, because: str) -> Iterator[_End]:
        """The effects of a finished step on others. `because` is empty if they can continue."""
        node = self._nodes[number]
        if node.state is not _State.DONE:
            yield from self._rest_of_operation(number, because)
        for follower in node.followers:
            self._nodes[follower].waits -= 1
            if because and self._nodes[follower].opened_by is None:
                yield follower, _State.SKIPPED, because
            else:
                yield from self._offer(follower)
        if node.is_before_stamps and not self._before_stamps:
            for at in [at for at, item in enumerate(self._nodes) if item.is_stamp]:
                yield from self._offer(at)

    def _count_down(self, node: _Node, because: str) -> None:
        self._before_stamps -= node.is_before_stamps
        if node.state is _State.SKIPPED and not self._skipped_for[node.operation]:
            self._skipped_for[node.operation] = (self._halted or STAMP_LEFT) if node.is_stamp else because
        self._left[node.operation] -= 1
        if not self._left[node.operation]:
            self._open -= 1
            self._finished.append(node.operation)

    def _rest_of_operation(self, number: int, because: str) -> Iterator[_End]:
        """End the later steps of the same operation, which build on this one."""
        operation = self._nodes[number].operation
        for at in range(number + 1, len(self._nodes)):
            if self._nodes[at].operation != operation:
                return
            if self._nodes[at].opened_by is None:
                yield at, _State.SKIPPED, because

    def _offer(self, number: int) -> list[_End]:
        """Queue a step if it waits for nothing more, or end it if it must not be sent."""
        node = self._nodes[number]
        if node.state is not _State.WAITING or node.waits or (node.is_stamp and self._before_stamps):
            return []
        if node.is_stamp and self._flawed:
            return [(number, _State.SKIPPED, STAMP_LEFT)]
        if node.opened_by is not None and self._nodes[node.opened_by].state is not _State.DONE:
            because = self._skipped_for[node.operation] or str(node.step.id.address)
            return [(number, _State.SKIPPED, because)]
        heappush(self._ready, number)
        return []
