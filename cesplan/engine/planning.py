"""
Planning: desired and live into the plan, one app at a time.

Each app is matched, drafted and ordered on its own; what the plan must say beside its operations (what is
left alone, what first contact holds back, why something cannot be done) is gathered on the way.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from cesplan.domain.address import Address, Key, app_address
from cesplan.domain.desired import Desired, DesiredApp, DesiredResource
from cesplan.domain.live import Live, LiveApp, LiveResource
from cesplan.domain.naming import Naming
from cesplan.domain.options import PlanOptions
from cesplan.domain.plan import Action, Operation, Plan, Reason, Unmanaged
from cesplan.domain.settings import Settings
from cesplan.engine.blocking import refusals
from cesplan.engine.drafting import Draft, Drafted, Terms, draft_delete, draft_match, live_references
from cesplan.engine.locking import Lock, with_lock
from cesplan.engine.matching import Match, Matched, display_name, match_resources
from cesplan.engine.ordering import order
from cesplan.engine.repeating import satisfied_file
from cesplan.engine.scrubbing import Scrubber, scrubber_of
from cesplan.engine.stamping import has_stamp, stamp, stamp_operation
from cesplan.model.kinds import kind_of


@dataclass(frozen=True, slots=True, kw_only=True)
class _Part:
    """The plan of one app, or of the resources of a location."""

    key: str
    naming: Naming
    operations: tuple[Operation, ...] = ()
    unchanged: int = 0
    unmanaged: tuple[Unmanaged, ...] = ()
    would_remove: tuple[str, ...] = ()
    notices: tuple[str, ...] = ()
    refusals: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class _Context:
    """One app, desired and live, under the settings and options of this run."""

    app: DesiredApp
    live: LiveApp | None
    matched: Matched
    settings: Settings
    options: PlanOptions
    scrubber: Scrubber
    adopts: bool = False
    satisfied: str = ""

    @property
    def terms(self) -> Terms:
        return Terms(naming=self.matched.naming, settings=self.settings, scrubber=self.scrubber)

    @property
    def gentle(self) -> bool:
        """First contact: live is there, no apply of ours has been, and nobody said to take it over."""
        return self.live is not None and not self.adopts and not has_stamp(self.live)


def plan(desired: Desired, live: Live, options: PlanOptions) -> Plan:
    """Everything that would make live equal desired. Reads nothing but its arguments."""
    parts = [_plan_app(app, desired, live, options) for app in desired.apps]
    parts += _plan_location(desired, live)
    return Plan(
        settings=desired.settings,
        operations=tuple(item for part in parts for item in part.operations),
        namings={part.key: part.naming for part in parts},
        unchanged=sum(part.unchanged for part in parts),
        unmanaged=tuple(item for part in parts for item in part.unmanaged),
        would_remove=tuple(item for part in parts for item in part.would_remove),
        notices=(*desired.notices, *(item for part in parts for item in part.notices)),
        refusals=tuple(item for part in parts for item in part.refusals),
        requests=live.requests,
    )


def _plan_app(app: DesiredApp, desired: Desired, live: Live, options: PlanOptions) -> _Part:
    context = _satisfied(_context(app, desired, live, options), live)
    drafted = [_draft(context, match) for match in context.matched.matches]
    surplus = [*_surplus(context)]
    removals = [] if context.gentle else surplus
    drafts = [*(item.draft for item in drafted if item.draft and item.draft.acts), *removals]
    drafts = [_with_users(draft, drafts, context) for draft in drafts]
    operations = order(drafts, options.force)
    held = [*_held_back(drafted), *(f"{item.address}" for item in surplus if context.gentle)]
    return _Part(
        key=app.key,
        naming=context.matched.naming,
        operations=_finish(context, operations, desired, complete=not held),
        unchanged=sum(1 for item in drafted if item.draft is None or not item.draft.acts),
        unmanaged=tuple(_unmanaged(context)),
        would_remove=tuple(held),
        notices=tuple(_notices(context, drafted)),
        refusals=refusals(drafts, operations, _survivors(context, drafted), options),
    )


def _context(app: DesiredApp, desired: Desired, live: Live, options: PlanOptions) -> _Context:
    live_app = live.apps.get(app.key)
    return _Context(
        app=app,
        live=live_app,
        matched=match_resources(app, live_app, desired.settings.place),
        settings=desired.settings,
        options=options,
        scrubber=scrubber_of(desired),
        adopts=options.adopt or desired.settings.adopt,
    )


def _satisfied(context: _Context, live: Live) -> _Context:
    """The same without a new version that would only repeat the newest one."""
    newest = live.newest_versions.get(context.app.key)
    matched = context.matched
    if newest is None or context.live is None:
        return context
    file = satisfied_file(matched.matches, context.live, newest, matched.naming)
    if file is None:
        return context
    answer = f"{newest.kind}/{matched.naming.key_of(newest.kind, newest.id)}"
    aliases = {file.desired.address.within_app: answer}
    return replace(
        context,
        matched=replace(
            matched,
            matches=tuple(item for item in matched.matches if item is not file),
            naming=replace(matched.naming, aliases=aliases),
        ),
        satisfied=f"{file.desired.address} would repeat {answer}, the newest version, and is satisfied by it",
    )


def _plan_location(desired: Desired, live: Live) -> list[_Part]:
    """The resources that a location has once: updates only."""
    return [_plan_singleton(item, desired, live) for item in desired.location_resources]


def _plan_singleton(file: DesiredResource, desired: Desired, live: Live) -> _Part:
    kind = file.address.kind
    place = desired.settings.place
    naming = Naming(place=place, app_id="")
    blank = LiveResource(kind=kind, body={"name": f"{place.name}/{kind}"})
    match = Match(desired=file, live=live.location.get(kind, blank))
    terms = Terms(naming=naming, settings=desired.settings, scrubber=scrubber_of(desired))
    draft = draft_match(match, terms, gentle=False, resend=False).draft
    return _Part(
        key=file.address.app,
        naming=naming,
        operations=order([draft] if draft else []),
        unchanged=0 if draft else 1,
    )


def _draft(context: _Context, match: Match) -> Drafted:
    return draft_match(
        match,
        context.terms,
        gentle=context.gentle,
        resend=str(match.desired.address) in context.options.resend,
    )


def _surplus(context: _Context) -> Iterator[Draft]:
    """What is live, prunable, and not in the tree."""
    for item in context.matched.live_only:
        if _why_unmanaged(context, item) == "":
            heir = _heir(context, item)
            yield draft_delete(
                item,
                context.terms,
                _address(context, item),
                Reason.ID_CHANGED if heir else Reason.NOT_IN_TREE,
                protected=heir is not None and heir.desired.protect,
            )


def _unmanaged(context: _Context) -> Iterator[Unmanaged]:
    for item in context.matched.live_only:
        why = _why_unmanaged(context, item)
        kind = kind_of(item.kind)
        if why and kind.prunable and not _comes_by_itself(item):
            yield Unmanaged(
                address=_address(context, item), display_name=display_name(kind, item.body), why=why
            )


def _why_unmanaged(context: _Context, item: LiveResource) -> str:
    """Why a live resource without a file is left alone; empty when it is to be deleted."""
    prune = context.settings.prune if context.options.prune is None else context.options.prune
    kind = kind_of(item.kind)
    if not kind.prunable or not kind.deletable:
        return "this kind is never pruned"
    if _comes_by_itself(item):
        return "made by the service"
    if item.kind not in context.app.folders:
        return f"the tree has no folder {item.kind}/"
    return "" if prune else "pruning is off"


def _comes_by_itself(item: LiveResource) -> bool:
    return any(item.body.get(name) for name in kind_of(item.kind).never_pruned)


def _heir(context: _Context, item: LiveResource) -> Match | None:
    """The file that takes over a live resource's display name under a new id: its id has changed."""
    kind = kind_of(item.kind)
    name = display_name(kind, item.body)
    new = (m for m in context.matched.matches if m.live is None and m.desired.resource_id)
    same = (m for m in new if m.desired.address.kind == item.kind and name)
    return next((m for m in same if display_name(kind, m.desired.body) == name), None)


def _address(context: _Context, item: LiveResource) -> Address:
    key = context.matched.naming.key_of(item.kind, item.id)
    return Address(app=context.app.key, kind=item.kind, key=Key(key))


def _survivors(context: _Context, drafted: Sequence[Drafted]) -> dict[Address, frozenset[Address]]:
    """What each live resource that stays will refer to: unmanaged ones, and files without an update."""
    naming = context.matched.naming
    updated = {item.draft.address for item in drafted if item.draft and item.draft.acts}
    stays = {
        match.desired.address: match.live
        for match in context.matched.matches
        if match.live and match.desired.address not in updated
    }
    for item in context.matched.live_only:
        if _why_unmanaged(context, item) or context.gentle:
            stays[_address(context, item)] = item
    return {address: live_references(address, item, naming) for address, item in stays.items()}


def _with_users(draft: Draft, drafts: Iterable[Draft], context: _Context) -> Draft:
    if draft.action is not Action.DELETE:
        return draft
    users = (other.address for other in drafts if draft.address in other.references_before)
    return draft.used_by(tuple(sorted(user for user in users if user != draft.address)))


def _held_back(drafted: Iterable[Drafted]) -> Iterator[str]:
    for item in drafted:
        if item.draft:
            yield from (f"{item.draft.address}  {change.path}" for change in item.draft.held_back)


def _finish(
    context: _Context, operations: tuple[Operation, ...], desired: Desired, *, complete: bool
) -> tuple[Operation, ...]:
    """Add the stamp, and the lock around everything."""
    resource_id = context.matched.naming.app_id
    if _is_stamped(context, operations, complete=complete):
        after = tuple(sorted(step.id for item in operations for step in item.steps))
        values = stamp(context.app, desired.source, context.settings)
        metadata = _metadata(context, operations)
        operations = (
            *operations,
            stamp_operation(context.app, resource_id, context.live, metadata, values, after),
        )
    lock = Lock(
        address=app_address(context.app.key),
        resource_id=resource_id,
        live=context.live,
        desired=bool(context.app.app.body.get(kind_of("apps").lock_field)),
    )
    return with_lock(operations, lock)


def _is_stamped(context: _Context, operations: tuple[Operation, ...], *, complete: bool) -> bool:
    """A run that writes leaves the stamp, unless first contact held something back; `adopt` always does."""
    if not context.settings.stamp:
        return False
    first = context.live is not None and not has_stamp(context.live)
    return (bool(operations) and (complete or not first)) or (first and context.adopts)


def _metadata(context: _Context, operations: Iterable[Operation]) -> dict[str, str]:
    """What the app's metadata hold once the operations are done."""
    name = kind_of("apps").stamp_field
    own = next((item for item in operations if item.address == app_address(context.app.key)), None)
    body = own.after if own and own.after is not None else context.live.app.body if context.live else {}
    return dict(body.get(name) or {})


def _notices(context: _Context, drafted: Iterable[Drafted]) -> Iterator[str]:
    if context.satisfied:
        yield context.satisfied
    for match in context.matched.matches:
        if match.by_display_name:
            yield (
                f"{match.desired.address} was found by its display name; to fix its identity, "
                f"add to {match.desired.file}: $id: {match.resource_id}"
            )
    for item in drafted:
        for path in item.unknown:
            yield f"{item.address}: live has `{path}`, newer than this version knows; it is left alone"
