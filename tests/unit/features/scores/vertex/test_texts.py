"""Vertex's text metrics: published answers of the service, and what the libraries give for the same texts."""

from typing import Any

import pytest

from cesplan.domain.features.scores import NotEvaluated
from cesplan.features.scores.vertex.texts import RougeType, bleu, exact_match, rouge
from tests.unit.features.scores.reference import cases

PUBLISHED = cases("vertex_texts")
PAIRS = cases("response_match")["cases"]
METRICS = {"exactMatch": exact_match, "bleu": bleu, "rouge": rouge}


@pytest.mark.parametrize("case", PUBLISHED, ids=lambda case: case["metric"])
def test_published_answers_of_the_service_are_reproduced(case: dict[str, Any]) -> None:
    """With the settings that were sent: none."""
    found = [METRICS[case["metric"]](item["prediction"], item["reference"]) for item in case["instances"]]
    assert found == pytest.approx(case["published"], abs=1e-6)


@pytest.mark.parametrize("case", PAIRS, ids=lambda case: case["id"])
def test_rouge_and_bleu_are_those_of_their_libraries(case: dict[str, Any]) -> None:
    """ROUGE without a stemmer; BLEU with and without effective order."""
    texts = case["candidate"], case["reference"]
    for name in RougeType:
        assert rouge(*texts, name) == pytest.approx(case[name.value], abs=1e-9)
    assert bleu(*texts, effective_order=False) == pytest.approx(case["bleu_intl"], abs=1e-9)
    assert bleu(*texts, effective_order=True) == pytest.approx(case["bleu_intl_effective"], abs=1e-9)


def test_bleu_without_the_order_has_a_score_only_where_it_does_not_matter() -> None:
    """`no` beside `no no no` is 0 or 0.135."""
    assert bleu("The cat sat on the mat.", "The cat sat on the mat.") == pytest.approx(1.0)
    with pytest.raises(NotEvaluated, match="`useEffectiveOrder` makes a difference"):
        bleu("no", "no no no")


def test_splitting_summaries_is_refused() -> None:
    """Which model of sentences the service uses is not documented."""
    with pytest.raises(NotEvaluated, match="`splitSummaries` needs a model of sentences"):
        rouge("a", "a", split_summaries=True)


@pytest.mark.parametrize("name", [RougeType.ROUGE_L, RougeType.ROUGE_LSUM])
def test_the_quadratic_metrics_are_bounded(name: RougeType) -> None:
    """100,000 words beside as many would take hours; so would as many empty lines."""
    with pytest.raises(NotEvaluated, match="would take too long"):
        rouge("a " * 50_000, "a " * 50_000, name)
    with pytest.raises(NotEvaluated, match="would take too long"):
        rouge("\na" * 50_000, "\na" * 50_000, name)


def test_long_texts_are_refused() -> None:
    """A tokenizer is not asked about a text that nobody reads."""
    with pytest.raises(NotEvaluated, match="more than 200,000 characters"):
        bleu("a" * 200_001, "a")
