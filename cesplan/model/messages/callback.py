"""Callbacks: your Python code that runs at fixed points of a conversation."""

from typing import Annotated

from cesplan.model.base import Message
from cesplan.model.marks import LongText, OneOf, Required


class Callback(Message):
    """One callback. The list that it is in determines the name and arguments of its function."""

    MESSAGE = "Callback"

    python_code: Annotated[str | None, Required(), OneOf("callback"), LongText("python")] = None
    """
    The code: one function with the required name and arguments, such as
    `before_model_callback(callback_context, llm_request)`.
    """
    description: str | None = None
    """What it does."""
    disabled: bool | None = None
    """If true, it is skipped."""
    proactive_execution_enabled: bool | None = None
    """
    If true, it also runs on partial output of the model, which costs time and money. Only for after-model
    callbacks.
    """
