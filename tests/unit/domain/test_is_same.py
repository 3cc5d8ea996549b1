"""Values that are the same have the same text; `==` alone would not do."""

import copy
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cesplan.domain.value import Secret, canonical_members, canonical_text, is_same

LEAVES = (
    st.none()
    | st.booleans()
    | st.integers(-2, 2)
    | st.sampled_from([0.0, -0.0, 1.0, 2.5])
    | st.text("ab", max_size=2)
)
VALUES = st.recursive(
    LEAVES,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text("ab", max_size=1), inner, max_size=3),
)


@given(one=VALUES, other=VALUES)
def test_the_same_values_have_one_text(one: Any, other: Any) -> None:
    if is_same(one, other):
        assert canonical_text(one) == canonical_text(other)


@given(members=st.dictionaries(st.text('ab"é', max_size=2), VALUES, max_size=4))
def test_an_object_has_the_same_text_in_pieces(members: dict[str, Any]) -> None:
    assert "".join(canonical_members(members)) == canonical_text(members)


@given(value=VALUES)
def test_a_copy_is_the_same(value: Any) -> None:
    assert is_same(value, copy.deepcopy(value))


@pytest.mark.parametrize(
    ("one", "other"),
    [(1, True), (0, False), (1, 1.0), (0.0, -0.0), ({"a": [1]}, {"a": [True]}), ("1", 1), ([], {})],
)
def test_what_is_equal_in_python_only_is_told_apart(one: object, other: object) -> None:
    assert not is_same(one, other)
    assert not is_same({"x": [one]}, {"x": [other]})


def test_secrets_are_compared_by_what_they_say() -> None:
    assert is_same([Secret(("key",), "x")], [Secret(("key",), "x")])
    assert not is_same([Secret(("key",), "x")], [Secret(("key",), "y")])
