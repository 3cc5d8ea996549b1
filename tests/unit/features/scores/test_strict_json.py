"""JSON of strangers: what readers disagree about is refused."""

import pytest

from cesplan.features.scores.strict_json import strict_json


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("{", "it is not JSON: line 1, column 2"),
        ("", "it is not JSON: line 1, column 1"),
        ("NaN", "NaN is not a number in JSON"),
        ("[-Infinity]", "-Infinity is not a number in JSON"),
        ("1e999", "a number that is out of range"),
        ("1" * 5_000, "a number that is out of range"),
        ('{"a": 1, "a": 2}', "the member `a` twice"),
        ('["\\ud800"]', "half of a surrogate pair"),
        ('{"\\udfff": 1}', "half of a surrogate pair"),
        ("[" * 101 + "]" * 101, "more than 100 levels"),
        ("[" * 200_000, "more than 100 levels"),
        ("[" + "1," * 500_000 + "1]", "more than 500,000 values"),
    ],
)
def test_what_the_standard_does_not_define_is_refused(text: str, why: str) -> None:
    """With the reason in a clause."""
    with pytest.raises(ValueError, match=why.replace("(", r"\(")):
        strict_json(text)


def test_what_it_defines_is_read() -> None:
    """Up to a hundred levels, and texts in any script."""
    assert strict_json('{"a": [1, 2.5, "日本 \\ud83d\\ude00", null, true]}') == {
        "a": [1, 2.5, "日本 😀", None, True]
    }
    assert strict_json("[" * 100 + "]" * 100)
