"""Scores as text: failures come first in each case, with the turns that lowered the score."""

from collections.abc import Iterator

from cesplan.domain.features.scores import (
    CaseScore,
    ScoreReport,
    ScoreStatus,
)
from cesplan.domain.text.words import count
from cesplan.render.page import BLANK, Ink, Page, Span, labeled, line, paint, wrapped
from cesplan.render.scores import judge_calls, named, notes_of, said_of, turns_of
from cesplan.render.text.layout import PLAIN, View

WORDS = {
    ScoreStatus.PASSED: "passed",
    ScoreStatus.FAILED: "failed",
    ScoreStatus.NOT_EVALUATED: "not evaluated",
}
_INKS = {ScoreStatus.PASSED: Ink.CREATE, ScoreStatus.FAILED: Ink.DELETE, ScoreStatus.NOT_EVALUATED: Ink.UPDATE}
_ORDER = (ScoreStatus.FAILED, ScoreStatus.NOT_EVALUATED, ScoreStatus.PASSED)
_INDENT = 17


def scores_text(report: ScoreReport, view: View = PLAIN) -> str:
    """A paragraph for each case, the totals, and notices; ended by a line feed."""
    source = ", by the default criteria of ADK" if report.has_default_criteria else ""
    page: Page = [line(Span(f"Eval set {report.eval_set}", Ink.STRONG), source), BLANK]
    for case in report.cases:
        page += _case(case, view)
    if report.cases:
        page.append(BLANK)
    page.append(line(Span(sums(report), Ink.STRONG)))
    if report.judge_calls is not None:
        page.append(line(f"Judges: {judge_calls(report.judge_calls)}."))
    for notice in report.notices:
        page += labeled("Notice: ", notice, view.width)
    return paint(page, colour=view.colour)


def sums(report: ScoreReport) -> str:
    """`2 cases: 1 passed, 1 failed.`"""
    found = [case.status for case in report.cases]
    parts = [f"{found.count(status)} {WORDS[status]}" for status in ScoreStatus if status in found]
    if not report.criteria:
        return "Nothing was evaluated: the configuration has no criteria."
    if not found:
        return "Nothing was evaluated: the eval set has no cases."
    return f"{count(len(found), 'case')}: {', '.join(parts)}."


def _case(case: CaseScore, view: View) -> Iterator[tuple[Span, ...]]:
    sign = Span(f"{WORDS[case.status]:<13}", _INKS[case.status])
    runs = Span(f"  {case.runs} runs", Ink.DIM) if case.runs > 1 else Span("")
    yield line("  ", sign, f"  {case.eval_id}", runs)
    for row in _metrics(case):
        yield from wrapped((Span(" " * _INDENT), *row), view.width, _INDENT + 2)
    for notice in case.notices:
        yield from wrapped(
            (Span(" " * _INDENT), Span("Notice: ", Ink.NOTICE), Span(notice)), view.width, _INDENT + 8
        )


def _metrics(case: CaseScore) -> Iterator[tuple[Span, ...]]:
    """The rows of a case: failed, not evaluated (grouped by reason), passed."""
    unknown: dict[str, list[str]] = {}
    rows: dict[ScoreStatus, list[tuple[Span, ...]]] = {status: [] for status in _ORDER}
    for metric in case.metrics:
        if metric.status is ScoreStatus.NOT_EVALUATED and not metric.judgments:
            unknown.setdefault(metric.reason, []).append(named(metric))
            continue
        turns = turns_of(metric)
        row = (Span(said_of(metric), _INKS[metric.status]), *([Span(f"  {turns}", Ink.DIM)] if turns else []))
        rows[metric.status].append(row)
        rows[metric.status] += [(Span(f"  {note}", Ink.DIM),) for note in notes_of(metric)]
    ink = _INKS[ScoreStatus.NOT_EVALUATED]
    rows[ScoreStatus.NOT_EVALUATED] += [
        (Span(f"{', '.join(names)}: {reason}", ink),) for reason, names in unknown.items()
    ]
    return (row for status in _ORDER for row in rows[status])
