"""Tests of texts in files of their own."""

import pytest

from cesplan.config.resource.values import without_last_break
from cesplan.config.writing.texts import Texts, belongs_in_file, file_content, fits_file
from cesplan.domain.field_path import Element, Index


@pytest.mark.parametrize("text", ["one line", "a\nb", "a\nb\n", "a\r\nb", "a\r\nb\r\n", "\n a", "tab\there\n"])
def test_a_file_gives_back_what_was_put_into_it(text: str) -> None:
    """The final newline that every file gets is not part of the value."""
    assert fits_file(text)
    assert without_last_break(file_content(text)) == text


@pytest.mark.parametrize("text", ["", "a\rb", "a\r\nb\n", "a\n\n", "a\x00b", "\ufeffa", " ", "a\x85b"])
def test_what_a_file_cannot_hold_faithfully_stays_inline(text: str) -> None:
    assert not fits_file(text)


@pytest.mark.parametrize(
    ("text", "language", "expected"),
    [
        ("x = 1", "python", True),
        ("openapi: 3.0.3", "yaml", True),
        ("Greet.", "markdown", False),
        ("Greet.\nAsk.", "markdown", True),
        ("w" * 200, "markdown", True),
        ("a\nb", "", False),
    ],
)
def test_code_and_long_text_get_files_and_short_text_does_not(text: str, language: str, expected: bool) -> None:
    assert belongs_in_file(text, language) is expected


@pytest.mark.parametrize(
    ("path", "language", "name"),
    [
        (("instruction",), "markdown", "desk.md"),
        (("pythonFunction", "pythonCode"), "python", "desk.py"),
        (("openApiToolset", "openApiSchema"), "yaml", "desk.openapi.yaml"),
        (("toolFakeConfig", "codeBlock", "pythonCode"), "python", "desk.fake.py"),
        (("beforeModelCallbacks", Index(0), "pythonCode"), "python", "desk.before-model.py"),
        (("codeCallback", "afterAgentCallback", "pythonCode"), "python", "desk.after-agent.py"),
        (("action", "generativeAnswer", "prompt"), "markdown", "desk.action.md"),
        (("evaluationPersonas", Element("name", "x"), "personality"), "markdown", "desk.persona.md"),
    ],
)
def test_names_say_what_is_inside(path: tuple[object, ...], language: str, name: str) -> None:
    assert Texts(key="desk").put("text", language, path) == name  # type: ignore[arg-type]


def test_the_second_of_a_name_is_numbered_and_taken_names_are_passed_over() -> None:
    texts = Texts(key="desk", reserved=frozenset({"desk.before-tool-2.py"}))
    path = ("beforeToolCallbacks", Index(0), "pythonCode")
    assert [texts.put(str(n), "python", path) for n in range(3)] == [
        "desk.before-tool.py",
        "desk.before-tool-3.py",
        "desk.before-tool-4.py",
    ]
    assert texts.files["desk.before-tool-3.py"] == "1\n"
