"""TODO"""

from typing import Annotated

from cesplan.model.base import Message
from cesplan.model.marks import LongText, OneOf, Required


class CodeBlock(Message):
    """TODO"""

    MESSAGE = "CodeBlock"

    python_code: Annotated[str | None, Required(), LongText("python")] = None


class ToolFakeConfig(Message):
    """TODO"""

    MESSAGE = "ToolFakeConfig"

    code_block: Annotated[CodeBlock | None, OneOf("tool_response")] = None
    enable_fake_mode: bool | None = None
