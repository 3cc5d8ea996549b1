"""`response_match_score` of one turn, as google-adk computes it."""

from typing import Any

import pytest

from cesplan.domain.features.scores import NotEvaluated
from cesplan.features.scores.response_match import Tokenizer, response_match_score
from tests.unit.features.scores.reference import cases

CASES = cases("response_match")["cases"]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_every_pair_has_the_score_that_google_adk_gives(case: dict[str, Any]) -> None:
    """In every script, from the same tokens."""
    found = response_match_score(case["candidate"], case["reference"])
    assert found == pytest.approx(case["adk"], abs=1e-9)
    if "adk_tokens" in case:
        assert [*map(Tokenizer().tokenize, (case["reference"], case["candidate"]))] == case["adk_tokens"]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("running runs ran", ["run", "run", "ran"]),
        ("the cats bus", ["the", "cat", "bus"]),
        ("注文はA1です", ["注", "文", "は", "a1", "で", "す"]),
        ("안녕 하세요", ["안", "녕", "하", "세", "요"]),
        ("สวัสดี", ["ส", "วั", "ส", "ดี"]),
        ("Straße ①", ["straße", "1"]),
    ],
)
def test_words_are_cut_by_script(text: str, told: list[str]) -> None:
    """Only ASCII words of more than three letters are stemmed."""
    assert Tokenizer().tokenize(text) == told


def test_a_text_that_is_too_long_has_no_score() -> None:
    """It is said, and the score is not guessed from a part of the text."""
    with pytest.raises(NotEvaluated, match="a response has more than 100,000 characters"):
        response_match_score("a " * 50_001, "a")


def test_a_text_that_grows_when_it_is_normalized_has_no_score() -> None:
    """U+FDFA is eighteen characters: 90,000 of them would be 1.6 million."""
    with pytest.raises(NotEvaluated, match="grows too much"):
        response_match_score("\ufdfa" * 90_000, "a")
    assert response_match_score("\ufdfa ½", "\ufdfa ½") == 1.0


def test_a_word_of_a_hundred_thousand_letters_is_stemmed() -> None:
    """The rule for `y` looks back; a run of them must not take quadratic time or the depth of the stack."""
    word = "y" * 100_000
    assert response_match_score(word, word) == 1.0
