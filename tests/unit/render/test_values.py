"""Values as people read them."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cesplan.domain.value import Secret
from cesplan.render.page import width_of
from cesplan.render.values import inline, outline, shortened


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, "not set"),
        (True, "true"),
        (0.7, "0.7"),
        ("gemini-2.5-flash", "gemini-2.5-flash"),
        ("Front desk", '"Front desk"'),
        ("", '""'),
        ("12", '"12"'),
        ("true", '"true"'),
        ("not set", '"not set"'),
        ("a → b", '"a → b"'),
        (["a", 1], "[a, 1]"),
        ({"a": {"b": None}}, "{a: {b: not set}}"),
        (Secret(("crmKey",), "hunter2"), "(secret crmKey)"),
        (Secret((), ""), "(sensitive)"),
    ],
)
def test_no_value_can_be_taken_for_another(value: Any, text: str) -> None:
    """Texts are bare only where nothing could be misread."""
    assert inline(value) == text


def test_an_outline_reads_like_yaml() -> None:
    """Objects and lists take lines, long texts only begin."""
    value = {"name": "x", "steps": [{"a": 1, "b": 2}, "c"], "code": "\n".join(map(str, range(20)))}
    rows = outline(value)
    assert rows[:5] == ["name: x", "steps:", "  - a: 1", "    b: 2", "  - c"]
    assert rows[5:7] == ["code: |", "  0"]
    assert rows[-1] == "  … 9 more lines"
    assert outline({"default": None, "word": "null", "list": [None]}) == [
        *("default: null", 'word: "null"', "list:", "  - null")
    ]


@given(
    text=st.text(st.characters(codec="ascii", exclude_categories=["Cc"]), max_size=80), width=st.integers(6, 40)
)
def test_a_shortened_text_fits_and_keeps_its_ends(text: str, width: int) -> None:
    """Short texts stay; long ones lose their middle."""
    result = shortened(text, width)
    assert width_of(result) <= width or text == result
    assert result == text or result.startswith(text[:1].rstrip())
