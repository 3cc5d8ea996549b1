"""
Keeping secrets out of error messages: a service that refuses a value may quote it.

What is secret is known from the values, where they are still wrapped, from what the run knows to be secret
whether this call sent it or not, and from the models: input-only fields, and fields marked as the secret itself
or as one that would be a secret if misused.
"""

import json
from collections.abc import Callable, Collection, Iterator
from typing import Any

from cesplan.domain.errors import ApiError
from cesplan.domain.secrecy import SHORTEST_PART, known_secrets
from cesplan.model.marks import Secrecy, Sensitive
from cesplan.model.spec import Cardinality, FieldSpec, MessageSpec
from cesplan.remote.calls import Call

PUT_IN_PLACE = "(secret)"

_NO_SECRET = "$context.variables."
"""Names a variable of the conversation: what belongs into fields that must not hold a secret."""

_HIDDEN = frozenset({Secrecy.SECRET, Secrecy.VARIABLE_ONLY})


def redacted(error: ApiError, call: Call, known: Collection[str] = ()) -> ApiError:
    """The error itself, with every secret that is known or that the call sent taken out of its texts."""
    redact = redactor(call, known)
    error.summary = redact(error.summary)
    error.detail = redact(error.detail)
    return error


def redactor(call: Call, known: Collection[str] = ()) -> Callable[[str], str]:
    """
    What takes every secret that is known, or that the call sent, out of a text.

    It must see a text whole: half a secret, at the end of a text that was cut, is not recognized.
    """
    found = {*(text for text in known if len(text) >= SHORTEST_PART), *_wrapped(call.body)}
    if call.kind is not None:
        found |= {*_secrets(call.kind.spec, call.body)}
    found |= {spelling for text in found for spelling in _spellings(text)}
    # The longest first, so that no secret survives in part because another is inside it.
    ordered = sorted(found, key=lambda item: (-len(item), item))

    def redact(text: str) -> str:
        for secret in ordered:
            text = text.replace(secret, PUT_IN_PLACE)
        return text

    return redact


def _spellings(text: str) -> Iterator[str]:
    """How a text looks where it is quoted, and its lines."""
    yield json.dumps(text)[1:-1]
    yield json.dumps(text, ensure_ascii=False)[1:-1]
    yield repr(text)[1:-1]
    yield from (line for line in text.splitlines() if len(line) >= SHORTEST_PART)


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
    return (secret.text for secret in known_secrets(value))


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
