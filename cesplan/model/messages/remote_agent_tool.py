"""Tools that are agents elsewhere, spoken to by the A2A protocol."""

from typing import Annotated

from cesplan.model.base import Message
from cesplan.model.marks import AsSet, Falls, Form, Guards, KeyedBy, Protects, Required
from cesplan.model.messages.authentication import ApiAuthentication


class AgentInterface(Message):
    """An address of a remote agent."""

    MESSAGE = "AgentInterface"

    url: Annotated[str | None, Required(), Form(r"https://\S+", "an absolute HTTPS URL")] = None
    """An absolute HTTPS URL."""
    protocol_binding: Annotated[str | None, Required()] = None
    """The protocol there: `JSONRPC`, `GRPC` or `HTTP+JSON`, or another by agreement."""
    tenant: str | None = None
    """A tenant to name in requests."""
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
    """Keywords. Order means nothing."""
    examples: list[str] | None = None
    """Requests that it can serve."""
    input_modes: Annotated[list[str] | None, AsSet()] = None
    """Media types it takes, over those of the agent. Order means nothing."""
    output_modes: Annotated[list[str] | None, AsSet()] = None
    """Media types it gives, over those of the agent. Order means nothing."""


class AgentCard(Message):
    """What a remote agent says of itself; a part of the card that A2A defines."""

    MESSAGE = "AgentCard"

    name: Annotated[str | None, Required(refused=True)] = None
    """Its name."""
    description: Annotated[str | None, Required()] = None
    """Its purpose."""
    supported_interfaces: Annotated[list[AgentInterface] | None, Required()] = None
    """Its addresses, the preferred one first."""
    version: Annotated[str | None, Required()] = None
    """Its version."""
    skills: Annotated[list[AgentSkill] | None, Required(), KeyedBy(("id",))] = None
    """What it can do. Found by id; order means nothing."""


class RemoteAgentTool(Message):
    """A tool that asks a remote agent."""

    MESSAGE = "RemoteAgentTool"

    name: Annotated[str | None, Required(refused=True)] = None
    """The name that the model sees; also the display name of the tool."""
    description: Annotated[str | None, Required()] = None
    """When to use it, for the model."""
    agent_card: Annotated[AgentCard | None, Required()] = None
    """The remote agent."""
    api_authentication: Annotated[
        ApiAuthentication | None, Protects(Guards.AUTHENTICATION, Falls.WHEN_GONE)
    ] = None
    """How the service identifies itself there."""
    input_variable_mapping: dict[str, str] | None = None
    """Variables that it is given."""
    output_variable_mapping: dict[str, str] | None = None
    """Variables that are taken from its answers."""
    stateful_agent: bool | None = None
    """True if the agent keeps the conversation between calls."""
