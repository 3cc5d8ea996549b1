"""Planning the way back: the version, and the changes of the deployment and the draft."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace

from cesplan.config.project.project import find_root
from cesplan.config.tree.load import Loaded
from cesplan.domain.address import Address, AppKey, Key, KindName, app_address
from cesplan.domain.choice import EVERYTHING, Choice
from cesplan.domain.desired import Desired, DesiredApp, DesiredResource
from cesplan.domain.errors import ApiError, UsageError
from cesplan.domain.features.going_back import RollbackTarget, VersionTitle
from cesplan.domain.features.serving import Share, shares_of
from cesplan.domain.frozen import dataclass
from cesplan.domain.live import Live, LiveApp, LiveResource
from cesplan.domain.options import NO_ALLOWANCES, Allowances, PlanOptions
from cesplan.domain.plan import Action, Plan
from cesplan.domain.settings import Settings
from cesplan.domain.text.times import sortable
from cesplan.domain.value import Body, as_object
from cesplan.engine.comparing.match import match_apps
from cesplan.engine.comparing.snapshot import CHILDREN
from cesplan.engine.comparing.value_redactor import ValueRedactor
from cesplan.engine.planning.guard import guard
from cesplan.engine.planning.plan import plan as planned
from cesplan.engine.pulling.compare import compare
from cesplan.engine.pulling.lookup import find_app, find_child
from cesplan.features.going_back.desired_state import desired_deployment, desired_draft, known_versions
from cesplan.features.going_back.earlier import PastChange, earlier_target
from cesplan.features.going_back.kept_metadata import stamp_keys
from cesplan.features.going_back.plans import DeploymentMove, DraftRestore, GoingBack
from cesplan.features.history.consistent_reads import again, read_consistently
from cesplan.features.history.live_edits import with_live_edits
from cesplan.features.history.sources import Sources
from cesplan.features.impact.plan import with_impact
from cesplan.features.policy.check import police, runs_of
from cesplan.features.typed_diffs.verdicts import with_typed_diffs
from cesplan.features.weakening.weakening import with_weakening
from cesplan.model.kinds import DEPLOYMENTS, VERSIONS, kind_of
from cesplan.remote.client import Client
from cesplan.workflow.connecting import GOOGLE, Connection, connected
from cesplan.workflow.live_app.target import AppTarget, desired_of_target, key_and_naming, requested_app
from cesplan.workflow.reading import read_snapshot
from cesplan.workflow.secret_values import with_secrets
from cesplan.workflow.validating import desired_of

_RESTORING = PlanOptions(adopt=True, prune=True, allow_drop_unknown=True)
"""A restore takes over, and deletes and drops everything that the version does not have."""
_MOST_CHANGES = 100
"""The number of change-log entries to search for the history of a deployment."""
_MOST_READ = 20
"""The number of those that are read in full."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RollbackRequest:
    """The request: `to` and `deployment` by key, id, or display name; if empty, cesplan finds them."""

    to: str = ""
    deployment: str = ""
    draft: bool = False
    allowances: Allowances = NO_ALLOWANCES


class WayBack:
    """An app that goes back: its live resources, and the plans for it."""

    def __init__(
        self, client: Client, desired: Desired, loaded: Loaded | None, app: LiveResource, settings: Settings
    ) -> None:
        self.client = client
        self.desired = replace(desired, settings=settings)
        self.loaded = loaded
        self._redactor = ValueRedactor(desired.secrets)
        self.live = self.read(app)
        self.key, self.naming = key_and_naming(self.desired, self.app, settings.place)
        self.versions = self._titles()

    @property
    def app(self) -> LiveApp:
        return next(iter(self.live.apps.values()))

    @property
    def tree(self) -> DesiredApp | None:
        """The app in the tree, None if it is not there."""
        return next((item for item in self.desired.apps if item.key == self.key), None)

    @property
    def owned_metadata(self) -> frozenset[str]:
        """The keys of the app's metadata that the tree names."""
        metadata = self.tree.app.body.get("metadata") if self.tree else None
        return frozenset(metadata) if isinstance(metadata, dict) else frozenset()

    def read(self, app: LiveResource) -> Live:
        """The app with the kinds in a version, its deployments, and its versions, read consistently."""
        kinds = [kind_of(name) for name in (*CHILDREN, DEPLOYMENTS, VERSIONS)]
        found = read_consistently(app, kinds, self.client)
        key = next(iter(match_apps(self.desired, [app]).live), AppKey(app.id))
        sequences = {} if found.sequence is None else {key: found.sequence}
        return Live(apps={key: found.app}, sequences=sequences, requests=self.client.requests)

    def going_back(self, request: RollbackRequest) -> GoingBack:
        """The planned steps. Raises UsageError if the request is not specific enough."""
        deployment = self._deployment(request)
        move = self._move(deployment, request) if deployment is not None else None
        draft = None
        if request.draft:
            version = move.target.version if move else self._named(request)
            plan = self.draft_plan(version, request.allowances)
            live = stamp_keys(metadata_of_body(self.app.app.body))
            draft = DraftRestore(
                version=version,
                plan=plan,
                is_unfinished=stamp_keys(self.kept_metadata(version, plan)) != live,
            )
        return GoingBack(
            app_key=self.key,
            app=self.app.app.name,
            titles={item.id: item.title for item in self.versions.values()},
            deployment=move,
            draft=draft,
        )

    def draft_plan(self, version: VersionTitle, allowances: Allowances) -> Plan:
        """
        Everything that restoring a version would change in the draft, with the live edits that it would undo.
        """
        held = self._held(version)
        desired = desired_draft(self.desired, held, self.app)
        live = self._draft()
        plan = planned(desired, live, _RESTORING)
        used = frozenset(
            str(item.address) for item in plan.shown if item.action is Action.DELETE and item.still_used_by
        )
        options = replace(_RESTORING, force=used)  # the restore ignores references to deleted resources
        plan = planned(desired, live, options) if used else plan
        # The service does the restore, so operations that cesplan could not send are not blockers.
        plan = replace(
            plan,
            operations=tuple(item for item in plan.shown),
            refusals=self._locked(plan),
            notices=(*plan.notices, *plan.refusals),
        )
        allowances = replace(allowances, unlock=True)  # locked apps are refused above
        return self._guarded(plan, desired, live, options, allowances)

    def _locked(self, plan: Plan) -> tuple[str, ...]:
        """Why the service would refuse to restore; empty if it would not."""
        if plan.is_empty or not self.app.app.body.get(kind_of("apps").lock_field):
            return ()
        return (f"{self.key} is locked, and a locked app cannot be restored: unlock it first",)

    def remaining(self, version: VersionTitle) -> tuple[Address, ...]:
        """The resources of the draft that differ from a version, read again."""
        self.live = self.read(again(self.app.app, self.client))
        desired = desired_draft(self.desired, self._held(version), self.app)
        return tuple(item.address for item in planned(desired, self._draft(), _RESTORING).shown)

    def _draft(self) -> Live:
        """The live resources of the kinds in a version."""
        children = {KindName(kind): self.app.children.get(KindName(kind), ()) for kind in CHILDREN}
        apps = {key: LiveApp(app=item.app, children=children) for key, item in self.live.apps.items()}
        return replace(self.live, apps=apps)

    def serving(self, deployment: str) -> tuple[Share, ...]:
        """What a deployment serves now, by its full name."""
        return shares_of(self.client.get(kind_of(DEPLOYMENTS), deployment))

    def reread(self) -> None:
        """Read the app again."""
        self.live = self.read(again(self.app.app, self.client))
        self.versions = self._titles()

    def kept_metadata(self, version: VersionTitle, plan: Plan) -> Body:
        """
        The metadata from before the draft was restored; `plan` is what restoring changes. If an earlier run
        restored the draft and was killed, live has the stamp from when the version was created, and the
        previous metadata is in the newest version, which the service created from the draft.
        """
        live = metadata_of_body(self.app.app.body)
        newest = max(self.versions.values(), key=lambda item: sortable(item.create_time))
        if not plan.is_empty or newest.id == version.id:
            return live
        its = metadata_of_body(self._snapshot(version).app.body)
        if stamp_keys(live) != stamp_keys(its):
            return live
        return metadata_of_body(self._snapshot(newest).app.body)

    def _deployment(self, request: RollbackRequest) -> LiveResource | None:
        """The requested deployment; None if only the draft is restored and the app has no deployment."""
        listed = self.app.children.get(DEPLOYMENTS, ())
        if request.deployment:
            return find_child(request.deployment, DEPLOYMENTS, self.app, self.naming)
        if len(listed) == 1:
            return listed[0]
        if not listed and request.draft:
            return None
        rows = "\n".join(f"    {self.naming.to_key(item.name)}" for item in listed)
        raise UsageError(
            summary="Name the deployment with --deployment." if listed else "The app has no deployment.",
            detail=f"The app has:\n{rows}" if listed else "To restore its draft, add --draft --to VERSION.",
        )

    def _named(self, request: RollbackRequest) -> VersionTitle:
        if not request.to:
            raise UsageError(summary="Name the version with --to.")
        return self.versions[find_child(request.to, VERSIONS, self.app, self.naming).id]

    def _move(self, deployment: LiveResource, request: RollbackRequest) -> DeploymentMove:
        now = shares_of(deployment.body)
        target = (
            RollbackTarget(version=self._named(request), why="named with --to")
            if request.to
            else earlier_target(now, list(self._past(deployment.name)), self.versions)
        )
        address = Address(app=AppKey(self.key), kind=DEPLOYMENTS, key=Key(self.naming.to_key(deployment.name)))
        return DeploymentMove(
            address=address,
            name=deployment.name,
            now=now,
            target=target,
            plan=self._deployment_plan(deployment, address, target.version, request.allowances),
        )

    def _deployment_plan(
        self, deployment: LiveResource, address: Address, version: VersionTitle, allowances: Allowances
    ) -> Plan:
        place = self.desired.settings.place
        files = known_versions(self.tree, self.app, place)
        tree = DesiredApp(key=AppKey(self.key), app=self._root(), resources=files)
        named = {item.resource_id or item.address.key: item for item in files}
        file = named.get(version.id)
        reference = f"{VERSIONS}/{file.address.key if file else version.id}"
        app = desired_deployment(self.app.app, tree, deployment, address, reference)
        desired = replace(self.desired, apps=(app,), location_resources=(), notices=())
        options = PlanOptions(choice=Choice(only=(str(address),)), prune=False)
        plan = replace(planned(desired, self.live, options), unmanaged=(), would_remove=(), left_out=())
        guarded = self._guarded(plan, desired, self.live, options, allowances)
        # No stamp: for the next apply, going back is a live edit, which is not reverted unseen.
        return replace(guarded, settings=replace(guarded.settings, stamp=False))

    def _guarded(
        self, plan: Plan, desired: Desired, live: Live, options: PlanOptions, allowances: Allowances
    ) -> Plan:
        """A plan with live edits, impact, the guard's reasons, and the verdicts of the policy."""
        sources = Sources.of(self.loaded, self.client) if self.loaded else Sources(client=self.client)
        plan = with_live_edits(plan, desired, live, options, sources)
        plan = with_impact(with_weakening(with_typed_diffs(plan)))
        rules = self.loaded.policy if self.loaded else ()
        runs = runs_of(plan, rules, desired, live, self.client)
        refusals = (*plan.refusals, *guard(plan, live, allowances))
        plan = replace(plan, refusals=refusals, allowances=allowances, requests=self.client.requests)
        return police(plan, rules, allowances, runs)

    def _held(self, version: VersionTitle) -> DesiredApp:
        """The app in a version, as desired state."""
        held = compare(AppKey(self.key), self._snapshot(version), self.desired, EVERYTHING, self._redactor).app
        return replace(held, app=replace(held.app, resource_id=self.app.app.id))

    def _snapshot(self, version: VersionTitle) -> LiveApp:
        return read_snapshot(version.name, version.title, self.client)

    def _past(self, name: str) -> Iterator[PastChange]:
        """The changes of a deployment, newest first; none if the change log cannot be read."""
        condition = f'resource_name="{name}"'
        entries: tuple[Body, ...] = ()
        with suppress(ApiError):
            entries = self.client.list_changes(self.app.app.name, condition=condition, at_most=_MOST_CHANGES)
        mine = [
            item
            for item in entries
            if self.naming.to_reference(str(item.get("resource"))) == self.naming.to_reference(name)
        ]
        for entry in mine[:_MOST_READ]:
            with suppress(ApiError):
                whole = self.client.read(str(entry["name"]))
                yield PastChange(
                    before=as_object(whole.get("originalResource")),
                    after=as_object(whole.get("newResource")),
                    author=str(entry.get("author") or ""),
                    time=str(entry.get("createTime") or ""),
                )

    def _titles(self) -> dict[str, VersionTitle]:
        """The versions by their ids, without secrets in their names."""
        return {
            item.id: VersionTitle(
                name=item.name,
                id=item.id,
                title=self._redactor.name(item.title),
                create_time=str(item.body.get("createTime") or ""),
            )
            for item in self.app.children.get(VERSIONS, ())
        }

    def _root(self) -> DesiredResource:
        file = self.tree.app.file if self.tree else ""
        return DesiredResource(address=app_address(AppKey(self.key)), body={}, file=file)


@contextmanager
def way_back(target: AppTarget, connection: Connection = GOOGLE) -> Iterator[WayBack]:
    """
    Find the app. The connection cannot write.

    Raises UsageError, InvalidConfiguration, and what the service answers.
    """
    loaded, desired = _loaded(target, connection)
    settings = connection.at(desired.settings)
    with connected(connection, settings, read_only=True, secrets=desired.secrets) as client:
        app = find_app(requested_app(target, desired), desired, client.list_apps(settings.place))
        yield WayBack(client, desired, loaded, app, settings)


def _loaded(target: AppTarget, connection: Connection) -> tuple[Loaded | None, Desired]:
    if find_root(target.tree.folder) is None:
        return None, desired_of_target(target)
    loaded = with_secrets(target.tree.validate(), connection)
    return loaded, desired_of(loaded)


def metadata_of_body(app: Body) -> Body:
    """The metadata of an app, a copy."""
    return dict(as_object(app.get(kind_of("apps").stamp_field)))
