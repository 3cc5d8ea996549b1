"""
The base of all models: strict about the fields that are present, silent about absent ones.

A model is a message of the API; `MESSAGE` is its full name there. Attributes are snake_case, aliases are the
API's JSON names, and every field may be absent (None). The doc of a field is the string literal below it.
"""

from typing import ClassVar

from pydantic import BaseModel, ConfigDict


def json_name(proto_name: str) -> str:
    """The JSON name of a proto field: `before_agent_callbacks` → `beforeAgentCallbacks`."""
    head, *tail = proto_name.rstrip("_").split("_")
    return head + "".join(word[:1].upper() + word[1:] for word in tail)


class Message(BaseModel):
    """Any message. Building a model from a dict refuses unknown fields."""

    MESSAGE: ClassVar[str] = ""

    model_config = ConfigDict(
        alias_generator=json_name,
        populate_by_name=True,
        extra="forbid",
        defer_build=True,
        frozen=True,
    )


class Resource(Message):
    """A message that is a kind, with a resource name on the server."""
