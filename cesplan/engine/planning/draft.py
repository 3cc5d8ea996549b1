"""
Drafting: one resource, desired and live, into what its operation has to achieve.

A draft is an operation before its place in the order is known: what differs, the mask and the bodies. How
it is cut into steps, and what those wait for, is decided by ordering.
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
from cesplan.domain.plan import Action, Reason
from cesplan.domain.settings import MaskDepth, Settings
from cesplan.domain.value import ABSENT, Body
from cesplan.engine.comparing.bodies import Update, compose_create, compose_update, replaced, take
from cesplan.engine.comparing.diff import Scope, diff
from cesplan.engine.comparing.ignored_fields import with_values_of
from cesplan.engine.comparing.match import Match, display_name
from cesplan.engine.comparing.normalize import Normalized, normalize, references
from cesplan.engine.comparing.pairs import comparable
from cesplan.engine.comparing.rotation import Rotated, fields_using
from cesplan.engine.comparing.scalars import canonical_free_form
from cesplan.engine.comparing.unchanged import references_if_unchanged
from cesplan.engine.comparing.value_redactor import ValueRedactor
from cesplan.engine.planning.first_contact import held_back, laid_over
from cesplan.model.kinds import Kind, kind_of

PROTECTED = "protected"
"""The note on a delete that the tree forbids with `$protect`."""

PROTECTED_BEFORE = "protected by the last apply"
"""The note on a delete of what the tree of the last apply protected, as the stamp says."""


References: TypeAlias = tuple[tuple[FieldPath, Address], ...]
"""What a body refers to, each with its place in the body."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """What has to happen to one resource; the order makes operations of drafts."""

    address: Address
    """The resource."""
    kind: Kind
    """Its kind."""
    action: Action
    """What happens to it."""
    reason: Reason
    """Why."""
    resource_id: str
    """The id on the server; empty if the server will choose it."""
    display_name: str = ""
    """The display name."""
    body: Body = field(default_factory=dict)
    """What a create or an update sends."""
    mask: tuple[MaskPath, ...] = ()
    """What an update names."""
    changes: tuple[FieldChange, ...] = ()
    """The leaves that differ; for updates only."""
    before: Body | None = None
    """The canonical body that live has; None for a create."""
    after: Body | None = None
    """The canonical body that live will have; None for a delete."""
    live: LiveResource | None = None
    """The resource as it was read; None for a create."""
    file: str = ""
    """Its file; empty for a delete."""
    files: Mapping[str, str] = field(default_factory=dict)
    """The files that hold texts of the resource, by the path of the field."""
    notes: tuple[str, ...] = ()
    """Notices about this change."""
    held_back: tuple[FieldChange, ...] = ()
    """Changes that first contact does not make."""
    lost: tuple[FieldPath, ...] = ()
    """Live places newer than the model that an update drops."""
    removed: tuple[FieldPath, ...] = ()
    """Live places newer than the model that an update removes on purpose."""
    blocked: str = ""
    """Why it cannot be written; empty if it can."""
    users: tuple[Address, ...] = ()
    """
    What refers to it: to a resource that is deleted as it is now, to another as it will be after the plan.
    """
    remaining_referrers: tuple[Address, ...] = ()
    """Of a delete, those that still do when it is made."""
    _found: dict[int, References] = field(default_factory=dict, init=False, repr=False, compare=False)

    def references_in(self, body: Body) -> References:
        """
        What a body of the resource refers to in its own app, with the places.

        Of the bodies of this draft it is found once, however often it is asked for.
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
        """False for an update of which first contact has left nothing to write."""
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
    A file compared with live: its draft (None: equal), and live places that the model does not know.

    `refers` is what the live resource names in its app; None if there is none.
    """

    address: Address
    draft: Draft | None = None
    unknown: tuple[FieldPath, ...] = ()
    refers: frozenset[Address] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """Under what terms drafts are made: settings, ids, and the secrets that must not show."""

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
    The change that a file makes to its live resource.

    On `first_contact`, fields that the file does not name are not cleared. `resend` sends all input-only
    fields, `rotated` those that use one of these variables.
    """
    kind = kind_of(match.desired.address.kind)
    address = match.desired.address
    if match.live is not None and not (resend or rotated or match.desired.extra or match.desired.ignore):
        unchanged = references_if_unchanged(kind.spec, match.desired.body, match.live.body, terms.naming)
        if unchanged is not None:
            return Drafted(address=address, refers=_named(address, unchanged, terms.redactor))
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
    """The draft that removes a live resource."""
    kind = kind_of(live.kind)
    return Draft(
        address=address,
        kind=kind,
        action=Action.DELETE,
        reason=reason,
        resource_id=live.id,
        display_name=terms.redactor.name(display_name(kind, live.body)),
        before=_normalized_live(kind, live, terms).body,
        live=live,
        notes=(protected,) if protected else (),
    )


def live_references(address: Address, live: LiveResource, naming: Naming) -> frozenset[Address]:
    """What a live resource refers to in its own app."""
    found = normalize(kind_of(live.kind).spec, live.body, naming).refers
    return frozenset(address.sibling(text) for text in found if text.count("/") == 1)


def _normalized_live(kind: Kind, live: LiveResource, terms: Terms) -> Normalized:
    found = normalize(kind.spec, live.body, terms.naming)
    return replace(found, body=terms.redactor.redact(found.body))


def _left_alone(file: DesiredResource, live: Normalized, draft: Draft | None) -> tuple[FieldPath, ...]:
    """Live places that neither the model nor the file's `$extra` knows, and that stay as they are."""
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
        display_name=display_name(kind, file.body),
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
        display_name=display_name(kind, file.body),
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
    """Fields newer than our models that the file sets and live has otherwise."""
    known = {str(path): value for path, value in live.unknown}
    return {
        mask_path(path): value
        for path, value in sorted(extra.items())
        if comparable(canonical_free_form(value)) != comparable(canonical_free_form(known.get(path)))
    }


def _after(kind: Kind, live: Normalized, update: Update) -> Body:
    """The canonical live body once the update has been made."""
    after = dict(live.body)
    for path in update.mask:
        after = replaced(kind.spec, after, path, take(update.body, path.fields, ABSENT))
    return after


def _blocked(kind: Kind, desired: Normalized, live: Normalized, mask: tuple[MaskPath, ...]) -> str:
    """Why an update must not be made: live has a member of a oneof that the model does not know."""
    strangers = [path for path, _ in live.unknown if len(path.segments) == 1]
    for group, members in kind.spec.oneofs.items():
        switched = any(path.fields[0] in members for path in mask)
        if switched and strangers and not any(name in live.body for name in members):
            names = ", ".join(f"`{path}`" for path in strangers)
            return f"live contains {names}, which may be a member of `{group}` unknown to this version"
    return ""


def _named(address: Address, refers: frozenset[str], redactor: ValueRedactor) -> frozenset[Address]:
    """What a live body refers to; what holds a secret is no reference."""
    return frozenset(
        address.sibling(text)
        for text in refers
        if text.count("/") == 1 and isinstance(redactor.redact(text), str)
    )
