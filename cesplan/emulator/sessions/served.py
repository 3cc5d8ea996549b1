"""The app that a session uses: the draft or a version, and the names in it."""

import hashlib
from dataclasses import dataclass
from typing import Any

from cesplan.emulator.errors import Refused, invalid
from cesplan.emulator.resources.core import Core
from cesplan.emulator.rules.system_tools import SYSTEM_TOOLS
from cesplan.emulator.schema.messages import Body
from cesplan.emulator.storage.store import Row

DRAFT = "draft"
_KINDS = ("agents", "tools", "toolsets")


@dataclass(frozen=True, slots=True)
class Served:
    """An app as used by a session: its draft, or the snapshot of a version."""

    app: Body
    agents: tuple[Body, ...]
    tools: tuple[Body, ...]
    toolsets: tuple[Body, ...]
    version: Row | None = None
    deployment: Row | None = None

    @property
    def version_names(self) -> tuple[str, ...]:
        return self.version.names if self.version else (DRAFT,)

    @property
    def deployment_names(self) -> tuple[str, ...]:
        return self.deployment.names if self.deployment else ()

    def agent(self, name: str) -> Body | None:
        """Return the agent with a resource name, id, or display name."""
        return next((agent for agent in self.agents if name in names_in(agent)), None)

    def identified(self, tool: str) -> Body:
        """
        Return the fields that identify a tool in calls and responses, by resource name, id, or display name.
        """
        for row in self.tools:
            if tool in names_in(row):
                return {"tool": row["name"], "displayName": row.get("displayName", "")}
        toolset, _, operation = tool.rpartition("/")
        for row in self.toolsets:
            if toolset and toolset in names_in(row):
                who = {"toolset": row["name"], "toolId": operation}
                return {"toolsetTool": who, "displayName": operation}
        if tool in SYSTEM_TOOLS:
            return {"tool": f"{self.app['name']}/tools/{tool}", "displayName": tool}
        raise Refused("INTERNAL", f"The scripted answer cannot be used: there is no tool '{tool}'.")


def served(core: Core, config: Body, app: Row, session: str) -> Served:
    """
    Return the app for a new session. Raise Refused for a deployment that does not exist or belongs to another
    app.

    In a traffic split, the session's id determines the version, so it is always the same.
    """
    deployment = _deployment(core, config, app)
    if deployment is None:
        return of_version(core, app, None, None)
    name = _chosen(deployment.body, session, core.switches.served_version)
    version = core.lookup.resource(core.lookup.canonical(name, app.name)) if name else None
    return of_version(core, app, version, deployment)


def of_version(core: Core, app: Row, version: Row | None, deployment: Row | None) -> Served:
    """Return an app in one of its versions; None means the draft."""
    if version is not None:
        snapshot = version.body["snapshot"]
        agents, tools, toolsets = (tuple(snapshot.get(kind, [])) for kind in _KINDS)
        return Served(snapshot["app"], agents, tools, toolsets, version, deployment)
    agents, tools, toolsets = (
        tuple(core.answers.stored(row) for row in core.store.children(app.name, kind)) for kind in _KINDS
    )
    return Served(core.answers.stored(app), agents, tools, toolsets, deployment=deployment)


def names_in(resource: Body) -> tuple[str, ...]:
    """Return the names of a resource: its resource name, its id, its display name."""
    name = resource["name"]
    return tuple(filter(None, (name, name.rpartition("/")[2], resource.get("displayName", ""))))


def _deployment(core: Core, config: Body, app: Row) -> Row | None:
    if "deployment" not in config:
        return None
    row = core.lookup.resource(core.lookup.canonical(config["deployment"], app.name))
    if (row.parent, row.kind) != (app.name, "deployments"):
        raise invalid("config.deployment", "this is not a deployment of the app")
    return row


def _chosen(deployment: Body, session: str, switch: str) -> str:
    """Return the version that a deployment serves to a session; '' for the draft."""
    own: str = deployment.get("appVersion", "")
    release = deployment.get("experimentConfig", {}).get("versionRelease", {})
    shares: list[Any] = release.get("trafficAllocations", [])
    if not shares or (own and switch == "app_version"):
        return own
    point = int.from_bytes(hashlib.sha256(session.encode()).digest()[:8]) % 100
    for share in shares:
        point -= share.get("trafficPercentage", 0)
        if point < 0:
            return str(share.get("appVersion", own))
    return own
