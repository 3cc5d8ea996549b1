"""The walkers over values: every leaf once, with its place; everything but objects and lists is a leaf."""

from cesplan.domain.value import Secret, leaves, mask_secrets, reveal, secret_variables, secrets_in, with_leaves

TOKEN, PIN = Secret(("token",), "t0ken"), Secret(("pin", "token"), "1-t0ken", "${pin}-${token}")
VALUE = {"b": [TOKEN, {"c": 1}, []], "a": (None, PIN), "d": {}}


def test_leaves_are_told_with_their_places_in_the_order_of_keys() -> None:
    """Empty objects and lists have none."""
    assert [*leaves(VALUE)] == [(("a", 0), None), (("a", 1), PIN), (("b", 0), TOKEN), (("b", 1, "c"), 1)]
    assert [*leaves("x")] == [((), "x")]


def test_a_copy_with_other_leaves_keeps_the_shape_and_the_order_of_keys() -> None:
    """Tuples become lists, as in JSON; the value itself stays as it is."""
    copy = with_leaves(VALUE, lambda leaf: leaf if leaf is None else type(leaf).__name__)
    assert copy == {"b": ["Secret", {"c": "int"}, []], "a": [None, "Secret"], "d": {}}
    assert [*copy] == ["b", "a", "d"]
    assert VALUE["b"] == [TOKEN, {"c": 1}, []]


def test_secrets_are_found_revealed_and_masked_wherever_they_are() -> None:
    assert [*secrets_in(VALUE)] == [TOKEN, PIN]
    assert secret_variables(VALUE) == {"token", "pin"}
    assert reveal(VALUE) == {"b": ["t0ken", {"c": 1}, []], "a": [None, "1-t0ken"], "d": {}}
    assert mask_secrets(VALUE)["a"] == [None, "(secret pin, token)"]
