"""A JSON report has the bytes that Python's own encoder writes, whichever encoder wrote it."""

import json
import math
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from cesplan.render.documents import text_of, text_of_report
from cesplan.render.machine.formats.base import Format

_NUMBERS = st.integers() | st.floats(allow_nan=False, allow_infinity=False)
_TEXTS = st.text(st.characters(codec="ascii", exclude_characters="#\x7f"))
_VALUES = st.recursive(
    st.none() | st.booleans() | _NUMBERS | _TEXTS,
    lambda inside: st.lists(inside, max_size=5) | st.dictionaries(_TEXTS, inside, max_size=5),
    max_leaves=20,
)


class _Report(Format):
    """Any members."""

    body: Any
    parts: tuple[Any, ...] = ()


@given(value=_VALUES)
@example(value={"a": [], "b": {}, "c": [[{}]], "d": ()})
@example(value=[1e-07, "1e-7"])
@example(value=[0.00001, 0.0000123])
@example(value=[1e16, 12345678901234567.0])
@example(value={"last": 2.5e-12})
@example(value=-0.0)
@example(value=2**80)
@example(value=[math.inf, -math.inf])
def test_the_bytes_are_those_of_the_standard_library(value: Any) -> None:
    """Numbers and empty containers included: two versions of pydantic write one report."""
    expected = json.dumps({"body": value, "parts": [value]}, indent=2, ensure_ascii=False) + "\n"
    assert text_of_report(_Report(body=value, parts=(value,))) == expected


@pytest.mark.parametrize(
    ("text", "written"),
    [
        pytest.param("é – 😀", "é – 😀", id="text of any language stays as it is"),
        pytest.param("a\x7fb", r"a\u007fb", id="a control character of ASCII"),
        pytest.param("x\u202ey", r"x\u202ey", id="a mark that reorders text"),
        pytest.param("\U000e0041", r"\udb40\udc41", id="a tag, as a pair of surrogates"),
        pytest.param("a ##[error] b", r"a \u0023\u0023[error] b", id="a command of a log"),
        pytest.param("##VSO[task", r"\u0023\u0023VSO[task", id="a command in capitals"),
        pytest.param("## Heading :: here", "## Heading :: here", id="a heading is no command"),
        pytest.param("x\udc80 ##[a\x7f", r"x\\x80 \u0023\u0023[a\u007f", id="a byte that is not UTF-8"),
        pytest.param("x\ud800", r"x\\ud800", id="another lone surrogate"),
    ],
)
def test_text_that_acts_is_escaped(text: str, written: str) -> None:
    assert text_of({"text": text, "after": [1e-7]}).splitlines()[1] == f'  "text": "{written}",'
    assert text_of({"text": text, "after": []}).splitlines()[1] == f'  "text": "{written}",'
    assert text_of_report(_Report(body=text)).splitlines()[1] == f'  "body": "{written}",'
