"""Agents: their instruction, the tools and other agents that they may use, and their transfer rules."""

from enum import StrEnum
from typing import Annotated

from cesplan.model.base import Message, Resource
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
from cesplan.model.messages.authentication import ApiAuthentication
from cesplan.model.messages.callback import Callback
from cesplan.model.messages.guardrail import GuardrailList
from cesplan.model.messages.model_settings import ModelSettings
from cesplan.model.messages.remote_agent_tool import AgentCard
from cesplan.model.scalars import Opaque


class TransferDirection(StrEnum):
    """The direction of a transfer rule."""

    DIRECTION_UNSPECIFIED = "DIRECTION_UNSPECIFIED"
    PARENT_TO_CHILD = "PARENT_TO_CHILD"
    CHILD_TO_PARENT = "CHILD_TO_PARENT"


class LlmAgent(Message):
    """The usual kind of agent: a language model that follows the agent's instruction and callbacks."""

    MESSAGE = "Agent.LlmAgent"


class RemoteDialogflowAgent(Message):
    """An agent in Dialogflow CX that takes over until its flow or the session ends."""

    MESSAGE = "Agent.RemoteDialogflowAgent"

    agent: Annotated[str | None, Required(), Reference(pattern="projects/*/locations/*/agents/*")] = None
    """The Dialogflow agent. In another project, the CES service agent needs `roles/dialogflow.client` there."""
    flow_id: str | None = None
    """The flow of that agent to start."""
    environment_id: str | None = None
    """The environment of that agent; its draft if absent."""
    input_variable_mapping: dict[str, str] | None = None
    """Variables of the app (keys) that are passed as session parameters to Dialogflow (values)."""
    output_variable_mapping: dict[str, str] | None = None
    """Session parameters of Dialogflow (keys) that are returned as variables of the app (values)."""
    respect_response_interruption_settings: bool | None = None
    """
    If true, a Dialogflow message can be interrupted only if the message itself allows it. If false, the
    barge-in settings of the app apply.
    """
    language_code_variable: str | None = None
    """The variable of the app that holds the language for Dialogflow; its default language if absent."""


class AgentToolset(Message):
    """A toolset, as used by one agent."""

    MESSAGE = "Agent.AgentToolset"

    toolset: Annotated[str | None, Required(refused=True), Reference(("toolsets",))] = None
    """The toolset, by key."""
    tool_ids: Annotated[list[str] | None, AsSet()] = None
    """The tools in it that this agent may call (operationId or MCP name); all of them if absent."""


class ExpressionCondition(Message):
    """A condition on the state of the session."""

    MESSAGE = "ExpressionCondition"

    expression: Annotated[str | None, Required()] = None
    """The condition, in the Common Expression Language."""


class PythonCodeCondition(Message):
    """A condition evaluated by Python code."""

    MESSAGE = "PythonCodeCondition"

    python_code: Annotated[str | None, Required(), LongText("python")] = None
    """The code that evaluates the condition."""


class DeterministicTransfer(Message):
    """A transfer as soon as a condition is true, without asking the model."""

    MESSAGE = "TransferRule.DeterministicTransfer"

    expression_condition: Annotated[ExpressionCondition | None, OneOf("condition_type")] = None
    """Transfers when this expression is true."""
    python_code_condition: Annotated[PythonCodeCondition | None, OneOf("condition_type")] = None
    """Transfers when this code says so."""


class DisablePlannerTransfer(Message):
    """Prevents the model from transferring while a condition is true."""

    MESSAGE = "TransferRule.DisablePlannerTransfer"

    expression_condition: Annotated[ExpressionCondition | None, Required()] = None
    """While this expression is true, the model cannot choose this transfer."""


class TransferRule(Message):
    """A rule for transfers between an agent and one of its children."""

    MESSAGE = "TransferRule"

    deterministic_transfer: Annotated[DeterministicTransfer | None, OneOf("rule_type")] = None
    """Transfers by condition, not by the choice of the model."""
    disable_planner_transfer: Annotated[DisablePlannerTransfer | None, OneOf("rule_type")] = None
    """Prevents the model from choosing this transfer."""
    child_agent: Annotated[str | None, Required(), Reference(("agents",))] = None
    """The child agent of the rule, in either direction."""
    direction: Annotated[TransferDirection | None, Required()] = None
    """From parent to child, or from child to parent."""


class RemoteA2aConfig(Message):
    """How to reach an agent over the A2A protocol: by its card, or by its entry in Agent Registry."""

    MESSAGE = "RemoteA2aConfig"

    agent_card: Annotated[AgentCard | None, OneOf("agent_source")] = None
    """The agent's description of itself."""
    agent_registry: Annotated[str | None, OneOf("agent_source")] = None
    """Its entry in Agent Registry."""
    api_authentication: ApiAuthentication | None = None
    """How the service authenticates to it."""
    context_id: str | None = None
    """The A2A context of requests to it."""
    input_variable_mapping: dict[str, str] | None = None
    """Variables that are passed to it."""
    output_variable_mapping: dict[str, str] | None = None
    """Variables that are set from its responses."""
    streaming_enabled: bool | None = None
    """If true, its response is streamed."""


class RemoteA2aAgent(Message):
    """A remote agent that uses the A2A protocol."""

    MESSAGE = "AgentRemoteA2aAgent"

    a2a_config: Annotated[RemoteA2aConfig | None, Required()] = None
    """How to reach it."""


class Agent(Resource):
    """One agent of an app: an instruction for a language model, or a proxy for a remote agent."""

    MESSAGE = "Agent"

    llm_agent: Annotated[LlmAgent | None, OneOf("agent_type")] = None
    """Makes it an ordinary agent. This is the default; `llmAgent: {}` states it explicitly."""
    remote_dialogflow_agent: Annotated[RemoteDialogflowAgent | None, OneOf("agent_type")] = None
    """Makes it a proxy for a Dialogflow agent. The service then ignores all other fields."""
    remote_a2a_agent: Annotated[RemoteA2aAgent | None, OneOf("agent_type")] = None
    """Makes it a proxy for an agent that uses the A2A protocol."""
    name: Annotated[str | None, Identifier()] = None
    """The resource name. It is derived from the path of the file; do not set it in a file."""
    display_name: Annotated[str | None, Required(refused=True)] = None
    """
    The display name. If `$id` is absent and no live id equals the key, a unique display name identifies the
    live agent.
    """
    description: str | None = None
    """The purpose of the agent."""
    model_settings: ModelSettings | None = None
    """The model of this agent. Overrides the model of its parent and of the app."""
    instruction: Annotated[str | None, LongText("markdown")] = None
    """The instruction: task, tone, and when to use which tool. Best kept in a Markdown file."""
    tools: Annotated[list[str] | None, Reference(("tools",)), AsSet()] = None
    """The tools that it may call, by key. Order does not matter."""
    child_agents: Annotated[list[str] | None, Reference(("agents",)), AsSet()] = None
    """The agents that it may transfer to, by key. Order does not matter."""
    before_agent_callbacks: list[Callback] | None = None
    """Run in order before the agent. The first to return content stops the rest and replaces the response."""
    after_agent_callbacks: list[Callback] | None = None
    """Run in order after the agent. The first to return content stops the rest and replaces the response."""
    before_model_callbacks: list[Callback] | None = None
    """Run in order before every model call. The first to return a response stops the rest."""
    after_model_callbacks: list[Callback] | None = None
    """Run in order after every model call. The first to return a response stops the rest."""
    before_tool_callbacks: list[Callback] | None = None
    """Run in order before every tool call. The first to return a result stops the rest."""
    after_tool_callbacks: list[Callback] | None = None
    """Run in order after every tool call. The first to return a result stops the rest."""
    create_time: Annotated[Opaque, OutputOnly()] = None
    """When it was created."""
    update_time: Annotated[Opaque, OutputOnly()] = None
    """When it was last updated."""
    guardrails: GuardrailList = None
    """Guardrails of this agent, by key. Order is preserved."""
    etag: Annotated[str | None, Etag()] = None
    """Changes with every write. cesplan manages it; do not set it in a file."""
    toolsets: Annotated[list[AgentToolset] | None, KeyedBy(("toolset",))] = None
    """The toolsets that it may use, each as a whole or in part."""
    generated_summary: Annotated[Opaque, OutputOnly()] = None
    """A description by the assistant, if it created the agent."""
    transfer_rules: list[TransferRule] | None = None
    """Transfer rules. The first matching rule applies."""
    validation_errors: Annotated[Opaque, OutputOnly()] = None
    """Problems that the service found with the agent."""
