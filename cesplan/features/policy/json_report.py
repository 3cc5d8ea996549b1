"""What became of the cases of a policy, for machines."""

from collections.abc import Sequence
from typing import Self

from cesplan.domain.features.policy import Proof
from cesplan.render.machine.formats.base import Document, Format
from cesplan.render.machine.formats.diagnostics import PlaceJson
from cesplan.render.machine.formats.plan import VerdictJson


class ProofJson(Format):
    """The result of one case."""

    name: str
    """The name of the case."""
    place: PlaceJson
    """Where it is."""
    holds: bool
    """Whether the verdicts of the rules were as expected."""
    missing: tuple[str, ...]
    """Rules that should have been violated and were not."""
    surprising: tuple[VerdictJson, ...]
    """Unexpected verdicts of rules."""

    @classmethod
    def of(cls, proof: Proof) -> Self:
        return cls.from_value(proof, proof.case)


class ProofCounts(Format):
    """The number of cases."""

    cases: int
    """The total number."""
    failed: int
    """How many failed."""


class PolicyTestReport(Document):
    """`cesplan policy test --format json`."""

    cases: tuple[ProofJson, ...]
    """The result of each case."""
    untested: tuple[str, ...]
    """Rules that no case expects to be broken."""
    summary: ProofCounts
    """The numbers."""

    @classmethod
    def of(cls, proofs: Sequence[Proof], untested: Sequence[str]) -> Self:
        summary = ProofCounts(cases=len(proofs), failed=sum(not proof.holds for proof in proofs))
        return cls.from_value(cases=proofs, untested=untested, summary=summary)
