"""JSON into nodes with places."""

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from cesplan.config.yaml.nodes import plain
from cesplan.features.export_layout.sources import compose_json


def test_places_are_those_of_the_text() -> None:
    document = compose_json('{\n  "a": [1, "x"]\n}')
    assert document.root is not None
    node = document.root.get("a").items[1]  # type: ignore[union-attr]
    assert (node.start.line, node.start.column, node.value) == (1, 11, "x")


def test_emoji_as_pairs_of_escapes_are_one_character() -> None:
    """Python's json writes them so; YAML does not know pairs. An escaped backslash begins none."""
    found = compose_json('{"a": "\\ud83d\\ude00", "b": "\\\\ud83d\\\\ude00"}')
    assert found.root is not None
    assert plain(found.root) == {"a": "\U0001f600", "b": "\\ud83d\\ude00"}


def test_what_only_json_allows_is_read_without_places() -> None:
    """A DEL character and half a pair have no place in YAML."""
    found = compose_json('{"a": "\x7f"}')
    assert found.root is not None
    assert plain(found.root) == {"a": "\x7f"}


def test_mistakes_have_a_place() -> None:
    document = compose_json('{\n  "a": 1\n  "b": 2\n}')
    assert [(item.code, item.summary, item.start.line, item.start.column) for item in document.problems] == [
        ("CES002", "not JSON: expecting ',' delimiter", 2, 2)
    ]
    assert compose_json('{"a": NaN}').problems[0].summary == "not JSON: `NaN` is not a JSON number"
    assert compose_json("[" * 5000 + "]" * 5000).root is None


_TEXTS = st.text(st.characters(exclude_categories=("Cs",)), max_size=40)
_NUMBERS = st.integers(-(2**53), 2**53) | st.floats(allow_nan=False, allow_infinity=False)
_JSON = st.recursive(
    st.none() | st.booleans() | _NUMBERS | _TEXTS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(_TEXTS, inner, max_size=4),
    max_leaves=10,
)


@given(st.dictionaries(st.text("abcdef", min_size=1), _JSON, max_size=4), st.booleans())
def test_any_json_is_read_as_python_reads_it(value: dict[str, Any], ascii_only: bool) -> None:
    found = compose_json(json.dumps(value, ensure_ascii=ascii_only, indent=2))
    assert found.root is not None, found.problems
    assert plain(found.root) == value
