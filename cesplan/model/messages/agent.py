"""Agents: their instruction, the tools and other agents they may use, and the transfer rules."""

from enum import StrEnum
from typing import Annotated

from cesplan.model.base import Message, Resource
from cesplan.model.marks import (
    AsSet,
    Etag,
    Falls,
    Guards,
    Identifier,
    KeyedBy,
    LongText,
    OneOf,
    OutputOnly,
    Protects,
    Reference,
    Required,
)
from cesplan.model.messages.authentication import ApiAuthentication
from cesplan.model.messages.callback import Callback
from cesplan.model.messages.model_settings import ModelSettings
from cesplan.model.messages.remote_agent_tool import AgentCard
from cesplan.model.scalars import Opaque


class TransferDirection(StrEnum):
    """Which way a transfer rule looks."""

    DIRECTION_UNSPECIFIED = "DIRECTION_UNSPECIFIED"
    PARENT_TO_CHILD = "PARENT_TO_CHILD"
    CHILD_TO_PARENT = "CHILD_TO_PARENT"


class LlmAgent(Message):
    """The usual kind of agent: a language model that follows the instruction and callbacks beside it."""

    MESSAGE = "Agent.LlmAgent"


class RemoteDialogflowAgent(Message):
    """An agent that lives in Dialogflow CX and takes over until its flow or the session ends."""

    MESSAGE = "Agent.RemoteDialogflowAgent"

    agent: Annotated[str | None, Required(), Reference(pattern="projects/*/locations/*/agents/*")] = None
    """The Dialogflow agent. In another project, the CES service agent needs `roles/dialogflow.client` there."""
    flow_id: str | None = None
    """The flow of that agent to enter."""
    environment_id: str | None = None
    """The environment of that agent; its draft when absent."""
    input_variable_mapping: dict[str, str] | None = None
    """Variables of the app (keys) handed over as session parameters of Dialogflow (values)."""
    output_variable_mapping: dict[str, str] | None = None
    """Session parameters of Dialogflow (keys) taken back into variables of the app (values)."""
    respect_response_interruption_settings: bool | None = None
    """
    True: a Dialogflow message can be interrupted only where it says so itself. False: barge-in follows the
    app.
    """
    language_code_variable: str | None = None
    """The variable of the app that holds the language for Dialogflow; its default language when absent."""


class AgentToolset(Message):
    """A toolset as one agent uses it."""

    MESSAGE = "Agent.AgentToolset"

    toolset: Annotated[str | None, Required(refused=True), Reference(("toolsets",))] = None
    """The toolset, by key."""
    tool_ids: Annotated[list[str] | None, AsSet()] = None
    """The tools of it that this agent may call (operationId, MCP name); all of them when absent."""


class ExpressionCondition(Message):
    """A condition on the state of the session."""

    MESSAGE = "ExpressionCondition"

    expression: Annotated[str | None, Required()] = None
    """The condition, in the Common Expression Language."""


class PythonCodeCondition(Message):
    """A condition worked out by Python."""

    MESSAGE = "PythonCodeCondition"

    python_code: Annotated[str | None, Required(), LongText("python")] = None
    """The code that decides."""


class DeterministicTransfer(Message):
    """A hand-over as soon as a condition holds, without asking the model."""

    MESSAGE = "TransferRule.DeterministicTransfer"

    expression_condition: Annotated[ExpressionCondition | None, OneOf("condition_type")] = None
    """Hand over when this expression is true."""
    python_code_condition: Annotated[PythonCodeCondition | None, OneOf("condition_type")] = None
    """Hand over when this code says so."""


class DisablePlannerTransfer(Message):
    """Forbids the model to hand over while a condition holds."""

    MESSAGE = "TransferRule.DisablePlannerTransfer"

    expression_condition: Annotated[ExpressionCondition | None, Required()] = None
    """While this expression is true, the model may not choose this transfer."""


class TransferRule(Message):
    """A rule about handing over between an agent and one of its children."""

    MESSAGE = "TransferRule"

    deterministic_transfer: Annotated[DeterministicTransfer | None, OneOf("rule_type")] = None
    """Hand over by condition, not by choice of the model."""
    disable_planner_transfer: Annotated[DisablePlannerTransfer | None, OneOf("rule_type")] = None
    """Keep the model from choosing this transfer."""
    child_agent: Annotated[str | None, Required(), Reference(("agents",))] = None
    """The child that the rule is about, whatever the direction."""
    direction: Annotated[TransferDirection | None, Required()] = None
    """From parent to child, or back."""


class RemoteA2aConfig(Message):
    """How to reach an agent that speaks the A2A protocol: by its card, or by its entry in Agent Registry."""

    MESSAGE = "RemoteA2aConfig"

    agent_card: Annotated[AgentCard | None, OneOf("agent_source")] = None
    """What the agent says of itself."""
    agent_registry: Annotated[str | None, OneOf("agent_source")] = None
    """Its entry in Agent Registry."""
    api_authentication: ApiAuthentication | None = None
    """How the service identifies itself there."""
    context_id: str | None = None
    """The context of A2A in which it is asked."""
    input_variable_mapping: dict[str, str] | None = None
    """Variables that it is given."""
    output_variable_mapping: dict[str, str] | None = None
    """Variables that are taken from its answers."""
    streaming_enabled: bool | None = None
    """True takes its answer in parts."""


class RemoteA2aAgent(Message):
    """An agent elsewhere that speaks the A2A protocol."""

    MESSAGE = "AgentRemoteA2aAgent"

    a2a_config: Annotated[RemoteA2aConfig | None, Required()] = None
    """How to reach it."""


class Agent(Resource):
    """One agent of an app: an instruction for a language model, or a stand-in for a remote agent."""

    MESSAGE = "Agent"

    llm_agent: Annotated[LlmAgent | None, OneOf("agent_type")] = None
    """Makes it an ordinary agent; `llmAgent: {}` says so explicitly, and it is the default."""
    remote_dialogflow_agent: Annotated[RemoteDialogflowAgent | None, OneOf("agent_type")] = None
    """Makes it a stand-in for a Dialogflow agent; all other fields are then ignored by the service."""
    remote_a2a_agent: Annotated[RemoteA2aAgent | None, OneOf("agent_type")] = None
    """Makes it a stand-in for an agent that speaks the A2A protocol."""
    name: Annotated[str | None, Identifier()] = None
    """The resource name; it follows from where the file is, and is never written there."""
    display_name: Annotated[str | None, Required(refused=True)] = None
    """
    The name that people see. When `$id` is absent and no id equals the key, a unique name finds the live
    agent.
    """
    description: str | None = None
    """The purpose of the agent."""
    model_settings: ModelSettings | None = None
    """The model of this agent, over that of its parent and of the app."""
    instruction: Annotated[str | None, LongText("markdown")] = None
    """The instruction: task, tone, and when to use which tool. Best kept in a Markdown file."""
    tools: Annotated[list[str] | None, Reference(("tools",)), AsSet()] = None
    """The tools it may call, by key. Order means nothing."""
    child_agents: Annotated[list[str] | None, Reference(("agents",)), AsSet()] = None
    """The agents it may hand over to, by key. Order means nothing."""
    before_agent_callbacks: list[Callback] | None = None
    """Run in order before the agent; one that returns content ends the row and replaces the answer."""
    after_agent_callbacks: list[Callback] | None = None
    """Run in order after the agent; one that returns content ends the row and replaces the answer."""
    before_model_callbacks: list[Callback] | None = None
    """Run in order before every call of the model; one that returns a response ends the row."""
    after_model_callbacks: list[Callback] | None = None
    """Run in order after every call of the model; one that returns a response ends the row."""
    before_tool_callbacks: list[Callback] | None = None
    """Run in order before every call of a tool; one that returns a result ends the row."""
    after_tool_callbacks: list[Callback] | None = None
    """Run in order after every call of a tool; one that returns a result ends the row."""
    create_time: Annotated[Opaque, OutputOnly()] = None
    """When it was created."""
    update_time: Annotated[Opaque, OutputOnly()] = None
    """When it was last changed."""
    guardrails: Annotated[
        list[str] | None, Reference(("guardrails",)), Protects(Guards.GUARDRAIL, Falls.WHEN_FEWER)
    ] = None
    """Guardrails of this agent, by key. Kept in order."""
    etag: Annotated[str | None, Etag()] = None
    """Changes with every write; kept by cesplan, never written in a file."""
    toolsets: Annotated[list[AgentToolset] | None, KeyedBy(("toolset",))] = None
    """Toolsets it may use, each whole or in part."""
    generated_summary: Annotated[Opaque, OutputOnly()] = None
    """A description made by the assistant, where it made the agent."""
    transfer_rules: list[TransferRule] | None = None
    """Rules of handing over; the first that matches wins."""
    validation_errors: Annotated[Opaque, OutputOnly()] = None
    """What the service finds wrong with the agent."""
