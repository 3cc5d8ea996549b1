"""Plans written by hand, one operation a line, and what came of applying them."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any, TypeVar

from cesplan.domain.address import Address
from cesplan.domain.field_path import mask_path
from cesplan.domain.options import ApplyOptions
from cesplan.domain.outcome import Applied, Event, Failed, Outcome, Skipped, Unknown
from cesplan.domain.plan import Action, Operation, Plan, Purpose, Reason, Step, StepId
from cesplan.domain.settings import Settings
from cesplan.domain.value import Body
from cesplan.engine.applying.run import apply
from tests.unit.engine.builders import APP, NAMING, PLACE, address
from tests.unit.engine.memory_service import MemoryService

_O = TypeVar("_O", Applied, Failed, Skipped, Unknown)


def step_id(text: str, purpose: Purpose = Purpose.MAIN) -> StepId:
    """`agents/front-desk`, empty for the app; `agents/front-desk:link` for another purpose."""
    place, _, named = text.partition(":")
    return StepId(address=address(place), purpose=Purpose(named) if named else purpose)


def step(
    text: str, action: Action, body: Body | None = None, mask: str = "", after: Iterable[str] = ()
) -> Step:
    paths = tuple(mask_path(path) for path in mask.split(",") if path)
    names = tuple(step_id(name) for name in after)
    return Step(id=step_id(text), action=action, body=body or {}, mask=paths, after=names)


def create(
    text: str, body: Body | None = None, *, after: Iterable[str] = (), link: Step | None = None
) -> Operation:
    """A create; `link` is a later update of its own."""
    body = {"displayName": text} if body is None else body
    return Operation(
        address=address(text),
        action=Action.CREATE,
        reason=Reason.NOT_IN_LIVE,
        steps=(step(text, Action.CREATE, body, after=after), *([link] if link else [])),
        resource_id=address(text).key,
        after={**body, **(link.body if link else {})},
    )


def update(text: str, seen: Body, body: Body, mask: str, *, after: Iterable[str] = ()) -> Operation:
    """An update of what was seen, with the etag in it."""
    return Operation(
        address=address(text),
        action=Action.UPDATE,
        reason=Reason.FIELD_CHANGED,
        steps=(step(text, Action.UPDATE, body, mask, after),),
        resource_id=address(text).key,
        after={**{key: value for key, value in seen.items() if key not in ("name", "etag")}, **body},
        seen=seen,
        etag=str(seen.get("etag", "")),
    )


def delete(text: str, seen: Body, *, after: Iterable[str] = (), unlink: Step | None = None) -> Operation:
    return Operation(
        address=address(text),
        action=Action.DELETE,
        reason=Reason.NOT_IN_TREE,
        steps=(*([unlink] if unlink else []), step(text, Action.DELETE, after=after)),
        resource_id=address(text).key,
        seen=seen,
        etag=str(seen.get("etag", "")),
    )


def stamp(seen: Body | None = None, *, after: Iterable[str] = ()) -> Operation:
    body = {"metadata": {"cesplan-commit": "c0ffee"}}
    return Operation(
        address=address(""),
        action=Action.UPDATE,
        reason=Reason.STAMP,
        steps=(step(":stamp", Action.UPDATE, body, "metadata", after),),
        resource_id=APP,
        after=body,
        seen=seen,
        etag=str((seen or {}).get("etag", "")),
    )


def lock(seen: Body, *, after: Iterable[str]) -> Operation:
    """A locked app is opened first and closed last."""
    return Operation(
        address=address(""),
        action=Action.UPDATE,
        reason=Reason.LOCKED,
        steps=(
            step(":unlock", Action.UPDATE, {}, "locked"),
            step(":lock", Action.UPDATE, {"locked": True}, "locked", (":unlock", *after)),
        ),
        resource_id=APP,
        seen=seen,
        etag=str(seen["etag"]),
    )


def plan(*operations: Operation, verify: bool = True, **more: Any) -> Plan:
    settings = Settings(place=PLACE, verify_before_write=verify)
    return Plan(settings=settings, operations=operations, namings={APP: NAMING}, **more)


def events(made: Plan, service: MemoryService, **options: Any) -> list[Event]:
    return list(apply(made, service, ApplyOptions(**options)))


def outcomes(made: Plan, service: MemoryService, **options: Any) -> dict[str, Outcome]:
    """The outcome of each operation by its address as text; the stamp's is `<app>:stamp`."""
    return by_address(events(made, service, **options))


def by_address(told: Iterable[Event]) -> dict[str, Outcome]:
    found: dict[str, Outcome] = {}
    for event in told:
        if isinstance(event, Applied | Failed | Skipped | Unknown):
            name = _name(event.operation.address, event.operation.reason)
            assert name not in found, f"two outcomes for {name}"
            found[name] = event
    return found


def the(kind: type[_O], found: dict[str, Outcome], name: str = "") -> _O:
    """The outcome of this name, or the only one, which must be of this kind."""
    outcome = found[name] if name else next(iter(found.values()))
    assert name or len(found) == 1
    assert isinstance(outcome, kind)
    return outcome


def verdicts(found: dict[str, Outcome]) -> dict[str, str]:
    """`applied`, `failed`, `skipped`, `unknown` by address."""
    return {name: type(item).__name__.lower() for name, item in found.items()}


def without_verification(made: Plan) -> Plan:
    return replace(made, settings=replace(made.settings, verify_before_write=False))


def _name(place: Address, reason: Reason) -> str:
    short = place.within_app if place.kind != "apps" else "app"
    return f"{short}:stamp" if reason is Reason.STAMP else short
