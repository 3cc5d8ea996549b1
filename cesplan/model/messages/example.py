"""Examples: sample conversations that show agents what to do."""

from typing import Annotated

from cesplan.model.base import Resource
from cesplan.model.marks import Etag, Identifier, OutputOnly, Reference, Required
from cesplan.model.messages.conversation import ConversationMessage
from cesplan.model.scalars import Opaque


class Example(Resource):
    """A sample conversation."""

    MESSAGE = "Example"

    name: Annotated[str | None, Identifier()] = None
    """The resource name; it follows from where the file is, and is never written there."""
    display_name: Annotated[str | None, Required(refused=True)] = None
    """The name that people see."""
    description: str | None = None
    """What it shows."""
    entry_agent: Annotated[str | None, Reference(("agents",))] = None
    """The agent that takes the conversation first, by key; the root agent when absent."""
    messages: list[ConversationMessage] | None = None
    """The conversation, in order."""
    create_time: Annotated[Opaque, OutputOnly()] = None
    """When it was created."""
    update_time: Annotated[Opaque, OutputOnly()] = None
    """When it was last changed."""
    invalid: Annotated[Opaque, OutputOnly()] = None
    """True when it refers to something that is gone."""
    etag: Annotated[str | None, Etag()] = None
    """Changes with every write; kept by cesplan, never written in a file."""
