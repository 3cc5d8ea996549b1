"""TODO"""

from typing import Annotated

from cesplan.model.base import Message
from cesplan.model.marks import LongText, OneOf, Required


class Callback(Message):
    """TODO"""

    MESSAGE = "Callback"

    python_code: Annotated[str | None, Required(), OneOf("callback"), LongText("python")] = None
    description: str | None = None
    disabled: bool | None = None
    proactive_execution_enabled: bool | None = None
