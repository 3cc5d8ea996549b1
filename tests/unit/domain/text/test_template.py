"""Templates say how a secret text is made without saying it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cesplan.domain.text.template import fill, in_tree, literal, names, variable
from cesplan.domain.value import Secret, joined

_TEXT = st.text(alphabet="a${}b", max_size=12)


@given(_TEXT)
def test_a_literal_fills_to_itself(text: str) -> None:
    assert fill(literal(text), {}) == text


@given(st.lists(_TEXT, max_size=4))
def test_joined_parts_fill_to_their_texts(texts: list[str]) -> None:
    """Whatever is around a secret, its template makes the same text again."""
    secret = Secret(("key",), "s3cret")
    whole = joined([part for text in texts for part in (text, secret)])
    expected = "".join(f"{text}s3cret" for text in texts)
    if not texts:
        assert whole == ""
        return
    assert isinstance(whole, Secret)
    assert (whole.text, fill(whole.recipe, {"key": "s3cret"})) == (expected, expected)
    assert "s3cret" not in whole.recipe


def test_names_and_missing_values() -> None:
    assert names("${a} $${b} ${c}${a}") == {"a", "c"}
    assert variable("key") == "${key}"
    with pytest.raises(KeyError):
        fill("Bearer ${key}", {})


def test_a_tree_doubles_only_what_it_would_take_for_a_variable() -> None:
    assert in_tree(literal("5 $, ${x} and ") + variable("key")) == "5 $, $${x} and ${key}"
    with pytest.raises(ValueError, match="a dollar sign is right before a variable"):
        in_tree(literal("$") + variable("key"))
