"""Fakes: code that responds instead of a real tool, for tests."""

from typing import Annotated

from cesplan.model.base import Message
from cesplan.model.marks import LongText, OneOf, Required


class CodeBlock(Message):
    """Code that answers."""

    MESSAGE = "CodeBlock"

    python_code: Annotated[str | None, Required(), LongText("python")] = None
    """
    A function `fake_tool_call(tool, input, callback_context)`, or `fake_<tool id>` for one tool. If it returns
    None, the real tool responds.
    """


class ToolFakeConfig(Message):
    """What responds instead of the real tool."""

    MESSAGE = "ToolFakeConfig"

    code_block: Annotated[CodeBlock | None, OneOf("tool_response")] = None
    """Code that answers."""
    enable_fake_mode: bool | None = None
    """If true, the fake is used."""
