"""Callbacks: Python of yours that runs at fixed points of a conversation."""

from typing import Annotated

from cesplan.model.base import Message
from cesplan.model.marks import LongText, OneOf, Required


class Callback(Message):
    """One callback. The place it is in decides its name and arguments."""

    MESSAGE = "Callback"

    python_code: Annotated[str | None, Required(), OneOf("callback"), LongText("python")] = None
    """
    The code: one function of the name and arguments that the place asks for, such as
    `before_model_callback(callback_context, llm_request)`.
    """
    description: str | None = None
    """What it does."""
    disabled: bool | None = None
    """True skips it."""
    proactive_execution_enabled: bool | None = None
    """
    True also runs it on unfinished output of the model; after-model callbacks only, and it costs time and
    money.
    """
