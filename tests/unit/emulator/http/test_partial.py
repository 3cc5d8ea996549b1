"""The `fields` selector."""

import pytest

from cesplan.emulator.errors import Refused
from cesplan.emulator.http.partial import parse


@pytest.mark.parametrize(
    ("text", "tree"),
    [
        ("name", {"name": {}}),
        ("a,b", {"a": {}, "b": {}}),
        ("a/b", {"a": {"b": {}}}),
        ("a.b.c", {"a": {"b": {"c": {}}}}),
        ("a(b,c/d),e", {"a": {"b": {}, "c": {"d": {}}}, "e": {}}),
        ("a/b(c,d)", {"a": {"b": {"c": {}, "d": {}}}}),
        ("a/b,a/c", {"a": {"b": {}, "c": {}}}),
        ("a,a/b", {"a": {}}),
        ("a/b,a", {"a": {}}),
        ("*", {"*": {}}),
        ("a ( b , c )", {"a": {"b": {}, "c": {}}}),
    ],
)
def test_parsing(text, tree):
    """Lists, paths and groups; naming a field whole outweighs naming parts of it."""
    assert parse(text) == tree


@pytest.mark.parametrize("text", ["", ",", "a,", "a(", "a(b", "a)", "a/", "(a)", "a(b)c", "a;b", "a//b"])
def test_what_is_not_a_selector_is_refused(text):
    """Anything else is INVALID_ARGUMENT."""
    with pytest.raises(Refused) as caught:
        parse(text)
    assert caught.value.code == "INVALID_ARGUMENT"
