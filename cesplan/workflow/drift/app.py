"""
One app: read, planned, and classified, and what each difference means: its verdict, weakened protection, and
impact. Afterwards, the live resources are dropped.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import field, replace
from time import monotonic

from cesplan.config.tree.load import Loaded
from cesplan.domain.address import Address
from cesplan.domain.change import Origin, Weakening
from cesplan.domain.desired import Desired, DesiredApp
from cesplan.domain.errors import NotFound, Refused
from cesplan.domain.features.drift import AppDrift, DriftClass, DriftItem, DriftKind
from cesplan.domain.field_path import FieldPath
from cesplan.domain.frozen import dataclass
from cesplan.domain.live import LiveResource
from cesplan.domain.options import NO_OPTIONS, PlanOptions
from cesplan.domain.plan import Action, Operation, Plan
from cesplan.domain.value import Body, mask_secrets
from cesplan.engine.comparing.match import MatchedApps
from cesplan.engine.comparing.value_redactor import ValueRedactor
from cesplan.engine.planning import plan as planning
from cesplan.engine.planning.context import AppContext, context_of
from cesplan.features.drift.classify import app_drift, location_drift
from cesplan.features.history.consistent_reads import again
from cesplan.features.history.edit_log import EditLog
from cesplan.features.history.location_edits import with_location_edits
from cesplan.features.history.lost_stamps import with_lost_stamp
from cesplan.features.history.sources import EarlierTrees, Sources
from cesplan.features.impact.plan import with_impact
from cesplan.features.releases.held import held_of
from cesplan.features.typed_diffs.verdicts import DiffReader
from cesplan.features.weakening.weakening import weakened_between, weakened_by_loss
from cesplan.model.kinds import kind_of
from cesplan.remote.client import Client
from cesplan.remote.connecting import Shared
from cesplan.render.field_redactor import redactor_of, redactor_over
from cesplan.workflow.connecting import Connection, connected
from cesplan.workflow.planning import notices_of_reading, read_and_plan

_FRESH = 5.0
"""Seconds after which an app is read again, so that its stamp and its resources match."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Listing:
    """Live apps, and when they were listed."""

    apps: tuple[LiveResource, ...] = ()
    at: float = 0.0

    def of(self, app: DesiredApp, matched: MatchedApps) -> "Listing":
        """The live apps that one app of a tree can match: at most one, unless it is ambiguous."""
        doubts = [doubt for doubt in matched.unclear for file in doubt.files if file.address.app == app.key]
        if doubts:
            return replace(self, apps=doubts[0].live)
        found = matched.live.get(app.key)
        return replace(self, apps=(found,) if found else ())

    def fresh(self, client: Client) -> tuple[LiveResource, ...]:
        """The apps, read again."""
        if monotonic() - self.at < _FRESH:
            return self.apps
        found = []
        for item in self.apps:
            with suppress(NotFound):
                found.append(again(item, client))
        return tuple(found)


NOTHING = Listing()


@dataclass(frozen=True, slots=True, kw_only=True)
class Checked:
    """One environment of a tree, and how its service is reached."""

    tree: str
    """The folder, as it was given."""
    loaded: Loaded
    desired: Desired
    connection: Connection
    shared: Shared
    options: PlanOptions = NO_OPTIONS
    earlier: EarlierTrees = field(default_factory=EarlierTrees, repr=False, compare=False)
    """The tree as of earlier commits, shared by its apps."""

    def sources(self, client: Client) -> Sources:
        """Where to look up the last apply."""
        return Sources.of(self.loaded, client, self.earlier)

    @contextmanager
    def client(self) -> Iterator[Client]:
        """A client that cannot write, with the shared connections and request rate."""
        secrets = self.desired.secrets
        with connected(
            self.connection, self.desired.settings, read_only=True, secrets=secrets, shared=self.shared
        ) as client:
            yield client

    def described(self, drift: AppDrift) -> AppDrift:
        """The drift, with the tree and the place that it belongs to."""
        settings = self.desired.settings
        return replace(
            drift,
            tree=self.tree,
            environment=settings.environment,
            project=settings.place.project,
            location=settings.place.location,
            where=settings.where,
        )


def check_app(tree: Checked, app: DesiredApp, listing: Listing) -> AppDrift:
    """
    Check one app of a tree; `listing` has the live apps that can match it. Raises Refused if several match, and
    errors of the service.
    """
    with tree.client() as client:
        try:
            # A quick check learns from the log whether the list is out of date.
            listed = listing.apps if tree.options.quick else listing.fresh(client)
            found = _check_app(tree, app, listed, client)
        except NotFound:
            found = _check_app(tree, app, listing.fresh(client), client)
        return tree.described(replace(found, requests=client.requests))


def _check_app(tree: Checked, app: DesiredApp, listed: Sequence[LiveResource], client: Client) -> AppDrift:
    desired = replace(tree.desired, apps=(app,), location_resources=(), notices=())
    live, plan = read_and_plan(desired, client, tree.options, listed)
    if app.key in live.unclear:
        raise Refused(summary=plan.refusals[0])
    live, notices = with_lost_stamp(live, app.key, desired, client)
    if notices:
        plan = planning.plan(desired, live, NO_OPTIONS)
    context = context_of(app, desired, live, NO_OPTIONS, ValueRedactor(plan.secrets))
    drift = _with_meaning(app_drift(context, plan, tree.sources(client)), plan)
    is_quick = app.key in live.by_log and not live.by_log[app.key]
    drift = replace(drift, notices=(*notices, *drift.notices, *notices_of_reading(live)), quick=is_quick)
    return _with_held(drift, context, client) if app.releases else drift


def _with_held(drift: AppDrift, context: AppContext, client: Client) -> AppDrift:
    """The drift with what releases hold: the traffic, and traffic edits that no release made."""
    if context.live is None:
        return drift
    held = tuple(held_of(context, EditLog(client, context.live.app.name, context.stamp)))
    items = [
        DriftItem(
            address=item.address,
            drift_class=DriftClass.DRIFT,
            origin=Origin.LIVE,
            display_name=str(item.deployment.body.get("displayName", "")),
            resource=item.deployment.name,
            change=change,
            edit=change.edit,
            note=f"held by release {item.release.name}",
            release=item.release.name,
        )
        for item in held
        for change in item.edits
    ]
    merged = tuple(sorted((*drift.items, *items), key=lambda item: item.address))
    notices = (*drift.notices, *(item.text for item in held if item.text))
    return replace(drift, items=merged if items else drift.items, notices=notices)


def check_location(tree: Checked) -> AppDrift:
    """Check the resources of a location."""
    place = tree.desired.settings.place
    desired = replace(tree.desired, apps=(), notices=())
    with tree.client() as client:
        _, plan = read_and_plan(desired, client, NO_OPTIONS, ())
        if plan.shown:
            plan = with_location_edits(plan, desired, client.list_apps(place), tree.sources(client))
        found = _with_meaning(location_drift(plan, place.location, place.name), plan)
        return tree.described(replace(found, requests=client.requests))


def _with_meaning(drift: AppDrift, plan: Plan) -> AppDrift:
    """
    The drift of an app with what its differences mean; `plan` is the plan that they come from. A difference
    from a live edit is described from the last applied state to live, and protection that it weakens is already
    weakened; a pending one is described as in the plan.
    """
    if not drift.items:
        return drift
    reading = DiffReader()
    operations = {item.address: item for item in with_impact(plan).shown}
    by_resource: dict[Address, list[DriftItem]] = defaultdict(list)
    for item in drift.items:
        by_resource[item.address].append(item)
    read = {
        id(item): described
        for address, items in by_resource.items()
        for item, described in zip(items, _read(items, operations.get(address), reading), strict=True)
    }
    return replace(drift, items=tuple(read[id(item)] for item in drift.items))


def _read(items: list[DriftItem], operation: Operation | None, reading: DiffReader) -> Iterable[DriftItem]:
    """The differences of one resource."""
    bodies = _bodies(operation)
    found: dict[int, DriftItem] = {}
    for is_forward in (True, False):
        group = [item for item in items if _is_forward(item) is is_forward]
        sides = bodies if is_forward else bodies[::-1]
        for item, done in zip(group, _typed(group, sides, reading), strict=True):
            found[id(item)] = replace(
                done,
                weakens=_weakens(item, bodies),
                impact=operation.impact if operation else None,
            )
    return [found[id(item)] for item in items]


def _is_forward(item: DriftItem) -> bool:
    """Whether a difference is described from live to the tree."""
    return item.as_read is item.change


def _bodies(operation: Operation | None) -> tuple[Body, Body]:
    """The bodies of live and the tree, without secrets; empty if there is no update."""
    if operation is None or operation.action is not Action.UPDATE:
        return {}, {}
    redactor = redactor_of(operation)
    before, after = (mask_secrets(redactor.body(body or {})) for body in (operation.before, operation.after))
    return before or {}, after or {}


def _typed(items: list[DriftItem], sides: tuple[Body, Body], reading: DiffReader) -> list[DriftItem]:
    """The differences with their verdicts."""
    changes = tuple(item.as_read for item in items if item.as_read is not None)
    if not changes:
        return items
    kind = items[0].address.kind
    read = iter(reading.read_all(changes, kind, *sides, redactor_over(kind_of(kind).spec, ())))
    return [
        replace(item, change=replace(item.change, typed=next(read).typed)) if item.change else item
        for item in items
    ]


def _weakens(item: DriftItem, bodies: tuple[Body, Body]) -> tuple[Weakening, ...]:
    if item.drift_class is DriftClass.CONVERGED:
        return ()
    if item.change is None:
        return weakened_by_loss(item.address.kind) if item.kind is DriftKind.DELETED else ()
    live, tree = bodies
    sides = (live, tree) if item.drift_class is DriftClass.PENDING else (tree, live)
    path = item.change.path
    return tuple(
        found
        for found in weakened_between(item.address.kind, *sides)
        if _meet(FieldPath.parse(found.path), path)
    )


def _meet(one: FieldPath, other: FieldPath) -> bool:
    return one.is_inside(other) or other.is_inside(one)
