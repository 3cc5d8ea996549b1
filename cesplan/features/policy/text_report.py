"""The results of a policy's cases, for people."""

from collections.abc import Sequence

from cesplan.domain.features.policy import Proof
from cesplan.domain.text.words import count
from cesplan.render.page import BLANK, Ink, Page, Span, labeled, line, paint, wrapped
from cesplan.render.text.layout import PLAIN, View


def proofs_text(proofs: Sequence[Proof], untested: Sequence[str], view: View = PLAIN) -> str:
    """A line for each case, with any unexpected results below it, then the total; ended by a line feed."""
    page: Page = [row for proof in proofs for row in _proof(proof, view)]
    failed = sum(not proof.holds for proof in proofs)
    cases = count(len(proofs), "case")
    summary = f"{failed} of {cases} failed." if failed else f"{cases}, all as expected."
    page += [BLANK, line(Span(summary, Ink.STRONG))]
    if untested:
        notice = f"no case expects a violation of {', '.join(untested)}"
        page += labeled("Notice: ", notice, view.width)
    return paint(page, colour=view.colour)


def _proof(proof: Proof, view: View) -> Page:
    sign = Span("ok    ", Ink.CREATE) if proof.holds else Span("failed", Ink.DELETE)
    page: Page = [line("  ", sign, f"  {proof.case.name}", Span(f"  {proof.case.place}", Ink.DIM))]
    for name in proof.missing:
        text = f"expected a violation of `{name}` ({proof.case.expected[name]}), but the rule passed"
        page += wrapped(line(" " * 10, text), view.width, 12)
    for verdict in proof.surprising:
        expected = proof.case.expected.get(verdict.rule)
        why = f"was expected with the severity {expected}" if expected else "should pass, but is violated"
        text = f"`{verdict.rule}` ({verdict.severity}) {why}: {verdict.message}"
        page += wrapped(line(" " * 10, text), view.width, 12)
    return page
