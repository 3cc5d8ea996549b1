"""
Sending: one step of a plan, until its outcome is final.

Before each attempt, the resource must be as the plan saw it. After a rejected etag, the change may be our own
side effect. After a lost response, a re-read of the resource decides. No change by someone else is overwritten,
and nothing is created twice.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from threading import Lock

from cesplan.domain.app_metadata.lease import HeldLeases
from cesplan.domain.errors import AlreadyExists, CesplanError, Conflict, LostResponse, NotFound
from cesplan.domain.live import LiveApp, LiveResource
from cesplan.domain.plan import Action, Operation, Plan, Purpose, Step
from cesplan.domain.resource_name import last_id
from cesplan.domain.value import Body
from cesplan.engine.applying.failures import (
    answered_with_another,
    contents_moved,
    empty_mask,
    gone,
    moved,
    not_ours,
    referred_since,
    remade,
    taken,
    undetermined,
    unexpected,
)
from cesplan.engine.applying.forced_references import Referrer, as_left, newcomers, referrers_of
from cesplan.engine.applying.lost_answers import Effect, effect_of
from cesplan.engine.applying.memory import Memories
from cesplan.engine.applying.ports import OnProgress, Service
from cesplan.engine.applying.tally import ALREADY_AS_PLANNED, ALREADY_GONE, Undetermined, Written
from cesplan.engine.applying.verify import changed_since, is_as_planned
from cesplan.engine.applying.wire import to_wire
from cesplan.engine.comparing.copies import by_id, contents_of
from cesplan.engine.comparing.normalize import references
from cesplan.engine.comparing.resource_names import Target, target_in, target_of
from cesplan.model.kinds import app_kinds, kind_of


@dataclass(slots=True, kw_only=True)
class _Attempt:
    """
    One step while it is sent. `lost` is the last lost response. Each chance to resend is used only once.

    `verifies` says whether the resource is read before each attempt, and `check` is an additional check then.
    `missing`: it should be deleted, and the last read did not find it.
    """

    target: Target
    step: Step
    on_progress: OnProgress
    verifies: bool
    check: Callable[[], None] | None = None
    missing: bool = False
    may_adopt: bool = True
    may_repeat: bool = True
    lost: LostResponse | None = field(default=None)


class Writer:
    """Sends steps. Shared by all workers; steps of one resource must not overlap."""

    def __init__(
        self, plan: Plan, service: Service, *, may_roll_back: bool = False, held: HeldLeases | None = None
    ) -> None:
        """Raises KeyError if the plan has an operation for an app without ids."""
        self._service = service
        self._settings = plan.settings
        self._may_roll_back = may_roll_back
        self._held = held or HeldLeases()
        self._forcing = Lock()
        self._targets: Mapping[int, Target] = {id(item): target_of(plan, item) for item in plan.operations}
        self._contents = plan.contents
        self._named_versions = plan.named_versions
        self._operations = plan.operations  # keeps them alive, because their identity is the key
        self.memories = Memories((self.target(item).name, item) for item in plan.operations)

    def target(self, operation: Operation) -> Target:
        """The resource that an operation of the plan writes."""
        return self._targets[id(operation)]

    def write(self, operation: Operation, step: Step, on_progress: OnProgress) -> Written:
        """
        Send a step until its outcome is final.

        Raises CesplanError if it did not take effect (Conflict if it would have overwritten someone else's
        change), and Undetermined if the outcome is unknown.
        """
        target = self.target(operation)
        if step.force:
            return self._delete_by_force(operation, target, step, on_progress)
        takes_all = step.action is Action.DELETE and target.kind.container is not None
        named = [] if step.action is Action.DELETE else [*self._versions_named(operation, target, step)]
        check = partial(self._check_versions, target, named) if named else None
        if takes_all:
            check = partial(self._check_contents, operation, target)
        try:
            return self.write_to(target, step, on_progress, check=check)
        except Conflict:
            found = self._as_planned(operation, target, step)
            if found is None:
                raise
        self.memories.keep(target.name, found)
        return Written(writes=0, answer=found, note=ALREADY_AS_PLANNED, acknowledged=False)

    def _check_contents(self, operation: Operation, target: Target) -> None:
        """Raise Conflict if the contents of an app to delete are not as the plan saw them."""
        listed = self._service.list_children(target.name, app_kinds(self._settings.api_version))
        app = LiveApp(app=LiveResource(kind=target.kind.name, body={"name": target.name}), children=listed)
        then, now = by_id(self._contents.get(operation.address.app, ())), by_id(contents_of(app))
        moved_ones = [
            key for key in sorted({*then, *now}) if not self._is_same(target, then.get(key), now.get(key))
        ]
        if moved_ones:
            names = ["/".join(key) for key in moved_ones]
            raise contents_moved(target, names, f"{target.name}/{names[0]}")

    def _versions_named(self, operation: Operation, target: Target, step: Step) -> Iterator[LiveResource]:
        """The versions that a write refers to, as the plan saw them."""
        versions = self._named_versions.get(operation.address.app, ())
        for name in {name for _, name in references(target.kind.spec, step.body)} if versions else ():
            yield from (item for item in versions if target.naming.to_name(name) == item.name)

    def _check_versions(self, target: Target, versions: Sequence[LiveResource]) -> None:
        """Raise Conflict if a version was re-created or deleted."""
        for item in versions:
            version = target_in(target.naming, kind_of(item.kind), item.id)
            try:
                found = self._service.get(version.kind, version.name)
            except NotFound as error:
                raise gone(version) from error
            if found.get("createTime") != item.body.get("createTime"):
                raise remade(version)

    def _is_same(self, app: Target, then: LiveResource | None, now: LiveResource | None) -> bool:
        if then is None or now is None:
            return False
        target = target_in(app.naming, kind_of(now.kind), now.id)
        return not changed_since(target, then.body, now.body)

    def _as_planned(self, operation: Operation, target: Target, step: Step) -> Body | None:
        """The live resource after a conflict, if it already is as planned; else None."""
        try:
            found = self._read(target)
        except CesplanError:
            return None
        return found if is_as_planned(target, operation, step, found) else None

    def _delete_by_force(
        self, operation: Operation, target: Target, step: Step, on_progress: OnProgress
    ) -> Written:
        """Delete by force. The service also changes the referrers, all of which the plan must list."""
        referrers: tuple[Referrer, ...] = ()

        def check() -> None:
            nonlocal referrers
            referrers = referrers_of(self._service, step.id.address, target, self._settings.api_version)
            if strange := newcomers(operation, referrers):
                raise referred_since(target, [str(item.address) for item in strange])

        with self._forcing:  # one at a time, because each changes the references between others
            written = self.write_to(target, step, on_progress, check=check)
            dropped = as_left(self._service, referrers) if written.writes and self._may_roll_back else ()
        for item in dropped:
            if item.after is not None:
                self.memories.keep(item.target.name, item.after)
        return replace(written, dropped=dropped)

    def write_to(
        self,
        target: Target,
        step: Step,
        on_progress: OnProgress,
        *,
        verifies: bool = False,
        check: Callable[[], None] | None = None,
    ) -> Written:
        """
        Do the same for any resource. `verifies` reads it first, whatever the settings.

        `check` is called before each attempt, and raises if the write must not be sent.
        """
        looks = verifies or self._settings.verify_before_write or step.id.purpose is Purpose.STAMP
        attempt = _Attempt(target=target, step=step, on_progress=on_progress, verifies=looks, check=check)
        if step.action is Action.UPDATE and not step.mask:
            raise empty_mask(attempt.target)
        if target.kind.stamp_field in {path.fields[0] for path in step.mask} and step.action is Action.UPDATE:
            with self._held.lock:
                attempt.step = self._with_lease(target, step)
                written = self._carry_out(attempt)
        else:
            written = self._carry_out(attempt)
        written = replace(written, before=self.memories.of(target.name).body)
        self._remember(target, written)
        return written

    def _with_lease(self, target: Target, step: Step) -> Step:
        """The same write to an app's metadata, including the lease of this run."""
        name = target.kind.stamp_field
        keys = self._held.keys_of(target.name)
        return (
            replace(step, body={**step.body, name: {**(step.body.get(name) or {}), **keys}}) if keys else step
        )

    def _verify(self, attempt: _Attempt) -> str:
        """
        The etag to send, after a read has confirmed that the resource is as this run last saw it.

        Raises Conflict if it is not, and NotFound if it should be deleted but does not exist.
        """
        if attempt.verifies:
            self._check_unmoved(attempt)
        if attempt.check is not None:
            attempt.check()
        if attempt.step.force:
            self.memories.force(attempt.step.id.address)
        return self.memories.of(attempt.target.name).etag

    def _check_unmoved(self, attempt: _Attempt) -> None:
        """Read before sending. If the read fails, the effect of an earlier lost write stays unknown."""
        try:
            self._reread(attempt, cause=None)
        except (Conflict, NotFound):
            attempt.may_adopt = False  # this read is current, so another one adds nothing
            raise
        except CesplanError as look:
            if attempt.lost is None:
                raise
            raise Undetermined(error=undetermined(attempt.target, attempt.lost, look)) from look

    def _reread(self, attempt: _Attempt, cause: Conflict | None) -> None:
        """
        Adopt the new etag of a resource that is still as this run last saw it.

        Raises Conflict if it has changed or been deleted, and NotFound if it should be deleted but no longer
        exists.
        """
        target = attempt.target
        try:
            found = self._read(target)
        except NotFound as error:
            if attempt.step.action is Action.DELETE:
                attempt.missing = True
                raise
            raise gone(target) from (cause or error)
        memory = self.memories.of(target.name)
        if memory.body is not None:
            paths = changed_since(target, memory.body, found, attempt.step.mask, self._forced(attempt))
            if paths:
                raise moved(target, paths) from cause
        elif cause is not None:
            raise cause
        self.memories.keep(target.name, found)

    def _carry_out(self, attempt: _Attempt) -> Written:
        """Send until the outcome is known. Each chance to resend is used at most once."""
        while True:
            try:
                return self._send(attempt)
            except (Conflict, AlreadyExists, NotFound, LostResponse) as error:
                done = self._after(attempt, error)
            if done is not None:
                return done

    def _after(self, attempt: _Attempt, error: CesplanError) -> Written | None:
        """The result after an error: the write if it is done, or None to resend. Otherwise raises the error."""
        is_delete = attempt.step.action is Action.DELETE
        match error:
            case Conflict() if attempt.may_adopt and attempt.step.action is not Action.CREATE:
                attempt.may_adopt = False
                return self._adopt(attempt, error)
            case Conflict() if attempt.lost is not None:  # a write that seemed lost may have arrived late
                return self._look(attempt, attempt.lost)
            case NotFound() if attempt.missing:
                return _gone_by_now(attempt)
            case NotFound() if is_delete:
                return self._confirm_gone(attempt, error)
            case AlreadyExists() if attempt.lost is not None:
                return self._look(attempt, attempt.lost, exists=True)
            case AlreadyExists() if attempt.step.action is Action.CREATE and self._is_there(attempt.target):
                raise taken(attempt.target, error) from error
            case LostResponse():
                return self._look(attempt, error)
        raise error

    def _confirm_gone(self, attempt: _Attempt, error: NotFound) -> Written:
        """
        After NOT_FOUND for a delete, which may be about something else: a re-read shows whether it is gone.
        """
        try:
            self._read(attempt.target)
        except NotFound:
            return _gone_by_now(attempt)
        except CesplanError as look:
            if attempt.lost is not None:
                raise Undetermined(error=undetermined(attempt.target, attempt.lost, look)) from error
        raise error

    def _is_there(self, target: Target) -> bool:
        """False if ALREADY_EXISTS was about a unique name, not the id."""
        try:
            self._read(target)
        except CesplanError:
            return False
        return True

    def _adopt(self, attempt: _Attempt, conflict: Conflict) -> Written | None:
        """After ABORTED: adopt the new etag if only our own side effect changed the resource."""
        if attempt.verifies and self.memories.of(attempt.target.name).body is not None:
            return None  # it is read before the write is resent
        try:
            self._reread(attempt, conflict)
        except Conflict:
            raise
        except CesplanError as error:
            if attempt.missing:
                return _gone_by_now(attempt)
            raise conflict from error
        return None

    def _look(self, attempt: _Attempt, lost: LostResponse, *, exists: bool = False) -> Written | None:
        """After a lost response: the write if it is done, or None if it may be resent."""
        target, attempt.lost = attempt.target, lost
        found = self._found(target, lost)
        before = self.memories.of(target.name).body
        effect = effect_of(target, attempt.step, before, found, self._forced(attempt))
        match effect:
            case Effect.TOOK:
                return Written(answer=found, acknowledged=False)
            case Effect.OTHER:
                raise _written_elsewhere(attempt, found) from lost
            case Effect.NONE | Effect.UNDECIDED if attempt.may_repeat and not lost.accepted:
                attempt.may_repeat = False
                if found is not None:
                    self.memories.keep(target.name, found)
                return None
            case Effect.NONE if not exists and not lost.accepted:
                raise lost
        raise Undetermined(error=undetermined(target, lost)) from lost

    def _forced(self, attempt: _Attempt) -> frozenset[str]:
        return self.memories.forced(attempt.step.id.address.app)

    def _found(self, target: Target, lost: LostResponse) -> Body | None:
        try:
            return self._read(target)
        except NotFound:
            return None
        except CesplanError as error:
            raise Undetermined(error=undetermined(target, lost, error)) from lost

    def _read(self, target: Target) -> Body:
        try:
            return self._service.get(target.kind, target.name)
        except CesplanError:
            raise
        except Exception as error:
            raise unexpected(target, error) from error

    def _send(self, attempt: _Attempt) -> Written:
        """
        Send once. After an unexpected failure the write may have taken effect, so the response counts as lost.
        """
        body = to_wire(attempt.target.kind.spec, attempt.step.body, attempt.target.naming, attempt.step.mask)
        try:
            return self._request(attempt, body)
        except (CesplanError, Undetermined):
            raise
        except Exception as error:
            cause = unexpected(attempt.target, error)
            raise LostResponse(summary=cause.summary, resource=attempt.target.name) from error

    def _request(self, attempt: _Attempt, body: Body) -> Written:
        target, step, verify = attempt.target, attempt.step, partial(self._verify, attempt)
        match step.action:
            case Action.CREATE:
                answer = self._service.create(
                    target.kind, target.parent, target.resource_id, body, attempt.on_progress
                )
                _check_identity(target, answer)
                return Written(answer=answer)
            case Action.UPDATE:
                body = {**body, "name": target.name}
                return Written(answer=self._service.update(target.kind, target.name, body, step.mask, verify))
            case Action.DELETE:
                self._service.delete(target.kind, target.name, "", step.force, attempt.on_progress, verify)
                return Written()

    def _remember(self, target: Target, written: Written) -> None:
        if written.answer is None:
            self.memories.forget(target.name)
        else:
            self.memories.keep(target.name, written.answer)


def _gone_by_now(attempt: _Attempt) -> Written:
    """The result if nothing is left to delete. After a lost response, our own delete did it."""
    return Written(acknowledged=False) if attempt.lost else Written(writes=0, note=ALREADY_GONE)


def _written_elsewhere(attempt: _Attempt, found: Body | None) -> Conflict:
    """The error if the state after a lost response is neither the previous one nor the one that was sent."""
    if found is None:
        return gone(attempt.target)
    return not_ours(attempt.target) if attempt.step.action is Action.CREATE else moved(attempt.target)


def _check_identity(target: Target, answer: Body) -> None:
    """
    Raise if a create returned another resource: the service may return an existing version of an unchanged app.
    """
    name = str(answer.get("name") or target.name)
    if last_id(name) != target.resource_id:
        raise answered_with_another(target, name)
