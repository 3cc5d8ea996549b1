"""Latencies: percentiles over the turns, and the service's own numbers for tools and models."""

import math
from collections.abc import Iterator, Sequence

from cesplan.domain.features.evaluation import FoundEvaluation, Latency
from cesplan.domain.naming import Naming
from cesplan.domain.value import Body, as_object, as_objects
from cesplan.features.evaluation.observed import seconds


def latencies_of(run: Body, evaluations: Sequence[FoundEvaluation], naming: Naming) -> tuple[Latency, ...]:
    """The turns of all results first, then tools, callbacks, guardrails and model calls by name."""
    turns = [value for item in evaluations for found in item.results for value in found.turn_seconds]
    report = as_object(run.get("latencyReport"))
    reported = tuple(_reported(report, naming))
    if not turns:
        return reported
    p50, p90 = percentile(turns, 50), percentile(turns, 90)
    return (Latency(what="turns", p50=p50, p90=p90, calls=len(turns)), *reported)


def percentile(values: Sequence[float], share: int) -> float:
    """The nearest-rank percentile: the smallest value that at least `share` percent of them do not exceed."""
    ordered = sorted(values)
    return ordered[max(0, math.ceil(share / 100 * len(ordered)) - 1)]


def sessions_of(run: Body) -> int | None:
    """The number of sessions that the service counted; None if it reports none."""
    count = as_object(run.get("latencyReport")).get("sessionCount")
    return count if isinstance(count, int) else None


def _reported(report: Body, naming: Naming) -> Iterator[Latency]:
    for member, word, names in (
        ("toolLatencies", "tool", ("toolDisplayName", "tool")),
        ("callbackLatencies", "callback", ("stage",)),
        ("guardrailLatencies", "guardrail", ("guardrailDisplayName", "guardrail")),
        ("llmCallLatencies", "model", ("model",)),
    ):
        for row in as_objects(report.get(member)):
            metrics = as_object(row.get("latencyMetrics"))
            p50, p90 = seconds(metrics.get("p50Latency")), seconds(metrics.get("p90Latency"))
            if p50 is not None and p90 is not None:
                name = next((str(row[key]) for key in names if row.get(key)), "")
                shown = f"{word} {naming.to_reference(name)}".strip()
                yield Latency(what=shown, p50=p50, p90=p90, calls=_count(metrics.get("callCount")))


def _count(value: object) -> int:
    """An int64 in JSON: a number, or its digits; 0 for anything else."""
    digits = str(value)
    return int(digits) if digits.isdecimal() and len(digits) < 20 else 0
