"""
The script of judges: what a model answers to requests of evaluateInstances.

    judges:
    - contains: "Cut the text"    # a text of the request's prompt or prediction; default: any
      metric: pointwiseMetric     # the input without `Input`; * is allowed; default *
      answer: "Verdict: yes"      # what the model writes, of a pointwiseMetric with raw output; null: nothing
      score: 1                    # the number of any other metric, and of a pointwiseMetric without raw output
      explanation: It is polite.
      error: {code: RESOURCE_EXHAUSTED, message: Quota exceeded.}    # in place of an answer

The first entry that fits answers. `answer` and `score` may be lists: one for each request in turn, the last one
forever.
"""

import threading
from collections.abc import Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from typing import Any, Self

from cesplan.emulator import documents
from cesplan.emulator.errors import HTTP_STATUS, Refused, invalid

_KEYS = {"contains", "metric", "answer", "score", "explanation", "error"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """The model's response to one request."""

    answer: str | None = None
    score: float | None = None
    explanation: str = ""
    error: Refused | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """One entry: the requests that it matches, and their responses in turn."""

    metric: str
    contains: str
    answers: Sequence[str | None]
    scores: Sequence[float | None]
    explanation: str = ""
    error: Refused | None = None

    def fits(self, metric: str, text: str) -> bool:
        """Say whether the entry matches a request of a metric with this text."""
        return fnmatchcase(metric, self.metric) and self.contains in text

    def said(self, number: int) -> Said:
        """Return the response to the request with this number, from 0."""
        return Said(
            answer=self.answers[min(number, len(self.answers) - 1)],
            score=self.scores[min(number, len(self.scores) - 1)],
            explanation=self.explanation,
            error=self.error,
        )


@dataclass(slots=True)
class JudgeScript(documents.Script):
    """The answers of judges; UNIMPLEMENTED if no entry matches. Safe to use from several threads."""

    parts: Sequence[Part] = ()
    _counts: dict[int, int] = field(default_factory=dict)
    _lock: Any = field(default_factory=threading.Lock)

    @classmethod
    def parse(cls, document: object) -> Self:
        """Return the script in a document. Raise Refused for an invalid one."""
        rows = document.get("judges") if isinstance(document, dict) else None
        if not isinstance(document, dict) or set(document) != {"judges"} or not isinstance(rows, list):
            raise invalid("judges", "expected an object with one list, 'judges'")
        return cls(parts=tuple(_part(row, f"judges[{number}]") for number, row in enumerate(rows)))

    def again(self) -> "JudgeScript":
        """Return the same script from its beginning."""
        return JudgeScript(parts=self.parts)

    def said(self, metric: str, text: str) -> Said | None:
        """Return the response to a request, and count it; None if no entry matches."""
        for index, part in enumerate(self.parts):
            if part.fits(metric, text):
                with self._lock:
                    number = self._counts.get(index, 0)
                    self._counts[index] = number + 1
                return part.said(number)
        return None


def _part(row: Any, where: str) -> Part:
    if not isinstance(row, dict) or set(row) - _KEYS:
        raise invalid(where, f"expected an object with {', '.join(sorted(_KEYS))}")
    for key in ("contains", "metric", "explanation"):
        if not isinstance(row.get(key, ""), str):
            raise invalid(f"{where}.{key}", "a string is expected")
    return Part(
        metric=row.get("metric", "*"),
        contains=row.get("contains", ""),
        answers=_listed(row.get("answer"), (str, type(None)), f"{where}.answer"),
        scores=_listed(row.get("score"), (int, float, type(None)), f"{where}.score"),
        explanation=row.get("explanation", ""),
        error=_error(row.get("error"), f"{where}.error"),
    )


def _listed(value: Any, types: tuple[type, ...], where: str) -> tuple[Any, ...]:
    found = tuple(value) if isinstance(value, list) and value else (value,)
    if not all(isinstance(item, types) and not isinstance(item, bool) for item in found):
        raise invalid(where, "the answers of a judge must be strings, and the scores numbers")
    return found


def _error(value: Any, where: str) -> Refused | None:
    if value is None:
        return None
    if not isinstance(value, dict) or value.get("code") not in HTTP_STATUS or set(value) - {"code", "message"}:
        raise invalid(where, f"'code' is one of {', '.join(HTTP_STATUS)}")
    return Refused(value["code"], str(value.get("message", "A scripted error.")))
