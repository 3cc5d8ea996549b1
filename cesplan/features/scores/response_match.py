"""
ADK's `response_match_score`: the F-measure of ROUGE-1 between two answers, in any script.

Texts are normalized (NFKC) and lower-cased. Chinese, Japanese, and Korean count character by character; Thai,
Lao, Khmer, and Myanmar by letter with its marks; other scripts by word. ASCII words go through the tokenizer of
rouge-score with its Porter stemmer, which stems words of more than three letters.
"""

import unicodedata
from collections.abc import Iterator
from functools import cache
from typing import Any

from cesplan.domain.features.scores import NotEvaluated
from cesplan.features.scores.libraries import rouge_scorer, rouge_tokenizers

_MOST_GROWTH = 4
"""A fraction becomes three characters; only a few characters become more than four."""
LONGEST_TEXT = 100_000
"""Characters of one answer; a book chapter has some 30,000."""

_BY_CHARACTER = ((0x3040, 0x30FF), (0x4E00, 0x9FFF), (0xAC00, 0xD7AF))
"""Hiragana and katakana, the basic ideographs, and hangul. Extensions of the ideographs are not among them."""
_BY_CLUSTER = ((0x0E00, 0x0EFF), (0x1000, 0x109F), (0x1780, 0x17FF))
"""Thai and Lao, Myanmar, Khmer."""


def response_match_score(response: str, reference: str) -> float:
    """
    A score from 0 to 1; 0 if a text has no words, even if both have none. Raises NotEvaluated for texts that
    are too long.
    """
    for text in (response, reference):
        _check_length(text)
    scorer = _scorer(rouge_scorer())
    return float(scorer.score(reference, response)["rouge1"].fmeasure)


@cache
def _scorer(module: Any) -> Any:
    return module.RougeScorer(["rouge1"], tokenizer=Tokenizer())


def _check_length(text: str) -> None:
    """Raises NotEvaluated. Normalization turns some single characters into a whole sentence."""
    if len(text) > LONGEST_TEXT:
        raise NotEvaluated(reason=f"a response has more than {LONGEST_TEXT:,} characters")
    if (
        not text.isascii()
        and len(unicodedata.normalize("NFKC", text)) > _MOST_GROWTH * len(text) + LONGEST_TEXT // 100
    ):
        raise NotEvaluated(reason="a response grows too much when it is normalized")


class Tokenizer:
    """A tokenizer for any script, with the method that the scorer calls."""

    def __init__(self) -> None:
        self._ascii: Any = rouge_tokenizers().DefaultTokenizer(use_stemmer=True)

    def tokenize(self, text: str) -> list[str]:
        lowered = unicodedata.normalize("NFKC", text).lower()
        parted = "".join(map(_parted, lowered)).split()
        return [token for word in parted for token in self._tokens(word)]

    def _tokens(self, word: str) -> Iterator[str]:
        if word.isascii():
            yield from self._ascii.tokenize(word)
        else:
            yield word


def _parted(character: str) -> str:
    """A character, with space where a unit begins or ends beside it."""
    if character.isascii():
        return character if character.isalnum() else " "
    code = ord(character)
    if _is_in(code, _BY_CHARACTER):
        return f" {character} "
    is_mark = unicodedata.category(character).startswith("M")
    if _is_in(code, _BY_CLUSTER) and not is_mark:
        return f" {character}"
    return character if is_mark or character.isalnum() else " "


def _is_in(code: int, ranges: tuple[tuple[int, int], ...]) -> bool:
    return any(first <= code <= last for first, last in ranges)
