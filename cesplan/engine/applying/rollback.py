"""
Rollback: undoing the writes of an apply that failed.

The newest writes are undone first, so that no resource is deleted while another still refers to it. The etags
of this run are sent, so that resources changed since are not touched. At the end all resources are read again,
because only this proves that the previous state is restored. Writes whose response was lost are not undone,
because they may be someone else's.
"""

from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass, field
from functools import partial
from time import monotonic
from typing import Any

from cesplan.domain.errors import CesplanError, NotFound
from cesplan.domain.outcome import Event, NotRolledBack, RolledBack, Started, Undone
from cesplan.domain.plan import Action, Operation, Plan, Step
from cesplan.domain.value import Body
from cesplan.engine.applying.forced_references import Referrer, step_back
from cesplan.engine.applying.inverse import inverse_of, made_otherwise
from cesplan.engine.applying.ledger import Certainty, Ledger, LedgerEntry
from cesplan.engine.applying.ports import OnProgress, Service
from cesplan.engine.applying.send import Writer
from cesplan.engine.applying.tally import Undetermined, Written
from cesplan.engine.applying.verify import changed_since
from cesplan.engine.comparing.resource_names import Target
from cesplan.model.kinds import app_kinds, kind_of

_INTERRUPTED = "interrupted before it could be undone"
_NOT_FOR_CERTAIN_OURS = "the response to one of its writes was lost, so the change may not be ours"
_LATER_STAYS = "a later write of it could not be undone"

Background = Callable[[Operation, Step, Callable[[OnProgress], Any]], Generator[Event, None, Any]]
"""Runs a task that an interrupt cannot break off, and reports its progress. Raises the task's errors."""


@dataclass(slots=True, kw_only=True)
class _Undo:
    """The rollback of one operation."""

    operation: Operation
    seconds: float = 0.0
    writes: int = 0
    because: str = ""
    error: CesplanError | None = None
    lost: list[str] = field(default_factory=list)

    def fail(self, because: str, error: CesplanError | None = None) -> None:
        """Record a failure. Only the first reason is reported."""
        if not self.because:
            self.because, self.error = because, error

    def leave(self, because: str, error: CesplanError | None = None) -> None:
        """Report one more change that could not be undone."""
        self.because = "; ".join(filter(None, (self.because, because)))
        self.error = self.error or error

    def result(self) -> Undone:
        lost = tuple(dict.fromkeys(self.lost))
        if self.because:
            return NotRolledBack(
                operation=self.operation,
                because=self.because,
                error=self.error,
                seconds=self.seconds,
                writes=self.writes,
                lost=lost,
            )
        return RolledBack(operation=self.operation, seconds=self.seconds, writes=self.writes, lost=lost)


class Undoing:
    """Undoes the writes of a ledger."""

    def __init__(self, plan: Plan, service: Service, writer: Writer, ledger: Ledger) -> None:
        self._settings = plan.settings
        self._service = service
        self._writer = writer
        self._ledger = ledger
        self._undos: dict[int, _Undo] = {}
        self._stuck: set[str] = set()
        self._out: set[str] = set()

    def run(self, background: Background, interrupted: Callable[[], bool]) -> Iterator[Event]:
        """Undo everything possible. Yields an event for each request, then the outcome of each operation."""
        for entry in self._ledger.newest_first:
            undo = self._undos.setdefault(id(entry.operation), _Undo(operation=entry.operation))
            started = monotonic()
            yield from self._undo(entry, undo, background, interrupted)
            undo.seconds += monotonic() - started
        yield from self._prove(background)
        yield from (undo.result() for undo in self._undos.values())

    def _undo(
        self, entry: LedgerEntry, undo: _Undo, background: Background, interrupted: Callable[[], bool]
    ) -> Iterator[Event]:
        name = entry.done.target.name
        if entry.certainty is not Certainty.ACKNOWLEDGED:
            # The final read decides whether it took effect. The state before it protects older writes.
            if entry.certainty is Certainty.SEEN:
                self._stuck.add(name)
            return
        if name in self._stuck:
            undo.fail(_LATER_STAYS)
            return
        inverse = inverse_of(entry.done, self._settings.mask_depth)
        undo.lost += inverse.lost
        because = inverse.impossible or (_INTERRUPTED if interrupted() else "")
        if because:
            self._give_up(entry, undo, because)
        elif inverse.step is not None:
            write, give_up = partial(self._write, entry, inverse.step), partial(self._give_up, entry, undo)
            written = yield from self._written(entry, undo, inverse.step, background, write, give_up)
            undo.lost += made_otherwise(entry.done, written.answer or {}) if written else ()
            for referrer in () if name in self._stuck else entry.dropped:
                yield from self._restore(entry, undo, referrer, background, interrupted)

    def _restore(
        self,
        entry: LedgerEntry,
        undo: _Undo,
        referrer: Referrer,
        background: Background,
        interrupted: Callable[[], bool],
    ) -> Iterator[Event]:
        """Restore a reference to a resource that exists again."""
        step = step_back(referrer, self._settings.mask_depth) if referrer.unread is None else None
        if referrer.unread is not None:
            self._leave(undo, referrer, f"it could not be read: {referrer.unread.summary}", referrer.unread)
        elif step is not None and interrupted():
            self._leave(undo, referrer, _INTERRUPTED)
        elif step is not None:
            write = partial(self._put_back, entry, referrer, step)
            leave = partial(self._leave, undo, referrer)
            yield from self._written(entry, undo, step, background, write, leave)

    def _written(
        self,
        entry: LedgerEntry,
        undo: _Undo,
        step: Step,
        background: Background,
        write: Callable[[OnProgress], Written],
        fail: Callable[[str, CesplanError], None],
    ) -> Generator[Event, None, Written | None]:
        """Carry out a write, and count it; None after a failure, which is recorded by `fail`."""
        yield Started(operation=entry.operation, step=step)
        try:
            written: Written = yield from background(entry.operation, step, write)
        except Undetermined as unknown:
            fail(unknown.error.summary, unknown.error)
            return None
        except CesplanError as error:
            fail(error.summary, error)
            return None
        undo.writes += written.writes
        return written

    def _leave(self, undo: _Undo, referrer: Referrer, because: str, error: CesplanError | None = None) -> None:
        where = referrer.address.in_words
        undo.leave(f"the reference to it was not restored in {where}: {because}", error)
        self._out.add(referrer.target.name)

    def _put_back(self, entry: LedgerEntry, referrer: Referrer, step: Step, on_progress: OnProgress) -> Written:
        """Runs in a worker."""
        self._writer.memories.there_again(entry.done.step.id.address)
        return self._writer.write_to(referrer.target, step, on_progress, verifies=True)

    def _write(self, entry: LedgerEntry, step: Step, on_progress: OnProgress) -> Written:
        """Runs in a worker."""
        if step.action is Action.DELETE and (others := self._foreign_contents(entry.done.target)):
            raise CesplanError(
                summary=f"It contains resources that this run did not create: {', '.join(others)}",
                detail="Deleting it would delete them too.",
            )
        return self._writer.write(entry.operation, step, on_progress)

    def _foreign_contents(self, target: Target) -> list[str]:
        """The contents of a new resource that this run did not create."""
        if not target.kind.container:
            return []
        listed = self._service.list_children(target.name, app_kinds(self._settings.api_version))
        return [
            f"{item.kind}/{item.id}"
            for items in listed.values()
            for item in items
            if not kind_of(item.kind).is_made_by_service(item.body)
        ]

    def _give_up(
        self, entry: LedgerEntry, undo: _Undo, because: str, error: CesplanError | None = None
    ) -> None:
        undo.fail(because, error)
        self._stuck.add(entry.done.target.name)

    def _prove(self, background: Background) -> Iterator[Event]:
        """Read everything again. Whatever differs from the previous state counts as not undone."""
        for entries in self._ledger.by_resource.values():
            undos = [self._undos[id(entry.operation)] for entry in entries]
            if any(undo.because for undo in undos):
                continue
            try:
                because = yield from _proof(self._service, entries, background)
            except CesplanError as error:
                because = f"it could not be read again: {error.summary}"
            for undo in undos if because else ():
                undo.fail(because)
        yield from self._prove_restored(background)

    def _proof_of(
        self, entry: LedgerEntry, item: Referrer, background: Background
    ) -> Generator[Event, None, str]:
        found = yield from background(
            entry.operation, entry.done.step, lambda _: _read(self._service, item.target)
        )
        return _mismatch(item.target, item.before, found)

    def _prove_restored(self, background: Background) -> Iterator[Event]:
        """Do the same for resources that only a forced delete of this run has changed."""
        written = self._ledger.by_resource
        oldest = {
            item.target.name: (entry, item)
            for entry in self._ledger.newest_first
            for item in entry.dropped
            if item.target.name not in written
        }
        for entry, item in oldest.values():
            undo = self._undos[id(entry.operation)]
            if item.target.name in self._out:
                continue
            try:
                because = yield from self._proof_of(entry, item, background)
            except CesplanError as error:
                because = f"it could not be read again: {error.summary}"
            if because:
                self._leave(undo, item, because)


def _proof(service: Service, entries: list[LedgerEntry], background: Background) -> Generator[Event, None, str]:
    """Why a resource differs from its state before this run; empty if it does not."""
    first = entries[0]
    target, before = first.done.target, first.done.before
    found = yield from background(first.operation, first.done.step, lambda _: _read(service, target))
    because = _mismatch(target, before, found)
    uncertain = any(entry.certainty is not Certainty.ACKNOWLEDGED for entry in entries)
    return f"{because}; {_NOT_FOR_CERTAIN_OURS}" if because and uncertain else because


def _read(service: Service, target: Target) -> Body | None:
    try:
        return service.get(target.kind, target.name)
    except NotFound:
        return None


def _mismatch(target: Target, before: Body | None, found: Body | None) -> str:
    if before is None:
        return "" if found is None else "it is still there"
    if found is None:
        return "it is gone"
    paths = changed_since(target, before, found)
    return f"it still differs in {', '.join(paths)}" if paths else ""
