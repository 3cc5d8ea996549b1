"""What judging spends: requests are counted before they are sent, and none is sent beyond the limit."""

import threading
from collections.abc import Callable, Sequence
from time import monotonic

from cesplan.domain.features.judges import HALLUCINATIONS, SAMPLED, JudgeCase, JudgeLimits
from cesplan.domain.features.scores import Criterion, JudgeOptions, StepKind, Turn

MOST_OUTAGES = 5
"""Each was retried for minutes, and so would be every further question."""
_NO_OPTIONS = JudgeOptions()


def expected_calls(criteria: Sequence[Criterion], cases: Sequence[JudgeCase]) -> int:
    """
    How many requests judging takes if none is retried; fewer if a text has no sentences.

    A sample of a turn is one request. Hallucinations take two for each text: cutting it up, and checking it.
    """
    return sum(_calls(criterion, case) for criterion in criteria for case in cases)


def _calls(criterion: Criterion, case: JudgeCase) -> int:
    options = criterion.judge or _NO_OPTIONS
    turns = [
        turn
        for run in case.observed
        for number, turn in enumerate(run.turns, 1)
        if not case.is_left_out(criterion.metric, number)
    ]
    if criterion.metric != HALLUCINATIONS:
        return len(turns) * (options.samples if criterion.metric in SAMPLED else 1)
    return 2 * sum(bool(turn.response) + (_interim(turn) if options.includes_interim else 0) for turn in turns)


def _interim(turn: Turn) -> int:
    return sum(step.kind is StepKind.TEXT for step in turn.steps)


class Spending:
    """Counts requests. Safe to share between threads."""

    def __init__(self, limits: JudgeLimits, clock: Callable[[], float] = monotonic) -> None:
        self._limits = limits
        self._clock = clock
        self._until = clock() + limits.seconds
        self._lock = threading.Lock()
        self._stopped = ""
        self._outages = 0
        self.calls = 0

    def stop(self, why: str = "judging was stopped") -> None:
        """Send nothing more."""
        self._stopped = self._stopped or why

    def note(self, *, is_outage: bool) -> None:
        """Count consecutive questions without an answer; after MOST_OUTAGES of them, nothing more is sent."""
        with self._lock:
            self._outages = self._outages + 1 if is_outage else 0
            if self._outages >= MOST_OUTAGES:
                self.stop(f"the judge did not answer {MOST_OUTAGES} questions in a row")

    def may_send(self) -> str:
        """Count one more request, or say why it must not be sent."""
        with self._lock:
            if self._stopped:
                return self._stopped
            if self.calls >= self._limits.calls:
                return f"the limit of {self._limits.calls:,} requests to judges is reached"
            if self._clock() > self._until:
                return f"the limit of {self._limits.seconds:.0f} s for judges is reached"
            self.calls += 1
            return ""
