"""Names for people into names for machines."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cesplan.domain.resource_name import ID_PATTERN
from cesplan.domain.text.slug import LONGEST, distinct_slug, id_of, slug


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("Front Desk", "front-desk"),
        ("lookup_order", "lookup-order"),
        ("Straße & Café – 2", "strasse-cafe-2"),
        ("  Straße & Co. (v2)  ", "strasse-co-v2"),
        ("Don't", "dont"),
        ("a/b@c$d", "a-b-c-d"),
        ("x" * 50, "x" * 36),
        ("東京", ""),
        ("An agent whose name goes on and on without end", "an-agent-whose-name-goes-on-and-on"),
    ],
)
def test_slugs_are_readable(text: str, key: str) -> None:
    assert slug(text) == key


@given(st.lists(st.text(max_size=60), max_size=8))
def test_keys_are_distinct_and_can_be_ids(texts: list[str]) -> None:
    """Whatever the names: no two keys are one, and each has an id that the service takes."""
    used: set[str] = set()
    for text in texts:
        key = distinct_slug(f"{text}{len(used)}", "agent", used)
        assert key not in used
        assert 0 < len(key) <= LONGEST
        assert ID_PATTERN.fullmatch(id_of(key, "evaluationExpectation"))
        used.add(key)


def test_what_tells_two_apart_comes_from_the_name_alone() -> None:
    """A third resource changes nothing for the second."""
    second = distinct_slug("Front desk!", "agent", {"front-desk"})
    assert second.startswith("front-desk-")
    assert second == distinct_slug("Front desk!", "agent", {"front-desk", "other"})
