"""
Reading the answers of judges. An answer that cannot be read with certainty has no verdict: None, never a guess.

The formats are those of ADK's judges: a label in JSON, blocks of five lines, tagged sentences. Where ADK takes
the better of two readings, the answer is unreadable here.
"""

import re
import unicodedata
from collections.abc import Mapping, Sequence
from itertools import pairwise

from cesplan.domain.features.scores import Rubric
from cesplan.domain.frozen import dataclass
from cesplan.domain.value import Body, as_object, as_text

_LABEL = re.compile(
    r'"is_the_agent_response_(?P<key>valid|invalid)"\s*:\s*(?:\[\s*)?"?(?P<label>[A-Za-z_]{1,40})"?\s*\]?\s*[,}\n]'
)
_KEY = re.compile(r'"is_the_agent_response_(?:in)?valid"')
_VALID = frozenset({"valid", "true"})
_INVALID = frozenset({"invalid", "false", "almost", "partially_valid", "partially"})

_FIELD = re.compile(
    r"^[^\S\n]*(?P<field>ID|Property|Evidence|Rationale|Verdict):[^\S\n]?(?P<text>.*)$", re.MULTILINE
)
_YES = re.compile(r"\byes\b", re.IGNORECASE)
_NO = re.compile(r"\bno\b", re.IGNORECASE)

_SENTENCE = re.compile(r"<sentence>(.*?)</sentence>", re.DOTALL)
_SENTENCE_BLOCK = re.compile(r"^[^\S\n]*sentence:", re.MULTILINE | re.IGNORECASE)
_SENTENCE_LABEL = re.compile(r"^[^\S\n]*label:[^\S\n]*(?P<label>\S+)[^\S\n]*$", re.MULTILINE | re.IGNORECASE)
_GOOD = frozenset({"supported", "not_applicable"})
_BAD = frozenset({"unsupported", "contradictory", "disputed"})

_LONGEST = 200_000
"""The most characters of an answer that are read; a judge of a turn writes a few thousand."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RubricAnswer:
    """The answer of one sample about one rubric; `verdict` is None if it is unreadable."""

    verdict: bool | None
    rationale: str = ""


def text_of(response: Body) -> str:
    """The judge's text in a `pointwiseMetricResult`; empty if there is none or more than one."""
    outputs = as_object(
        as_object(as_object(response.get("pointwiseMetricResult")).get("customOutput")).get("rawOutputs")
    )
    found = outputs.get("rawOutput")
    if not isinstance(found, list) or len(found) != 1 or not isinstance(found[0], str):
        return ""
    return found[0] if len(found[0]) <= _LONGEST else ""


def score_of(response: Body, result: str, least: float, most: float) -> tuple[float | None, str]:
    """The score and the explanation of a judge that gives a number; None for one out of its range."""
    found = as_object(response.get(result))
    score, explanation = found.get("score"), found.get("explanation")
    text = as_text(explanation)
    if isinstance(score, bool) or not isinstance(score, int | float) or not least <= score <= most:
        return None, text
    return float(score), text


def label_of(text: str) -> bool | None:
    """Whether an answer was called valid. Labels are lower case; another one, or two that differ, are none."""
    if len(_KEY.findall(text)) != len(_LABEL.findall(text)):
        return None
    found = {_verdict(item["key"], item["label"]) for item in _LABEL.finditer(text)}
    return found.pop() if len(found) == 1 else None


def rubric_answers(text: str, rubrics: Sequence[Rubric]) -> Mapping[str, RubricAnswer]:
    """
    The answers about each rubric, by its key; rubrics that the text does not mention are missing. A block
    counts for the rubric with its id, else for the one with its property. A block without a property, a
    rationale, or a verdict, or with the id of one rubric and the property of another, makes the whole answer
    unreadable: it is unclear what belongs together.
    """
    by_key = {item.key: item for item in rubrics}
    by_text = {_folded(item.text): item for item in rubrics}
    found: dict[str, list[RubricAnswer]] = {}
    for block in _blocks(text):
        by_id, by_property = by_key.get(block.get("ID", "").strip()), by_text.get(_folded(block["Property"]))
        if by_id and by_property and by_id != by_property:
            return {}
        rubric = by_id or by_property
        if rubric is not None:
            answer = RubricAnswer(verdict=_yes_or_no(block["Verdict"]), rationale=block["Rationale"].strip())
            found.setdefault(rubric.key, []).append(answer)
    return {
        key: answers[0] if len({item.verdict for item in answers}) == 1 else RubricAnswer(verdict=None)
        for key, answers in found.items()
    }


def sentences_of(text: str) -> tuple[str, ...]:
    """The tagged sentences."""
    return tuple(_SENTENCE.findall(text))


def covers(sentences: Sequence[str], text: str) -> bool:
    """Whether the sentences are the whole text: the same letters and digits in the same order."""
    return _letters("".join(sentences)) == _letters(text)


def labels_of(text: str) -> tuple[bool | None, ...]:
    """Whether each sentence is in order, by block; None for a label that is not known."""
    starts = [item.start() for item in _SENTENCE_BLOCK.finditer(text)]
    blocks = [text[start:end] for start, end in pairwise([*starts, len(text)])]
    return tuple(map(_label, blocks))


def _label(block: str) -> bool | None:
    found = {item["label"].lower() for item in _SENTENCE_LABEL.finditer(block)}
    if len(found) != 1:
        return None
    label = found.pop()
    return True if label in _GOOD else False if label in _BAD else None


def _verdict(key: str, label: str) -> bool | None:
    verdict = True if label in _VALID else False if label in _INVALID else None
    if key == "valid":
        return verdict
    return False if label in ("true", "invalid") else True if label in ("false", "valid") else None


def _yes_or_no(text: str) -> bool | None:
    is_yes, is_no = bool(_YES.search(text)), bool(_NO.search(text))
    return is_yes if is_yes != is_no else None


def _blocks(text: str) -> list[dict[str, str]]:
    """Fields by name, a block ending with its verdict; none at all if one of them lacks a field."""
    blocks: list[dict[str, str]] = [{}]
    for item in _FIELD.finditer(text):
        if item["field"] in blocks[-1]:
            return []
        blocks[-1][item["field"]] = item["text"]
        if item["field"] == "Verdict":
            blocks.append({})
    last = blocks.pop()
    is_whole = all({"Property", "Rationale", "Verdict"} <= block.keys() for block in blocks)
    return blocks if is_whole and not last else []


def _folded(text: str) -> str:
    """A property normalized, so that it is found even if a judge decorates the copy."""
    plain = unicodedata.normalize("NFKC", text).casefold()
    return " ".join("".join(sign if sign.isalnum() else " " for sign in plain).split())


def _letters(text: str) -> str:
    return "".join(sign for sign in unicodedata.normalize("NFKC", text) if sign.isalnum())
