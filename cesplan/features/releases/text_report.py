"""A release as text: the verdict of each part, then the objections."""

from collections.abc import Iterable, Mapping

from cesplan.domain.text.words import excerpt
from cesplan.features.releases import words
from cesplan.features.releases.report import ReleaseReport
from cesplan.features.releases.words import Row
from cesplan.render.page import BLANK, Ink, Page, Span, line, paint, wrapped
from cesplan.render.text.layout import PLAIN, View, layout_for
from cesplan.render.verdicts import VERDICT_INKS, VERDICT_SIGNS

_LONGEST = 400
_MOST = 50
"""Objections that are shown; JSON has all of them."""


def release_text(report: ReleaseReport, view: View = PLAIN, hints: Mapping[str, str] | None = None) -> str:
    """The text of a command, ended by a line feed."""
    page: Page = [line(Span(words.title(report), Ink.STRONG))]
    for text in words.place(report):
        page += wrapped(line(Span(text, Ink.DIM)), view.width, 2)
    page.append(BLANK)
    rows = words.rows(report)
    page += _table(rows, view)
    if report.gate is not None and report.gate.objections:
        page.append(BLANK)
        for item in report.gate.objections[:_MOST]:
            text = f"  {VERDICT_SIGNS[item.verdict]} {item.where}: {_cut(item.text)}"
            page += wrapped(line(Span(text, VERDICT_INKS[item.verdict])), view.width, 4)
        if len(report.gate.objections) > _MOST:
            page.append(line(f"  … and {len(report.gate.objections) - _MOST} more."))
    page += [BLANK] if rows else []
    for path in report.not_converged:
        page += wrapped(line(f"Not converged: {path}"), view.width, 2)
    for text in filter(None, (words.cost(report), *(f"Notice: {text}" for text in report.notices))):
        page += wrapped(line(text), view.width, 2)
    page += wrapped(line(Span(report.summary, Ink.STRONG)), view.width, 2)
    for what, command in (hints or {}).items():
        page += [BLANK, line(f"  {what}:"), line("    ", Span(command, Ink.COMMAND))]
    return paint(page, colour=view.colour)


def _table(rows: Iterable[Row], view: View) -> Page:
    listed = list(rows)
    titles = [
        line("  ", Span(f"{VERDICT_SIGNS[verdict]} {subject}", VERDICT_INKS[verdict]))
        for verdict, subject, _ in listed
    ]
    layout = layout_for(view, titles)
    page: Page = []
    for title, (_, _, text) in zip(titles, listed, strict=True):
        page += layout.row(title, (Span(_cut(text)),))
    return page


def _cut(text: str) -> str:
    return excerpt(" ".join(text.split()), _LONGEST)
