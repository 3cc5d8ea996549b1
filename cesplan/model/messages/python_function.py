"""Tools that are Python functions."""

from typing import Annotated

from cesplan.model.base import Message
from cesplan.model.marks import LongText, OutputOnly, ServerDefaulted
from cesplan.model.messages.connection import ServiceDirectoryConfig
from cesplan.model.scalars import Opaque


class PythonFunction(Message):
    """A function that the service runs."""

    MESSAGE = "PythonFunction"

    name: Annotated[str | None, ServerDefaulted(derived="first_function")] = None
    """The function in the code to call. If absent, it is the first one, and the service may set it."""
    python_code: Annotated[str | None, LongText("python")] = None
    """The code. The docstring of the function becomes the description that the model sees."""
    description: Annotated[Opaque, OutputOnly()] = None
    """Taken from the docstring."""
    service_directory_config: ServiceDirectoryConfig | None = None
    """A private address inside a VPC Service Controls perimeter."""
