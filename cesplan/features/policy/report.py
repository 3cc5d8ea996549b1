"""What became of the cases of a policy, for people and for machines."""

from collections.abc import Sequence
from typing import Any

from cesplan.domain.features.policy import Proof
from cesplan.render.documents import opening, text_of
from cesplan.render.page import BLANK, CREATE, DELETE, DIM, NOTICE, STRONG, Page, Span, line, paint, wrapped
from cesplan.render.text.layout import View
from cesplan.render.words import count

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


def proofs_json(proofs: Sequence[Proof], untested: Sequence[str]) -> str:
    """The JSON text of the same, ended by a line feed."""
    failed = sum(not proof.holds for proof in proofs)
    return text_of(
        {
            **opening(),
            "cases": [_document(proof) for proof in proofs],
            "untested": list(untested),
            "summary": {"cases": len(proofs), "failed": failed},
        }
    )


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


def _document(proof: Proof) -> dict[str, Any]:
    from cesplan.render.machine.plan import verdict_document

    place = proof.case.place
    return {
        "name": proof.case.name,
        "place": {"file": place.file, "line": place.line, "column": place.column},
        "holds": proof.holds,
        "missing": list(proof.missing),
        "surprising": [verdict_document(item) for item in proof.surprising],
    }
