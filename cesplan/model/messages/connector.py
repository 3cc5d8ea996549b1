"""Integration Connectors: tools and toolsets that act on other systems through a connection."""

from enum import StrEnum
from typing import Annotated

from cesplan.model.base import Message
from cesplan.model.marks import AsSet, Falls, Guards, KeyedBy, OneOf, Protects, Reference, Required
from cesplan.model.messages.authentication import EndUserAuthConfig


class EntityOperationType(StrEnum):
    """The operation on an entity."""

    OPERATION_TYPE_UNSPECIFIED = "OPERATION_TYPE_UNSPECIFIED"
    LIST = "LIST"
    GET = "GET"
    CREATE = "CREATE"
    UPDATE = "UPDATE"
    DELETE = "DELETE"


class EntityOperation(Message):
    """One operation on one entity of a connection."""

    MESSAGE = "Action.EntityOperation"

    entity_id: Annotated[str | None, Required()] = None
    """The entity."""
    operation: Annotated[EntityOperationType | None, Required()] = None
    """List, get, create, update, or delete."""


class ConnectorAction(Message):
    """What a tool can do with a connection: an action, or an operation on an entity."""

    MESSAGE = "Action"

    connection_action_id: Annotated[str | None, OneOf("action_spec")] = None
    """An action of the connection."""
    entity_operation: Annotated[EntityOperation | None, OneOf("action_spec")] = None
    """An operation on one of its entities."""
    input_fields: Annotated[list[str] | None, AsSet()] = None
    """The fields that the tool sets; all if absent. Order does not matter."""
    output_fields: Annotated[list[str] | None, AsSet()] = None
    """The fields that the tool returns; all if absent. Order does not matter."""


class ConnectorTool(Message):
    """A tool for one action on a connection."""

    MESSAGE = "ConnectorTool"

    connection: Annotated[str | None, Required(), Reference(pattern="projects/*/locations/*/connections/*")] = (
        None
    )
    """The connection, by resource name."""
    action: Annotated[ConnectorAction | None, Required()] = None
    """What it does."""
    auth_config: Annotated[EndUserAuthConfig | None, Protects(Guards.AUTHENTICATION, Falls.WHEN_GONE)] = None
    """Acts as the end user. The connection must allow its authentication to be overridden."""
    name: str | None = None
    """The name that the model sees."""
    description: str | None = None
    """What the tool does, for the model."""


class ConnectorToolset(Message):
    """Tools for a connection, one for each action."""

    MESSAGE = "ConnectorToolset"

    connection: Annotated[str | None, Required(), Reference(pattern="projects/*/locations/*/connections/*")] = (
        None
    )
    """The connection, by resource name."""
    auth_config: Annotated[EndUserAuthConfig | None, Protects(Guards.AUTHENTICATION, Falls.WHEN_GONE)] = None
    """Acts as the end user. The connection must allow its authentication to be overridden."""
    connector_actions: Annotated[
        list[ConnectorAction] | None,
        Required(),
        KeyedBy(
            (
                "connectionActionId",
                "entityOperation",
            )
        ),
    ] = None
    """The actions to provide as tools. Identified by action id or entity operation; order does not matter."""
