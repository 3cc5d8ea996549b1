"""The heading of a page: its verdict first, then its subject and place; and how a verdict looks on a page."""

from enum import StrEnum

from cesplan.domain.features.evaluation import EvaluationVerdict
from cesplan.domain.frozen import dataclass


class Looks(StrEnum):
    """Names of CSS classes."""

    GOOD = "good"
    BAD = "bad"
    OPEN = "open"
    QUIET = "quiet"

    @property
    def sign(self) -> str:
        return _SIGNS[self]


@dataclass(frozen=True, slots=True, kw_only=True)
class VerdictMark:
    """A verdict on one thing: a word, and how it looks. The sign adds nothing that the word does not say."""

    looks: Looks
    said: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Heading:
    """
    The heading of a page.

    `environment`, `where` (`acme-prod/us`) and `service` (EMULATOR, or an endpoint) may be empty. `verdict` is
    a sentence, empty where the page has none; `facts` are lines below it.
    """

    title: str
    environment: str = ""
    where: str = ""
    service: str = ""
    verdict: str = ""
    looks: Looks = Looks.QUIET
    facts: tuple[str, ...] = ()

    @property
    def window(self) -> str:
        """The title of the window: the verdict first, because browsers cut off the end."""
        return " · ".join(
            filter(None, (self.verdict.rstrip("."), self.title, self.environment, self.where, self.service))
        )


def mark_of(verdict: EvaluationVerdict) -> VerdictMark:
    """The verdict on an evaluation, a suite, or a finding."""
    return VerdictMark(looks=VERDICT_LOOKS[verdict], said=str(verdict))


VERDICT_LOOKS = {
    EvaluationVerdict.PASSED: Looks.GOOD,
    EvaluationVerdict.FAILED: Looks.BAD,
    EvaluationVerdict.INCONCLUSIVE: Looks.OPEN,
}
_SIGNS = {Looks.GOOD: "✓", Looks.BAD: "✗", Looks.OPEN: "!", Looks.QUIET: "·"}
