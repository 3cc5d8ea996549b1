"""A judge that answers from a list, in the order of the questions, and remembers what it was asked."""

import json
from collections.abc import Callable, Sequence
from typing import Any

from cesplan.domain.features.judges import JudgeCase, JudgeFailed, JudgeLimits
from cesplan.domain.features.scores import ExpectedCase, ObservedCase, Turn
from cesplan.domain.value import Body

ONE_BY_ONE = JudgeLimits(calls=10_000, workers=1)
FAILS = "!raise"


def raw(text: str | None) -> Body:
    """A response with a text that the model wrote; None is an answer without any."""
    outputs = {} if text is None else {"rawOutput": [text]}
    return {"pointwiseMetricResult": {"customOutput": {"rawOutputs": outputs}}}


class Scripted:
    """`answers` are texts, responses, FAILS, or errors to raise; the last one goes on for ever."""

    def __init__(self, answers: Sequence[Any]) -> None:
        self._answers = list(answers)
        self.asked: list[Body] = []

    def evaluate(self, body: Body, may_send: Callable[[], str]) -> Body:
        if why := may_send():
            raise JudgeFailed(reason=why)
        answer = self._answers[min(len(self.asked), len(self._answers) - 1)]
        self.asked.append(body)
        if isinstance(answer, Exception):
            raise answer
        if answer == FAILS:
            raise JudgeFailed(reason="the judge answered 503")
        return answer if isinstance(answer, dict) else raw(answer)

    def interrupt(self) -> None:
        """Nothing waits here."""

    @property
    def tasks(self) -> list[str]:
        """The prompts, in order."""
        return [
            json.loads(body["pointwiseMetricInput"]["instance"]["jsonInstance"])["task"] for body in self.asked
        ]


def case_of(expected: Sequence[Turn], *runs: Sequence[Turn], **members: Any) -> JudgeCase:
    """A case with runs of it."""
    return JudgeCase(
        expected=ExpectedCase(eval_id="greets", turns=tuple(expected), **members),
        observed=[ObservedCase(eval_id="greets", turns=tuple(turns)) for turns in runs],
    )
