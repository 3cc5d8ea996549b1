"""
Sound bodies: a fast path for files in which nothing has to be reported.

The walk over nodes (`resource.walk`) reads any file and reports all problems with their places. Most files have
no problems, few directives, and values that go into the body unchanged; for these it is enough to check each
value once. If anything could be reported, or is uncertain here, the file is left to the walk. Both give the
same body. The only directives supported here are `$file` and `$ref`.
"""

import math
import posixpath
from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

from cesplan.config.files import BOM
from cesplan.config.manifest import IncludedFile
from cesplan.config.resource.fields import is_left_out, may_be_in_files, required_fields
from cesplan.config.resource.leaves import SESSION_VARIABLE
from cesplan.config.resource.references import Dangling
from cesplan.config.resource.scalars import Misfit, fit
from cesplan.config.resource.values import FILE, REF, Context, leads_out, without_last_break
from cesplan.config.resource.walk import name_by_key
from cesplan.domain.field_path import Entry, FieldPath, Segment
from cesplan.domain.value import Body
from cesplan.model.marks import OwnedByKey, OwnName, Reference, Secrecy, Sensitive
from cesplan.model.scalars import Scalar
from cesplan.model.spec import Cardinality, FieldSpec, ListMeaning, MessageSpec, message_spec
from cesplan.model.walk import index


class NotSound(Exception):
    """The file needs the walk over nodes."""


class SoundBody:
    """One resource. Its values become the body in place. All public methods raise NotSound."""

    def __init__(self, context: Context, *, requires: bool) -> None:
        self._context = context
        self._requires = requires
        self._trail: list[Segment] = []

    def message(self, spec: MessageSpec, body: Any, *, whole: bool = False) -> Body:
        """The body of a message. Raises NotSound. Recursive; the nesting of simple texts is limited."""
        if type(body) is not dict:
            raise NotSound
        plan = _plan(spec.name, self._context.api_version)
        oneofs = []
        for name, value in body.items():
            step = plan.fields.get(name)
            if step is None:
                raise NotSound
            if value is None:
                continue
            if step.oneof:
                oneofs.append(step.oneof)
            if not (step.is_plain_text and type(value) is str and "${" not in value):
                self._trail.append(name)
                body[name] = self._field(step, value)
                self._trail.pop()
        if len(oneofs) > 1 and len({*oneofs}) < len(oneofs):
            raise NotSound
        if plan.required and (self._requires or whole):
            _check_required(plan.required, body)
        return body

    def _field(self, step: "_Step", value: Any) -> Any:
        field = step.field
        if field.cardinality is Cardinality.ONE:
            return step.one(self, field, value)
        if field.cardinality is Cardinality.LIST:
            return self._list(step, value)
        if type(value) is not dict or any(key[:1] == "$" for key in value):
            raise NotSound
        for key, item in value.items():
            if item is None and step.clears:
                continue
            self._trail.append(Entry(key))
            value[key] = self._element(step, item)
            self._trail.pop()
        return value

    def _list(self, step: "_Step", value: Any) -> Any:
        if type(value) is not list:
            raise NotSound
        known = len(self._context.included)
        for place, item in enumerate(value):
            self._trail.append(index(place))
            value[place] = self._element(step, item)
            self._trail.pop()
        if len(self._context.included) > known and step.field.list_meaning is ListMeaning.KEYED:
            name_by_key(step.field, value, tuple(self._trail), self._context)
        return value

    def _element(self, step: "_Step", item: Any) -> Any:
        if item is None and step.field.scalar is not Scalar.VALUE:
            raise NotSound
        return step.one(self, step.field, item)

    def submessage(self, field: FieldSpec, value: Any) -> Any:
        """The message in a field, or an element of it."""
        return self.message(field.message, value, whole=field.cardinality is not Cardinality.ONE)

    def text(self, field: FieldSpec, value: Any) -> Any:
        """A text that goes into the body unchanged."""
        if type(value) is dict:
            return self._included(value)
        if type(value) is not str or "${" in value:
            raise NotSound
        return value

    def reference(self, field: FieldSpec, value: Any) -> Any:
        """A reference, as `<kind>/<key>`."""
        explicit = type(value) is dict
        text = _only(value, REF) if explicit else value
        mark = field.reference
        if type(text) is not str or "${" in text or mark is None:
            raise NotSound
        found = self._context.resolve(mark, text, explicit=explicit)
        if isinstance(found, Dangling):
            raise NotSound
        return found

    def session_variable(self, field: FieldSpec, value: Any) -> Any:
        """The name of a session variable; anything else may be a token in plain text."""
        if type(value) is not str or not value.startswith(SESSION_VARIABLE) or "${" in value:
            raise NotSound
        return value

    def enum(self, field: FieldSpec, value: Any) -> Any:
        """A value of an enum."""
        if type(value) is not str or value not in field.enum:
            raise NotSound
        return value

    def scalar(self, field: FieldSpec, value: Any) -> Any:
        """A value of any other scalar type."""
        if type(value) is str and "${" in value:
            raise NotSound
        try:
            return fit(field.scalar, value)
        except Misfit:
            raise NotSound from None

    def free_form(self, field: FieldSpec, value: Any) -> Any:
        """A value without a schema."""
        if field.scalar is Scalar.STRUCT and type(value) is not dict:
            raise NotSound
        _check_free_form(value)
        return value

    def refused(self, field: FieldSpec, value: Any) -> Any:
        """A value that only the walk can read."""
        raise NotSound

    def _included(self, directive: dict[str, Any]) -> str:
        """The text of `{$file: path}`."""
        named, context = _only(directive, FILE), self._context
        if type(named) is not str or "${" in named:
            raise NotSound
        target = posixpath.normpath(posixpath.join(posixpath.dirname(context.file.path), named))
        if leads_out(target, context.files):
            raise NotSound
        text = context.files.sound_text(target)
        if text is None or len(text) > context.left or text.startswith(BOM):
            raise NotSound
        context.left -= len(text)
        context.included[str(FieldPath(tuple(self._trail)))] = IncludedFile(path=target, text=text)
        return without_last_break(text)


class _Step(NamedTuple):
    """How to read a field. `one` is the method for one of its values."""

    field: FieldSpec
    one: Callable[[SoundBody, FieldSpec, Any], Any]
    is_plain_text: bool
    """A single text that never changes: the most common field."""
    oneof: str
    clears: bool
    """A map in which null clears an entry."""


class _Plan(NamedTuple):
    fields: dict[str, _Step]
    required: tuple[str, ...]


@cache
def _plan(message: str, api_version: str) -> _Plan:
    spec = message_spec(message)
    fields = {
        name: _step(field)
        for name, field in spec.fields.items()
        if may_be_in_files(field) and not is_left_out(field, api_version)
    }
    return _Plan(fields, tuple(field.name for field, _ in required_fields(message)))


def _step(field: FieldSpec) -> _Step:
    one = _one(field)
    return _Step(
        field=field,
        one=one,
        is_plain_text=one is SoundBody.text and field.cardinality is Cardinality.ONE,
        oneof=field.oneof,
        clears=field.mark(OwnedByKey) is not None,
    )


def _one(field: FieldSpec) -> Callable[[SoundBody, FieldSpec, Any], Any]:
    if field.scalar is Scalar.MESSAGE:
        return SoundBody.submessage
    if field.scalar in (Scalar.STRUCT, Scalar.VALUE, Scalar.OPAQUE):
        return SoundBody.free_form
    if field.enum:
        return SoundBody.enum
    sensitive = field.mark(Sensitive)
    is_secret = sensitive is not None and sensitive.secrecy is Secrecy.SECRET
    if is_secret or field.mark(OwnName) is not None:
        return SoundBody.refused
    if field.scalar is not Scalar.STRING:
        return SoundBody.scalar if sensitive is None and field.reference is None else SoundBody.refused
    if sensitive is not None and sensitive.secrecy is Secrecy.VARIABLE_ONLY:
        return SoundBody.session_variable if field.reference is None else SoundBody.refused
    return SoundBody.text if field.mark(Reference) is None else SoundBody.reference


def _check_required(names: tuple[str, ...], body: Body) -> None:
    for name in names:
        if body.get(name) is None:
            raise NotSound


def _only(directive: dict[str, Any], name: str) -> Any:
    """The value of a directive that has only this key."""
    if len(directive) != 1 or name not in directive:
        raise NotSound
    return directive[name]


def _check_free_form(value: Any) -> None:
    """Raise NotSound for a value that contains a directive, or is not JSON. Recursive, as above."""
    kind = type(value)
    if kind is str:
        if "${" in value:
            raise NotSound
    elif kind is dict:
        for key, item in value.items():
            if key[:1] == "$":
                raise NotSound
            _check_free_form(item)
    elif kind is list:
        for item in value:
            _check_free_form(item)
    elif kind is float and not math.isfinite(value):
        raise NotSound
