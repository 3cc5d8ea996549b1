"""Tools that are remote agents, called over the A2A protocol."""

from typing import Annotated

from cesplan.model.base import Message
from cesplan.model.marks import AsSet, Form, KeyedBy, Required
from cesplan.model.messages.authentication import GuardedAuthentication


class AgentInterface(Message):
    """An address of a remote agent."""

    MESSAGE = "AgentInterface"

    url: Annotated[str | None, Required(), Form(r"https://\S+", "an absolute HTTPS URL")] = None
    """An absolute HTTPS URL."""
    protocol_binding: Annotated[str | None, Required()] = None
    """The protocol at this address: `JSONRPC`, `GRPC`, `HTTP+JSON`, or a custom one."""
    tenant: str | None = None
    """The tenant to send in requests."""
    protocol_version: Annotated[str | None, Required()] = None
    """The version of A2A, such as `1.0`."""


class AgentSkill(Message):
    """Something that a remote agent can do."""

    MESSAGE = "AgentSkill"

    id: Annotated[str | None, Required()] = None
    """Its id; unique in the card."""
    name: Annotated[str | None, Required(refused=True)] = None
    """Its name."""
    description: Annotated[str | None, Required()] = None
    """Its description."""
    tags: Annotated[list[str] | None, Required(), AsSet()] = None
    """Keywords. Order does not matter."""
    examples: list[str] | None = None
    """Example requests that it can handle."""
    input_modes: Annotated[list[str] | None, AsSet()] = None
    """Media types of its input. They override those of the agent. Order does not matter."""
    output_modes: Annotated[list[str] | None, AsSet()] = None
    """Media types of its output. They override those of the agent. Order does not matter."""


class AgentCard(Message):
    """A remote agent's description of itself; a subset of the agent card in A2A."""

    MESSAGE = "AgentCard"

    name: Annotated[str | None, Required(refused=True)] = None
    """Its name."""
    description: Annotated[str | None, Required()] = None
    """Its purpose."""
    supported_interfaces: Annotated[list[AgentInterface] | None, Required()] = None
    """Its addresses, preferred first."""
    version: Annotated[str | None, Required()] = None
    """Its version."""
    skills: Annotated[list[AgentSkill] | None, Required(), KeyedBy(("id",))] = None
    """What it can do. Identified by id; order does not matter."""


class RemoteAgentTool(Message):
    """A tool that calls a remote agent."""

    MESSAGE = "RemoteAgentTool"

    name: Annotated[str | None, Required(refused=True)] = None
    """The name that the model sees; also the display name of the tool."""
    description: Annotated[str | None, Required()] = None
    """When to use it, for the model."""
    agent_card: Annotated[AgentCard | None, Required()] = None
    """The remote agent."""
    api_authentication: GuardedAuthentication = None
    """How the service authenticates to it."""
    input_variable_mapping: dict[str, str] | None = None
    """Variables that are passed to it."""
    output_variable_mapping: dict[str, str] | None = None
    """Variables that are set from its responses."""
    stateful_agent: bool | None = None
    """If true, the agent keeps the conversation between calls."""
