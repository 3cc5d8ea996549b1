"""
Diagnostics: what is wrong with a user's input, where, why, and how to fix it.

Every problem that a user can cause is a diagnostic, never the text of an exception. Stages collect all of them,
and renderers decide how they look. Codes (`CES012`) are stable; `cesplan.config.codes` explains them.
"""

from enum import StrEnum

from cesplan.domain.frozen import dataclass


class Severity(StrEnum):
    ERROR = "error"
    WARNING = "warning"
    NOTICE = "notice"


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class SourcePlace:
    """A place in a file: path relative to the tree's root; line and column count from 1."""

    file: str
    line: int = 1
    column: int = 1

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Fix:
    """
    The only possible fix for a finding: replace the word `before`, which begins at `place`, with `after`.

    Both are spelled as in the file, without quotes, and within one line.
    """

    place: SourcePlace
    before: str
    after: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Diagnostic:
    """
    One finding.

    `summary` says what is wrong in one line, `detail` why and what to do. `source_line` and `span` (the length
    of the caret line, in characters) show the place. `suggestion` is the name after "did you mean". `fix` is
    None unless exactly one fix is possible.
    """

    code: str
    severity: Severity
    summary: str
    place: SourcePlace | None = None
    detail: str = ""
    suggestion: str = ""
    source_line: str = ""
    span: int = 1
    address: str = ""
    fix: Fix | None = None

    @property
    def sort_key(self) -> tuple[str, int, int, str]:
        place = self.place or SourcePlace(file="")
        return (place.file, place.line, place.column, self.code)


def has_errors(diagnostics: tuple[Diagnostic, ...]) -> bool:
    return any(item.severity is Severity.ERROR for item in diagnostics)


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
