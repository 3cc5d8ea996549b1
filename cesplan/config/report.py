"""
Reporting: turns findings into diagnostics with place, source line, and caret.

One Report is passed through a load and collects all findings; nothing else in this package stores them.
"""

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Collection, Container, Iterable, Iterator
from dataclasses import replace
from functools import cached_property
from typing import ClassVar, NamedTuple

from cesplan.config.manifest import Spot
from cesplan.config.suggestions import Guess, guess_key
from cesplan.config.yaml.aliases import aliased_ranges
from cesplan.config.yaml.core_schema import resolve
from cesplan.config.yaml.nodes import At, Mapping, Node, Scalar, YamlMark, kind_of, text_of
from cesplan.config.yaml.problems import YamlProblem
from cesplan.domain.diagnostic import Code, Diagnostic, Fix, Severity, SourcePlace
from cesplan.domain.frozen import dataclass
from cesplan.domain.text.words import first_rows

MOST_IN_PLANS = 10
"""The most notices with the same code that a plan shows."""
MOST_ALIKE = 100
"""The most findings kept per code and file; the rest are counted."""

LONGEST_TEXT = 1_000
"""The most characters of a summary, detail, or suggestion; a name in it may be as long as the file."""

LONGEST_LINE = 2_000
"""The longest source line that is shown, in characters. People do not write longer ones."""

_FIRST_LINES = 4
_LINE_BREAK = re.compile("\r\n|\r|\n")
HIDDEN = "•"
"""Replaces each character of a value that must not be shown."""


class MarkIn(NamedTuple):
    """A position that names its file, because the values of one resource may be in several files."""

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

    def spot(self, start: YamlMark, end: YamlMark | None = None) -> Spot:
        """The place between two marks, cut at the end of the first line."""
        line = self._line(start.line)
        line = line if len(line) <= LONGEST_LINE else ""
        last = end.column if end and end.line == start.line else len(line.rstrip())
        span = max(1, (last if end else start.column + 1) - start.column)
        place = SourcePlace(file=self.path, line=start.line + 1, column=start.column + 1)
        return Spot(place=place, source_line=line, span=span, is_repeated=self._is_repeated(start))

    def _line(self, number: int) -> str:
        """A line; empty after the last one. Of a file with findings at its top only the top is cut."""
        lines = self._first_lines if number < _FIRST_LINES else self.lines
        return lines[number] if number < len(lines) else ""

    @cached_property
    def _first_lines(self) -> list[str]:
        return _LINE_BREAK.split(self.text, _FIRST_LINES)[:_FIRST_LINES]

    def _is_repeated(self, start: YamlMark) -> bool:
        if not self._repeated:
            return False
        here = At(start.line, start.column)
        place = bisect_right(self._repeated, here, key=lambda item: item[0]) - 1
        return place >= 0 and here < self._repeated[place][1]

    @cached_property
    def _repeated(self) -> tuple[tuple[At, At], ...]:
        """The ranges that aliases refer to, in files that can have aliases."""
        return aliased_ranges(self.text) if self.path.endswith((".yaml", ".yml")) else ()

    def spot_of(self, node: Node) -> Spot:
        """The place of a node, in the file that contains it."""
        return self.home_of(node).spot(node.start, node.end)

    def home_of(self, node: Node) -> "SourceFile":
        """The file in which a node is: this one, unless its marks say otherwise."""
        return node.start.source if isinstance(node.start, MarkIn) else self

    def spot_of_word(self, word: str, node: Node) -> Spot:
        """The place of a word inside a node's text, or of the node if the word is not found."""
        home = self.home_of(node)
        for number in range(node.start.line, min(node.end.line + 1, len(home.lines))):
            first = node.start.column if number == node.start.line else 0
            column = home.lines[number].find(word, first)
            if column >= 0:
                return home.spot(At(number, column), At(number, column + len(word)))
        return self.spot_of(node)


class Report:
    """
    Collects diagnostics. The same finding at the same place is kept once.

    Per code and file, it keeps as many as a person may read, and counts the rest.
    """

    has_fixes: ClassVar[bool] = True
    """False if the files cannot be edited."""

    def __init__(self) -> None:
        self._found: dict[Diagnostic, None] = {}
        self._alike: Counter[tuple[str, str]] = Counter()
        self._with_errors: set[str] = set()
        self._hidden: dict[tuple[str, int], list[tuple[int, int]]] = {}
        self.entries = 0
        """A counter of findings and hidden values. If it has not changed, nothing was added."""

    def hide(self, file: SourceFile, node: Node) -> None:
        """Hide a value in all source lines that are shown."""
        file = file.home_of(node)
        last = min(node.end.line, len(file.lines) - 1)
        self.entries += 1
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
        correction: Guess | None = None,
    ) -> None:
        """
        Add a finding. Its severity is that of the code.

        `correction` is the misspelled word and its probable correction. It provides the suggestion, unless one
        is given, and the fix if it is sure.
        """
        self.entries += 1
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
            suggestion=_cut(suggestion or (correction.nearest if correction else "")),
            source_line=spot.source_line if spot else "",
            span=spot.span if spot else 1,
            address=address,
            fix=_fix(spot, correction) if spot and correction and correction.sure and self.has_fixes else None,
        )
        if found in self._found:
            return
        self._alike[code, place.file if place else ""] += 1
        if place is None or self._alike[code, place.file] <= MOST_ALIKE:
            self._found[found] = None

    def add_all(self, problems: Iterable[YamlProblem], file: SourceFile) -> None:
        """Add the problems of the text of a file."""
        for item in problems:
            self.add(item.code, item.summary, file.spot(item.start, item.end), detail=item.detail)

    def severity_of(self, code: str) -> Severity:
        """The severity of a finding with this code in this report."""
        return _code(code).severity

    def errors_in(self, files: Iterable[str]) -> bool:
        """Whether an error is in one of these files."""
        return not self._with_errors.isdisjoint(file for file in files if file)

    @property
    def notices(self) -> tuple[str, ...]:
        """The notices that a plan of the tree shows: the first of each code, and how many more there are."""
        by_code: dict[str, list[str]] = {}
        for item in self.diagnostics:
            if item.severity is Severity.NOTICE and _code(item.code).in_plans:
                by_code.setdefault(item.code, []).append(item.summary)
        more = "{:,} more notices like the last one: `cesplan validate` has them all"
        return tuple(row for texts in by_code.values() for row in first_rows(texts, MOST_IN_PLANS, more))

    @property
    def has_errors(self) -> bool:
        return bool(self._with_errors)

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """All findings, sorted by file and line."""
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
        line, fix = item.source_line, item.fix
        for first, end in ranges:
            line = line[:first] + HIDDEN * len(line[first:end]) + line[end:]
        if fix and any(
            first < fix.place.column - 1 + len(fix.before) and fix.place.column <= end for first, end in ranges
        ):
            fix = None
        return replace(item, source_line=line, fix=fix) if ranges else item


@dataclass(frozen=True, slots=True, kw_only=True)
class FileReport:
    """A report of problems in one file. `code` is that of most of them."""

    source: SourceFile
    report: Report
    code: str

    def problem(
        self,
        node: Node,
        summary: str,
        detail: str = "",
        *,
        code: str = "",
        suggestion: str = "",
        correction: Guess | None = None,
    ) -> None:
        """Report a problem at a node, as `Report.add` does."""
        spot = self.source.spot_of(node)
        self.report.add(
            code or self.code, summary, spot, detail=detail, suggestion=suggestion, correction=correction
        )

    def unknown_key(self, node: Mapping, key: Node, name: str, known: Collection[str], summary: str) -> None:
        """Report a key of a mapping that is not one of the `known` ones."""
        near = guess_key(name, known, node.entries)
        self.problem(key, summary, "" if near.nearest else f"Known keys: {', '.join(known)}.", correction=near)

    def unknown_keys(self, node: Mapping, known: Collection[str], what: str) -> None:
        """Report all keys of a mapping, which is `what`, that are not known."""
        for name, key, _ in node:
            if name not in known:
                self.unknown_key(node, key, name, known, f"unknown key `{name}` in {what}")

    def texts(
        self, node: Mapping, known: Collection[str], what: str, booleans: Container[str] = ()
    ) -> dict[str, str]:
        """
        The nonempty strings under the known keys; everything else is reported.

        Under the keys `booleans`, true and false are taken as they are spelled.
        """
        self.unknown_keys(node, known, what)
        found = {}
        for name, _, value in node:
            if name in known:
                text = text_of(value)
                if name in booleans and isinstance(value, Scalar) and isinstance(value.value, bool):
                    text = value.text
                if text and text.strip():
                    found[name] = text
                else:
                    self.problem(value, f"`{name}` must be a string, but this is {kind_of(value)}")
        return found

    def hide(self, node: Node) -> None:
        """Hide a value in all source lines that are shown."""
        self.report.hide(self.source, node)


_WORD = re.compile(r"[\w$/](?:[\w./@$+~ -]*\w)?")
"""Words with the same spelling in all YAML styles, in JSON, and inside a longer text."""
_IN_WORDS = re.compile(r"[\w-]")


def _fix(spot: Spot, correction: Guess) -> Fix | None:
    """
    The fix for a word at a place; None if it cannot be fixed there on its own.

    The word must occur there once, spelled exactly and as a whole word, and no alias may repeat the value that
    contains it.
    """
    if (
        spot.is_repeated
        or not _WORD.fullmatch(correction.nearest)
        or not isinstance(resolve(correction.nearest), str)
    ):
        return None
    first = spot.place.column - 1
    written = spot.source_line[first : first + spot.span]
    before, _, after = written.partition(correction.word)
    is_once = len(before) < len(written) and correction.word not in after
    if not is_once or _IN_WORDS.match(before[-1:]) or _IN_WORDS.match(after[:1]):
        return None
    place = replace(spot.place, column=spot.place.column + len(before))
    return Fix(place=place, before=correction.word, after=correction.nearest)


def _cut(text: str) -> str:
    return text if len(text) <= LONGEST_TEXT else f"{text[:LONGEST_TEXT]}…"


def file_spot(path: str) -> Spot:
    """The place of a file as a whole."""
    return Spot(place=SourcePlace(file=path))


def _code(code: str) -> Code:
    from cesplan.config.codes import CODES  # imports the pages of all codes, which only findings need

    return CODES[code]
