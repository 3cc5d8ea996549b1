"""What may be told of bodies."""

import pytest

from cesplan.remote.exchange import Exchange, answer_names, field_names


def test_field_names_are_sorted_and_nothing_else():
    """Names at the top, no values."""
    assert field_names({"b": "hunter2", "a": {"c": 1}}) == ("a", "b")
    assert field_names(None) == ()


@pytest.mark.parametrize(
    ("data", "names"),
    [
        (b'{"tools": [1, 2, 3], "nextPageToken": "t"}', ("nextPageToken", "tools[3]")),
        (b'{"error": {"status": "ABORTED", "message": "hunter2"}}', ("ABORTED",)),
        (b"<html>", ()),
        (b"[1]", ()),
        (b"", ()),
    ],
)
def test_names_of_an_answer(data, names):
    """Lists with their lengths, errors by their status, anything else not at all."""
    assert answer_names(data) == names


def test_an_exchange_without_an_answer_says_why():
    """One line for a person."""
    told = Exchange(number=3, method="GET", target="/v1/x", seconds=1.5, note="connection reset")
    assert str(told) == "#3 GET /v1/x → no response, 1.500 s: connection reset"
