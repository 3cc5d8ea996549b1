"""A smoke test as text: every step, and for those that did not pass, what the agent did."""

from cesplan.domain.features.evaluation import EvaluationVerdict
from cesplan.domain.features.smoke import AgentReply, SmokeReport, StepReport
from cesplan.features.smoke import words
from cesplan.features.smoke.words import SAID
from cesplan.render.page import BLANK, Ink, Page, Span, line, paint, wrapped
from cesplan.render.text.layout import PLAIN, View
from cesplan.render.verdicts import VERDICT_INKS, VERDICT_SIGNS


def smoke_text(report: SmokeReport, view: View = PLAIN) -> str:
    """The text of a smoke test, ended by a line feed."""
    page: Page = [line(Span(words.place(report), Ink.STRONG)), line(Span(words.target(report), Ink.DIM)), BLANK]
    for problem in report.problems:
        sign, ink = VERDICT_SIGNS[problem.verdict], VERDICT_INKS[problem.verdict]
        page += wrapped(line(Span(f"  {sign} {problem.text}", ink)), view.width, 4)
    for step in report.steps:
        page += _step(step, view)
    verdict = report.verdict
    result = "is inconclusive" if verdict is EvaluationVerdict.INCONCLUSIVE else f"has {verdict}"
    page += [BLANK, line(Span(f"{words.summary(report)}. The smoke test {result}.", Ink.STRONG))]
    return paint(page, colour=view.colour)


def reply_text(reply: AgentReply, view: View) -> str:
    """Answers start at the margin, with the agent's name if it is known; other actions are indented."""
    page: Page = []
    for sign, text in words.reply_rows(reply):
        if sign == SAID:
            page += _text_page(text, view)
        else:
            page += wrapped(line(Span(f"  {sign} {text}", Ink.DIM)), view.width, 4)
    if not page:
        page.append(line(Span("(no answer)", Ink.DIM)))
    return paint(page, colour=view.colour)


def _step(step: StepReport, view: View) -> Page:
    head = f"  {VERDICT_SIGNS[step.verdict]} {step.number}. {words.cut(words.step(step.step))}"
    page = wrapped(line(Span(head, VERDICT_INKS[step.verdict])), view.width, 7)
    for problem in step.problems:
        page += wrapped(line(Span(f"       {problem.text}")), view.width, 9)
    if step.problems and step.reply is not None:
        for sign, text in words.reply_rows(step.reply):
            page += wrapped(
                line(Span(f"       {sign} {words.cut(' '.join(text.split()))}", Ink.DIM)), view.width, 9
            )
    if step.problems and step.response is not None:
        page += wrapped(line(Span(f"       ← {words.cut(words.shown(step.response))}", Ink.DIM)), view.width, 9)
    return page


def _text_page(text: str, view: View) -> Page:
    first, *rest = text.splitlines() or [""]
    page = wrapped(line(first), view.width, 2)
    for row in rest:
        page += wrapped(line(f"  {row}"), view.width, 2)
    return page
