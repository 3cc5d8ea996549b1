"""
Vertex's text metrics, computed by the libraries that give its published scores.

Exact match is equality of texts. BLEU is the sentence BLEU of sacrebleu (tokenizer intl, smoothing exp) divided
by 100; whether the service lower-cases first is not documented, and here nothing is. ROUGE is the F-measure of
rouge-score. ROUGE-L takes the product of both lengths in time, so that is limited.
"""

from enum import StrEnum

from cesplan.domain.features.scores import NotEvaluated
from cesplan.features.scores.libraries import rouge_scorer, sacrebleu

LONGEST_TEXT = 200_000
"""Characters of a prediction or a reference."""
MOST_PAIRS = 4_000_000
"""Of words of both texts for ROUGE-L: 2,000 words beside 2,000 take about a second."""


class RougeType(StrEnum):
    ROUGE1 = "rouge1"
    ROUGE2 = "rouge2"
    ROUGE_L = "rougeL"
    ROUGE_LSUM = "rougeLsum"


def exact_match(prediction: str, reference: str) -> float:
    """1 if the texts are equal."""
    return float(prediction == reference)


def bleu(prediction: str, reference: str, *, effective_order: bool | None = None) -> float:
    """
    Sentence BLEU from 0 to 1.

    `effective_order` is `useEffectiveOrder`. Its default is not documented: without it there is a score only
    where both give the same.
    """
    _check_lengths(prediction, reference)
    if effective_order is not None:
        return _bleu(prediction, reference, effective_order=effective_order)
    with_it, without = (_bleu(prediction, reference, effective_order=each) for each in (True, False))
    if with_it != without:
        raise NotEvaluated(
            reason="`useEffectiveOrder` makes a difference and its default is not documented: set it"
        )
    return without


def rouge(
    prediction: str,
    reference: str,
    rouge_type: RougeType = RougeType.ROUGE_LSUM,
    *,
    use_stemmer: bool = False,
    split_summaries: bool = False,
) -> float:
    """The F-measure, from 0 to 1. Line feeds part sentences for rougeLsum."""
    if split_summaries:
        raise NotEvaluated(reason="`splitSummaries` needs a model of sentences that the service does not name")
    _check_lengths(prediction, reference)
    if rouge_type in (RougeType.ROUGE_L, RougeType.ROUGE_LSUM):
        pairs = _most_words(prediction) * _most_words(reference)
        if pairs > MOST_PAIRS:
            raise NotEvaluated(
                reason=f"{rouge_type} of texts with {pairs:,} pairs of words would take too long"
            )
    scorer = rouge_scorer().RougeScorer([rouge_type.value], use_stemmer=use_stemmer)
    return float(scorer.score(reference, prediction)[rouge_type.value].fmeasure)


def _bleu(prediction: str, reference: str, *, effective_order: bool) -> float:
    metric = sacrebleu().BLEU(tokenize="intl", smooth_method="exp", effective_order=effective_order)
    score = metric.corpus_score(
        [prediction], [[reference]]
    )  # of one sentence, which says the same without a warning
    return float(score.score) / 100


def _check_lengths(*texts: str) -> None:
    if any(len(text) > LONGEST_TEXT for text in texts):
        raise NotEvaluated(reason=f"a text has more than {LONGEST_TEXT:,} characters")


def _most_words(text: str) -> int:
    """At least as many words as the tokenizer finds, and at least one for each line."""
    apart = "".join(sign if sign.isascii() and sign.isalnum() else " " for sign in text.lower())
    return len(apart.split()) + text.count("\n") + 1
