"""Tests of putting new values into texts with variables."""

import pytest

from cesplan.config.editing.variable_texts import carry, pieces

VALUES = {"host": "api.example", "name": "Ann", "empty": ""}


def carried(text: str, new: str) -> str | None:
    found = pieces(text, VALUES.get)
    assert found is not None
    return carry(found, new)


@pytest.mark.parametrize(
    ("text", "new", "written"),
    [
        ("go to ${host} now", "go to api.example later", "go to ${host} later"),
        ("${host}", "https://api.example", "https://${host}"),
        ("${host}/v1", "api.example/v2", "${host}/v2"),
        ("a\n${host}\nb", "a\napi.example\nc\nd", "a\n${host}\nc\nd"),
        ("hi ${name}, at ${host}", "hello Ann, at api.example", "hello ${name}, at ${host}"),
        ("cost $${x} at ${host}", "cost ${x} and ${y} at api.example", "cost $${x} and $${y} at ${host}"),
        ("no variable", "now ${one}", "now $${one}"),
        ("a ${host} b", "b", None),
        ("at ${host}", "at other.example", None),
    ],
)
def test_variables_stay_where_their_values_do(text: str, new: str, written: str | None) -> None:
    """And where a variable itself would have to change, nothing is written."""
    assert carried(text, new) == written


def test_a_variable_without_a_value_cannot_be_told_from_text() -> None:
    assert pieces("at ${unknown}", VALUES.get) is None
