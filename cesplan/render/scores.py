"""Scores as text: one line for a criterion, its turns, and a judge's objections."""

from collections.abc import Sequence

from cesplan.domain.features.scores import JudgeCalls, Judgment, MatchType, MetricScore, ScoreStatus
from cesplan.domain.text.words import count, first_rows, some_of

_MOST_TURNS = 12
"""The most turns of a run that are listed one by one."""
_MOST_NOTES = 6
"""The most remarks of a judge about one criterion; the JSON report has all of them."""
_LONGEST_NOTE = 300
"""The most characters of a remark."""


def said_of(metric: MetricScore) -> str:
    """`response_match_score 0.5 < 0.8`, or why there is no score."""
    name = named(metric)
    if metric.score is None:
        return f"{name}: {metric.reason}"
    if metric.reason:
        return f"{name}: {metric.reason}"
    sign = "≥" if metric.status is ScoreStatus.PASSED else "<"
    return f"{name} {number(metric.score, metric.criterion.threshold)} {sign} {metric.criterion.threshold:g}"


def judge_calls(calls: JudgeCalls) -> str:
    """`12 requests`, with the expected number if it differs."""
    other = f", {calls.expected:,} expected" if calls.expected != calls.sent else ""
    return f"{count(calls.sent, 'request')}{other}"


def notes_of(metric: MetricScore) -> list[str]:
    """The judge's remarks that lowered the score, one line each; empty if there are none."""
    if metric.status is ScoreStatus.PASSED:
        return []
    found = [
        item
        for item in metric.judgments
        if (item.score is None or item.score < _best(metric)) and not (item.note and item.note in metric.reason)
    ]
    notes = [_note(item, several=len(metric.runs) > 1) for item in found]
    return first_rows(notes, _MOST_NOTES, "and {:,} more")


def turns_of(metric: MetricScore) -> str:
    """`turns 1, 0; 1, 1`: one run after another; empty if the turns add nothing."""
    if metric.score is None or (len(metric.runs) == 1 and len(metric.runs[0]) == 1):
        return ""
    return f"turns {some_of([*map(_run, metric.runs)], _MOST_TURNS, '; ')}"


def named(metric: MetricScore) -> str:
    """The metric, with the settings that differ from the default."""
    criterion = metric.criterion
    settings = [
        *([criterion.match_type.value] if criterion.match_type is not MatchType.EXACT else []),
        *(["names only"] if criterion.ignore_args else []),
    ]
    return f"{criterion.metric} ({', '.join(settings)})" if settings else criterion.metric


def number(score: float, threshold: float) -> str:
    """A score in few digits, but enough to tell it from the threshold that it misses."""
    short = f"{score:.4g}"
    return short if (float(short) >= threshold) == (score >= threshold) else repr(score)


def _note(item: Judgment, *, several: bool) -> str:
    where = f"turn {item.turn} of run {item.run}" if several else f"turn {item.turn}"
    subject = f", `{item.subject}`" if item.subject else ""
    votes = item.votes
    counted = [f"{votes.yes} yes", f"{votes.no} no"] if votes and votes.yes + votes.no else []
    counted += [f"{votes.unread} unreadable"] if votes and votes.unread else []
    note = item.note if len(item.note) <= _LONGEST_NOTE else f"{item.note[:_LONGEST_NOTE]}…"
    text = "; ".join(filter(None, [", ".join(counted), note]))
    return f"{where}{subject}: {text or 'no remark'}"


def _best(metric: MetricScore) -> float:
    """The score of a judgment without objections."""
    return max(1.0, metric.criterion.threshold)


def _run(scores: Sequence[float | None]) -> str:
    return some_of(["?" if score is None else f"{score:.4g}" for score in scores], _MOST_TURNS)
