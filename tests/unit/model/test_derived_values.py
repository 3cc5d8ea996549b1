"""What  of code and of OpenAPI documents, as far as its reference says it."""

import pytest

from cesplan.model.derived_values import DERIVATIONS, first_function, operation_description, operation_id
from cesplan.model.kinds import KINDS
from cesplan.model.marks import ServerDefaulted
from cesplan.model.spec import message_names, message_spec

DOCUMENT = '{"paths": {"/a": {"get": {"operationId": "one", "summary": "s", "description": "d"}}}}'


def test_names_and_descriptions_of_operations() -> None:
    """The description goes before the summary."""
    message = {"openApiSchema": DOCUMENT}
    assert operation_id(message) == {"one"}
    assert operation_description(message) == {"d"}


def test_a_document_of_yaml_1_2_is_read() -> None:
    """libyaml alone would stop at the colon inside the brackets."""
    text = "servers: [{url: https://a.example}]\npaths:\n  /a:\n    get: {operationId: one}\n"
    assert operation_id({"openApiSchema": text}) == {"one"}


def test_the_first_function_of_the_code() -> None:
    code = '"""\ndef no(): pass\n"""\nasync def yes():\n    def inner(): pass\n\ndef later(): pass\n'
    assert first_function({"pythonCode": code}) == {"yes"}


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "a: [",
        "paths: 1",
        "paths: {/a: 1}",
        "paths: {/a: {get: []}}",
        "[" * 5000,
        "[" + ("[" * 300 + "]" * 300 + ",\n") * 300 + ":",
        "? {a: b}\n: c",
        "1: 2",
    ],
)
def test_what_cannot_be_read_derives_nothing(text: str) -> None:
    """Live documents may say anything."""
    assert operation_id({"openApiSchema": text}) == frozenset()
    assert operation_description({"openApiSchema": text}) == frozenset()


def test_the_slow_parser_goes_a_hundred_brackets_deep() -> None:
    """It takes seconds for a few thousand open brackets; libyaml leaves only such addresses to it."""
    form = "paths: {{/a: {{get: {{operationId: one, deep: {}https://a.example{}}}}}}}"
    assert operation_id({"openApiSchema": form.format("[" * 97, "]" * 97)}) == {"one"}
    assert operation_id({"openApiSchema": form.format("[" * 98, "]" * 98)}) == frozenset()


@pytest.mark.parametrize("code", ["", "def (", "(" * 5000, "x = 1", "\0"])
def test_code_that_cannot_be_read_derives_nothing(code: str) -> None:
    assert first_function({"pythonCode": code}) == frozenset()


def test_every_mark_says_what_is_filled_in() -> None:
    """A mark without a value would be a blind spot, and one that names no function a crash."""
    assert KINDS
    marks = [
        mark
        for name in message_names()
        for field in message_spec(name).fields.values()
        if (mark := field.mark(ServerDefaulted)) is not None
    ]
    assert marks
    assert all(bool(mark.value) != bool(mark.derived) for mark in marks)
    assert {mark.derived for mark in marks} - {""} == set(DERIVATIONS)
