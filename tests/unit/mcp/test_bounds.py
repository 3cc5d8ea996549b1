"""Bounds: a document within them is left alone; a larger one is shortened, and says what is missing."""

import json
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from cesplan.mcp.bounds import bounded, shortened, size_of

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=30) | st.just("long " * 2000),
    lambda inner: (
        st.builds(lambda items, times: items * times, st.lists(inner, max_size=4), st.integers(1, 12))
        | st.dictionaries(st.text(max_size=8), inner, max_size=6)
    ),
    max_leaves=20,
)


def shapes(value: Any) -> Any:
    """The document without what may get shorter: types, members, numbers."""
    match value:
        case dict():
            return {name: shapes(item) for name, item in value.items()}
        case list():
            return list
        case str():
            return str
        case _:
            return value


@settings(max_examples=60)
@given(st.dictionaries(st.text(max_size=8), JSON, max_size=6), st.integers(400, 20_000))
def test_what_fits_is_left_alone_and_all_else_gets_smaller(document: dict[str, Any], most: int):
    """Within the bounds, with the same members and numbers; and silent only if nothing is missing."""
    found = bounded(document, most)
    if found is None:
        return
    short, said = found
    assert size_of(short) <= most
    assert (short == document) == (not said)
    assert shapes(short) == shapes(document)
    if size_of(document) <= most:
        assert short is document


def test_it_says_which_lists_and_how_many_texts_are_shortened():
    """By the path of each list, with both numbers; a text ends with the number of its missing characters."""
    document = {
        "report": {"changes": [{"text": "x" * 900, "path": [*range(3)]} for _ in range(300)], "count": 300}
    }
    short, said = bounded(document, 20_000) or ({}, ())
    assert short["report"]["count"] == 300
    kept = len(short["report"]["changes"])
    assert said == (
        f"report.changes: {kept} of 300",
        f"{kept} texts are shortened; each ends with the number of missing characters",
    )
    assert short["report"]["changes"][0]["text"] == "x" * 300 + "… (600 more characters)"


def test_many_shortened_lists_are_counted():
    """What is said about it must be short itself."""
    document = {f"list-{number}": [*range(1000)] for number in range(40)}
    found = bounded(document, 4_000)
    assert found is not None
    assert found[1][-1] == "28 more lists are shortened"


def test_what_cannot_be_shortened_so_far_is_refused():
    """Members are never dropped."""
    assert bounded({f"member-{number}": number for number in range(90)}, 100) is None


def test_a_map_of_very_many_entries_is_cut():
    """No shape has so many members: it is a map of the service."""
    found = bounded({"metadata": {f"key-{number}": "v" for number in range(5000)}}, 10_000)
    assert found is not None
    assert found[1] == ("metadata: 500 of 5,000 entries",)


def test_a_text_for_people_ends_with_a_line():
    """With the number of lines that are missing."""
    text = "".join(f"line {number}\n" for number in range(100))
    assert shortened(text, 10_000) == text
    assert shortened(text, 30) == "line 0\nline 1\nline 2\nline 3\n… (96 more lines)\n"
    assert json.dumps(shortened("x" * 50, 10))
