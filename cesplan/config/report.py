"""
Reporting: findings into diagnostics, each with its place, source line and caret.

A Report is handed down through one load and gathers; nothing else in this package keeps findings.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

from cesplan.config.codes import CODES
from cesplan.config.manifest import Spot
from cesplan.config.yaml.nodes import At, Mark, Node
from cesplan.domain.diagnostic import Diagnostic, Severity, SourcePlace

MOST_ALIKE = 100
"""Findings of one code in one file that are kept; the rest is counted."""

LONGEST_TEXT = 1_000
"""Characters of a summary, a detail or a suggestion; a name in it may be as long as the file."""

LONGEST_LINE = 2_000
"""Characters up to which a source line is shown: longer ones are not written by people."""

_LINE_BREAK = re.compile("\r\n|\r|\n")
HIDDEN = "•"
"""Stands for each character of a value that must not be shown."""


class MarkIn(NamedTuple):
    """A position in a file of its own: the values of one resource may be in several files."""

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
        line = line if len(line) <= LONGEST_LINE else ""
        last = end.column if end and end.line == start.line else len(line.rstrip())
        span = max(1, (last if end else start.column + 1) - start.column)
        place = SourcePlace(file=self.path, line=start.line + 1, column=start.column + 1)
        return Spot(place=place, source_line=line, span=span)

    def spot_of(self, node: Node) -> Spot:
        """The place of a node, in the file that contains it."""
        return self.home_of(node).spot(node.start, node.end)

    def home_of(self, node: Node) -> "SourceFile":
        """The file in which a node is: this one, unless its marks say otherwise."""
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
    """
    Gathers diagnostics; the same finding at the same place is kept once.

    Of one code in one file so many are kept as a person may read, and the others are counted.
    """

    def __init__(self) -> None:
        self._found: dict[Diagnostic, None] = {}
        self._alike: Counter[tuple[str, str]] = Counter()
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
        place = spot.place if spot else None
        found = Diagnostic(
            code=code,
            severity=severity,
            summary=_cut(summary),
            place=place,
            detail=_cut(detail),
            suggestion=_cut(suggestion),
            source_line=spot.source_line if spot else "",
            span=spot.span if spot else 1,
            address=address,
        )
        if found in self._found:
            return
        self._alike[code, place.file if place else ""] += 1
        if place is None or self._alike[code, place.file] <= MOST_ALIKE:
            self._found[found] = None

    def severity_of(self, code: str) -> Severity:
        """How bad a finding of this code is here."""
        return CODES[code].severity

    def errors_in(self, files: Iterable[str]) -> bool:
        """Whether an error is in one of these files."""
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
        found = [*map(self._shown, self._found), *self._uncounted()]
        return tuple(sorted(found, key=lambda item: item.sort_key))

    def _uncounted(self) -> Iterator[Diagnostic]:
        for (code, file), number in self._alike.items():
            if file and number > MOST_ALIKE:
                yield Diagnostic(
                    code=code,
                    severity=self.severity_of(code),
                    summary=f"{number - MOST_ALIKE:,} more like this in this file",
                    place=SourcePlace(file=file),
                    detail=f"At most {MOST_ALIKE} findings with the same code are shown for each file.",
                )

    def _shown(self, item: Diagnostic) -> Diagnostic:
        ranges = self._hidden.get((item.place.file, item.place.line), ()) if item.place else ()
        line = item.source_line
        for first, end in ranges:
            line = line[:first] + HIDDEN * len(line[first:end]) + line[end:]
        return replace(item, source_line=line) if ranges else item


def _cut(text: str) -> str:
    return text if len(text) <= LONGEST_TEXT else f"{text[:LONGEST_TEXT]}…"


def file_spot(path: str) -> Spot:
    """The place of a file as a whole."""
    return Spot(place=SourcePlace(file=path))
