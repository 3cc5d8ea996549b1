"""Slots and edits: the position of a value, and edits of included texts."""

from cesplan.config.editing.syntax import Part, SourceText
from cesplan.config.resource.values import FILE, REF, VAR
from cesplan.domain.frozen import dataclass
from cesplan.model.walk import Trail


@dataclass(frozen=True, slots=True, kw_only=True)
class TextEdit:
    """
    A new value for a text in a separate file.

    `name` is the part that names the file, `expand` whether variables are expanded in it.
    """

    name: Part
    value: str
    expand: bool
    language: str
    trail: Trail


@dataclass(frozen=True, slots=True)
class Slot:
    """The place of a value: `head` is after the colon or dash before it, `indent` the column of its parent."""

    part: Part
    head: int
    indent: int
    in_flow: bool


def is_below(source: SourceText, slot: Slot) -> bool:
    """True if a value begins on a later line than its key."""
    return source.line_start(slot.part.start) != source.line_start(slot.head)


def directive_of(part: Part) -> str:
    """The directive that stands for a value; empty if the value is written directly."""
    if not part.is_mapping:
        return ""
    keys = {key.text for key, _ in part.entries}
    return next((name for name in (FILE, VAR, REF) if name in keys), "")
