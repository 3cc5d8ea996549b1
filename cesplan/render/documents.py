"""JSON documents: one complete form for all of them, with the same bytes for the same values."""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from cesplan import __version__
from cesplan.domain.text.characters import HIDDEN, WORD_COMMAND
from cesplan.domain.value import folded

if TYPE_CHECKING:
    from pydantic import BaseModel

FORMAT_VERSION = "1.0"
"""The format version of every document: a minor version adds members, a major one changes existing members."""


def opening() -> dict[str, Any]:
    """The first members of every document."""
    return {"format_version": FORMAT_VERSION, "cesplan_version": __version__}


_ENCODER = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))
_COMMAND = re.compile(WORD_COMMAND)
_INVISIBLE = re.compile(f"[{HIDDEN}]")
_SURROGATE = re.compile("[\ud800-\udfff]")
_OTHER_NUMBER = re.compile(r"e[+-]?[0-9]+,?\n"), re.compile(r"\.0000[0-9]+,?\n")
"""
A number that pydantic may spell in another way than Python, such as `1e-7` and `1e-07`: only a number at the
end of a line can match, since a string ends with a quotation mark.
"""


def text_of(document: Any) -> str:
    """The text of a document, ended by a line feed. Members keep their order."""
    return _inert(json.dumps(document, indent=2, ensure_ascii=False)) + "\n"


def text_of_report(report: "BaseModel") -> str:
    """
    The same text, for a document that is a model of pydantic.

    Python's encoder is not written in C where it indents: for a plan of 1,000 updates it takes ten times as
    long, and 100 MB more.
    """
    from pydantic_core import PydanticSerializationError, to_json  # lazily: not all documents are models

    try:
        text = to_json(report, indent=2).decode()
    except PydanticSerializationError:  # a lone surrogate
        return text_of(report.model_dump())
    if any(pattern.search(text) for pattern in _OTHER_NUMBER):
        return text_of(report.model_dump())
    return _inert(text) + "\n"


def line_of(document: Any) -> str:
    """The text of a document on one line."""
    return compact_of(document) + "\n"


def lines_of(document: Mapping[str, Any], compact: Mapping[str, Sequence[str]] = {}) -> str:
    """
    The text of a document of megabytes, with a line for each member and for each item of a list.

    `compact` has the lists whose items are texts already, by member; see `compact_of`.
    """
    return "".join(_pieces(document, compact))


def _pieces(document: Mapping[str, Any], compact: Mapping[str, Sequence[str]]) -> Iterator[str]:
    begin = "{\n"
    for name, value in document.items():
        yield f"{begin}  {compact_of(name)}: "
        begin = ",\n"
        is_list = name in compact or isinstance(value, list | tuple)
        yield from _items(compact.get(name) or map(compact_of, value)) if is_list else [compact_of(value)]
    yield "\n}\n" if document else "{\n\n}\n"


def _items(texts: Iterable[str]) -> Iterator[str]:
    begin = "[\n    "
    for text in texts:
        yield begin
        yield text
        begin = ",\n    "
    yield "[]" if begin.startswith("[") else "\n  ]"


def compact_of(value: Any) -> str:
    """The text of a JSON value without white space."""
    return _inert(_ENCODER.encode(value))


def _inert(text: str) -> str:
    """
    Equivalent JSON that is harmless in a terminal or a log. A byte of a file name that is not UTF-8 (in Python
    a lone surrogate) is spelled out, as `\\xff`: JSON could not hold it. No line of JSON begins with a colon,
    so only the commands that act anywhere are looked for.
    """
    if "##" in text:
        text = _COMMAND.sub(_all_escaped, text)
    if not text.isascii():
        text = _SURROGATE.sub(_spelled, text)
    elif "\x7f" not in text:
        return text
    return _INVISIBLE.sub(_all_escaped, text)


def _all_escaped(found: re.Match[str]) -> str:
    return "".join(map(_escaped, found[0]))


def _spelled(found: re.Match[str]) -> str:
    code = ord(found[0])
    return rf"\\x{code - 0xDC00:02x}" if 0xDC80 <= code <= 0xDCFF else rf"\\u{code:04x}"


def _escaped(sign: str) -> str:
    """The escape of RFC 8259: a character beyond the basic plane is a pair of surrogates."""
    units = sign.encode("utf-16-be")
    return "".join(f"\\u{units[at]:02x}{units[at + 1]:02x}" for at in range(0, len(units), 2))


def sorted_members(value: Any) -> Any:
    """A JSON value with the members of every object sorted."""
    return folded(value, lambda leaf: leaf, lambda members: dict(sorted(members.items())))
