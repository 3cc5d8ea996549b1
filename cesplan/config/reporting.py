"""
Reporting: findings into diagnostics, each with its place, source line and caret.

A Report is handed down through one load and gathers; nothing else in this package keeps findings.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

from cesplan.config.codes import CODES
from cesplan.config.tree import Spot
from cesplan.config.yaml.nodes import At, Mark, Node
from cesplan.domain.diagnostic import Diagnostic, Severity, SourcePlace

_LINE_BREAK = re.compile("\r\n|\r|\n")
HIDDEN = "•"
"""Stands for each character of a value that must not be shown."""


class MarkIn(NamedTuple):
    """A position in a file of its own: the values of one resource may stand in several files."""

    line: int
    column: int
    source: "SourceFile"


@dataclass(frozen=True)
class SourceFile:
    """A text file of a tree: `path` is relative to the root."""

    path: str
    text: str

    @cached_property
    def lines(self) -> list[str]:
        return _LINE_BREAK.split(self.text)

    def spot(self, start: Mark, end: Mark | None = None) -> Spot:
        """The place between two marks; what goes on below the first line is shown to the end of that line."""
        line = self.lines[start.line] if start.line < len(self.lines) else ""
        last = end.column if end and end.line == start.line else len(line.rstrip())
        span = max(1, (last if end else start.column + 1) - start.column)
        place = SourcePlace(file=self.path, line=start.line + 1, column=start.column + 1)
        return Spot(place=place, source_line=line, span=span)

    def spot_of(self, node: Node) -> Spot:
        """The place of a node, in the file in which it stands."""
        return self.home_of(node).spot(node.start, node.end)

    def home_of(self, node: Node) -> "SourceFile":
        """The file in which a node stands: this one, unless its marks say otherwise."""
        return node.start.source if isinstance(node.start, MarkIn) else self

    def spot_of_word(self, word: str, node: Node) -> Spot:
        """The place of a word inside a node's text, or of the node where the word cannot be found."""
        home = self.home_of(node)
        for number in range(node.start.line, min(node.end.line + 1, len(home.lines))):
            first = node.start.column if number == node.start.line else 0
            column = home.lines[number].find(word, first)
            if column >= 0:
                return home.spot(At(number, column), At(number, column + len(word)))
        return self.spot_of(node)


class Report:
    """Gathers diagnostics; the same finding at the same place is kept once."""

    def __init__(self) -> None:
        self._found: dict[Diagnostic, None] = {}
        self._with_errors: set[str] = set()
        self._hidden: dict[tuple[str, int], list[tuple[int, int]]] = {}

    def hide(self, file: SourceFile, node: Node) -> None:
        """Blot out a value in every source line that is shown."""
        file = file.home_of(node)
        last = min(node.end.line, len(file.lines) - 1)
        for number in range(node.start.line, last + 1):
            first = node.start.column if number == node.start.line else 0
            end = node.end.column if number == node.end.line else len(file.lines[number])
            self._hidden.setdefault((file.path, number + 1), []).append((first, end))

    def add(
        self,
        code: str,
        summary: str,
        spot: Spot | None = None,
        *,
        detail: str = "",
        suggestion: str = "",
        address: str = "",
    ) -> None:
        """Take a finding. Its severity is the code's."""
        severity = self.severity_of(code)
        if severity is Severity.ERROR:
            self._with_errors.add(spot.place.file if spot and spot.place else "")
        self._found[
            Diagnostic(
                code=code,
                severity=severity,
                summary=summary,
                place=spot.place if spot else None,
                detail=detail,
                suggestion=suggestion,
                source_line=spot.source_line if spot else "",
                span=spot.span if spot else 1,
                address=address,
            )
        ] = None

    def severity_of(self, code: str) -> Severity:
        """How bad a finding of this code is here."""
        return CODES[code].severity

    def errors_in(self, files: Iterable[str]) -> bool:
        """Whether an error stands in one of these files."""
        return not self._with_errors.isdisjoint(file for file in files if file)

    @property
    def notices(self) -> tuple[str, ...]:
        """What a plan of the tree says beside what it does."""
        told = (item for item in self.diagnostics if item.severity is Severity.NOTICE)
        return tuple(item.summary for item in told if CODES[item.code].in_plans)

    @property
    def has_errors(self) -> bool:
        return bool(self._with_errors)

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """Everything found, in the order of files and lines."""
        return tuple(sorted(map(self._shown, self._found), key=lambda item: item.sort_key))

    def _shown(self, item: Diagnostic) -> Diagnostic:
        ranges = self._hidden.get((item.place.file, item.place.line), ()) if item.place else ()
        line = item.source_line
        for first, end in ranges:
            line = line[:first] + HIDDEN * len(line[first:end]) + line[end:]
        return replace(item, source_line=line) if ranges else item


def file_spot(path: str) -> Spot:
    """The place of a file as a whole."""
    return Spot(place=SourcePlace(file=path))
