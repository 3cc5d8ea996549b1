"""Opening a release: its file, the live app, and the traffic of its deployment."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from cesplan.config.suggestions import nearest
from cesplan.config.tree.load import Loaded
from cesplan.domain.address import Address, AppKey, Key
from cesplan.domain.desired import Desired, DesiredApp
from cesplan.domain.errors import CesplanError, UsageError
from cesplan.domain.features.gate import Objection
from cesplan.domain.features.release import Release
from cesplan.domain.frozen import dataclass
from cesplan.domain.live import Live, LiveResource
from cesplan.domain.naming import Naming
from cesplan.domain.options import PlanOptions
from cesplan.domain.plan import Plan
from cesplan.domain.settings import Settings
from cesplan.domain.value import Body
from cesplan.engine.comparing.match import match_resources
from cesplan.engine.planning import plan as planning
from cesplan.features.releases.blockers import blockers_of, strictly
from cesplan.features.releases.split import Position, position_of
from cesplan.model.kinds import DEPLOYMENTS, kind_of
from cesplan.remote.client import Client
from cesplan.workflow.connecting import GOOGLE, Connection, connected
from cesplan.workflow.evaluation.evaluating import Evaluating, evaluating
from cesplan.workflow.live_app.target import AppTarget
from cesplan.workflow.reading import read_live
from cesplan.workflow.validating import TreeTarget, desired_of


@dataclass(frozen=True, slots=True, kw_only=True)
class ReleaseTarget:
    """
    The requested release: `name` is that of its file, or `<app>/<name>`; empty for the only one of the tree.
    """

    tree: TreeTarget
    name: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenRelease:
    """A release and its live app, read once."""

    release: Release
    loaded: Loaded
    desired: Desired
    connection: Connection
    client: Client
    """A read-only client."""
    live: Live
    naming: Naming
    deployment: LiveResource | None
    """The deployment as read; None if it does not exist."""
    target: ReleaseTarget

    @property
    def settings(self) -> Settings:
        return self.desired.settings

    @property
    def root(self) -> Path:
        """The root of the tree."""
        assert self.loaded.root is not None  # a tree with a release has a root
        return self.loaded.root

    @property
    def app(self) -> DesiredApp:
        return next(item for item in self.desired.apps if item.key == self.release.app)

    @property
    def app_name(self) -> str:
        return self.live.apps[AppKey(self.release.app)].app.name

    @property
    def address(self) -> Address:
        """The deployment."""
        return Address(app=AppKey(self.release.app), kind=DEPLOYMENTS, key=Key(self.release.deployment))

    @property
    def position(self) -> Position:
        return position_of(self.release, self.deployment.body if self.deployment else None, self.naming)

    def reread(self) -> Body | None:
        """The current deployment, read again; None if it does not exist."""
        if self.deployment is None:
            return None
        return self.client.get(kind_of(DEPLOYMENTS), self.deployment.name)

    def blockers(self) -> tuple[Objection, ...]:
        """The blockers of a gate."""
        plan = self._strict_plan()
        doubts = tuple(Objection(where=self.release.app, text=text) for text in plan.refusals)
        return (*doubts, *blockers_of(self.release, plan))

    def _strict_plan(self) -> Plan:
        """The plan for golden conversations and thresholds with no difference hidden."""
        return planning.plan(strictly(self.desired), self.live, PlanOptions(adopt=True))

    @contextmanager
    def evaluations(self) -> Iterator[Evaluating]:
        """Access to the runs of the app; besides reading, it can start a run."""
        target = AppTarget(tree=self.target.tree, command="release", app=self.release.app)
        with evaluating(target, self.connection) as app:
            yield app


@contextmanager
def open_release(target: ReleaseTarget, connection: Connection = GOOGLE) -> Iterator[OpenRelease]:
    """
    Find a release and read its live app, read-only. Raises InvalidConfiguration for a tree with errors,
    UsageError for a release that is not in it, and errors of the service.
    """
    loaded = target.tree.validate()
    found = desired_of(loaded)
    desired = replace(found, settings=connection.at(found.settings))
    release = find_release(desired, target.name)
    mine = tuple(item for item in desired.apps if item.key == release.app)
    desired = replace(desired, apps=mine, location_resources=())
    with connected(connection, desired.settings, read_only=True, secrets=desired.secrets) as client:
        live = read_live(desired, client)
        app = live.apps.get(AppKey(release.app))
        if app is None:
            raise CesplanError(
                summary=f"The app {release.app} is not live, or its match is ambiguous.",
                detail="Apply the tree first: `cesplan plan` shows what is missing.",
            )
        matched = match_resources(mine[0], app, desired.settings.place)
        deployment = next(
            (
                item.live
                for item in matched.matches
                if item.desired.address.within_app == f"deployments/{release.deployment}"
            ),
            None,
        )
        yield OpenRelease(
            release=release,
            loaded=loaded,
            desired=desired,
            connection=connection,
            client=client,
            live=live,
            naming=matched.naming,
            deployment=deployment,
            target=target,
        )


def find_release(desired: Desired, name: str) -> Release:
    """The release of this name. Raises UsageError for none and for several."""
    every = [item for app in desired.apps for item in app.releases]
    found = [item for item in every if name in ("", item.name, f"{item.app}/{item.name}")]
    if len(found) == 1:
        return found[0]
    names = [f"{item.app}/{item.name}" for item in every]
    if not every:
        raise UsageError(
            summary="The tree has no release.",
            detail="A release is a file apps/<app>/releases/<name>.yaml: cesplan validate --explain CES121",
        )
    what = f"The tree has no release `{name}`." if not found else "Name the release."
    near = nearest(name, [item.name for item in every]) if name and not found else ""
    hint = f" Did you mean `{near}`?" if near else ""
    raise UsageError(
        summary=f"{what}{hint}", detail="\n".join(["Releases:", *(f"    {item}" for item in names)])
    )
