"""Findings about a tree, for machines."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Self

from cesplan.domain.diagnostic import Diagnostic, Fix, Severity
from cesplan.render.machine.formats.base import Document, Format, optional


class PlaceJson(Format):
    """A place in a file."""

    file: str
    """The path, relative to the root of the tree."""
    line: int
    """The line, from 1."""
    column: int
    """The column, from 1."""


class FixJson(Format):
    """A word to replace."""

    place: PlaceJson
    """The position of the word."""
    before: str
    """The word in the file."""
    after: str
    """The replacement."""


class DiagnosticJson(Format):
    """One finding."""

    code: str
    """The code, which `cesplan validate --explain` explains."""
    severity: Severity
    """The severity. Only errors prevent a plan."""
    summary: str
    """The problem, in one line."""
    detail: str
    """Why, and what to do."""
    suggestion: str
    """The probable correction."""
    address: str
    """The resource; empty if there is none."""
    place: PlaceJson | None
    """Its place; null if there is none."""
    source_line: str
    """The line of the file."""
    span: int
    """The length in characters, from the column."""
    fix: FixJson | None = optional()
    """The repair that `cesplan validate --fix` makes; absent if the word is ambiguous."""

    @classmethod
    def of(cls, item: Diagnostic) -> Self:
        return cls.from_value(item)


def findings(diagnostics: Iterable[Diagnostic]) -> tuple[DiagnosticJson, ...]:
    """Diagnostics by file and line."""
    return tuple(map(DiagnosticJson.of, sorted(diagnostics, key=lambda item: item.sort_key)))


class FindingCounts(Format):
    """The number of findings by severity."""

    errors: int
    """How many errors."""
    warnings: int
    """How many warnings."""
    notices: int
    """How many notices."""


class ValidationReport(Document):
    """`cesplan validate --format json`."""

    valid: bool
    """Whether the tree can be used."""
    files: int
    """How many files were read."""
    summary: FindingCounts
    """The numbers."""
    diagnostics: tuple[DiagnosticJson, ...]
    """The findings, by file and line."""
    fixed: tuple[FixJson, ...] | None = optional()
    """The repairs that `--fix` made first; absent without it."""

    @classmethod
    def of(cls, diagnostics: Sequence[Diagnostic], files: int, fixed: Iterable[Fix] | None = None) -> Self:
        counts = Counter(item.severity for item in diagnostics)
        return cls.from_value(
            valid=not counts[Severity.ERROR],
            files=files,
            summary=FindingCounts(**{f"{severity}s": counts[severity] for severity in Severity}),
            diagnostics=findings(diagnostics),
            fixed=fixed,
        )
