"""TODO"""

from typing import Annotated

from cesplan.model.base import Resource
from cesplan.model.conversation import ConversationMessage
from cesplan.model.marks import Etag, Identifier, OutputOnly, Reference, Required
from cesplan.model.scalars import Opaque


class Example(Resource):
    """TODO"""

    MESSAGE = "Example"

    name: Annotated[str | None, Identifier()] = None
    display_name: Annotated[str | None, Required()] = None
    description: str | None = None
    entry_agent: Annotated[str | None, Reference(("agents",))] = None
    messages: list[ConversationMessage] | None = None
    create_time: Annotated[Opaque, OutputOnly()] = None
    update_time: Annotated[Opaque, OutputOnly()] = None
    invalid: Annotated[Opaque, OutputOnly()] = None
    etag: Annotated[str | None, Etag()] = None
