"""
Keeping secrets out of error messages: a service that refuses a value may quote it.

What is secret is known from the values, where they are still wrapped, and from the models: input-only fields,
and fields marked as the secret itself or as one that would be a secret if misused.
"""

from collections.abc import Iterator
from typing import Any

from cesplan.domain.errors import ApiError
from cesplan.domain.value import Secret
from cesplan.model.marks import Secrecy, Sensitive
from cesplan.model.spec import Cardinality, FieldSpec, MessageSpec
from cesplan.remote.calls import Call

PUT_IN_PLACE = "(secret)"

_NO_SECRET = "$context.variables."
"""Names a variable of the conversation: what belongs into fields that must not hold a secret."""

_HIDDEN = frozenset({Secrecy.SECRET, Secrecy.VARIABLE_ONLY})


def redacted(error: ApiError, call: Call) -> ApiError:
    """The error itself, with every secret that the call sent taken out of its texts."""
    if call.kind is None or not call.body:
        return error
    found = {*_wrapped(call.body), *_secrets(call.kind.spec, call.body)}
    # The longest first, so that no secret survives in part because another is inside it.
    for text in sorted(found, key=lambda item: (-len(item), item)):
        error.summary = error.summary.replace(text, PUT_IN_PLACE)
        error.detail = error.detail.replace(text, PUT_IN_PLACE)
    return error


def _secrets(spec: MessageSpec, body: Any) -> Iterator[str]:
    if not isinstance(body, dict):
        return
    for name, value in body.items():
        field = spec.fields.get(name)
        if field is None:
            continue
        if _is_secret(field):
            yield from _texts(value)
        elif field.message_name:
            for item in _items(field, value):
                yield from _secrets(field.message, item)


def _is_secret(field: FieldSpec) -> bool:
    mark = field.mark(Sensitive)
    return field.is_input_only or (mark is not None and mark.secrecy in _HIDDEN)


def _items(field: FieldSpec, value: Any) -> list[Any]:
    match field.cardinality:
        case Cardinality.LIST:
            return value if isinstance(value, list) else []
        case Cardinality.MAP:
            return list(value.values()) if isinstance(value, dict) else []
    return [value]


def _wrapped(value: Any) -> Iterator[str]:
    match value:
        case Secret() if value.text:
            yield value.text
        case dict():
            for item in value.values():
                yield from _wrapped(item)
        case list() | tuple():
            for item in value:
                yield from _wrapped(item)


def _texts(value: Any) -> Iterator[str]:
    match value:
        case str() if value and not value.startswith(_NO_SECRET):
            yield value
        case dict():
            for item in value.values():
                yield from _texts(item)
        case list():
            for item in value:
                yield from _texts(item)
