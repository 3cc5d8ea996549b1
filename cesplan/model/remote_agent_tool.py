"""TODO"""

from typing import Annotated

from cesplan.model.base import Message
from cesplan.model.marks import AsSet, KeyedBy, Required


class AgentInterface(Message):
    """TODO"""

    MESSAGE = "AgentInterface"

    url: Annotated[str | None, Required()] = None
    protocol_binding: Annotated[str | None, Required()] = None
    tenant: str | None = None
    protocol_version: Annotated[str | None, Required()] = None


class AgentSkill(Message):
    """TODO"""

    MESSAGE = "AgentSkill"

    id: Annotated[str | None, Required()] = None
    name: Annotated[str | None, Required()] = None
    description: Annotated[str | None, Required()] = None
    tags: Annotated[list[str] | None, Required(), AsSet()] = None
    examples: list[str] | None = None
    input_modes: Annotated[list[str] | None, AsSet()] = None
    output_modes: Annotated[list[str] | None, AsSet()] = None


class AgentCard(Message):
    """TODO"""

    MESSAGE = "AgentCard"

    name: Annotated[str | None, Required()] = None
    description: Annotated[str | None, Required()] = None
    supported_interfaces: Annotated[list[AgentInterface] | None, Required()] = None
    version: Annotated[str | None, Required()] = None
    skills: Annotated[list[AgentSkill] | None, Required(), KeyedBy(("id",))] = None


class RemoteAgentTool(Message):
    """TODO"""

    MESSAGE = "RemoteAgentTool"

    name: Annotated[str | None, Required()] = None
    description: Annotated[str | None, Required()] = None
    agent_card: Annotated[AgentCard | None, Required()] = None
