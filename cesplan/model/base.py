"""
The base of every model: strict about what is there, silent about what is absent.

A model is a message of the API; `MESSAGE` is its full name there. Attributes are snake_case, aliases are the
API's JSON names, every field may be absent (None). Fields carry their docs as string literals below them.
"""

from typing import ClassVar

from pydantic import BaseModel, ConfigDict


def json_name(proto_name: str) -> str:
    """The JSON name of a proto field: `before_agent_callbacks` → `beforeAgentCallbacks`."""
    head, *tail = proto_name.rstrip("_").split("_")
    return head + "".join(word[:1].upper() + word[1:] for word in tail)


class Message(BaseModel):
    """Any message; unknown fields are refused when a model is built from a dict."""

    MESSAGE: ClassVar[str] = ""

    model_config = ConfigDict(
        alias_generator=json_name,
        populate_by_name=True,
        extra="forbid",
        defer_build=True,
        frozen=True,
    )


class Resource(Message):
    """A message that is a kind of its own, with a name on the server."""
