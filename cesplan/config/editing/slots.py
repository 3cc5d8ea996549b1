"""Slots and edits: where a value stands, and what is to happen to a text outside the file."""

from dataclasses import dataclass

from cesplan.config.editing.syntax import Part
from cesplan.config.writing.shaping import Trail


@dataclass(frozen=True, slots=True, kw_only=True)
class TextEdit:
    """
    A new value for a text that stands in a file of its own.

    `name` is the part that names the file, `expand` whether variables are put into it.
    """

    name: Part
    value: str
    expand: bool
    language: str
    trail: Trail


@dataclass(frozen=True, slots=True)
class Slot:
    """Where a value stands: `head` is behind the colon or dash before it, `indent` the column of its parent."""

    part: Part
    head: int
    indent: int
    in_flow: bool
