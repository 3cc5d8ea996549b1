"""A census of a tree: which kinds, members of oneofs, types, lists, maps and references it really holds."""

from collections.abc import Iterator
from typing import Any

from cesplan.domain.desired import Desired, DesiredResource
from cesplan.domain.value import Secret
from cesplan.model.kinds import KINDS, kind_of
from cesplan.model.marks import OnlyIn
from cesplan.model.scalars import Scalar
from cesplan.model.spec import Cardinality, FieldSpec, MessageSpec, message_spec
from tests.properties.bodies import _NEVER_MADE


def resources(desired: Desired) -> Iterator[DesiredResource]:
    """Every resource file of a tree."""
    for app in desired.apps:
        yield from app.all()
    yield from desired.location_resources


def census(desired: Desired) -> set[str]:
    """Words such as `kind agents`, `oneof Tool.agentTool`, `set Agent.tools`, `scalar duration`."""
    found: set[str] = set()
    for item in resources(desired):
        kind = kind_of(item.address.kind)
        found |= {f"kind {kind.name}", *_message(kind.spec, item.body)}
    return found


def everything() -> set[str]:
    """All words that a census of enough trees must hold."""
    found = {f"kind {name}" for name in KINDS}
    waiting, seen = [kind.spec.name for kind in KINDS.values()], set()
    while waiting:
        name = waiting.pop()
        if name in seen:
            continue
        seen.add(name)
        for known in message_spec(name).settable:
            if known.name not in _NEVER_MADE:
                found |= set(_words(name, known))
                waiting += [known.message_name] if known.message_name else []
    return found - _NEVER


_NEVER = {
    "field App.locked",
    "field RunEvaluationRequest.app",
    "field RunEvaluationRequest.scheduledEvaluationRun",
    "reference RunEvaluationRequest.scheduledEvaluationRun",
}
"""What trees leave out on purpose: see `bodies`."""


def _words(message: str, known: FieldSpec) -> Iterator[str]:
    place = f"{message}.{known.name}"
    yield f"field {place}"
    yield f"scalar {known.scalar}"
    if known.oneof:
        yield f"oneof {place}"
    if known.cardinality is Cardinality.LIST:
        yield f"{known.list_meaning} {place}"
    if known.cardinality is Cardinality.MAP:
        yield f"map {place}"
    if known.reference is not None and known.reference.kinds:
        yield f"reference {place}"
    if known.mark(OnlyIn):
        yield f"only in one version {place}"


def _message(spec: MessageSpec, body: dict[str, Any]) -> Iterator[str]:
    for name, value in body.items():
        known = spec.fields[name]
        yield from _words(spec.name, known)
        if isinstance(value, Secret):
            yield "a secret"
        for item in _items(known, value):
            if known.scalar is Scalar.MESSAGE and isinstance(item, dict):
                yield from _message(known.message, item)


def _items(known: FieldSpec, value: Any) -> list[Any]:
    if known.cardinality is Cardinality.LIST and isinstance(value, list):
        return value
    if known.cardinality is Cardinality.MAP and isinstance(value, dict):
        return list(value.values())
    return [value]
