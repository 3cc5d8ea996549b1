"""The walkers over values: every leaf once, with its place; everything but objects and lists is a leaf."""

import pytest

from cesplan.domain.value import (
    ABSENT,
    Secret,
    at_place,
    bare_leaves,
    differing_places,
    folded,
    leaves,
    mask_secrets,
    reveal,
    secret_variables,
    secrets_in,
    with_leaves,
)

TOKEN, PIN = Secret(("token",), "t0ken"), Secret(("pin", "token"), "1-t0ken", "${pin}-${token}")
VALUE = {"b": [TOKEN, {"c": 1}, []], "a": (None, PIN), "d": {}}


def test_leaves_are_told_with_their_places_in_the_order_of_keys() -> None:
    """Empty objects and lists have none."""
    assert [*leaves(VALUE)] == [(("a", 0), None), (("a", 1), PIN), (("b", 0), TOKEN), (("b", 1, "c"), 1)]
    assert [*leaves("x")] == [((), "x")]


def test_a_copy_with_other_leaves_keeps_the_shape_and_the_order_of_keys() -> None:
    """Tuples become lists, as in JSON; the value itself stays as it is."""
    copy = folded(VALUE, lambda leaf: leaf if leaf is None else type(leaf).__name__)
    assert copy == with_leaves(VALUE, lambda _, leaf: leaf if leaf is None else type(leaf).__name__)
    assert copy == {"b": ["Secret", {"c": "int"}, []], "a": [None, "Secret"], "d": {}}
    assert [*copy] == ["b", "a", "d"]
    assert VALUE["b"] == [TOKEN, {"c": 1}, []]


def test_a_fold_goes_from_the_inside_out() -> None:
    depth = folded(
        VALUE, lambda _: 0, lambda of: 1 + max(of.values(), default=0), lambda of: 1 + max(of, default=0)
    )
    assert depth == 3
    assert [*bare_leaves(VALUE)] == [TOKEN, 1, None, PIN]


def test_a_copy_may_ask_for_the_place_of_each_leaf() -> None:
    places = with_leaves(VALUE, lambda at, _: [*at])
    assert [at_place(places, at) for at, _ in leaves(VALUE)] == [[*at] for at, _ in leaves(VALUE)]
    for nowhere in (("b", 7), ("d", 0), ("b", 1, "c", 0), ("b", "c"), ("x",)):
        assert at_place(VALUE, nowhere, "none") == "none"


@pytest.mark.parametrize(
    ("one", "other", "places"),
    [
        ({"a": 1, "b": [1, {"c": 2}]}, {"a": 1, "b": [1, {"c": 3}]}, [(("b", 1, "c"), 2, 3)]),
        ({"a": 1}, {"b": None}, [(("a",), 1, ABSENT), (("b",), ABSENT, None)]),
        ([1, 2], [1], [((), [1, 2], [1])]),
        ({"a": {}}, {"a": []}, [(("a",), {}, [])]),
        (1, True, [((), 1, True)]),
        (VALUE, VALUE, []),
    ],
)
def test_differences_are_as_narrow_as_can_be(one: object, other: object, places: list[object]) -> None:
    assert [*differing_places(one, other)] == places


def test_secrets_are_found_revealed_and_masked_wherever_they_are() -> None:
    assert [*secrets_in(VALUE)] == [TOKEN, PIN]
    assert secret_variables(VALUE) == {"token", "pin"}
    assert reveal(VALUE) == {"b": ["t0ken", {"c": 1}, []], "a": [None, "1-t0ken"], "d": {}}
    assert mask_secrets(VALUE)["a"] == [None, "(secret pin, token)"]
