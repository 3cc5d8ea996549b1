"""
The libraries of the extra `evaluation`: imported when a score needs them; if one is missing, the error names
it.
"""

from importlib import import_module
from typing import Any

from cesplan.domain.errors import Extra, InvalidConfiguration

_NAMES = {"rouge_score": "rouge-score", "sacrebleu": "sacrebleu"}
"""Modules that the scores import, with the names of their packages."""


def rouge_scorer() -> Any:
    """The module of ROUGE scores. Raises InvalidConfiguration where rouge-score is not installed."""
    return _module("rouge_score.rouge_scorer")


def rouge_tokenizers() -> Any:
    """The tokenizers of ROUGE scores. Raises InvalidConfiguration where rouge-score is not installed."""
    return _module("rouge_score.tokenizers")


def sacrebleu() -> Any:
    """The module of BLEU scores. Raises InvalidConfiguration where sacrebleu is not installed."""
    return _module("sacrebleu")


def _module(name: str) -> Any:
    top = name.partition(".")[0]
    try:
        return import_module(name)
    except ModuleNotFoundError as error:
        raise InvalidConfiguration(
            summary=f"This score needs the package {_NAMES[top]}, which is not installed.",
            detail=Extra.EVALUATION.advice,
        ) from error
