"""YAML and JSON that people write come in as values of JSON, whatever YAML makes of them."""

import json

import pytest

from cesplan.emulator.documents import dump_yaml, load_document
from cesplan.emulator.errors import Refused


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("a: 2026-01-01", {"a": "2026-01-01"}),
        ("a: 2026-01-01T00:00:00Z", {"a": "2026-01-01T00:00:00Z"}),
        ("a: no", {"a": "no"}),
        ("200: {x: 1}", {"200": {"x": 1}}),
        ("true: 1", {"true": 1}),
        ("[a: 1, 'b']", [{"a": 1}, "b"]),
        ("{a: https://acme.example}", {"a": "https://acme.example"}),
        ('{"a": 1.5, "b": null}', {"a": 1.5, "b": None}),
        ("", None),
    ],
)
def test_documents_are_read_as_json_has_them(text, value):
    """Dates and `no` are texts, keys are texts, JSON is JSON."""
    assert load_document(text) == value
    json.dumps(load_document(text))


@pytest.mark.parametrize("text", ["a: [", "a: b: c", "\t- x", "a: !!set {x}", "a: !!binary aGk=", "&a [*a]"])
def test_what_is_neither_is_refused(text):
    """Broken documents and values that JSON does not have are INVALID_ARGUMENT."""
    with pytest.raises(Refused) as caught:
        load_document(text)
    assert caught.value.code == "INVALID_ARGUMENT"


def test_yaml_is_written_with_blocks_for_several_lines():
    """Texts of several lines are blocks; what looks like another type is quoted; it reads back."""
    value = {"a": "one\ntwo\n", "b": ["yes", "1", "2026-01-01"], "c": [{"d": None}]}
    text = dump_yaml(value)
    assert "a: |\n  one\n  two\n" in text
    assert load_document(text) == value
