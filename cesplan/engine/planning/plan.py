"""
Planning: turns desired and live into the plan, one app at a time.

Each app is matched, drafted, and ordered separately. Everything else in the plan (unmanaged resources, changes
held back on first contact, blockers) is collected along the way.
"""

from collections.abc import Iterable, Iterator
from dataclasses import field

from cesplan.domain.address import Address, AppKey
from cesplan.domain.app_metadata.stamp import FORMAT
from cesplan.domain.desired import Desired, DesiredApp, DesiredResource
from cesplan.domain.frozen import dataclass
from cesplan.domain.live import Live, LiveResource
from cesplan.domain.naming import Naming
from cesplan.domain.options import PlanOptions
from cesplan.domain.plan import Action, Operation, Plan, Unmanaged
from cesplan.engine.comparing.match import Match
from cesplan.engine.comparing.normalize import normalize
from cesplan.engine.comparing.rotation import fields_using
from cesplan.engine.comparing.snapshot import makes_version, snapshot_base
from cesplan.engine.comparing.stamp import Contact, stamp_mark, unlike
from cesplan.engine.comparing.value_redactor import ValueRedactor
from cesplan.engine.planning.blockers import known_versions, refusals
from cesplan.engine.planning.context import AppContext, context_of
from cesplan.engine.planning.draft import Drafted, Terms, draft_match
from cesplan.engine.planning.finish import finish
from cesplan.engine.planning.identity import identity_notices, identity_refusals, unclear_app
from cesplan.engine.planning.order import order
from cesplan.engine.planning.prune import empty_folders, surplus, survivors, unmanaged
from cesplan.engine.planning.referrers import Refers, refers_after, refers_before, with_referrers
from cesplan.engine.planning.renames import probable_renames
from cesplan.engine.planning.targets import Chosen, choose
from cesplan.engine.planning.versions.recorded import named_versions
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
    left_out: tuple[Address, ...] = ()
    snapshot_base: tuple[LiveResource, ...] | None = None
    named: tuple[LiveResource, ...] = ()
    recorded: frozenset[str] = frozenset()
    remade: frozenset[str] = frozenset()
    refers_before: Refers = field(default_factory=dict)
    refers_after: Refers = field(default_factory=dict)


def plan(desired: Desired, live: Live, options: PlanOptions) -> Plan:
    """The plan that makes live match desired. It depends only on its arguments."""
    secrets = desired.secrets
    redactor = ValueRedactor(secrets)
    parts = [_plan_app(app, desired, live, options, redactor) for app in desired.apps]
    parts += [_plan_singleton(item, desired, live, options, redactor) for item in desired.location_resources]
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
        sequences={str(key): number for key, number in live.sequences.items()},
        stamps={str(key): stamp_mark(item.app.body, item.app.name) for key, item in live.apps.items()},
        choice=options.choice,
        left_out=tuple(sorted(item for part in parts for item in part.left_out)),
        snapshot_base={
            AppKey(part.key): part.snapshot_base for part in parts if part.snapshot_base is not None
        },
        named_versions={AppKey(part.key): part.named for part in parts if part.named},
        remade={AppKey(part.key): part.remade for part in parts if part.remade},
        unrecorded={AppKey(part.key): found for part in parts if (found := _unrecorded(part))},
        refers_before={who: names for part in parts for who, names in part.refers_before.items()},
        refers_after={who: names for part in parts for who, names in part.refers_after.items()},
        secrets=secrets,
        secret_sources=desired.sources,
    )


def _plan_app(
    app: DesiredApp, desired: Desired, live: Live, options: PlanOptions, redactor: ValueRedactor
) -> _Part:
    if app.key in live.unclear:
        return _unclear_app(app, desired, live, redactor)
    context = context_of(app, desired, live, options, redactor)
    drafted = [_draft(context, match) for match in context.matched.matches]
    removable = [*surplus(context)]
    removals = [] if context.first_contact else removable
    everything = [*(item.draft for item in drafted if item.draft and item.draft.acts), *removals]
    chosen = choose(everything, options.choice)
    # Who refers to what is asked about changes alone.
    staying = _staying(chosen, survivors(context, drafted)) if everything else {}
    before, after = refers_before(chosen.kept, staying), refers_after(chosen.kept, staying)
    drafts = with_referrers(chosen.kept, before, after)
    operations = order(drafts, options.force, desired.settings.mask_depth)
    held = [*_held_back(drafted), *(f"{item.address}" for item in removable if context.first_contact)]
    return _Part(
        key=app.key,
        naming=context.matched.naming,
        operations=finish(
            context,
            operations,
            desired,
            complete=not held,
            sequence=live.sequences.get(app.key) if context.live else 0,
        ),
        unchanged=sum(1 for item in drafted if item.draft is None or not item.draft.acts),
        unmanaged=tuple(unmanaged(context)),
        would_remove=tuple(held),
        notices=(*_notices(context, drafted), *probable_renames(operations), *_remade(context)),
        refusals=(
            *_foreign(context, desired),
            *identity_refusals(context.matched.unclear, context.settings, context.redactor),
            *refusals(drafts, options),
            *known_versions(drafts, context.known_versions, context.newest_version),
        ),
        left_out=tuple(item.address for item in chosen.left),
        snapshot_base=snapshot_base(context.live) if any(map(makes_version, operations)) else None,
        named=named_versions(context.matched.matches, operations),
        recorded=context.known_versions - context.remade_versions,
        remade=context.remade_versions,
        refers_before=before,
        refers_after=after,
    )


def _unrecorded(part: _Part) -> tuple[LiveResource, ...]:
    """The versions that the plan refers to and that no complete apply recorded in this state."""
    keys = ((item, part.naming.key_of(item.kind, item.id)) for item in part.named)
    return tuple(item for item, key in keys if key not in part.recorded)


def _remade(context: AppContext) -> Iterator[str]:
    for key in sorted(context.remade_versions):
        yield (
            f"{context.app.key}/versions/{key} was deleted and re-created since an apply recorded it: "
            "it may have other content"
        )


def _unclear_app(app: DesiredApp, desired: Desired, live: Live, redactor: ValueRedactor) -> _Part:
    """Nothing is planned for an app whose live app is ambiguous."""
    doubt = unclear_app(app.app, live.unclear[app.key])
    return _Part(
        key=app.key,
        naming=Naming(place=desired.settings.place, app_id=app.key),
        refusals=tuple(identity_refusals([doubt], desired.settings, redactor)),
    )


def _staying(chosen: Chosen, survivors: Refers) -> Refers:
    """The references of live resources that stay unchanged, or that the plan leaves out."""
    left = (item for item in chosen.left if item.action is not Action.CREATE)
    return {**survivors, **{item.address: item.references_before for item in left}}


def _plan_singleton(
    file: DesiredResource, desired: Desired, live: Live, options: PlanOptions, redactor: ValueRedactor
) -> _Part:
    """The plan of a resource that exists once per location: only updates."""
    kind = file.address.kind
    place = desired.settings.place
    naming = Naming(place=place, app_id="")
    blank = LiveResource(kind=kind, body={"name": f"{place.name}/{kind}"})
    match = Match(desired=file, live=live.location.get(kind, blank))
    terms = Terms(naming=naming, settings=desired.settings, redactor=redactor)
    drafted = draft_match(match, terms)
    draft = drafted.draft
    chosen = choose([draft] if draft else [], options.choice)
    return _Part(
        key=file.address.app,
        naming=naming,
        operations=order(chosen.kept, depth=desired.settings.mask_depth),
        unchanged=0 if draft else 1,
        notices=tuple(_newer([drafted], options)),
        refusals=refusals(chosen.kept, options),
        left_out=tuple(item.address for item in chosen.left),
    )


def _draft(context: AppContext, match: Match) -> Drafted:
    return draft_match(
        match,
        context.terms,
        first_contact=context.first_contact,
        resend=str(match.desired.address) in context.options.resend,
        rotated=context.rotated,
    )


def _held_back(drafted: Iterable[Drafted]) -> Iterator[str]:
    for item in drafted:
        if item.draft:
            yield from (f"{item.draft.address}  {change.path}" for change in item.draft.held_back)


def _foreign(context: AppContext, desired: Desired) -> Iterator[str]:
    """Refuse to overwrite an app that was applied from another tree, or another environment of this one."""
    if context.contact is not Contact.FOREIGN or context.options.adopt:
        return
    if context.stamp.is_newer:
        yield (
            f"{context.app.key}: its stamp has format {context.stamp.format}, this version supports {FORMAT}: "
            "upgrade cesplan, or take over the app with --adopt"
        )
        return
    origins = " and from ".join(unlike(context.stamp, desired))
    yield (
        f"{context.app.key}: live is {context.matched.naming.app_id}, which was applied from {origins}: "
        f"to use another app, add its id to {context.app.app.file} (`$id: …`), "
        "or take over this app with --adopt"
    )


def _notices(context: AppContext, drafted: Iterable[Drafted]) -> Iterator[str]:
    if context.satisfied:
        yield context.satisfied
    yield from identity_notices(context.matched.matches, context.settings)
    yield from empty_folders(context)
    yield from _markers_unknown(context)
    if context.settings.lease and context.live and not context.live.app.etag:
        yield (
            f"{context.app.key}: the service returned no etag, so the lease makes concurrent applies "
            "less likely but cannot prevent them"
        )
    yield from _newer(drafted, context.options)


def _markers_unknown(context: AppContext) -> Iterator[str]:
    """
    Notices for input-only fields without a stamp that records their secret: a rotation cannot be detected.
    """
    if context.live is None or context.knows_rotations:
        return
    why = "has no stamp of this tree" if context.settings.stamp else "has stamps turned off (`stamp: false`)"
    for match in context.matched.matches if context.rotations else ():
        spec = kind_of(match.desired.address.kind).spec
        sent = normalize(spec, match.desired.body, context.matched.naming).input_only
        names = [name for name in context.rotations if fields_using(sent, (name,), match.desired.ignore)]
        if names and match.live is not None:
            yield (
                f"{match.desired.address}: {context.app.key} {why}, so it is unknown whether live has this "
                f"rotation of {', '.join(sorted(names))}: --resend {match.desired.address} resends it"
            )


def _newer(drafted: Iterable[Drafted], options: PlanOptions) -> Iterator[str]:
    """Notices for live fields that the models do not know, unless they block the plan."""
    for item in drafted:
        for path in item.unknown:
            yield f"{item.address}: live has `{path}`, unknown to this version; it is left unchanged"
        for path in item.draft.lost if item.draft and options.allow_drop_unknown else ():
            yield f"{item.address}: live has `{path}`, unknown to this version; it is dropped"
