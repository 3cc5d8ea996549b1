"""Typed values: the schema of a value and its parts, and how to write a new value."""

from collections.abc import Iterator
from typing import Any

from cesplan.config.writing.shaping import Shaping, free_form, map_key, ordered
from cesplan.domain.field_path import Entry, Index
from cesplan.domain.frozen import dataclass
from cesplan.model.scalars import Scalar
from cesplan.model.spec import Cardinality, FieldSpec, MessageSpec
from cesplan.model.walk import Trail


@dataclass(frozen=True, slots=True)
class Typed:
    """
    The type of a value: a message (`spec`), a whole field (`known`), one element or entry of a field
    (`is_one`), or a value without a schema (neither).
    """

    spec: MessageSpec | None = None
    known: FieldSpec | None = None
    is_one: bool = False

    @property
    def is_message(self) -> bool:
        return self.message is not None

    @property
    def message(self) -> MessageSpec | None:
        """The message spec of the value, if it is a message."""
        if self.spec is not None:
            return self.spec
        single = self.known is not None and (self.is_one or self.known.cardinality is Cardinality.ONE)
        return self.known.message if self.known and single and self.known.scalar is Scalar.MESSAGE else None

    @property
    def list_field(self) -> FieldSpec | None:
        """The field of a list, if the value is the list of a field."""
        return self.known if self.known is not None and not self.is_one else None

    def child(self, key: str) -> "Typed":
        """The type of the value under a key of a mapping."""
        message = self.message
        if message is not None:
            known = message.fields.get(key)
            return Typed(known=known) if known else Typed()
        return self.element()

    def element(self) -> "Typed":
        """The type of an element of a list, or of an entry of a map."""
        field = self.list_field
        return (
            Typed(known=field, is_one=True) if field and field.cardinality is not Cardinality.ONE else Typed()
        )

    def written_key(self, key: str) -> str:
        return key if self.is_message else map_key(key)

    def segment(self, key: str | int) -> Any:
        """The segment of a field path."""
        if isinstance(key, int):
            return Index(key)
        return key if self.is_message else Entry(key)

    def order(self) -> Iterator[str]:
        """The order of a message's fields in files."""
        if self.message is not None:
            yield from (known.name for known in ordered(self.message))

    def shaped(self, shaping: Shaping, value: Any, trail: Trail) -> Any:
        """A new value in the form in which it is written."""
        if self.spec is not None:
            return shaping.message(self.spec, value, trail)
        if self.known is None:
            return free_form(value)
        return shaping.one(self.known, value, trail) if self.is_one else shaping.field(self.known, value, trail)
