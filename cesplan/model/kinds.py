"""
The table of kinds: what is true of each collection, read by everything generic.

A new kind is a model and a row here. Sources: docs/api-facts.md (methods, references, ids),
docs/design/identity.md and docs/design/planning.md (ownership, pruning, order, cuts).
"""

from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from importlib import import_module
from typing import TYPE_CHECKING, cast

from cesplan.domain.address import KindName
from cesplan.domain.settings import Ownership
from cesplan.model.spec import MessageSpec, message_spec

if TYPE_CHECKING:
    from cesplan.model.base import Resource


class Parent(StrEnum):
    """The parent of a collection."""

    LOCATION = "location"
    APP = "app"


@dataclass(frozen=True, kw_only=True)
class Kind:
    """
    One row.

    `name` is the collection in resource names and the folder in a tree; `module` and `class_name` say where the
    model is. `list_key` is the member of a list answer. `id_parameter` is empty if there is no create.
    `cuts` are the reference fields that may be set in a later update to break a cycle, in order of
    preference. `display_name_at` are alternative paths of the name that people see. `rank` breaks ties in the
    order of writes. `expensive_fields` are left out of list answers by a partial response. `cut_rank` orders
    kinds by preference for a cut. `lock_field` refuses changes to what `contains_others`; `stamp_field` is the
    map that takes our stamp. A live resource that holds one of `never_pruned` is never deleted unasked. A
    version keeps a copy of kinds `in_snapshot`; the official export layout has the kinds `in_export`.
    `unique_display_name`: no two resources of an app may have the same. A delete by force takes
    the reference out of the kinds that `force_drops` names; of others nothing is documented.
    """

    name: KindName
    module: str
    class_name: str
    singular: str
    list_key: str = ""
    id_parameter: str = ""
    parent: Parent = Parent.APP
    api_versions: tuple[str, ...] = ("v1", "v1beta")
    updatable: bool = True
    deletable: bool = True
    prunable: bool = True
    force_drops: tuple[str, ...] = ()
    singleton: bool = False
    list_on_demand: bool = False
    long_running: frozenset[str] = frozenset()
    ownership: Ownership = Ownership.FULL
    rank: int = 0
    cuts: tuple[str, ...] = ()
    display_name_at: tuple[str, ...] = ("displayName",)
    list_filter: str = ""
    list_order: str = "name"
    expensive_fields: tuple[str, ...] = ()
    iam_collection: str = ""
    guarded_delete: bool = False
    after_all_writes: bool = False
    after_versions: bool = False
    cut_rank: int = 0
    contains_others: bool = False
    lock_field: str = ""
    stamp_field: str = ""
    never_pruned: tuple[str, ...] = ()
    in_snapshot: bool = False
    unique_display_name: bool = False
    in_export: bool = False

    @cached_property
    def model(self) -> "type[Resource]":
        """The typed model, imported on first use; brings in pydantic, which most stages can do without."""
        return cast("type[Resource]", getattr(import_module(self.module), self.class_name))

    @cached_property
    def spec(self) -> MessageSpec:
        """The fields of this kind; `class_name` is the name of its message in the API too."""
        return message_spec(self.class_name)

    @property
    def forceable(self) -> bool:
        """True if a delete takes `force`."""
        return bool(self.force_drops)

    @property
    def permissions(self) -> str:
        """The prefix of this kind's IAM permissions: `ces.agents`."""
        return f"ces.{self.iam_collection or self.name}"


_TOOL_TYPES = (
    "pythonFunction", "clientFunction", "openApiTool", "googleSearchTool", "connectorTool", "dataStoreTool",
    "mcpTool", "fileSearchTool", "systemTool", "agentTool", "widgetTool", "remoteAgentTool",
)  # fmt: skip
_BETA = ("v1beta",)

KINDS: dict[KindName, Kind] = {
    kind.name: kind
    for kind in (
        Kind(
            name=KindName("securitySettings"),
            module="cesplan.model.messages.security_settings",
            class_name="SecuritySettings",
            singular="securitySettings",
            parent=Parent.LOCATION,
            api_versions=_BETA,
            deletable=False,
            prunable=False,
            singleton=True,
            ownership=Ownership.DECLARED,
            rank=0,
            display_name_at=(),
        ),
        Kind(
            name=KindName("apps"),
            in_export=True,
            module="cesplan.model.messages.app",
            class_name="App",
            singular="app",
            list_key="apps",
            id_parameter="appId",
            parent=Parent.LOCATION,
            prunable=False,
            long_running=frozenset({"create", "delete"}),
            rank=1,
            cuts=("rootAgent", "guardrails", "languageSettings.fallbackAction"),
            cut_rank=1,
            contains_others=True,
            lock_field="locked",
            stamp_field="metadata",
            guarded_delete=True,
        ),
        Kind(
            name=KindName("tools"),
            in_snapshot=True,
            in_export=True,
            module="cesplan.model.messages.tool",
            class_name="Tool",
            singular="tool",
            list_key="tools",
            id_parameter="toolId",
            force_drops=("agents",),
            rank=2,
            cuts=("widgetTool.dataMapping.sourceToolName", "agentTool.agent"),
            cut_rank=3,
            never_pruned=("systemTool", "mcpTool", "readOnly"),
            display_name_at=tuple(f"{name}.name" for name in _TOOL_TYPES),
        ),
        Kind(
            name=KindName("toolsets"),
            unique_display_name=True,
            in_snapshot=True,
            in_export=True,
            module="cesplan.model.messages.toolset",
            class_name="Toolset",
            singular="toolset",
            list_key="toolsets",
            id_parameter="toolsetId",
            force_drops=("agents",),
            rank=3,
        ),
        Kind(
            name=KindName("guardrails"),
            in_snapshot=True,
            in_export=True,
            module="cesplan.model.messages.guardrail",
            class_name="Guardrail",
            singular="guardrail",
            list_key="guardrails",
            id_parameter="guardrailId",
            force_drops=("apps", "agents"),
            rank=4,
        ),
        Kind(
            name=KindName("agents"),
            in_snapshot=True,
            in_export=True,
            module="cesplan.model.messages.agent",
            class_name="Agent",
            singular="agent",
            list_key="agents",
            id_parameter="agentId",
            force_drops=("apps", "agents", "examples"),
            rank=5,
            cuts=("transferRules", "childAgents", "tools", "guardrails"),
            cut_rank=2,
        ),
        Kind(
            name=KindName("examples"),
            in_snapshot=True,
            in_export=True,
            module="cesplan.model.messages.example",
            class_name="Example",
            singular="example",
            list_key="examples",
            id_parameter="exampleId",
            rank=6,
        ),
        Kind(
            name=KindName("evaluationExpectations"),
            unique_display_name=True,
            in_export=True,
            module="cesplan.model.messages.evaluation_expectation",
            class_name="EvaluationExpectation",
            singular="evaluationExpectation",
            list_key="evaluationExpectations",
            id_parameter="evaluationExpectationId",
            api_versions=_BETA,
            rank=7,
        ),
        Kind(
            name=KindName("evaluations"),
            unique_display_name=True,
            in_export=True,
            module="cesplan.model.messages.evaluation",
            class_name="Evaluation",
            singular="evaluation",
            list_key="evaluations",
            id_parameter="evaluationId",
            api_versions=_BETA,
            force_drops=("evaluationDatasets",),
            rank=8,
            expensive_fields=("lastCompletedResult", "lastTenResults", "aggregatedMetrics"),
        ),
        Kind(
            name=KindName("evaluationDatasets"),
            unique_display_name=True,
            in_export=True,
            module="cesplan.model.messages.evaluation_dataset",
            class_name="EvaluationDataset",
            singular="evaluationDataset",
            list_key="evaluationDatasets",
            id_parameter="evaluationDatasetId",
            api_versions=_BETA,
            rank=9,
            expensive_fields=("aggregatedMetrics",),
        ),
        Kind(
            name=KindName("versions"),
            module="cesplan.model.messages.version",
            class_name="AppVersion",
            singular="appVersion",
            list_key="appVersions",
            id_parameter="appVersionId",
            updatable=False,
            prunable=False,
            list_on_demand=True,
            rank=10,
            expensive_fields=("snapshot",),
            iam_collection="appVersions",
            after_all_writes=True,
        ),
        Kind(
            name=KindName("deployments"),
            module="cesplan.model.messages.deployment",
            class_name="Deployment",
            singular="deployment",
            list_key="deployments",
            id_parameter="deploymentId",
            rank=11,
            guarded_delete=True,
            after_versions=True,
        ),
        Kind(
            name=KindName("scheduledEvaluationRuns"),
            module="cesplan.model.messages.scheduled_evaluation_run",
            class_name="ScheduledEvaluationRun",
            singular="scheduledEvaluationRun",
            list_key="scheduledEvaluationRuns",
            id_parameter="scheduledEvaluationRunId",
            api_versions=_BETA,
            rank=12,
            after_versions=True,
        ),
    )
}


def kind_of(name: str) -> Kind:
    """The row of a kind. Raises KeyError for a name that is not a kind."""
    return KINDS[KindName(name)]


def app_kinds(api_version: str) -> tuple[Kind, ...]:
    """The kinds that live inside an app in this API version, by rank."""
    rows = (kind for kind in KINDS.values() if kind.parent is Parent.APP and api_version in kind.api_versions)
    return tuple(sorted(rows, key=lambda kind: kind.rank))
