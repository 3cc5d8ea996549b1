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
    """The resource name. It is derived from the path of the file; do not set it in a file."""
    display_name: Annotated[str | None, Required(refused=True)] = None
    """The display name."""
    description: str | None = None
    """What it shows."""
    entry_agent: Annotated[str | None, Reference(("agents",))] = None
    """The agent that begins the conversation, by key; the root agent if absent."""
    messages: list[ConversationMessage] | None = None
    """The conversation, in order."""
    create_time: Annotated[Opaque, OutputOnly()] = None
    """When it was created."""
    update_time: Annotated[Opaque, OutputOnly()] = None
    """When it was last updated."""
    invalid: Annotated[Opaque, OutputOnly()] = None
    """True if it refers to something that no longer exists."""
    etag: Annotated[str | None, Etag()] = None
    """Changes with every write. cesplan manages it; do not set it in a file."""
