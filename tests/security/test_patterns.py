"""
Patterns and templates of a tree against names and texts of anyone: none takes more than its length.

Each of these took minutes or years: expressions that try every way to divide a text.
"""

import signal
import sys
from collections.abc import Iterator
from random import Random

import pytest

from cesplan.domain.choice import compiled
from cesplan.domain.text.template import values_in

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="an alarm ends what does not end")


@pytest.fixture(autouse=True)
def _in_time() -> Iterator[None]:
    def late(*_: object) -> None:
        raise AssertionError("it takes too long")

    before = signal.signal(signal.SIGALRM, late)
    signal.alarm(20)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


@pytest.mark.parametrize(
    "pattern", ["*a" * 30 + "*b", "*" * 500 + "b", "*a*/*a*/" * 3 + "b", "*aa" * 20 + "*b"]
)
def test_patterns_of_addresses(pattern: str) -> None:
    """`protect`, `--target` and `--exclude`, against names of a tree."""
    expression = compiled(pattern)
    assert expression.fullmatch("/".join(["a" * 250] * 3)) is None
    assert expression.fullmatch("a" * 250) is None


@pytest.mark.parametrize(
    ("pattern", "taken", "not_taken"),
    [
        ("a*b*c", ["abc", "a-b-b-c", "abbc", "abcbc"], ["abcd", "ab/c", "ac", "xabc"]),
        ("shop/*/x", ["shop/agents/x", "shop//x"], ["shop/agents/y/x", "shop/x"]),
        ("*", ["", "abc"], ["a/b"]),
        ("**b/c*d", ["b/cd", "ab/c-d"], ["b/c/d"]),
        ("a.c", ["a.c"], ["abc"]),
        ("shop/", ["shop"], ["shop/"]),
    ],
)
def test_patterns_mean_what_they_meant(pattern: str, taken: list[str], not_taken: list[str]) -> None:
    assert [text for text in taken if not compiled(pattern).fullmatch(text)] == []
    assert [text for text in not_taken if compiled(pattern).fullmatch(text)] == []


def test_values_in_a_template_that_repeats_itself() -> None:
    """Variables that touch, and names that come again: found once from the end, or not at all."""
    values = dict.fromkeys("abcdefgh", "x" * 5000)
    template = "".join(f"${{{name}}}" for name in "abcdefgh" * 50) + "y" + "${a}" * 50
    text = "x" * (5_000 * 8 * 50) + "y" + "x" * 5_000 * 50
    assert values_in(template, text) in ({}, values)
    assert values_in("x".join(f"${{{name}}}" for name in "abcdefgh" * 20), "x" * 100_000) is not None


def test_values_of_a_template_make_the_text_again() -> None:
    """Whatever is found is one way in which the text may have been made; what is unambiguous is found."""
    dice = Random(7)
    for _ in range(2_000):
        names = dice.sample("abcd", dice.randint(1, 4))
        values = {name: "".join(dice.choices("xy-$", k=dice.randint(0, 5))) for name in names}
        pieces = [dice.choice(["", "-", "$$", "xy", "-x-", f"${{{dice.choice(names)}}}"]) for _ in range(6)]
        template = "".join(pieces)

        def filled(given: dict[str, str], pieces: list[str] = pieces) -> str:
            return "".join(
                "$" if item == "$$" else given[item[2]] if item[:2] == "${" else item for item in pieces
            )

        found = values_in(template, filled(values))
        used = {item[2] for item in pieces if item[:2] == "${"}
        if found:
            assert found.keys() == used
            assert filled(found) == filled(values)
    assert values_in("Bearer ${key}", "Bearer s3cret") == {"key": "s3cret"}
    assert values_in("${user}:${key}@${host}", "ann:s3cret@example") == {
        "user": "ann",
        "key": "s3cret",
        "host": "example",
    }
