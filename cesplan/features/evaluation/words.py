"""Phrases that all reports of an evaluation run share."""

from collections.abc import Iterator

from cesplan.domain.features.evaluation import (
    ConversationStep,
    EvaluationVerdict,
    FoundEvaluation,
    FoundResult,
    RunComparison,
    RunReport,
    Score,
)
from cesplan.domain.features.scores import ScoreStatus
from cesplan.domain.text.words import count, listed, seconds
from cesplan.render.scores import said_of


def settings(report: RunReport) -> str:
    """The settings of the run: `draft · text · stable · real tools · 3 repeats`."""
    settings = report.demand.settings
    version = f"version {report.demand.version_name or settings.version}" if settings.version else "draft"
    repeats = count(settings.repeats, "repeat") if settings.repeats else "default repeats"
    played = [f"personas {', '.join(map(str, settings.personas))}"] if settings.personas else []
    parts = [version, settings.channel, settings.method, f"{settings.tools} tools", repeats, *played]
    return " · ".join(parts)


def place(report: RunReport) -> str:
    """The place of the run."""
    return " · ".join((report.demand.app_key, *report.service.heading))


def summary(report: RunReport) -> str:
    """`3 evaluations: 1 passed, 1 failed, 1 inconclusive`."""
    parts = [f"{number} {verdict}" for verdict in EvaluationVerdict if (number := report.count(verdict))]
    return f"{count(len(report.evaluations), 'evaluation')}: {', '.join(parts) or 'nothing was evaluated'}"


def share(item: FoundEvaluation) -> str:
    """`2 of 3`."""
    return f"{item.passed} of {item.repeats}"


def criteria(item: FoundEvaluation) -> Iterator[str]:
    """A line for each criterion that was met; unmet ones are problems."""
    return (said_of(metric) for metric in item.criteria if metric.status is ScoreStatus.PASSED)


def sessions(report: RunReport) -> str:
    """The number of sessions used."""
    expected = report.demand.sessions
    if report.sessions is None:
        return f"Sessions: at least {expected:,} expected; the service reports no number."
    return f"Sessions: {report.sessions:,} (at least {expected:,} expected)."


def latency(report: RunReport) -> Iterator[str]:
    """A line for each latency."""
    for item in report.latencies:
        yield f"{item.what}: p50 {seconds(item.p50)}, p90 {seconds(item.p90)} ({count(item.calls, 'call')})"


def comparison(item: RunComparison) -> Iterator[str]:
    """The comparison, regressions first."""
    for word, names in (
        ("Regressions", item.regressions),
        ("Fixes", item.fixes),
        ("Not in the baseline", item.added),
        ("Only in the baseline", item.missing),
    ):
        if names:
            yield f"{word}: {listed(list(names))}"
    if not (item.regressions or item.fixes):
        yield "No regressions, no fixes."
    yield from item.notices


def troubled(item: FoundEvaluation) -> list[tuple[int, FoundResult]]:
    """The repeats that did not pass, each with its number from 1."""
    return [(number, found) for number, found in enumerate(item.results, 1) if found.problems]


def wrong_steps(found: FoundResult) -> list[ConversationStep]:
    """Steps that failed, and those observed without an expectation that did not pass."""
    return [
        step
        for step in found.steps
        if step.outcome == "FAIL" or (step.expected == "nothing" and step.outcome != "PASS")
    ]


def low_scores(found: FoundResult) -> list[Score]:
    """Scores that failed, by the service's word or by their threshold."""
    return [
        score
        for score in found.scores
        if score.outcome == "FAIL"
        or (score.outcome != "PASS" and score.threshold is not None and score.value < score.threshold)
    ]


def score(score: Score) -> str:
    """`turn 2 semantic similarity 1 of at least 3: the reason`."""
    where = f"turn {score.turn} " if score.turn else ""
    bar = f" of at least {score.threshold:g}" if score.threshold is not None else ""
    why = f": {score.explanation}" if score.explanation else ""
    return f"{where}{score.name} {score.value:g}{bar}{why}"
