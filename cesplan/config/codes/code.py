"""The documentation of one code."""

from cesplan.domain.diagnostic import Severity
from cesplan.domain.frozen import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Code:
    """
    A type of finding. `code` never changes. `title` is one line without the place.

    `page` is the Markdown text for `--explain`: what it is, why it matters, and how that is known, how to fix
    it, and an example. A notice that is not `in_plans` is only reported by `validate`, because a plan knows
    more.
    """

    code: str
    title: str
    severity: Severity
    silenceable: bool = False
    in_plans: bool = True
    page: str
