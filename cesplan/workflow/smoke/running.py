"""A smoke test of a deployment: does it serve what is to be shown, and what did the agent do."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from time import monotonic
from typing import Any

from cesplan.domain.errors import NotFound
from cesplan.domain.features.evaluation import EvaluationVerdict, Problem
from cesplan.domain.features.release import SayStep, SmokeStep
from cesplan.domain.features.serving import Share, shares_of
from cesplan.domain.features.smoke import SmokeReport
from cesplan.domain.frozen import dataclass
from cesplan.domain.live import LiveApp
from cesplan.domain.naming import Naming
from cesplan.domain.resource_name import last_id
from cesplan.domain.settings import Settings
from cesplan.domain.value import Body, as_list, as_object
from cesplan.features.smoke.directory import Directory
from cesplan.features.smoke.requests import SessionChoice
from cesplan.features.smoke.running import SmokeContext, SmokeLimits, StepRunner
from cesplan.model.kinds import AGENTS, DEPLOYMENTS, TOOLS, TOOLSETS, VERSIONS, kind_of
from cesplan.remote.calls import EXECUTE_TOOL, RETRIEVE_TOOLS, RUN_SESSION
from cesplan.remote.client import Client

SMOKE_METHODS = frozenset({RUN_SESSION, EXECUTE_TOOL, RETRIEVE_TOOLS})
"""The custom methods that a client must be allowed to call."""
READ_KINDS = (AGENTS, TOOLS, TOOLSETS)
"""The children that `SmokeTarget.live` must hold."""
_TRANSPORT = frozenset({"name", "etag", "createTime", "updateTime"})


@dataclass(frozen=True, slots=True, kw_only=True)
class SmokeTarget:
    """
    What is talked to.

    `live` is the app with its agents, tools, and toolsets. `deployment` and `version` are full names: the
    deployment must serve exactly this version; an empty version is whatever it serves, an empty deployment is
    the draft. `entry_agent` is a full name, empty for the root agent. `redact` takes secrets out of values.
    """

    settings: Settings
    app_key: str
    live: LiveApp
    naming: Naming
    redact: Callable[[Any], Any]
    deployment: str = ""
    version: str = ""
    entry_agent: str = ""
    fakes: bool = False

    @property
    def sessions(self) -> SessionChoice:
        """What every session names."""
        return SessionChoice(deployment=self.deployment, entry_agent=self.entry_agent, fakes=self.fakes)


@dataclass(frozen=True, slots=True, kw_only=True)
class ServedVersion:
    """What answers: a version with its snapshot, or the draft; `problem` is why nothing can be shown."""

    version: str = ""
    title: str = ""
    snapshot: Mapping[str, Any] = field(default_factory=dict)
    problem: str = ""


def run_smoke(
    steps: Sequence[SmokeStep],
    target: SmokeTarget,
    limits: SmokeLimits,
    client: Client,
    on_step: Callable[[int, SmokeStep], None] = lambda number, step: None,
) -> SmokeReport:
    """
    Run the steps, each once, and report what they showed; the gate of a release takes `SmokeReport.part`.

    `client` may call SMOKE_METHODS; how long it waits for one answer limits each step. `on_step` receives
    every step before it runs. If the deployment does not serve the version, nothing is sent to an agent; if it
    no longer serves it afterwards, the steps prove nothing. Both are problems of the report. Raises
    NotAuthenticated, PermissionDenied, and Interrupted.
    """
    before = serving(target, client, needs_agent=any(isinstance(step, SayStep) for step in steps))
    if before.problem:
        return _report(target, before, problem=before.problem)
    runner = StepRunner(stage=_stage(target, before), talker=client, limits=limits, monotonic=monotonic)
    reports = runner.run(steps, on_step)
    problem = ""
    if target.deployment:
        after = serving(target, client, needs_agent=False, with_snapshot=False)
        if after.problem or after.version != before.version:
            problem = "The deployment was moved to another version during the test."
    return _report(target, before, steps=reports, sessions=runner.sessions, problem=problem)


def serving(
    target: SmokeTarget, client: Client, *, needs_agent: bool, with_snapshot: bool = True
) -> ServedVersion:
    """What answers for a target, read from the service."""
    if not target.deployment:
        if target.version and needs_agent:
            return ServedVersion(problem="No deployment is named that serves the version.")
        return _version(target.version, client, target) if target.version and with_snapshot else ServedVersion()
    try:
        body = client.get(kind_of(DEPLOYMENTS), target.deployment)
    except NotFound:
        return ServedVersion(
            problem=f"The deployment `{target.naming.to_key(target.deployment)}` does not exist."
        )
    shares = shares_of(body)
    version_id = last_id(target.version)
    if len(shares) != 1 or (version_id and shares[0].version != version_id):
        return ServedVersion(problem=_elsewhere(target, shares, version_id))
    name = f"{target.live.app.name}/versions/{shares[0].version}"
    return _version(name, client, target) if with_snapshot else ServedVersion(version=shares[0].version)


def _version(name: str, client: Client, target: SmokeTarget) -> ServedVersion:
    try:
        body = client.get(kind_of(VERSIONS), name)
    except NotFound:
        return ServedVersion(problem=f"The version `{last_id(name)}` does not exist.")
    snapshot = body.get("snapshot")
    return ServedVersion(
        version=last_id(name),
        title=str(target.redact(str(body.get("displayName") or last_id(name)))),
        snapshot=as_object(snapshot),
    )


def _elsewhere(target: SmokeTarget, shares: tuple[Share, ...], version_id: str) -> str:
    deployment = target.naming.to_key(target.deployment)
    rows = [
        f"{item.version} ({item.percent}%)" if item.percent is not None else item.version for item in shares
    ]
    found = ", ".join(rows) or "no version"
    if version_id:
        return f"The deployment `{deployment}` must serve {version_id} and nothing else; it serves {found}."
    return f"The deployment `{deployment}` does not serve exactly one version; it serves {found}."


def served_state(target: SmokeTarget, served: ServedVersion) -> Mapping[str, Any]:
    """The agents and tools of what answers: those of the version's snapshot, else of the draft."""
    state: Mapping[str, Any] = target.redact(served.snapshot or _draft(target.live))
    return state


def _stage(target: SmokeTarget, served: ServedVersion) -> SmokeContext:
    draft = _draft(target.live)
    return SmokeContext(
        app=target.live.app.name,
        naming=target.naming,
        directory=Directory(served_state(target, served), target.naming),
        choice=target.sessions,
        unlike=lambda name: _unlike(name, draft, served),
        redact=target.redact,
    )


def _draft(live: LiveApp) -> Body:
    """The draft in the shape of a snapshot."""
    return {
        "app": live.app.body,
        **{str(kind): [item.body for item in live.children.get(kind, ())] for kind in READ_KINDS},
    }


def _unlike(name: str, draft: Body, served: ServedVersion) -> str:
    """Why a tool or toolset of the draft, which is what can be executed, shows nothing of the version."""
    if not served.version:
        return ""
    mine, its = _body_of(name, draft), _body_of(name, served.snapshot)
    if mine is not None and mine == its:
        return ""
    tool = last_id(name)
    if its is None:
        return f"Not run: the version {served.title} has no `{tool}`."
    return f"Not run: the draft's `{tool}` is what can be executed, and it differs from that of {served.title}."


def _body_of(name: str, state: Mapping[str, Any]) -> Body | None:
    kind = name.rpartition("/")[0].rpartition("/")[2]
    listed = state.get(kind)
    for body in as_list(listed):
        if isinstance(body, dict) and body.get("name") == name:
            return {key: value for key, value in body.items() if key not in _TRANSPORT}
    return None


def _report(target: SmokeTarget, served: ServedVersion, *, problem: str = "", **found: Any) -> SmokeReport:
    unclear = Problem(text=problem, verdict=EvaluationVerdict.INCONCLUSIVE)
    return SmokeReport(
        service=target.settings,
        app=target.live.app.name,
        app_key=target.app_key,
        deployment=target.naming.to_key(target.deployment) if target.deployment else "",
        version=served.title,
        fakes=target.fakes,
        problems=(unclear,) if problem else (),
        **found,
    )
