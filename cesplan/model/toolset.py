"""TODO"""

from typing import Annotated

from cesplan.model.base import Resource
from cesplan.model.connector import ConnectorToolset
from cesplan.model.enums import ExecutionType
from cesplan.model.marks import Etag, Identifier, OneOf, OutputOnly
from cesplan.model.mcp import McpToolset
from cesplan.model.open_api import OpenApiToolset
from cesplan.model.scalars import Duration, Opaque
from cesplan.model.tool_fake import ToolFakeConfig


class Toolset(Resource):
    """TODO"""

    MESSAGE = "Toolset"

    mcp_toolset: Annotated[McpToolset | None, OneOf("toolset_type")] = None
    open_api_toolset: Annotated[OpenApiToolset | None, OneOf("toolset_type")] = None
    connector_toolset: Annotated[ConnectorToolset | None, OneOf("toolset_type")] = None
    name: Annotated[str | None, Identifier()] = None
    display_name: str | None = None
    description: str | None = None
    timeout: Duration | None = None
    create_time: Annotated[Opaque, OutputOnly()] = None
    update_time: Annotated[Opaque, OutputOnly()] = None
    etag: Annotated[str | None, Etag()] = None
    execution_type: ExecutionType | None = None
    tool_fake_config: ToolFakeConfig | None = None
