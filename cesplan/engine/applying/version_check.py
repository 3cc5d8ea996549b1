"""
Version check: a new version must contain what was reviewed, or it is deleted before a deployment serves it.

The service cannot create a version of only what was reviewed: it copies the app as it is at that moment. So the
copy is compared afterwards. A copy that differs must not keep the name from the tree, because the next run
would find it and serve it.
"""

from collections.abc import Iterator
from dataclasses import replace

from cesplan.domain.errors import CesplanError
from cesplan.domain.plan import Action, Operation, Plan, Purpose, Step, StepId
from cesplan.domain.value import Body
from cesplan.engine.applying.failures import not_as_reviewed
from cesplan.engine.applying.ports import OnProgress, Service
from cesplan.engine.applying.send import Writer
from cesplan.engine.applying.tally import Undetermined, Written
from cesplan.engine.comparing.snapshot import (
    Answered,
    is_in_snapshots,
    snapshot_of,
    unlike_base,
    unlike_snapshot,
)

NO_SNAPSHOT = "the service returned no snapshot, so its contents are unknown"


class VersionCheck:
    """Checks the versions that a run creates. Safe to share between threads, like its writer."""

    def __init__(self, plan: Plan, service: Service, writer: Writer) -> None:
        self._plan = plan
        self._service = service
        self._writer = writer

    def check(self, version: Operation, written: Written, on_progress: OnProgress) -> Written:
        """
        The result of creating a version, after its snapshot was compared.

        A version that is not as reviewed is deleted, and the result is marked as refused.
        """
        snapshot = self._snapshot(version, written)
        if snapshot is None:
            return replace(written, taint=NO_SNAPSHOT, note=NO_SNAPSHOT)
        unlike = tuple(self._differences(version, snapshot))
        if not unlike:
            return written
        undone = self._undo(version, written, on_progress)
        error = not_as_reviewed(self._writer.target(version), unlike, undone.note)
        return replace(undone, note="", refused=error)

    def _snapshot(self, version: Operation, written: Written) -> Body | None:
        """The snapshot from the response to the create, or else from a read."""
        found = snapshot_of(written.answer or {})
        if found is not None:
            return found
        target = self._writer.target(version)
        try:
            return snapshot_of(self._service.get(target.kind, target.name))
        except CesplanError:
            return None

    def _differences(self, version: Operation, snapshot: Body) -> Iterator[str]:
        applied = tuple(self._applied(version))
        yield from unlike_snapshot(snapshot, applied)
        app = version.address.app
        base = self._plan.snapshot_base.get(app)
        if base is not None:
            deleted = self._writer.memories.forced(app)
            targets = [item.target for item in applied]
            yield from unlike_base(snapshot, base, self._plan.namings[app], targets, deleted)

    def _applied(self, version: Operation) -> Iterator[Answered]:
        """The operations that a version waited for and whose results are in its snapshot."""
        waited = {before for step in version.steps for before in step.after}
        for operation in self._plan.operations:
            written = {step.id for step in operation.steps if step.id.purpose is not Purpose.LOCK}
            if is_in_snapshots(operation) and written and written <= waited:
                target = self._writer.target(operation)
                memories = self._writer.memories
                answer, deleted = memories.of(target.name).body, memories.forced(operation.address.app)
                yield Answered(operation=operation, target=target, answer=answer, deleted=deleted)

    def _undo(self, version: Operation, written: Written, on_progress: OnProgress) -> Written:
        """Delete the new version. If that fails, the note of the result says why."""
        if not written.acknowledged:
            return replace(written, note="the response to its create was lost, so it may not be ours")
        step = Step(id=StepId(address=version.address, purpose=Purpose.UNDO), action=Action.DELETE)
        try:
            deleted = self._writer.write_to(self._writer.target(version), step, on_progress, verifies=True)
        except Undetermined as undetermined:
            return replace(written, note=undetermined.error.summary)
        except CesplanError as error:
            return replace(written, note=error.summary)
        return replace(written, writes=written.writes + deleted.writes, answer=None, note="")
