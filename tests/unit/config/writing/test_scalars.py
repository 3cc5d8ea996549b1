"""Tests of scalars: every reader of YAML, of 1.1 and 1.2, gets back what was written."""

import io
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from ruamel.yaml import YAML

from cesplan.config.writing.emitting import document
from cesplan.config.writing.scalars import double_quoted, fits_block, is_plain, scalar
from cesplan.config.yaml.composing import compose
from cesplan.config.yaml.nodes import plain

WORDS = """
yes no on off y n null ~ true 1 1.0 1e3 0x1F 0o17 017 1_000 12:30 12:30:45 2026-01-01 .5 -.inf .nan << = - ? :
@a `a *a &a !a %a |a >a {a [a ,a #a 'a "a a:b a: a# --- ... $var ${x} -- -a a,b [a] 2026-01-01T00:00:00Z
"""
TRICKY = st.sampled_from([*WORDS.split(), "", " ", "- a", "a - b", "? x", "a: b", "a #b", " a", "a "])
TEXTS = st.one_of(st.text(st.characters(exclude_categories=["Cs"]), max_size=12), TRICKY)


def read(text: str) -> Any:
    """By our own reader, YAML 1.2."""
    found = compose(text)
    assert not found.problems, found.problems
    assert found.root is not None
    return plain(found.root)


def read_1_1(text: str) -> Any:
    """By a reader of YAML 1.1."""
    reader = YAML(typ="safe", pure=True)
    reader.version = (1, 1)  # type: ignore[assignment]
    return reader.load(io.StringIO(text))


@given(TEXTS)
@settings(max_examples=400, deadline=None, derandomize=True, database=None)
def test_a_text_is_read_back_by_every_reader_wherever_it_stands(text: str) -> None:
    written = document({"value": text, "list": [text], "deep": [{"key": text}], "of": {text: 1}})
    wanted = {"value": text, "list": [text], "deep": [{"key": text}], "of": {text: 1}}
    assert read(written) == wanted
    assert read_1_1(written) == wanted


@given(
    st.floats(allow_nan=False, allow_infinity=False) | st.integers(-(2**70), 2**70) | st.booleans() | st.none()
)
@settings(max_examples=200, deadline=None, derandomize=True, database=None)
def test_a_number_keeps_its_type_and_value(value: Any) -> None:
    for found in (read(f"a: {scalar(value)}\n"), read_1_1(f"a: {scalar(value)}\n")):
        assert found == {"a": value}
        assert type(found["a"]) is type(value)


@pytest.mark.parametrize(
    "text",
    [
        "word",
        "two words",
        "a-b_c.d/e",
        "https://a.example/x?y=1",
        "$context.variables.x",
        "<role>",
        "it's",
        "x == 1",
        "über",
    ],
)
def test_what_nobody_misreads_has_no_quotes(text: str) -> None:
    assert scalar(text) == text
    assert is_plain(text)


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("no", "'no'"),
        ("12:30", "'12:30'"),
        ("2026-01-01", "'2026-01-01'"),
        ("1.0", "'1.0'"),
        ("", "''"),
        (" padded ", "' padded '"),
        ("a: b", "'a: b'"),
        ("don't: x", "'don''t: x'"),
        ("tab\there", '"tab\\there"'),
        ("a\x00b\u2028", '"a\\0b\\u2028"'),
    ],
)
def test_quotes_are_there_where_they_are_needed_and_single_where_that_is_enough(
    text: str, written: str
) -> None:
    assert scalar(text) == written


@pytest.mark.parametrize("text", ["one", "a\n\n", " a\nb", "a\r\nb", "a\n \nb", "\na", "a\x07\nb", "a\n\u2028"])
def test_what_a_block_does_not_hold_for_sure_is_quoted(text: str) -> None:
    assert not fits_block(text)
    assert read(f"a: {double_quoted(text)}\n") == {"a": text}


def test_text_of_many_lines_is_a_block_with_its_last_line_feed_or_without() -> None:
    assert document({"a": "x\ny", "b": "x\n\n  y\n"}) == "a: |-\n  x\n  y\nb: |\n  x\n\n    y\n"


def test_short_lists_of_words_stand_in_one_line_and_others_do_not() -> None:
    assert document({"a": ["x", "y z"], "b": ["x: y"], "c": ["w" * 60, "v" * 60], "d": [], "e": {}}) == (
        f"a: [x, y z]\nb:\n  - 'x: y'\nc:\n  - {'w' * 60}\n  - {'v' * 60}\nd: []\ne: {{}}\n"
    )
