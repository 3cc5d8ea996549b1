"""TODO"""

from typing import Annotated

from cesplan.model.base import Message
from cesplan.model.marks import Presence
from cesplan.model.scalars import Double


class ModelSettings(Message):
    """TODO"""

    MESSAGE = "ModelSettings"

    model: str | None = None
    temperature: Annotated[Double | None, Presence()] = None
