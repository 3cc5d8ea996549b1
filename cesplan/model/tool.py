"""TODO"""

from enum import StrEnum
from typing import Annotated

from cesplan.model.base import Message, Resource
from cesplan.model.connector import ConnectorTool
from cesplan.model.data_store_tool import DataStoreTool
from cesplan.model.enums import ExecutionType
from cesplan.model.marks import (
    AsSet,
    Etag,
    Identifier,
    OneOf,
    OutputOnly,
    Reference,
    Renamed,
    Required,
)
from cesplan.model.mcp import McpTool
from cesplan.model.open_api import OpenApiTool
from cesplan.model.python_function import PythonFunction
from cesplan.model.remote_agent_tool import RemoteAgentTool
from cesplan.model.scalars import Duration, Opaque
from cesplan.model.schema import Schema
from cesplan.model.tool_fake import ToolFakeConfig
from cesplan.model.widget_tool import WidgetTool


class CorpusType(StrEnum):
    """TODO"""

    CORPUS_TYPE_UNSPECIFIED = "CORPUS_TYPE_UNSPECIFIED"
    USER_OWNED = "USER_OWNED"
    FULLY_MANAGED = "FULLY_MANAGED"


class ClientFunction(Message):
    """TODO"""

    MESSAGE = "ClientFunction"

    name: Annotated[str | None, Required()] = None
    description: str | None = None
    parameters: Schema | None = None
    response: Schema | None = None


class PromptConfig(Message):
    """TODO"""

    MESSAGE = "GoogleSearchTool.PromptConfig"

    text_prompt: str | None = None
    voice_prompt: str | None = None


class GoogleSearchTool(Message):
    """TODO"""

    MESSAGE = "GoogleSearchTool"

    name: Annotated[str | None, Required()] = None
    description: str | None = None
    context_urls: Annotated[list[str] | None, AsSet()] = None
    preferred_domains: Annotated[list[str] | None, AsSet()] = None
    exclude_domains: Annotated[list[str] | None, AsSet()] = None
    prompt_config: PromptConfig | None = None


class FileSearchTool(Message):
    """TODO"""

    MESSAGE = "FileSearchTool"

    corpus_type: CorpusType | None = None
    name: Annotated[str | None, Required()] = None
    description: str | None = None
    file_corpus: Annotated[str | None, Reference(pattern="projects/*/locations/*/ragCorpora/*")] = None


class SystemTool(Message):
    """TODO"""

    MESSAGE = "SystemTool"

    name: Annotated[str | None, Required()] = None
    description: Annotated[Opaque, OutputOnly()] = None


class AgentTool(Message):
    """TODO"""

    MESSAGE = "AgentTool"

    name: Annotated[str | None, Required()] = None
    description: str | None = None
    agent: Annotated[str | None, Reference(("agents",)), Renamed("rootAgent")] = None


class Tool(Resource):
    """TODO"""

    MESSAGE = "Tool"

    client_function: Annotated[ClientFunction | None, OneOf("tool_type")] = None
    open_api_tool: Annotated[OpenApiTool | None, OneOf("tool_type")] = None
    google_search_tool: Annotated[GoogleSearchTool | None, OneOf("tool_type")] = None
    connector_tool: Annotated[ConnectorTool | None, OneOf("tool_type")] = None
    data_store_tool: Annotated[DataStoreTool | None, OneOf("tool_type")] = None
    python_function: Annotated[PythonFunction | None, OneOf("tool_type")] = None
    mcp_tool: Annotated[McpTool | None, OneOf("tool_type")] = None
    file_search_tool: Annotated[FileSearchTool | None, OneOf("tool_type")] = None
    system_tool: Annotated[SystemTool | None, OneOf("tool_type")] = None
    agent_tool: Annotated[AgentTool | None, OneOf("tool_type")] = None
    widget_tool: Annotated[WidgetTool | None, OneOf("tool_type")] = None
    remote_agent_tool: Annotated[RemoteAgentTool | None, OneOf("tool_type")] = None
    name: Annotated[str | None, Identifier()] = None
    display_name: Annotated[Opaque, OutputOnly()] = None
    execution_type: ExecutionType | None = None
    timeout: Duration | None = None
    create_time: Annotated[Opaque, OutputOnly()] = None
    update_time: Annotated[Opaque, OutputOnly()] = None
    etag: Annotated[str | None, Etag()] = None
    generated_summary: Annotated[Opaque, OutputOnly()] = None
    tool_fake_config: ToolFakeConfig | None = None
    read_only: Annotated[Opaque, OutputOnly()] = None
