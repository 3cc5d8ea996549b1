"""Marks are values: equal by their fields, fixed, and distinguished by their class."""

import pytest

from cesplan.model.marks import AtMost, Choices, Etag, Form, Identifier, Reference, Required, Within


def test_marks_are_equal_by_class_and_fields() -> None:
    assert Within(0, 1) == Within(low=0, high=1)
    assert Within(0, 1) != Within(0, 2)
    assert Etag() != Identifier()
    assert {Within(0, 1), Within(0.0, 1.0), AtMost(1)} == {Within(0, 1), AtMost(1)}


def test_fields_that_are_left_out_have_their_default() -> None:
    assert Required().refused is False
    assert Reference(("tools",)).words == ()


def test_a_mark_shows_its_fields() -> None:
    assert repr(Form("x", "an x")) == "Form('x', 'an x')"


def test_marks_match_by_position() -> None:
    match Choices(("low", "high")):
        case Choices(values):
            assert values == ("low", "high")


def test_a_mark_cannot_be_changed() -> None:
    mark = AtMost(3)
    with pytest.raises(AttributeError, match="AtMost is a value"):
        mark.count = 4  # type: ignore[misc]


def test_a_mark_takes_its_fields_and_nothing_else() -> None:
    with pytest.raises(TypeError, match="takes 1 values, not 2"):
        AtMost(1, 2)  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="Within: missing or unknown: high"):
        Within(1)  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="AtMost: missing or unknown: limit"):
        AtMost(1, limit=2)  # type: ignore[call-arg]
