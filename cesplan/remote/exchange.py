"""
One request and its response, as shown by `--debug`.

There are no headers, so no Authorization, and of bodies only the field names, so no secrets and no user texts.
"""

from collections.abc import Callable
from typing import Any

from cesplan.domain.frozen import dataclass
from cesplan.domain.text.json_text import decoded
from cesplan.domain.value import Body


@dataclass(frozen=True, slots=True, kw_only=True)
class Exchange:
    """
    `number` counts the requests of a client from 1. `target` is the path and query. `status` is 0 if there was
    no response, and then `note` says why. `seconds` is the time until the whole response was received. `size`
    is in bytes.
    """

    number: int
    method: str
    target: str
    sent: tuple[str, ...] = ()
    status: int = 0
    seconds: float = 0.0
    size: int = 0
    received: tuple[str, ...] = ()
    note: str = ""

    def __str__(self) -> str:
        sent = f" {{{', '.join(self.sent)}}}" if self.sent else ""
        received = f" {{{', '.join(self.received)}}}" if self.received else ""
        answer = f"{self.status}{received}, {self.size} bytes" if self.status else "no response"
        note = f": {self.note}" if self.note else ""
        return f"#{self.number} {self.method} {self.target}{sent} → {answer}, {self.seconds:.3f} s{note}"


Log = Callable[[Exchange], None]
"""Called after every request, by one thread at a time."""


def answer_names(data: bytes) -> tuple[str, ...]:
    """
    A summary of a response that is safe to log: its top-level names with the lengths of lists, or an error
    code.
    """
    try:
        body = decoded(data)
    except ValueError:
        return ()
    if not isinstance(body, dict):
        return ()
    if isinstance(error := body.get("error"), dict) and isinstance(error.get("status"), str):
        return (error["status"],)
    return tuple(_with_length(name, body[name]) for name in sorted(body))


def field_names(body: Body | None) -> tuple[str, ...]:
    """A summary of a body that is safe to log: its top-level names."""
    return tuple(sorted(body)) if body else ()


def _with_length(name: str, value: Any) -> str:
    return f"{name}[{len(value)}]" if isinstance(value, list) else name
