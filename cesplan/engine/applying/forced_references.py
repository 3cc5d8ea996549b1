"""
Forced references: references that a forced delete removes from other resources, so that a rollback can restore
them.

The referrers of a resource, in the tree or not, are read just before the delete: all must be listed in the
plan. They are read again just after, to see what the service changed. A rollback restores only the differences,
and only if the referrer is still as the delete left it.
"""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from cesplan.domain.address import APPS, Address, app_address
from cesplan.domain.errors import CesplanError
from cesplan.domain.frozen import dataclass
from cesplan.domain.plan import Action, Operation, Purpose, Step, StepId
from cesplan.domain.settings import MaskDepth
from cesplan.domain.value import Body
from cesplan.engine.applying.inverse import Acknowledged, inverse_of
from cesplan.engine.applying.ports import Reader
from cesplan.engine.comparing.normalize import normalize, references
from cesplan.engine.comparing.resource_names import Target, target_in
from cesplan.model.kinds import app_kinds, kind_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Referrer:
    """
    A resource that referred to a resource deleted by force.

    `before` and `after` are its bodies before and after the delete. If there is no `after`, `unread` says why.
    """

    address: Address
    target: Target
    before: Body
    after: Body | None = None
    unread: CesplanError | None = None


def referrers_of(service: Reader, address: Address, target: Target, api_version: str) -> tuple[Referrer, ...]:
    """All current referrers of a resource in its app. Raises the errors of reading."""
    named = (item for item in _candidates(service, address, target, api_version) if item.address != address)
    return tuple(item for item in named if _refers(item, address.within_app))


def newcomers(operation: Operation, referrers: Iterable[Referrer]) -> tuple[Referrer, ...]:
    """Referrers that were added after the plan was made: changing them was not approved."""
    known = {*operation.used_by, *operation.still_used_by}
    return tuple(item for item in referrers if item.address not in known)


def as_left(service: Reader, referrers: Iterable[Referrer]) -> tuple[Referrer, ...]:
    """The referrers after the delete. Read errors are stored in them, never raised."""
    return tuple(_as_left(service, item) for item in referrers)


def step_back(referrer: Referrer, depth: MaskDepth) -> Step | None:
    """The update that restores the reference; None if it is still there."""
    own = Step(id=StepId(address=referrer.address, purpose=Purpose.UNDO), action=Action.UPDATE)
    done = Acknowledged(target=referrer.target, step=own, before=referrer.before, answer=referrer.after)
    return inverse_of(done, depth).step


def _candidates(service: Reader, address: Address, target: Target, api_version: str) -> Iterator[Referrer]:
    """The app, and everything in it that can be updated."""
    naming = target.naming
    app = kind_of(APPS)
    yield Referrer(
        address=app_address(address.app),
        target=target_in(naming, app, naming.app_id),
        before=service.get(app, naming.app_name),
    )
    kinds = [kind for kind in app_kinds(api_version) if kind.updatable]
    for name, items in service.list_children(naming.app_name, kinds).items():
        for item in items:
            where = address.sibling(f"{name}/{naming.key_of(name, item.id)}")
            yield Referrer(address=where, target=target_in(naming, kind_of(name), item.id), before=item.body)


def _refers(referrer: Referrer, reference: str) -> bool:
    spec = referrer.target.kind.spec
    body = normalize(spec, referrer.before, referrer.target.naming).body
    return any(found == reference for _, found in references(spec, body))


def _as_left(service: Reader, referrer: Referrer) -> Referrer:
    try:
        return replace(referrer, after=service.get(referrer.target.kind, referrer.target.name))
    except CesplanError as error:
        return replace(referrer, unread=error)
