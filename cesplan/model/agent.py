"""TODO"""

from enum import StrEnum
from typing import Annotated

from cesplan.model.base import Message, Resource
from cesplan.model.callback import Callback
from cesplan.model.marks import (
    AsSet,
    Etag,
    Identifier,
    KeyedBy,
    LongText,
    OneOf,
    OutputOnly,
    Reference,
    Required,
)
from cesplan.model.model_settings import ModelSettings
from cesplan.model.scalars import Opaque


class Direction(StrEnum):
    """TODO"""

    DIRECTION_UNSPECIFIED = "DIRECTION_UNSPECIFIED"
    PARENT_TO_CHILD = "PARENT_TO_CHILD"
    CHILD_TO_PARENT = "CHILD_TO_PARENT"


class LlmAgent(Message):
    """TODO"""

    MESSAGE = "Agent.LlmAgent"


class RemoteDialogflowAgent(Message):
    """TODO"""

    MESSAGE = "Agent.RemoteDialogflowAgent"

    agent: Annotated[str | None, Required(), Reference(pattern="projects/*/locations/*/agents/*")] = None
    flow_id: str | None = None
    environment_id: str | None = None
    input_variable_mapping: dict[str, str] | None = None
    output_variable_mapping: dict[str, str] | None = None
    respect_response_interruption_settings: bool | None = None
    language_code_variable: str | None = None


class AgentToolset(Message):
    """TODO"""

    MESSAGE = "Agent.AgentToolset"

    toolset: Annotated[str | None, Required(), Reference(("toolsets",))] = None
    tool_ids: Annotated[list[str] | None, AsSet()] = None


class ExpressionCondition(Message):
    """TODO"""

    MESSAGE = "ExpressionCondition"

    expression: Annotated[str | None, Required()] = None


class PythonCodeCondition(Message):
    """TODO"""

    MESSAGE = "PythonCodeCondition"

    python_code: Annotated[str | None, Required(), LongText("python")] = None


class DeterministicTransfer(Message):
    """TODO"""

    MESSAGE = "TransferRule.DeterministicTransfer"

    expression_condition: Annotated[ExpressionCondition | None, OneOf("condition_type")] = None
    python_code_condition: Annotated[PythonCodeCondition | None, OneOf("condition_type")] = None


class DisablePlannerTransfer(Message):
    """TODO"""

    MESSAGE = "TransferRule.DisablePlannerTransfer"

    expression_condition: Annotated[ExpressionCondition | None, Required()] = None


class TransferRule(Message):
    """TODO"""

    MESSAGE = "TransferRule"

    deterministic_transfer: Annotated[DeterministicTransfer | None, OneOf("rule_type")] = None
    disable_planner_transfer: Annotated[DisablePlannerTransfer | None, OneOf("rule_type")] = None
    child_agent: Annotated[str | None, Required(), Reference(("agents",))] = None
    direction: Annotated[Direction | None, Required()] = None


class Agent(Resource):
    """TODO"""

    MESSAGE = "Agent"

    llm_agent: Annotated[LlmAgent | None, OneOf("agent_type")] = None
    remote_dialogflow_agent: Annotated[RemoteDialogflowAgent | None, OneOf("agent_type")] = None
    name: Annotated[str | None, Identifier()] = None
    display_name: Annotated[str | None, Required()] = None
    description: str | None = None
    model_settings: ModelSettings | None = None
    instruction: Annotated[str | None, LongText("markdown")] = None
    tools: Annotated[list[str] | None, Reference(("tools",)), AsSet()] = None
    child_agents: Annotated[list[str] | None, Reference(("agents",)), AsSet()] = None
    before_agent_callbacks: list[Callback] | None = None
    after_agent_callbacks: list[Callback] | None = None
    before_model_callbacks: list[Callback] | None = None
    after_model_callbacks: list[Callback] | None = None
    before_tool_callbacks: list[Callback] | None = None
    after_tool_callbacks: list[Callback] | None = None
    create_time: Annotated[Opaque, OutputOnly()] = None
    update_time: Annotated[Opaque, OutputOnly()] = None
    guardrails: Annotated[list[str] | None, Reference(("guardrails",))] = None
    etag: Annotated[str | None, Etag()] = None
    toolsets: Annotated[list[AgentToolset] | None, KeyedBy(("toolset",))] = None
    generated_summary: Annotated[Opaque, OutputOnly()] = None
    transfer_rules: list[TransferRule] | None = None
    validation_errors: Annotated[Opaque, OutputOnly()] = None
