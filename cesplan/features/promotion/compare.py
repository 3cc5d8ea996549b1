"""
Promoting: two states of one tree compared, address by address, ids and places left aside.

A state is what the tree says in an environment, or what is live there in the terms of the tree. Neither side
is the reference for the other, so a field that only one side has counts, whatever its default in the model.
"""

from collections.abc import Iterator, Mapping
from dataclasses import field, replace
from typing import Any

from cesplan.domain.address import Address, app_address, location_address
from cesplan.domain.change import FieldAction, FieldChange
from cesplan.domain.desired import Desired, DesiredApp
from cesplan.domain.features.promotion import Difference, WhichSide
from cesplan.domain.field_path import FieldPath
from cesplan.domain.frozen import dataclass
from cesplan.domain.live import Live, LiveApp, LiveResource
from cesplan.domain.naming import Naming
from cesplan.domain.text.template import in_tree
from cesplan.domain.value import Body, Secret, comparable, folded
from cesplan.engine.comparing.copies import address_of
from cesplan.engine.comparing.diff import Scope, diff
from cesplan.engine.comparing.match import match_resources
from cesplan.engine.comparing.normalize import Normalized, normalize
from cesplan.engine.comparing.stamp import without_stamp
from cesplan.engine.comparing.value_redactor import ValueRedactor
from cesplan.engine.pulling.extract import extractable
from cesplan.engine.pulling.keys import everything, key_unclaimed
from cesplan.model.kinds import kind_of
from cesplan.model.spec import MessageSpec

_ANYWHERE = ""
"""Replaces the location in addresses outside apps: two environments may be in different locations."""


@dataclass(frozen=True, slots=True, kw_only=True)
class State:
    """Canonical bodies by address; `secrets` are the bodies of the tree, which show where secrets are."""

    bodies: Mapping[Address, Normalized]
    secrets: Mapping[Address, Body] = field(default_factory=dict)


def redactor_for(*trees: Desired) -> ValueRedactor:
    """
    A redactor for the secrets of both trees. A variable may be secret in only one environment, and has the same
    value in the other if it was given to the command.
    """
    return ValueRedactor(secret for tree in trees for secret in tree.secrets)


def desired_state(desired: Desired, redactor: ValueRedactor) -> State:
    """The desired state: a secret is its template, so the text around it can be compared and read."""
    bodies = {
        address: replace(
            item,
            body=redactor.redact(folded(item.body, _as_written)),
            input_only=redactor.redact(folded(item.input_only, _as_written)),
        )
        for address, item in _desired_bodies(desired).items()
    }
    return State(bodies=bodies, secrets={address: item.body for address, item in bodies.items()})


def _desired_bodies(desired: Desired) -> dict[Address, Normalized]:
    place = desired.settings.place
    bodies: dict[Address, Normalized] = {}
    for app in desired.apps:
        naming = match_resources(app, None, place).naming
        for item in app.all():
            bodies[item.address] = normalize(kind_of(item.address.kind).spec, item.body, naming)
    for item in desired.location_resources:
        naming = Naming(place=place, app_id="")
        address = location_address(_ANYWHERE, item.address.kind)
        bodies[address] = normalize(kind_of(item.address.kind).spec, item.body, naming)
    return bodies


def _as_written(leaf: Any) -> Any:
    """A secret as a text with the names of its variables."""
    return in_tree(leaf.recipe) if isinstance(leaf, Secret) and leaf.is_writable else leaf


def live_state(desired: Desired, live: Live, redactor: ValueRedactor) -> State:
    """The live state under the keys of the tree; known secrets are wrapped."""
    bodies: dict[Address, Normalized] = {}
    for app in desired.apps:
        if app.key in live.apps:
            bodies |= _live_app(app, live.apps[app.key], desired, redactor)
    for kind, item in live.location.items():
        naming = Naming(place=desired.settings.place, app_id="")
        bodies[location_address(_ANYWHERE, kind)] = _normalized(item, naming, redactor)
    secrets = {address: item.body for address, item in _desired_bodies(desired).items()}
    return State(bodies=bodies, secrets=secrets)


def differences(source: State, target: State) -> tuple[tuple[Difference, ...], int]:
    """The differences by address, and the number of equal resources."""
    known = {*source.bodies, *target.bodies}
    addresses = sorted(known, key=lambda item: (item.app, not item.is_app, item))
    found = [_difference(address, source, target) for address in addresses]
    return tuple(item for item in found if item is not None), found.count(None)


def _live_app(
    app: DesiredApp, live: LiveApp, desired: Desired, redactor: ValueRedactor
) -> dict[Address, Normalized]:
    matched = match_resources(app, live, desired.settings.place)
    claimed = {match.live.name for match in matched.matches if match.live}
    named = {item.name for item in extractable(live, matched.naming)} | claimed
    resources = [item for item in everything(live) if item.name in named]
    naming = key_unclaimed(matched, resources, app)
    root = _normalized(live.app, naming, redactor)
    found = {app_address(app.key): replace(root, body=without_stamp(root.body))}
    for item in resources:
        found[address_of(item, app.key, naming)] = _normalized(item, naming, redactor)
    return found


def _normalized(item: LiveResource, naming: Naming, redactor: ValueRedactor) -> Normalized:
    found = normalize(kind_of(item.kind).spec, item.body, naming)
    return replace(found, body=redactor.redact(found.body))


def _difference(address: Address, source: State, target: State) -> Difference | None:
    one, other = source.bodies.get(address), target.bodies.get(address)
    if one is None or other is None:
        return Difference(address=address, presence=WhichSide.TARGET if one is None else WhichSide.SOURCE)
    changes = tuple(_changes(kind_of(address.kind).spec, one, other))
    if not changes:
        return None
    secrets = (source.secrets.get(address, {}), target.secrets.get(address, {}), one.body, other.body)
    return Difference(address=address, changes=changes, secrets=secrets)


def _changes(spec: MessageSpec, one: Normalized, other: Normalized) -> Iterator[FieldChange]:
    """The leaves that differ, in both directions, because a diff ignores what only its live side has."""
    forward = diff(spec, other.body, one.body, Scope())
    yield from forward
    for item in diff(spec, one.body, other.body, Scope()):
        is_known = any(item.path.is_inside(known.path) or known.path.is_inside(item.path) for known in forward)
        if item.action is FieldAction.ADDED and not is_known:
            yield replace(item, before=item.after, after=None, action=FieldAction.REMOVED)
    yield from _input_only(one, other)


def _input_only(one: Normalized, other: Normalized) -> Iterator[FieldChange]:
    for name in sorted({*one.input_only, *other.input_only}):
        before, after = one.input_only.get(name), other.input_only.get(name)
        if comparable(before) != comparable(after):
            path = FieldPath((name,))
            action = FieldAction.MODIFIED if before and after else FieldAction.ADDED
            action = action if after else FieldAction.REMOVED
            yield FieldChange(path=path, mask=path.mask, action=action, before=before, after=after)
