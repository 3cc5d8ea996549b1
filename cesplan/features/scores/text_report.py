"""Scores for people: what did not pass stands first in its case, with the turns that lowered it."""

from collections.abc import Iterator, Sequence

from cesplan.domain.features.scores import (
    CaseScore,
    JudgeCalls,
    Judgment,
    MatchType,
    MetricScore,
    ScoreReport,
    ScoreStatus,
)
from cesplan.render.page import (
    BLANK,
    CREATE,
    DELETE,
    DIM,
    NOTICE,
    STRONG,
    UPDATE,
    Page,
    Span,
    line,
    paint,
    wrapped,
)
from cesplan.render.text.layout import View
from cesplan.render.words import count

WORDS = {
    ScoreStatus.PASSED: "passed",
    ScoreStatus.FAILED: "failed",
    ScoreStatus.NOT_EVALUATED: "not evaluated",
}
_INKS = {ScoreStatus.PASSED: CREATE, ScoreStatus.FAILED: DELETE, ScoreStatus.NOT_EVALUATED: UPDATE}
_ORDER = (ScoreStatus.FAILED, ScoreStatus.NOT_EVALUATED, ScoreStatus.PASSED)
_INDENT = 17
_MOST_TURNS = 12
"""Turns of a run that are listed one by one."""
_MOST_NOTES = 6
"""Remarks of a judge about one criterion; the JSON report has all."""
_LONGEST_NOTE = 300
"""Characters of a remark."""
_PLAIN = View()


def scores_text(report: ScoreReport, view: View = _PLAIN) -> str:
    """A paragraph for each case, what a reader should know, and the sum; ended by a line feed."""
    source = ", by the default criteria of ADK" if report.has_default_criteria else ""
    page: Page = [line(Span(f"Eval set {report.eval_set}", STRONG), source), BLANK]
    for case in report.cases:
        page += _case(case, view)
    if report.cases:
        page.append(BLANK)
    page.append(line(Span(sums(report), STRONG)))
    if report.judge_calls is not None:
        page.append(line(f"Judges: {judge_calls(report.judge_calls)}."))
    for notice in report.notices:
        page += wrapped((Span("Notice: ", NOTICE), Span(notice)), view.width, len("Notice: "))
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
    """`12 requests`, and how many were expected, if that is another number."""
    other = f", {calls.expected:,} expected" if calls.expected != calls.sent else ""
    return f"{count(calls.sent, 'request')}{other}"


def notes_of(metric: MetricScore) -> list[str]:
    """What a judge said where it lowered the score, one line each; empty where all is well."""
    if metric.status is ScoreStatus.PASSED:
        return []
    found = [item for item in metric.judgments if item.score is None or item.score < _best(metric)]
    notes = [_note(item, several=len(metric.runs) > 1) for item in found[:_MOST_NOTES]]
    more = len(found) - _MOST_NOTES
    return [*notes, f"and {more} more"] if more > 0 else notes


def turns_of(metric: MetricScore) -> str:
    """`turns 1, 0; 1, 1`: a run after the other; empty where the turns say nothing more."""
    if metric.score is None or (len(metric.runs) == 1 and len(metric.runs[0]) == 1):
        return ""
    return f"turns {'; '.join(map(_run, metric.runs[:_MOST_TURNS]))}{_more(metric.runs)}"


def named(metric: MetricScore) -> str:
    """The metric, with the settings that are not the default."""
    criterion = metric.criterion
    settings = [
        *([criterion.match_type.value] if criterion.match_type is not MatchType.EXACT else []),
        *(["names only"] if criterion.ignore_args else []),
    ]
    return f"{criterion.metric} ({', '.join(settings)})" if settings else criterion.metric


def number(score: float, threshold: float) -> str:
    """Short, but never so short that it looks like the threshold that it misses."""
    short = f"{score:.4g}"
    return short if (float(short) >= threshold) == (score >= threshold) else repr(score)


def _case(case: CaseScore, view: View) -> Iterator[tuple[Span, ...]]:
    sign = Span(f"{WORDS[case.status]:<13}", _INKS[case.status])
    runs = Span(f"  {case.runs} runs", DIM) if case.runs > 1 else Span("")
    yield line("  ", sign, f"  {case.eval_id}", runs)
    for row in _metrics(case):
        yield from wrapped((Span(" " * _INDENT), *row), view.width, _INDENT + 2)
    for notice in case.notices:
        yield from wrapped(
            (Span(" " * _INDENT), Span("Notice: ", NOTICE), Span(notice)), view.width, _INDENT + 8
        )


def _metrics(case: CaseScore) -> Iterator[tuple[Span, ...]]:
    """Failed, not evaluated (those of one reason together), passed."""
    unknown: dict[str, list[str]] = {}
    rows: dict[ScoreStatus, list[tuple[Span, ...]]] = {status: [] for status in _ORDER}
    for metric in case.metrics:
        if metric.status is ScoreStatus.NOT_EVALUATED and not metric.judgments:
            unknown.setdefault(metric.reason, []).append(named(metric))
            continue
        turns = turns_of(metric)
        row = (Span(said_of(metric), _INKS[metric.status]), *([Span(f"  {turns}", DIM)] if turns else []))
        rows[metric.status].append(row)
        rows[metric.status] += [(Span(f"  {note}", DIM),) for note in notes_of(metric)]
    ink = _INKS[ScoreStatus.NOT_EVALUATED]
    rows[ScoreStatus.NOT_EVALUATED] += [
        (Span(f"{', '.join(names)}: {reason}", ink),) for reason, names in unknown.items()
    ]
    return (row for status in _ORDER for row in rows[status])


def _note(item: Judgment, *, several: bool) -> str:
    where = f"turn {item.turn} of run {item.run}" if several else f"turn {item.turn}"
    subject = f", `{item.subject}`" if item.subject else ""
    votes = item.votes
    counted = [f"{votes.yes} yes", f"{votes.no} no"] if votes and votes.yes + votes.no else []
    counted += [f"{votes.unread} unreadable"] if votes and votes.unread else []
    note = item.note if len(item.note) <= _LONGEST_NOTE else f"{item.note[:_LONGEST_NOTE]}…"
    said = "; ".join(filter(None, [", ".join(counted), note]))
    return f"{where}{subject}: {said or 'no remark'}"


def _best(metric: MetricScore) -> float:
    """The score of a judgment against which nothing is to be said."""
    return max(1.0, metric.criterion.threshold)


def _run(scores: Sequence[float | None]) -> str:
    shown = ("?" if score is None else f"{score:.4g}" for score in scores[:_MOST_TURNS])
    return f"{', '.join(shown)}{_more(scores)}"


def _more(items: Sequence[object]) -> str:
    return f" and {len(items) - _MOST_TURNS} more" if len(items) > _MOST_TURNS else ""
