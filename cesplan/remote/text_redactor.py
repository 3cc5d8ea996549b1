"""
Redaction of error texts: a service that refuses a value may quote it.

There are three sources of secrets: values that are still wrapped, the secrets of the run (whether or not this
call sent them), and the model, with input-only fields and fields marked as secret or as secret if misused.
"""

import json
from collections.abc import Callable, Collection, Iterator
from typing import Any

from cesplan.domain.errors import ApiError
from cesplan.domain.value import SHORTEST_PART, bare_leaves, known_secrets
from cesplan.model.marks import CONTEXT_PREFIX
from cesplan.model.spec import MessageSpec
from cesplan.model.walk import FieldWalk
from cesplan.remote.calls import Call

PUT_IN_PLACE = "(secret)"

_SECRET = FieldWalk(lambda _, field: field.is_input_only or field.may_hold_secret)


def redacted(error: ApiError, call: Call, known: Collection[str] = ()) -> ApiError:
    """The error with all known secrets, and all secrets that the call sent, replaced in its texts."""
    redact = text_redactor(call, known)
    error.summary = redact(error.summary)
    error.detail = redact(error.detail)
    return error


def text_redactor(call: Call, known: Collection[str] = ()) -> Callable[[str], str]:
    """
    A function that replaces all known secrets, and all secrets that the call sent, in a text.

    It must see the whole text: half a secret at the end of a truncated text is not recognized.
    """
    found = {text for text in known if len(text) >= SHORTEST_PART}
    found |= {secret.text for secret in known_secrets(call.body)}
    if call.kind is not None:
        found |= {*_secrets(call.kind.spec, call.body)}
    found |= {spelling for text in found for spelling in _spellings(text)}
    # Longest first, so that no secret survives in part because it contains another one.
    ordered = sorted(found, key=lambda item: (-len(item), item))

    def redact(text: str) -> str:
        for secret in ordered:
            text = text.replace(secret, PUT_IN_PLACE)
        return text

    return redact


def _spellings(text: str) -> Iterator[str]:
    """The forms in which a text may be quoted, and its lines."""
    yield json.dumps(text)[1:-1]
    yield json.dumps(text, ensure_ascii=False)[1:-1]
    yield repr(text)[1:-1]
    yield from (line for line in text.splitlines() if len(line) >= SHORTEST_PART)


def _secrets(spec: MessageSpec, body: Any) -> Iterator[str]:
    for visit in _SECRET.visits(spec, body):
        for text in bare_leaves(visit.value):
            if isinstance(text, str) and text and not text.startswith(CONTEXT_PREFIX):
                yield text
