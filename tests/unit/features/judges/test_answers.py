"""What a judge wrote is read for certain, or not at all."""

import pytest

from cesplan.domain.features.scores import Rubric
from cesplan.features.judges.answers import covers, label_of, labels_of, rubric_answers, sentences_of, text_of

KEY = "is_the_agent_response_valid"
NOT = "is_the_agent_response_invalid"
RUBRICS = (Rubric(key="a", text="It is “short”."), Rubric(key="b", text="It is polite."))


def block(key: str, text: str, verdict: str) -> str:
    return f"ID: {key}\nProperty: {text}\nEvidence: e\nRationale: because\nVerdict: {verdict}"


@pytest.mark.parametrize(
    ("text", "label"),
    [
        (f'{{"{KEY}": "valid"}}', True),
        (f'```json\n{{"reasoning": "x",\n "{KEY}": "true"\n}}\n```', True),
        (f'{{"{KEY}": "almost"}}', False),
        (f'{{"{NOT}": "false"}}', True),
        (f'{{"{NOT}": "true"}}', False),
        (f'{{"{NOT}": "maybe"}}', None),
        (f'{{"{KEY}": "VALID"}}', None),
        (f'{{"{KEY}": ""}}', None),
        (f'{{"{KEY}": "partially valid"}}', None),
        (f'{{"{KEY}": "valid", "{NOT}": "valid"}}', True),
        (f'{{"{KEY}": "valid", "{NOT}": "true"}}', None),
        (f'{{"{KEY}": "valid"}} {{"{KEY}": "invalid"}}', None),
        (f'{{"{KEY}": "", "{NOT}": "valid"}}', None),
        (f'{{"{KEY}": "not sure", "{NOT}": "valid"}}', None),
        ("The response is valid.", None),
        ("", None),
    ],
)
def test_a_label_is_one_of_the_known_ones(text: str, label: bool | None) -> None:
    """Two that say the same are one; two that do not are none."""
    assert label_of(text) is label


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (block("a", "?", "yes"), {"a": True}),
        (block("", '*It is "short".*', "No."), {"a": False}),
        (block("other", "It is polite", "YES"), {"b": True}),
        (block("other", "Else.", "yes"), {}),
        (block("a", "It is polite.", "yes"), {}),
        (f"{block('a', '?', 'yes')}\n\n{block('a', '?', 'yes')}", {"a": True}),
        (f"{block('a', '?', 'yes')}\n\n{block('a', '?', 'no')}", {"a": None}),
        (block("a", "?", "no, not yes"), {"a": None}),
        (block("a", "?", "notably"), {"a": None}),
        (block("a", "?", "yes").replace("Rationale: because\n", ""), {}),
        (f"{block('a', '?', 'yes')}\n\nID: b\nProperty: It is polite.", {}),
        ("", {}),
    ],
)
def test_a_verdict_belongs_to_one_rubric(text: str, found: dict[str, bool | None]) -> None:
    """By its id, else by its property, however it is decorated; never to two."""
    assert {key: said.verdict for key, said in rubric_answers(text, RUBRICS).items()} == found


def test_sentences_must_be_the_whole_text() -> None:
    """But for white space, bullets and quotes, which a judge may drop."""
    text = "- Hello.\n- It costs 7 €.\n"
    assert sentences_of("<sentence>Hello.</sentence>\nx\n<sentence>It costs 7 €.</sentence>") == (
        "Hello.",
        "It costs 7 €.",
    )
    assert covers(["Hello.", "It costs 7 €."], text)
    assert not covers(["Hello."], text)
    assert not covers(["Hello.", "It costs 8 €."], text)
    assert not covers(["It costs 7 €.", "Hello."], text)


@pytest.mark.parametrize(
    ("text", "labels"),
    [
        ("sentence: a\nlabel: supported\n\nSentence: b\nLabel: Contradictory", (True, False)),
        ("sentence: a\nlabel: not_applicable\nrationale: label: supported is wrong", (True,)),
        ("sentence: a\nlabel: maybe", (None,)),
        ("sentence: a\nrationale: r", (None,)),
        ("sentence: a\nlabel: supported\nlabel: unsupported", (None,)),
        ("label: supported", ()),
        ("", ()),
    ],
)
def test_a_sentence_has_one_label(text: str, labels: tuple[bool | None, ...]) -> None:
    assert labels_of(text) == labels


@pytest.mark.parametrize(
    "response",
    [
        {},
        {"pointwiseMetricResult": {"score": 1}},
        {"pointwiseMetricResult": {"customOutput": {"rawOutputs": {"rawOutput": []}}}},
        {"pointwiseMetricResult": {"customOutput": {"rawOutputs": {"rawOutput": ["a", "b"]}}}},
        {"pointwiseMetricResult": {"customOutput": {"rawOutputs": {"rawOutput": [7]}}}},
        {"pointwiseMetricResult": {"customOutput": {"rawOutputs": {"rawOutput": ["a" * 200_001]}}}},
        {"pointwiseMetricResult": "yes"},
    ],
)
def test_a_response_without_one_text_says_nothing(response: dict[str, object]) -> None:
    """Also one with several samples: one was asked for."""
    assert text_of(response) == ""
