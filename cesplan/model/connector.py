"""TODO"""

from enum import StrEnum
from typing import Annotated

from cesplan.model.authentication import EndUserAuthConfig
from cesplan.model.base import Message
from cesplan.model.marks import AsSet, KeyedBy, OneOf, Reference, Required


class OperationType(StrEnum):
    """TODO"""

    OPERATION_TYPE_UNSPECIFIED = "OPERATION_TYPE_UNSPECIFIED"
    LIST = "LIST"
    GET = "GET"
    CREATE = "CREATE"
    UPDATE = "UPDATE"
    DELETE = "DELETE"


class EntityOperation(Message):
    """TODO"""

    MESSAGE = "Action.EntityOperation"

    entity_id: Annotated[str | None, Required()] = None
    operation: Annotated[OperationType | None, Required()] = None


class Action(Message):
    """TODO"""

    MESSAGE = "Action"

    connection_action_id: Annotated[str | None, OneOf("action_spec")] = None
    entity_operation: Annotated[EntityOperation | None, OneOf("action_spec")] = None
    input_fields: Annotated[list[str] | None, AsSet()] = None
    output_fields: Annotated[list[str] | None, AsSet()] = None


class ConnectorTool(Message):
    """TODO"""

    MESSAGE = "ConnectorTool"

    connection: Annotated[str | None, Required(), Reference(pattern="projects/*/locations/*/connections/*")] = (
        None
    )
    action: Annotated[Action | None, Required()] = None
    auth_config: EndUserAuthConfig | None = None
    name: str | None = None
    description: str | None = None


class ConnectorToolset(Message):
    """TODO"""

    MESSAGE = "ConnectorToolset"

    connection: Annotated[str | None, Required(), Reference(pattern="projects/*/locations/*/connections/*")] = (
        None
    )
    auth_config: EndUserAuthConfig | None = None
    connector_actions: Annotated[
        list[Action] | None,
        Required(),
        KeyedBy(
            (
                "connectionActionId",
                "entityOperation",
            )
        ),
    ] = None
