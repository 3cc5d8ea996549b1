"""TODO"""

from typing import Annotated

from cesplan.model.base import Message
from cesplan.model.connection import ServiceDirectoryConfig
from cesplan.model.marks import LongText, OutputOnly, ServerDefaulted
from cesplan.model.scalars import Opaque


class PythonFunction(Message):
    """TODO"""

    MESSAGE = "PythonFunction"

    name: Annotated[str | None, ServerDefaulted()] = None
    python_code: Annotated[str | None, LongText("python")] = None
    description: Annotated[Opaque, OutputOnly()] = None
    service_directory_config: ServiceDirectoryConfig | None = None
