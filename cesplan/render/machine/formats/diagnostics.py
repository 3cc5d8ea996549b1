"""Findings about a tree, for machines."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Self

from cesplan.domain.diagnostic import Diagnostic, Fix, Severity, SourcePlace
from cesplan.render.documents import opening
from cesplan.render.machine.formats.base import Document, Format, optional


class PlaceJson(Format):
    """A place in a file."""

    file: str
    """The path, relative to the root of the tree."""
    line: int
    """The line, from 1."""
    column: int
    """The column, from 1."""

    @classmethod
    def of(cls, place: SourcePlace) -> Self:
        return cls.from_value(place)


class FixJson(Format):
    """A word to replace."""

    place: PlaceJson
    """Where the word begins."""
    before: str
    """The word, as the file has it."""
    after: str
    """What it is replaced by."""

    @classmethod
    def of(cls, fix: Fix) -> Self:
        return cls(place=PlaceJson.of(fix.place), before=fix.before, after=fix.after)


class DiagnosticJson(Format):
    """One finding."""

    code: str
    """The code, which `cesplan validate --explain` explains."""
    severity: Severity
    """How serious it is. Only errors keep a tree from being used."""
    summary: str
    """The problem, in one line."""
    detail: str
    """Why, and what to do."""
    suggestion: str
    """What was probably meant."""
    address: str
    """The resource; empty if there is none."""
    place: PlaceJson | None
    """Its place; null if there is none."""
    source_line: str
    """The line of the file."""
    span: int
    """How many characters of it are meant, from the column on."""
    fix: FixJson | None = optional()
    """The repair that `cesplan validate --fix` makes; absent where more than one can be meant."""

    @classmethod
    def of(cls, item: Diagnostic) -> Self:
        return cls.from_value(
            item,
            place=PlaceJson.of(item.place) if item.place else None,
            fix=FixJson.of(item.fix) if item.fix else None,
        )


def findings(diagnostics: Iterable[Diagnostic]) -> tuple[DiagnosticJson, ...]:
    """Diagnostics by file and line."""
    return tuple(map(DiagnosticJson.of, sorted(diagnostics, key=lambda item: item.sort_key)))


class FindingCounts(Format):
    """How many findings there are by severity."""

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
    """The repairs that `--fix` made before; absent without it."""

    @classmethod
    def of(cls, diagnostics: Sequence[Diagnostic], files: int, fixed: Iterable[Fix] | None = None) -> Self:
        counts = Counter(item.severity for item in diagnostics)
        return cls(
            **opening(),
            valid=not counts[Severity.ERROR],
            files=files,
            summary=FindingCounts(**{f"{severity}s": counts[severity] for severity in Severity}),
            diagnostics=findings(diagnostics),
            fixed=None if fixed is None else tuple(map(FixJson.of, fixed)),
        )
