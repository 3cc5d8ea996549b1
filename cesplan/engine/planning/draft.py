"""
Drafting: what the operation for a resource has to achieve, from its desired and live state.

A draft is an operation whose place in the order is still unknown: what differs, the mask, and the bodies.
Ordering splits it into steps and decides what they wait for.
"""

from collections.abc import Mapping
from dataclasses import field, replace
from typing import Any, TypeAlias

from cesplan.domain.address import Address
from cesplan.domain.change import FieldChange
from cesplan.domain.desired import DesiredResource
from cesplan.domain.field_path import FieldPath, MaskPath, mask_path
from cesplan.domain.frozen import dataclass
from cesplan.domain.live import LiveResource
from cesplan.domain.naming import Naming
from cesplan.domain.plan import Action, Reason, ResourcePlan
from cesplan.domain.settings import MaskDepth, Settings
from cesplan.domain.value import ABSENT, Body, comparable
from cesplan.engine.comparing.bodies import Update, compose_create, compose_update, replaced, take
from cesplan.engine.comparing.diff import Scope, diff
from cesplan.engine.comparing.ignored_fields import with_values_of
from cesplan.engine.comparing.match import Match
from cesplan.engine.comparing.normalize import Normalized, live_references, normalize, references
from cesplan.engine.comparing.rotation import Rotated, fields_using
from cesplan.engine.comparing.scalars import canonical_free_form
from cesplan.engine.comparing.unchanged import is_unchanged
from cesplan.engine.comparing.value_redactor import ValueRedactor
from cesplan.engine.planning.first_contact import held_back, laid_over
from cesplan.model.kinds import Kind, kind_of

PROTECTED = "protected"
"""The note on a delete that `$protect` in the tree forbids."""

PROTECTED_BEFORE = "protected by the last apply"
"""The note on a delete of a resource that was protected at the last apply, according to the stamp."""


References: TypeAlias = tuple[tuple[FieldPath, Address], ...]
"""The references of a body, each with its place."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft(ResourcePlan):
    """The change of one resource. Ordering turns drafts into operations."""

    kind: Kind
    """Its kind."""
    body: Body = field(default_factory=dict)
    """The body of a create or an update."""
    mask: tuple[MaskPath, ...] = ()
    """The mask of an update."""
    live: LiveResource | None = None
    """The resource as it was read; None for a create."""
    held_back: tuple[FieldChange, ...] = ()
    """Changes that are held back on first contact."""
    lost: tuple[FieldPath, ...] = ()
    """Live places that the model does not know and an update drops."""
    removed: tuple[FieldPath, ...] = ()
    """Live places that the model does not know and an update removes on purpose."""
    blocked: str = ""
    """Why it cannot be written; empty if it can."""
    users: tuple[Address, ...] = ()
    """The resources that refer to it: now for a delete, after the plan otherwise."""
    remaining_referrers: tuple[Address, ...] = ()
    """For a delete: the resources that will still refer to it by then."""
    _found: dict[int, References] = field(default_factory=dict, init=False, repr=False, compare=False)

    def references_in(self, body: Body) -> References:
        """
        The references of a body of this resource into its own app, with their places.

        Results for the bodies of this draft are cached.
        """
        known = self._found.get(id(body))
        if known is None:
            found = references(self.kind.spec, body)
            known = tuple((path, self.address.sibling(reference)) for path, reference in found)
            if any(body is own for own in (self.body, self.before, self.after)):
                self._found[id(body)] = known
        return known

    @property
    def acts(self) -> bool:
        """False for an update that first contact has left empty."""
        return self.action is not Action.UPDATE or bool(self.mask)

    @property
    def references_before(self) -> frozenset[Address]:
        return frozenset(target for _, target in self.references_in(self.before or {}))

    @property
    def references_after(self) -> frozenset[Address]:
        return frozenset(target for _, target in self.references_in(self.after or {}))


@dataclass(frozen=True, slots=True, kw_only=True)
class Drafted:
    """
    A file compared with live: its draft (None: no difference), and live places that the model does not know.

    `refers` are the references of the live resource into its app; None if there is no live resource, or if it
    was `unchanged` at first sight: few plans ask what these refer to.
    """

    address: Address
    draft: Draft | None = None
    unknown: tuple[FieldPath, ...] = ()
    refers: frozenset[Address] | None = None
    unchanged: LiveResource | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """The inputs for all drafts of an app: settings, ids, and the secrets that must not be shown."""

    naming: Naming
    settings: Settings
    redactor: ValueRedactor


def draft_match(
    match: Match,
    terms: Terms,
    *,
    first_contact: bool = False,
    resend: bool = False,
    rotated: tuple[Rotated, ...] = (),
) -> Drafted:
    """
    The change from a live resource to its file.

    On `first_contact`, fields that the file does not set are not cleared. `resend` sends all input-only fields,
    `rotated` only those that use one of these variables.
    """
    kind = kind_of(match.desired.address.kind)
    address = match.desired.address
    allows_more = resend or rotated or match.desired.extra or match.desired.ignore
    if (
        match.live is not None
        and not allows_more
        and is_unchanged(kind.spec, match.desired.body, match.live.body, terms.naming)
    ):
        return Drafted(address=address, unchanged=match.live)
    desired = normalize(kind.spec, match.desired.body, terms.naming)
    if match.live is None:
        return Drafted(address=address, draft=_draft_create(match, kind, desired))
    live = _normalized_live(kind, match.live, terms)
    body = with_values_of(kind.spec, desired.body, live.body, match.desired.ignore)
    desired = replace(desired, body=body)
    moved = {item: fields_using(desired.input_only, (item.variable,), match.desired.ignore) for item in rotated}
    again = frozenset(desired.input_only) if resend else frozenset().union(*moved.values())
    draft = _draft_update(match, kind, desired, live, terms.settings, again, first_contact=first_contact)
    if draft:
        draft = replace(draft, notes=tuple(str(item) for item, names in moved.items() if names))
    refers = _named(address, live.refers, terms.redactor)
    return Drafted(address=address, draft=draft, unknown=_left_alone(match.desired, live, draft), refers=refers)


def draft_delete(
    live: LiveResource, terms: Terms, address: Address, reason: Reason, *, protected: str = ""
) -> Draft:
    """The draft that deletes a live resource."""
    kind = kind_of(live.kind)
    return Draft(
        address=address,
        kind=kind,
        action=Action.DELETE,
        reason=reason,
        resource_id=live.id,
        display_name=terms.redactor.name(kind.display_name_in(live.body)),
        before=_normalized_live(kind, live, terms).body,
        live=live,
        notes=(protected,) if protected else (),
    )


def unchanged_references(address: Address, live: LiveResource, terms: Terms) -> frozenset[Address]:
    """The references into its app of a live resource that is unchanged at first sight."""
    return _named(address, live_references(kind_of(live.kind).spec, live.body, terms.naming), terms.redactor)


def unmanaged_references(address: Address, live: LiveResource, naming: Naming) -> frozenset[Address]:
    """The references into its own app of a live resource without a file."""
    found = normalize(kind_of(live.kind).spec, live.body, naming).refers
    return frozenset(address.sibling(text) for text in found if text.count("/") == 1)


def _normalized_live(kind: Kind, live: LiveResource, terms: Terms) -> Normalized:
    found = normalize(kind.spec, live.body, terms.naming)
    return replace(found, body=terms.redactor.redact(found.body))


def _left_alone(file: DesiredResource, live: Normalized, draft: Draft | None) -> tuple[FieldPath, ...]:
    """Live places that neither the model nor the file's `$extra` knows, and that stay unchanged."""
    lost, removed = (draft.lost, draft.removed) if draft else ((), ())
    return tuple(
        path
        for path, _ in live.unknown
        if str(path) not in file.extra
        and path not in lost
        and not any(path.is_inside(place) for place in removed)
    )


def _draft_create(match: Match, kind: Kind, desired: Normalized) -> Draft:
    file = match.desired
    return Draft(
        address=file.address,
        kind=kind,
        action=Action.CREATE,
        reason=Reason.NOT_IN_LIVE,
        resource_id=match.resource_id,
        display_name=kind.display_name_in(file.body),
        body=compose_create(desired, file.extra),
        after=desired.body,
        file=file.file,
        files=file.files,
    )


def _draft_update(
    match: Match,
    kind: Kind,
    desired: Normalized,
    live: Normalized,
    settings: Settings,
    again: frozenset[str],
    *,
    first_contact: bool,
) -> Draft | None:
    file = match.desired
    scope = Scope(
        ownership=file.ownership,
        named=desired.named,
        cleared=desired.cleared,
        unknown=frozenset(path for path, _ in live.unknown),
    )
    changes = diff(kind.spec, desired.body, live.body, scope)
    held: tuple[FieldChange, ...] = ()
    if first_contact and changes:
        desired = laid_over(kind.spec, desired, live.body)
        alone, changes = changes, diff(kind.spec, desired.body, live.body, scope)
        held = held_back(alone, changes)
    extra = _extra_changes(file.extra, live)
    update = _update(kind, desired, live, changes, extra, settings.mask_depth, again)
    if not update.mask and not held:
        return None
    is_resent = bool(update.mask) and not (changes or held or extra)
    return Draft(
        address=file.address,
        kind=kind,
        action=Action.UPDATE,
        reason=Reason.RESENT if is_resent else Reason.FIELD_CHANGED,
        resource_id=match.resource_id,
        display_name=kind.display_name_in(file.body),
        body=update.body,
        mask=update.mask,
        changes=changes,
        before=live.body,
        after=_after(kind, live, update),
        live=match.live,
        file=file.file,
        files=file.files,
        held_back=held,
        lost=update.lost,
        removed=update.removed,
        blocked=_blocked(kind, desired, live, update.mask),
    )


def _update(
    kind: Kind,
    desired: Normalized,
    live: Normalized,
    changes: tuple[FieldChange, ...],
    extra: Mapping[MaskPath, Any],
    depth: MaskDepth,
    again: frozenset[str],
) -> Update:
    update = compose_update(kind.spec, desired, live, {item.mask for item in changes}, depth, extra)
    sent = {name: desired.input_only[name] for name in sorted(again)}
    mask = {*update.mask, *(MaskPath((name,)) for name in sent)}
    return replace(update, mask=tuple(sorted(mask)), body={**update.body, **sent})


def _extra_changes(extra: Mapping[str, Any], live: Normalized) -> dict[MaskPath, Any]:
    """Fields in `$extra` that differ from live."""
    known = {str(path): value for path, value in live.unknown}
    return {
        mask_path(path): value
        for path, value in sorted(extra.items())
        if comparable(canonical_free_form(value)) != comparable(canonical_free_form(known.get(path)))
    }


def _after(kind: Kind, live: Normalized, update: Update) -> Body:
    """The canonical live body after the update."""
    after = dict(live.body)
    for path in update.mask:
        after = replaced(kind.spec, after, path, take(update.body, path.fields, ABSENT))
    return after


def _blocked(kind: Kind, desired: Normalized, live: Normalized, mask: tuple[MaskPath, ...]) -> str:
    """Why an update must not be made: live has a member of a oneof that the model does not know."""
    unknown = [path for path, _ in live.unknown if len(path.segments) == 1]
    for group, members in kind.spec.oneofs.items():
        switched = any(path.fields[0] in members for path in mask)
        if switched and unknown and not any(name in live.body for name in members):
            names = ", ".join(f"`{path}`" for path in unknown)
            return f"live contains {names}, which may be a member of `{group}` unknown to this version"
    return ""


def _named(address: Address, refers: frozenset[str], redactor: ValueRedactor) -> frozenset[Address]:
    """The references of a live body. A text with a secret is not a reference."""
    return frozenset(
        address.sibling(text)
        for text in refers
        if text.count("/") == 1 and isinstance(redactor.redact(text), str)
    )
