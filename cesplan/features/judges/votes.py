"""
From samples to a score: majorities, means, and missing answers. Every judged item is a point with its value and
its best possible value. A criterion passes only if all points are known; it fails if not even the best case
reaches its threshold; otherwise it is not evaluated.
"""

from collections.abc import Sequence
from statistics import mean

from cesplan.domain.features.scores import Criterion, Judgment, MetricScore, ScoreStatus, Votes
from cesplan.domain.frozen import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Point:
    """
    One number of a turn. `value` is None where the judge gave none; then it is between `least` and `most`.

    A tie has the value 0, as ADK counts it, and could be 1.
    """

    value: float | None
    least: float
    most: float
    why: str = ""
    """Why it is not certain."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnFound:
    """The findings about one turn of one run; both count from 1."""

    run: int
    turn: int
    points: Sequence[Point]
    judgments: Sequence[Judgment]

    @property
    def score(self) -> float | None:
        """The mean of the points that have a value."""
        values = [point.value for point in self.points if point.value is not None]
        return mean(values) if values else None


def known(value: float) -> Point:
    """A point that is certain."""
    return Point(value=value, least=value, most=value)


def unknown(why: str, least: float = 0.0, most: float = 1.0) -> Point:
    """A point without a value."""
    return Point(value=None, least=least, most=most, why=why)


def majority(votes: Votes, failures: Sequence[str] = ()) -> Point:
    """
    What most of the samples said, of all that were asked: 1 for yes, 0 for no.

    As many for yes as for no is a tie, which ADK counts as no and which decides nothing here. Samples that
    cannot be read decide nothing either; a sample that failed (`failures` say why) voids the turn.
    """
    if failures:
        return unknown(failures[0])
    samples = votes.yes + votes.no + votes.unread
    if 2 * votes.yes > samples:
        return known(1.0)
    if 2 * votes.no > samples:
        return known(0.0)
    if votes.yes == votes.no and votes.yes:
        why = f"a tie of {votes.yes} yes and {votes.no} no"
        return Point(value=0.0, least=0.0, most=1.0, why=why)
    return unknown(_unread(votes, samples))


def metric_of(criterion: Criterion, turns: Sequence[TurnFound], runs: int) -> MetricScore:
    """One criterion over all turns of all runs; each run has the same number of turns."""
    points = [(found, point) for found in turns for point in found.points]
    scores = tuple(tuple(found.score for found in turns if found.run == run) for run in range(1, runs + 1))
    judgments = tuple(item for found in turns for item in found.judgments)
    status, score, reason = _status(criterion.threshold, points)
    return MetricScore(
        criterion=criterion, status=status, score=score, runs=scores, reason=reason, judgments=judgments
    )


def _status(
    threshold: float, points: Sequence[tuple[TurnFound, Point]]
) -> tuple[ScoreStatus, float | None, str]:
    if not points:
        return ScoreStatus.NOT_EVALUATED, None, "nothing was judged"
    first = next(((found, point) for found, point in points if point.least != point.most), None)
    best = mean(point.most for _, point in points)
    if first is None:
        return (ScoreStatus.PASSED if best >= threshold else ScoreStatus.FAILED), best, ""
    found, point = first
    where = f"turn {found.turn} of run {found.run}: {point.why}"
    if best < threshold:
        return ScoreStatus.FAILED, None, f"at most {best:.4g} < {threshold:g}; {where}"
    return ScoreStatus.NOT_EVALUATED, None, where


def _unread(votes: Votes, samples: int) -> str:
    if not votes.yes and not votes.no:
        return "the judge's answer is unreadable" if samples == 1 else f"none of {samples} answers is readable"
    return f"no majority of {samples} samples: {votes.yes} yes, {votes.no} no, {votes.unread} unreadable"
