"""
JSON into nodes with positions. JSON is YAML 1.2, so the YAML reader is used after Python's parser has accepted
the text as JSON; content that only Python's parser can read (surrogate pairs, control characters that YAML
forbids) becomes nodes without positions.
"""

import json
import re
from typing import Any

from cesplan.config.yaml.composing import YamlDocument, compose
from cesplan.config.yaml.nodes import At, Scalar, node_of
from cesplan.config.yaml.problems import YamlProblem

_PAIR = re.compile(r"(?<!\\)((?:\\\\)*)\\u([dD][89abAB][0-9a-fA-F]{2})\\u([dD][c-fC-F][0-9a-fA-F]{2})")
_START = At(0, 0)


def compose_json(text: str) -> YamlDocument:
    """The nodes of a JSON text. Never raises."""
    try:
        value = json.loads(text, parse_constant=_refuse)
    except json.JSONDecodeError as error:
        return YamlDocument(None, (_problem(error),))
    except (ValueError, RecursionError) as error:
        return YamlDocument(None, (YamlProblem(code="CES002", start=_START, summary=f"not JSON: {error}"),))
    document = compose(_PAIR.sub(_joined, text))
    if document.root is None or any(item.code == "CES002" for item in document.problems):
        return _without_places(value, document)
    return document


def _without_places(value: Any, document: YamlDocument) -> YamlDocument:
    if any(item.code == "CES004" for item in document.problems):
        return document  # too deep or too long: the reader reports it
    return YamlDocument(node_of(value, Scalar(_START, _START, None, "")), ())


def _joined(found: re.Match[str]) -> str:
    high, low = int(found[2], 16), int(found[3], 16)
    return f"{found[1]}\\U{0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00):08X}"


def _refuse(name: str) -> Any:
    raise ValueError(f"`{name}` is not a JSON number")


def _problem(error: json.JSONDecodeError) -> YamlProblem:
    summary = error.msg[:1].lower() + error.msg[1:]
    return YamlProblem(
        code="CES002", start=At(error.lineno - 1, error.colno - 1), summary=f"not JSON: {summary}"
    )
