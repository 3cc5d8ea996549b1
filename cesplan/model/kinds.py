"""
The table of kinds: the facts about each collection, for all generic code.

To add a kind, add a model and a row here. Sources: docs/api-facts.md (methods, references, ids),
docs/design/identity.md and docs/design/planning.md (ownership, pruning, order, cuts).
"""

import re
from collections.abc import Mapping
from enum import StrEnum
from functools import cached_property
from importlib import import_module
from typing import TYPE_CHECKING, Any, cast

from cesplan.domain.address import KindName
from cesplan.domain.frozen import dataclass
from cesplan.domain.settings import Ownership
from cesplan.model.spec import MessageSpec, message_spec

if TYPE_CHECKING:
    from cesplan.model.base import Resource


class Parent(StrEnum):
    """The parent of a collection."""

    LOCATION = "location"
    APP = "app"


@dataclass(frozen=True, slots=True, kw_only=True)
class Container:
    """
    The trait of apps, which contain other kinds. An app is created before its contents and carries the stamp.
    """

    lock_field: str
    """The field that, if true, makes the service refuse changes to the app and its contents."""
    stamp_field: str
    """The map field that holds the stamp."""
    long_running: frozenset[str]
    """The methods that return a long-running operation."""


@dataclass(frozen=True, kw_only=True)
class Kind:
    """
    One row of the table. Facts that are the same for most kinds have defaults, and facts about a single kind
    are traits.

    The traits are `container`, `is_snapshot`, and `is_singleton`. Properties are derived from them.
    """

    name: KindName
    """The collection in resource names, and the folder in a tree."""
    singular: str
    """The singular name in the API: `evaluationDataset`."""
    parent: Parent = Parent.APP
    """The parent of the collection."""
    api_versions: tuple[str, ...] = ("v1", "v1beta")
    """The API versions that have the kind."""
    container: Container | None = None
    """Set only for apps: they contain other kinds."""
    is_snapshot: bool = False
    """True for versions: immutable copies of the app, created after all other writes and listed on demand."""
    is_singleton: bool = False
    """True for security settings: each location always has exactly one, never created or deleted."""
    display_name_at: tuple[str, ...] = ("displayName",)
    """Alternative paths of the display name."""
    unique_display_name: bool = False
    """Display names must be unique in an app."""
    rank: int = 0
    """Breaks ties in the order of writes."""
    cuts: tuple[str, ...] = ()
    """Reference fields that may be set in a later update to break a cycle, in order of preference."""
    cut_rank: int = 0
    """The order of preference among kinds with `cuts`."""
    force_drops: tuple[str, ...] = ()
    """
    The kinds from which a forced delete removes the reference. For other kinds the effect is undocumented.
    """
    after_versions: bool = False
    """Written after the versions of its app, because it refers to them."""
    guarded_delete: bool = False
    """Deleted only with `--allow-delete`."""
    service_fields: tuple[str, ...] = ()
    """Fields that only service-created resources have. Such a resource is deleted only on request."""
    expensive_fields: tuple[str, ...] = ()
    """Fields that a partial response leaves out of list responses."""
    in_snapshot: bool = False
    """Part of the copy in a version."""
    in_export: bool = False
    """Part of the official export layout."""
    runs: bool = False
    """Takes part in conversations, as apps do. Other kinds observe or describe them."""
    protects: bool = False
    """Protects other resources: deleting one weakens protection."""
    converses: bool = False
    """True for agents: conversations begin with one of them and pass from one to another."""
    evaluates: bool = False
    """True for evaluations: they run conversations with the app and judge them."""
    serves: bool = False
    """True for deployments: they serve the draft or versions to users."""

    @cached_property
    def model(self) -> "type[Resource]":
        """The typed model, imported on first use because it needs pydantic and most stages do not."""
        module = re.sub("[A-Z]", lambda found: f"_{found[0].lower()}", self.singular)
        return cast("type[Resource]", getattr(import_module(f"{_MESSAGES}.{module}"), self.class_name))

    @cached_property
    def spec(self) -> MessageSpec:
        """The spec of this kind's message, which is named `class_name` in the API."""
        return message_spec(self.class_name)

    @property
    def class_name(self) -> str:
        """The name of the model class and of the message in the API."""
        return f"{self.singular[0].upper()}{self.singular[1:]}"

    @property
    def list_key(self) -> str:
        """The member of a list response (`appVersions`); empty if the kind cannot be listed."""
        return "" if self.is_singleton else f"{self.singular}s"

    @property
    def id_parameter(self) -> str:
        """The query parameter for the id in a create; empty if the kind cannot be created."""
        return "" if self.is_singleton else f"{self.singular}Id"

    @property
    def updatable(self) -> bool:
        return not self.is_snapshot

    @property
    def deletable(self) -> bool:
        return not self.is_singleton

    @property
    def prunable(self) -> bool:
        """True if live resources that are not in the tree may be deleted without being named."""
        return not (self.container or self.is_snapshot or self.is_singleton)

    @property
    def is_late(self) -> bool:
        """True if it is written after the rest of the app: copies of the app, and what refers to a copy."""
        return self.is_snapshot or self.after_versions

    @property
    def is_safety(self) -> bool:
        """True for what readers look at first: guardrails and security settings."""
        return self.protects or self.is_singleton

    def display_name_in(self, body: Mapping[str, Any]) -> str:
        """The display name in a body, or the name that it is derived from; empty if there is none."""
        for path in self.display_name_at:
            value: Any = body
            for name in path.split("."):
                value = value.get(name) if isinstance(value, dict) else None
            if isinstance(value, str) and value:
                return value
        return ""

    def is_made_by_service(self, body: Mapping[str, Any]) -> bool:
        """Whether the service created a live resource: a system tool, or a tool from a toolset."""
        return any(body.get(name) for name in self.service_fields)

    @property
    def ownership(self) -> Ownership:
        """The default ownership, for files without `$ownership`."""
        return Ownership.DECLARED if self.is_singleton else Ownership.FULL

    @property
    def lock_field(self) -> str:
        """The field that locks a resource and its contents; empty if the kind has no contents."""
        return self.container.lock_field if self.container else ""

    @property
    def stamp_field(self) -> str:
        """The map field that holds the stamp; empty if the kind has no stamp."""
        return self.container.stamp_field if self.container else ""

    @property
    def long_running(self) -> frozenset[str]:
        """The methods that return a long-running operation."""
        return self.container.long_running if self.container else frozenset()

    @property
    def forceable(self) -> bool:
        """True if a delete takes `force`."""
        return bool(self.force_drops)

    @property
    def permissions(self) -> str:
        """The prefix of this kind's IAM permissions: `ces.agents`."""
        return f"ces.{self.list_key or self.name}"


_TOOL_TYPES = (
    "pythonFunction", "clientFunction", "openApiTool", "googleSearchTool", "connectorTool", "dataStoreTool",
    "mcpTool", "fileSearchTool", "systemTool", "agentTool", "widgetTool", "remoteAgentTool",
)  # fmt: skip
_BETA = ("v1beta",)
_MESSAGES = "cesplan.model.messages"
TOOLS, TOOLSETS = KindName("tools"), KindName("toolsets")
EXPECTATIONS, DATASETS = KindName("evaluationExpectations"), KindName("evaluationDatasets")

KINDS: dict[KindName, Kind] = {
    kind.name: kind
    for kind in (
        Kind(
            name=KindName("securitySettings"),
            singular="securitySettings",
            parent=Parent.LOCATION,
            api_versions=_BETA,
            is_singleton=True,
            display_name_at=(),
        ),
        Kind(
            name=KindName("apps"),
            in_export=True,
            singular="app",
            parent=Parent.LOCATION,
            rank=1,
            cuts=("rootAgent", "guardrails", "languageSettings.fallbackAction"),
            cut_rank=1,
            container=Container(
                lock_field="locked", stamp_field="metadata", long_running=frozenset({"create", "delete"})
            ),
            guarded_delete=True,
        ),
        Kind(
            name=TOOLS,
            runs=True,
            in_snapshot=True,
            in_export=True,
            singular="tool",
            force_drops=("agents",),
            rank=2,
            cuts=("widgetTool.dataMapping.sourceToolName", "agentTool.agent"),
            cut_rank=3,
            service_fields=("systemTool", "mcpTool", "readOnly"),
            display_name_at=tuple(f"{name}.name" for name in _TOOL_TYPES),
        ),
        Kind(
            name=TOOLSETS,
            runs=True,
            unique_display_name=True,
            in_snapshot=True,
            in_export=True,
            singular="toolset",
            force_drops=("agents",),
            rank=3,
        ),
        Kind(
            name=KindName("guardrails"),
            runs=True,
            protects=True,
            in_snapshot=True,
            in_export=True,
            singular="guardrail",
            force_drops=("apps", "agents"),
            rank=4,
        ),
        Kind(
            name=KindName("agents"),
            runs=True,
            converses=True,
            in_snapshot=True,
            in_export=True,
            singular="agent",
            force_drops=("apps", "agents", "examples"),
            rank=5,
            cuts=("transferRules", "childAgents", "tools", "guardrails"),
            cut_rank=2,
        ),
        Kind(
            name=KindName("examples"),
            in_snapshot=True,
            in_export=True,
            singular="example",
            rank=6,
        ),
        Kind(
            name=EXPECTATIONS,
            unique_display_name=True,
            in_export=True,
            singular="evaluationExpectation",
            api_versions=_BETA,
            rank=7,
        ),
        Kind(
            name=KindName("evaluations"),
            evaluates=True,
            unique_display_name=True,
            in_export=True,
            singular="evaluation",
            api_versions=_BETA,
            force_drops=("evaluationDatasets",),
            rank=8,
            expensive_fields=("lastCompletedResult", "lastTenResults", "aggregatedMetrics"),
        ),
        Kind(
            name=DATASETS,
            unique_display_name=True,
            in_export=True,
            singular="evaluationDataset",
            api_versions=_BETA,
            rank=9,
            expensive_fields=("aggregatedMetrics",),
        ),
        Kind(
            name=KindName("versions"),
            singular="appVersion",
            is_snapshot=True,
            rank=10,
            expensive_fields=("snapshot",),
        ),
        Kind(
            name=KindName("deployments"),
            serves=True,
            singular="deployment",
            rank=11,
            guarded_delete=True,
            after_versions=True,
        ),
        Kind(
            name=KindName("scheduledEvaluationRuns"),
            singular="scheduledEvaluationRun",
            api_versions=_BETA,
            rank=12,
            after_versions=True,
        ),
    )
}


RUNNING_KINDS = tuple(kind.name for kind in KINDS.values() if kind.runs)
"""The kinds that take part in conversations, besides apps."""
AGENTS = next(kind.name for kind in KINDS.values() if kind.converses)
EVALUATIONS = next(kind.name for kind in KINDS.values() if kind.evaluates)
DEPLOYMENTS = next(kind.name for kind in KINDS.values() if kind.serves)
VERSIONS = next(kind.name for kind in KINDS.values() if kind.is_snapshot)


def kind_of(name: str) -> Kind:
    """The row of a kind. Raises KeyError for a name that is not a kind."""
    return KINDS[KindName(name)]


def kinds_in(api_version: str) -> frozenset[KindName]:
    """The kinds that an API version has."""
    return frozenset(name for name, kind in KINDS.items() if api_version in kind.api_versions)


def app_kinds(api_version: str) -> tuple[Kind, ...]:
    """The kinds inside an app in this API version, by rank."""
    rows = (kind for kind in KINDS.values() if kind.parent is Parent.APP and api_version in kind.api_versions)
    return tuple(sorted(rows, key=lambda kind: kind.rank))
