"""A run as text: failures first, with expected above observed."""

from collections.abc import Mapping

from cesplan.domain.features.evaluation import EvaluationVerdict, FoundEvaluation, FoundResult, RunReport
from cesplan.domain.text.words import excerpt
from cesplan.features.evaluation import words
from cesplan.render.page import BLANK, Ink, Line, Page, Span, line, paint, wrapped
from cesplan.render.scores import judge_calls
from cesplan.render.text.layout import PLAIN, View, layout_for
from cesplan.render.verdicts import VERDICT_INKS, VERDICT_SIGNS

_LONGEST = 300
"""The most characters of one text; JSON has all of it."""


def evaluation_text(report: RunReport, view: View = PLAIN, hints: Mapping[str, str] | None = None) -> str:
    """The text of a run; ends with a line feed."""
    ordered = sorted(report.evaluations, key=lambda item: item.verdict.rank)
    layout = layout_for(view, [_title(item) for item in ordered])
    page: Page = [
        line(Span(words.place(report), Ink.STRONG)),
        line(Span(words.settings(report), Ink.DIM)),
        line(Span(f"run {report.run_id}", Ink.DIM)),
        BLANK,
    ]
    for item in report.problems:
        page += _row(
            f"  {VERDICT_SIGNS[item.verdict]} {item.text}", view, ink=VERDICT_INKS[item.verdict], hang=4
        )
    page += [BLANK] if report.problems else []
    for found in ordered:
        page += layout.row(_title(found), (Span(_share(found)),))
        page += _details(found, report, view)
    page += [BLANK, *_tail(report, view)]
    for what, command in (hints or {}).items():
        page += [BLANK, line(f"  {what}:"), line("    ", Span(command, Ink.COMMAND))]
    return paint(page, colour=view.colour)


def _title(item: FoundEvaluation) -> Line:
    return line(
        "  ", Span(f"{VERDICT_SIGNS[item.verdict]} {item.demanded.reference}", VERDICT_INKS[item.verdict])
    )


def _share(item: FoundEvaluation) -> str:
    name = item.demanded.display_name
    return f"{words.share(item)}{f'  {name}' if name else ''}"


def _details(item: FoundEvaluation, report: RunReport, view: View) -> Page:
    """What is wrong with an evaluation, without the causes that the page shows for the whole run."""
    page: Page = []
    for text in (problem.text for problem in item.problems):
        cause = next((f": {one.text}" for one in report.problems if text.endswith(f": {one.text}")), "")
        page += _row(f"      {text.removesuffix(cause)}", view, hang=6)
    for text in words.criteria(item):
        page += _row(f"      {text}", view, ink=Ink.DIM, hang=8)
    for number, found in words.troubled(item):
        page.append(line(Span(f"      repeat {number}", Ink.DIM)))
        page += _result(found, view)
    return page


def _result(found: FoundResult, view: View) -> Page:
    page: Page = []
    for problem in found.problems:
        page += _row(f"        {problem.text}", view, hang=8)
    for step in words.wrong_steps(found):
        where = f"turn {step.turn}, {step.what}" if step.turn else step.what
        note = f" ({step.note})" if step.note else ""
        page.append(line(Span(f"        {where}{note}")))
        page += _row(f"          expected  {excerpt(step.expected, _LONGEST)}", view, ink=Ink.CREATE, hang=20)
        page += _row(f"          observed  {excerpt(step.observed, _LONGEST)}", view, ink=Ink.DELETE, hang=20)
    for score in words.low_scores(found):
        page += _row(f"        {excerpt(words.score(score), _LONGEST)}", view, hang=10)
    for item in found.expectations:
        if item.outcome != "PASS":
            text = ": ".join(filter(None, (f"{item.outcome or 'no outcome'} {item.prompt}", item.explanation)))
            page += _row(f"        {excerpt(text, _LONGEST)}", view, hang=10)
    return page


def _tail(report: RunReport, view: View) -> Page:
    page: Page = []
    for text in words.latency(report):
        page += _row(f"Latency of {text}", view, hang=2)
    page += _row(words.sessions(report), view, hang=2)
    if report.judge_calls is not None:
        page += _row(f"Judges: {judge_calls(report.judge_calls)}.", view, hang=2)
    if report.comparison:
        page += _row(f"Compared with {report.comparison.baseline}:", view, hang=2)
        for text in words.comparison(report.comparison):
            page += _row(f"  {text}", view, hang=4)
    for text in report.notices:
        page += _row(f"Notice: {text}", view, hang=2)
    summary = f"{words.summary(report)}. The run has {report.verdict}."
    if report.verdict is EvaluationVerdict.INCONCLUSIVE:
        summary = f"{words.summary(report)}. The run is inconclusive."
    return [*page, line(Span(summary, Ink.STRONG))]


def _row(text: str, view: View, *, ink: str = "", hang: int) -> Page:
    return wrapped(line(Span(text, ink)), view.width, hang)
