"""
Field paths as people write them (`variableDeclarations[name=tier].schema`), checked against a message.
"""

import re
from dataclasses import replace
from typing import assert_never

from cesplan.config.suggestions import Guess, guess
from cesplan.domain.field_path import Element, Entry, FieldPath, Index, Segment
from cesplan.domain.frozen import dataclass
from cesplan.model.marks import LanguageKeys
from cesplan.model.scalars import Scalar, language_tag
from cesplan.model.spec import Cardinality, FieldSpec, ListMeaning, MessageSpec

_NAMES = re.compile(r"[A-Za-z_][A-Za-z0-9_]*(\.[A-Za-z_][A-Za-z0-9_]*)*")


@dataclass(frozen=True, slots=True)
class UnknownPath:
    """Why a path does not lead to a field."""

    summary: str
    detail: str = ""
    correction: Guess | None = None


def ignorable(spec: MessageSpec, text: str) -> FieldPath | UnknownPath:
    """
    The place in this message that `$ignore` can ignore, or why it cannot.

    These are fields of messages, entries of maps, elements of keyed lists, and everything inside them.
    """
    try:
        path = FieldPath.parse(text)
    except ValueError:
        return UnknownPath(
            f"`{text}` is not a field path",
            'Write `field`, `field.field`, `list[name=key].field` or `map["key"]`.',
        )
    return _Reader(spec, text).read(path)


def is_known_field(spec: MessageSpec, text: str) -> bool:
    """True for a dotted path to a field of this message or into a free-form value."""
    field: FieldSpec | None = None
    for name in text.split("."):
        if field is not None:
            if field.scalar is not Scalar.MESSAGE or field.cardinality is not Cardinality.ONE:
                return _is_free(field)
            spec = field.message
        field = spec.fields.get(name)
        if field is None:
            return False
    return True


def unsendable(spec: MessageSpec, text: str) -> UnknownPath | None:
    """Why a write cannot send a new field at this path: masks can only name fields of messages (AIP-161)."""
    if not _NAMES.fullmatch(text):
        return UnknownPath(
            f"`$extra` cannot set `{text}`: an update can name only fields",
            "Write `field` or `field.field`. Parts of a list or a map cannot be sent separately.",
        )
    for name in text.split(".")[:-1]:
        field = spec.fields.get(name)
        if field is None:
            return None
        if field.cardinality is not Cardinality.ONE or field.scalar is not Scalar.MESSAGE:
            return UnknownPath(
                f"`$extra` cannot set `{text}`: `{name}` is not a message, so it has no other fields"
            )
        spec = field.message
    return None


class _Stop(Exception):
    """The path cannot be used, for this reason."""

    def __init__(self, summary: str, detail: str = "", correction: Guess | None = None) -> None:
        super().__init__(summary)
        self.unknown = UnknownPath(summary, detail, correction)


class _Reader:
    """One walk along a path. `self._before` is the part already walked."""

    def __init__(self, spec: MessageSpec, text: str) -> None:
        self._spec: MessageSpec | None = spec
        self._field: FieldSpec | None = None
        self._text = text
        self._before = FieldPath()

    def read(self, path: FieldPath) -> FieldPath | UnknownPath:
        try:
            for segment in path.segments:
                self._before /= self._step(segment)
        except _Stop as stop:
            return stop.unknown
        return self._before

    def _step(self, segment: Segment) -> Segment:
        """The segment as in the canonical body."""
        field = self._field
        if self._spec is not None:
            return self._into_message(self._spec, segment)
        if field is None or _is_free(field):
            return self._into_value(segment)
        match field.cardinality:
            case Cardinality.LIST:
                return self._into_list(field, segment)
            case Cardinality.MAP:
                return self._into_map(field, segment)
            case Cardinality.ONE:
                raise _Stop(f"`{self._text}`: `{self._before}` is a single value")
            case _:
                assert_never(field.cardinality)

    def _into_message(self, spec: MessageSpec, segment: Segment) -> Segment:
        if not isinstance(segment, str):
            raise _Stop(f"`{self._text}`: nothing before `{segment}` has elements")
        field = spec.fields.get(segment)
        if field is None:
            known = [item.name for item in spec.settable]
            raise _Stop(
                f"unknown field `{segment}` in `{self._text}`",
                f"{spec.name} does not have this field.",
                guess(segment, known),
            )
        if not field.is_compared:
            raise _Stop(f"`{self._text}` is never compared", "Remove it: no file can change this field.")
        self._enter(field, is_whole=True)
        return segment

    def _into_list(self, field: FieldSpec, segment: Segment) -> Segment:
        if field.list_meaning is not ListMeaning.KEYED:
            raise _Stop(
                f"`{self._text}`: the elements of `{self._before}` cannot be ignored one by one",
                "The elements have no key that identifies them. To ignore the whole list, "
                f"write `{self._before}`.",
            )
        forms = " or ".join(f"`{self._before}[{name}=…]`" for name in field.key_fields)
        match segment:
            case Element(name, value) if name in field.key_fields:
                self._enter(field, is_whole=False)
                return Element(name, _in_full(field, name, value))
            case Index():
                why = "The position of an element may change; its key does not."
            case str() | Entry() | Element():
                why = f"`{segment}` does not identify an element."
            case _:
                assert_never(segment)
        raise _Stop(
            f"`{self._text}`: the elements of `{self._before}` are identified by their key",
            f"{why} Write {forms}, or `{self._before}` for the whole list.",
        )

    def _into_map(self, field: FieldSpec, segment: Segment) -> Segment:
        if isinstance(segment, Entry):
            self._enter(field, is_whole=False)
            return Entry(language_tag(segment.key)) if field.mark(LanguageKeys) else segment
        hint = Entry(segment) if isinstance(segment, str) else '["key"]'
        raise _Stop(
            f"`{self._text}`: `{self._before}` is a map, but `{segment}` is not a key",
            f"Write `{self._before}{hint}`.",
        )

    def _into_value(self, segment: Segment) -> Segment:
        """Free-form JSON has only names; its lists have no keys."""
        if isinstance(segment, Index | Element):
            raise _Stop(
                f"`{self._text}`: the elements of `{self._before}` cannot be ignored one by one",
                f"To ignore the whole list, write `{self._before}`.",
            )
        self._field = None
        return Entry(segment) if isinstance(segment, str) else segment

    def _enter(self, field: FieldSpec, *, is_whole: bool) -> None:
        """Continue inside a field, or inside one of its elements or entries."""
        is_one = not is_whole or field.cardinality is Cardinality.ONE
        self._spec = field.message if is_one and field.scalar is Scalar.MESSAGE else None
        self._field = replace(field, cardinality=Cardinality.ONE) if is_one else field


def _in_full(field: FieldSpec, name: str, value: str) -> str:
    """The key of an element as in bodies: the bare key of a reference gets its kind."""
    known = field.message.along(name.split("."))[-1]
    reference, own = known.reference, known.own_collection
    kind = own or (reference.kinds[0] if reference and reference.kinds else "")
    return f"{kind}/{value}" if kind and "/" not in value else value


def _is_free(field: FieldSpec) -> bool:
    return field.scalar in (Scalar.STRUCT, Scalar.VALUE)
