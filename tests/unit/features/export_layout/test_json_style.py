"""JSON as the service writes it, byte for byte."""

import pytest

from cesplan.features.export_layout.json_style import java_number, json_text


def test_the_style_of_the_service() -> None:
    """Two spaces; lists of scalars in one line; lists of objects side by side; no line break at the end."""
    value = {
        "displayName": "Bella Notte",
        "modelSettings": {},
        "tools": ["a", "b"],
        "variableDeclarations": [{"name": "x", "schema": {"default": 1.0}}, {"name": "y"}],
        "empty": [],
        "locked": True,
        "maxTurns": 3,
        "nothing": None,
    }
    assert json_text(value) == (
        "{\n"
        '  "displayName": "Bella Notte",\n'
        '  "modelSettings": {\n'
        "  },\n"
        '  "tools": ["a", "b"],\n'
        '  "variableDeclarations": [{\n'
        '    "name": "x",\n'
        '    "schema": {\n'
        '      "default": 1.0\n'
        "    }\n"
        "  }, {\n"
        '    "name": "y"\n'
        "  }],\n"
        '  "empty": [],\n'
        '  "locked": true,\n'
        '  "maxTurns": 3,\n'
        '  "nothing": null\n'
        "}"
    )


def test_texts_are_safe_in_html_and_keep_their_letters() -> None:
    """Quotes and angles as escapes, umlauts and emoji as they are; what JSON must escape, short."""
    assert json_text("it's <b>\u00e4\U0001f600</b>\n\t\"\\\x01") == (
        '"it\\u0027s \\u003cb\\u003e\u00e4\U0001f600\\u003c/b\\u003e\\n\\t\\"\\\\\\u0001"'
    )
    assert json_text("a=b & c") == '"a\\u003db \\u0026 c"'


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (0.0, "0.0"),
        (-0.0, "-0.0"),
        (1.0, "1.0"),
        (0.2, "0.2"),
        (-12.5, "-12.5"),
        (0.001, "0.001"),
        (0.00012, "1.2E-4"),
        (1234567.0, "1234567.0"),
        (10000000.0, "1.0E7"),
        (123456789.5, "1.234567895E8"),
        (1e300, "1.0E300"),
        (0.1 + 0.2, "0.30000000000000004"),
        (120.0, "120.0"),
    ],
)
def test_numbers_are_spelled_as_java_does(number: float, text: str) -> None:
    assert java_number(number) == text
    assert float(text) == number
