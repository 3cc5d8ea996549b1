"""One value for a place in a body: it prints, parses what it printed, reads and writes."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cesplan.domain.field_path import Element, Entry, FieldPath, Index, Segment

NAMES = st.from_regex(r"[A-Za-z_][A-Za-z0-9_]{0,8}", fullmatch=True)
SELECTORS = st.one_of(
    st.builds(Index, st.integers(0, 10**9 - 1)),
    st.builds(Entry, st.text()),
    st.builds(Element, st.lists(NAMES, min_size=1, max_size=2).map(".".join), st.text()),
)
PATHS = st.builds(
    lambda first, rest: FieldPath((first, *rest)), NAMES, st.lists(st.one_of(NAMES, SELECTORS), max_size=5)
)


@given(PATHS)
def test_what_is_printed_is_parsed(path: FieldPath) -> None:
    """Whatever keys hold: quotes, brackets, control characters, halves of characters."""
    assert FieldPath.parse(str(path)) == path


@pytest.mark.parametrize(
    ("text", "segments"),
    [
        ("a", ("a",)),
        ("a.b_c", ("a", "b_c")),
        ("messages[2].chunks[0].text", ("messages", Index(2), "chunks", Index(0), "text")),
        ('metadata["team"]', ("metadata", Entry("team"))),
        (r'metadata["a\"b\\"]', ("metadata", Entry('a"b\\'))),
        ("variableDeclarations[name=tier].schema", ("variableDeclarations", Element("name", "tier"), "schema")),
        ('v[name="a]b"]', ("v", Element("name", "a]b"))),
        ("v[dataStore.name=x/y]", ("v", Element("dataStore.name", "x/y"))),
    ],
)  # fmt: skip
def test_the_forms_of_a_path(text: str, segments: tuple[Segment, ...]) -> None:
    assert FieldPath.parse(text) == FieldPath(segments)
    assert str(FieldPath(segments)) == text


@pytest.mark.parametrize(
    "text",
    ["", ".", "a.", ".a", "a..b", "a b", "[0]", 'a["x]', "a[x]", "a[0", "a[0]b", "a.[0]", "a[-1]", "a[=x]"],
)
def test_other_texts_are_no_paths(text: str) -> None:
    with pytest.raises(ValueError, match="not a field path"):
        FieldPath.parse(text)


BODY = {
    "title": "t",
    "settings": {"model": "m"},
    "notes": {"a": "1"},
    "rows": [{"id": {"name": "x"}, "n": 1}, {"id": {"name": "y"}, "n": 2}],
}


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("title", "t"), ("settings.model", "m"), ('notes["a"]', "1"), ("rows[1].n", 2),
        ("rows[id.name=y].n", 2),
        ("settings.other", None), ("title.x", None), ("rows[5]", None),
        ("rows[id.name=z]", None), ("other.a[0]", None),
    ],
)  # fmt: skip
def test_getting(text: str, value: object) -> None:
    assert FieldPath.parse(text).get(BODY) == value


@pytest.mark.parametrize(
    ("text", "changed"),
    [
        ("settings.model", {"settings": {"model": "new"}}),
        ("fresh.deep", {"fresh": {"deep": "new"}}),
        ('notes["b"]', {"notes": {"a": "1", "b": "new"}}),
        ("rows[id.name=x].n", {"rows": [{"id": {"name": "x"}, "n": "new"}, BODY["rows"][1]]}),  # type: ignore[index]
    ],
)
def test_putting_makes_a_copy(text: str, changed: dict[str, object]) -> None:
    assert FieldPath.parse(text).put(BODY, "new") == {**BODY, **changed}
    assert BODY["settings"] == {"model": "m"}


@pytest.mark.parametrize("text", ["title.x", "rows[9].n", "rows[id.name=z].n", "other[0]"])
def test_nothing_is_put_where_the_way_ends(text: str) -> None:
    with pytest.raises(LookupError):
        FieldPath.parse(text).put(BODY, "new")


def test_removing() -> None:
    assert FieldPath.parse("rows[id.name=x]").remove(BODY) == {**BODY, "rows": [BODY["rows"][1]]}  # type: ignore[index]
    assert FieldPath.parse("settings.model").remove(BODY) == {**BODY, "settings": {}}
    assert FieldPath.parse("settings.other").remove(BODY) is BODY


@given(PATHS, st.integers())
def test_what_was_put_is_found(path: FieldPath, value: int) -> None:
    """And removed again, it leaves what was there."""
    try:
        there = path.put(BODY, value)
    except LookupError:
        return
    assert path.get(there) == value
    if not isinstance(path.segments[-1], Index):  # behind an element the others move up
        assert path.get(path.remove(there)) is None
