"""What became of the cases of a policy, for people."""

from collections.abc import Sequence

from cesplan.domain.features.policy import Proof
from cesplan.domain.text.words import count
from cesplan.render.page import BLANK, CREATE, DELETE, DIM, NOTICE, STRONG, Page, Span, line, paint, wrapped
from cesplan.render.text.layout import View

_PLAIN = View()


def proofs_text(proofs: Sequence[Proof], untested: Sequence[str], view: View = _PLAIN) -> str:
    """A line for each case, below it what is not as expected, and the sum; ended by a line feed."""
    page: Page = [row for proof in proofs for row in _proof(proof, view)]
    failed = sum(not proof.holds for proof in proofs)
    cases = count(len(proofs), "case")
    told = f"{failed} of {cases} failed." if failed else f"{cases}, all as expected."
    page += [BLANK, line(Span(told, STRONG))]
    if untested:
        said = f"no case expects a violation of {', '.join(untested)}"
        page += wrapped((Span("Notice: ", NOTICE), Span(said)), view.width, len("Notice: "))
    return paint(page, colour=view.colour)


def _proof(proof: Proof, view: View) -> Page:
    sign = Span("ok    ", CREATE) if proof.holds else Span("failed", DELETE)
    page: Page = [line("  ", sign, f"  {proof.case.name}", Span(f"  {proof.case.place}", DIM))]
    for name in proof.missing:
        text = f"expected a violation of `{name}` ({proof.case.expected[name]}), but the rule passed"
        page += wrapped(line(" " * 10, text), view.width, 12)
    for verdict in proof.surprising:
        wanted = proof.case.expected.get(verdict.rule)
        why = f"was expected with the severity {wanted}" if wanted else "should pass, but is violated"
        text = f"`{verdict.rule}` ({verdict.severity}) {why}: {verdict.message}"
        page += wrapped(line(" " * 10, text), view.width, 12)
    return page
