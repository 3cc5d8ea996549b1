"""
Reporting: findings into diagnostics, each with its place, source line and caret.

A Report is handed down through one load and gathers; nothing else in this package keeps findings.
"""

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, ClassVar, NamedTuple

from cesplan.config.manifest import Spot
from cesplan.config.suggestions import Guess
from cesplan.config.yaml.aliases import aliased_ranges
from cesplan.config.yaml.core_schema import resolve
from cesplan.config.yaml.nodes import At, Mark, Node
from cesplan.domain.diagnostic import Diagnostic, Fix, Severity, SourcePlace
from cesplan.domain.frozen import dataclass

if TYPE_CHECKING:
    from cesplan.config.codes.code import Code

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
        return Spot(place=place, source_line=line, span=span, is_repeated=self._is_repeated(start))

    def _is_repeated(self, start: Mark) -> bool:
        if not self._repeated:
            return False
        here = At(start.line, start.column)
        place = bisect_right(self._repeated, here, key=lambda item: item[0]) - 1
        return place >= 0 and here < self._repeated[place][1]

    @cached_property
    def _repeated(self) -> tuple[tuple[At, At], ...]:
        """What aliases refer to, in files that can have any."""
        return aliased_ranges(self.text) if self.path.endswith((".yaml", ".yml")) else ()

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

    has_fixes: ClassVar[bool] = True
    """False where nothing can be edited."""

    def __init__(self) -> None:
        self._found: dict[Diagnostic, None] = {}
        self._alike: Counter[tuple[str, str]] = Counter()
        self._with_errors: set[str] = set()
        self._hidden: dict[tuple[str, int], list[tuple[int, int]]] = {}
        self.entries = 0
        """How often something was reported or blotted out: equal numbers, nothing in between."""

    def hide(self, file: SourceFile, node: Node) -> None:
        """Blot out a value in every source line that is shown."""
        self.entries += 1
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
        meant: Guess | None = None,
    ) -> None:
        """
        Take a finding. Its severity is the code's.

        `meant` is the word to blame and what it probably should be: the suggestion, unless there is another
        one, and the fix if it is sure.
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
            suggestion=_cut(suggestion or (meant.nearest if meant else "")),
            source_line=spot.source_line if spot else "",
            span=spot.span if spot else 1,
            address=address,
            fix=_fix(spot, meant) if spot and meant and meant.sure and self.has_fixes else None,
        )
        if found in self._found:
            return
        self._alike[code, place.file if place else ""] += 1
        if place is None or self._alike[code, place.file] <= MOST_ALIKE:
            self._found[found] = None

    def severity_of(self, code: str) -> Severity:
        """How bad a finding of this code is here."""
        return _code(code).severity

    def errors_in(self, files: Iterable[str]) -> bool:
        """Whether an error is in one of these files."""
        return not self._with_errors.isdisjoint(file for file in files if file)

    @property
    def notices(self) -> tuple[str, ...]:
        """What a plan of the tree says beside what it does."""
        told = (item for item in self.diagnostics if item.severity is Severity.NOTICE)
        return tuple(item.summary for item in told if _code(item.code).in_plans)

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
        line, fix = item.source_line, item.fix
        for first, end in ranges:
            line = line[:first] + HIDDEN * len(line[first:end]) + line[end:]
        if fix and any(
            first < fix.place.column - 1 + len(fix.before) and fix.place.column <= end for first, end in ranges
        ):
            fix = None
        return replace(item, source_line=line, fix=fix) if ranges else item


_WORD = re.compile(r"[\w$/](?:[\w./@$+~ -]*\w)?")
"""What means the same text in every style of YAML, in JSON, and in a longer text."""
_IN_WORDS = re.compile(r"[\w-]")


def _fix(spot: Spot, meant: Guess) -> Fix | None:
    """
    The repair of a word at a place; None where it cannot be made there by itself.

    The word must be there once, as it is and by itself, and the value that it belongs to must say something in
    one place only.
    """
    if spot.is_repeated or not _WORD.fullmatch(meant.nearest) or not isinstance(resolve(meant.nearest), str):
        return None
    first = spot.place.column - 1
    written = spot.source_line[first : first + spot.span]
    before, _, after = written.partition(meant.word)
    is_once = len(before) < len(written) and meant.word not in after
    if not is_once or _IN_WORDS.match(before[-1:]) or _IN_WORDS.match(after[:1]):
        return None
    place = replace(spot.place, column=spot.place.column + len(before))
    return Fix(place=place, before=meant.word, after=meant.nearest)


def _cut(text: str) -> str:
    return text if len(text) <= LONGEST_TEXT else f"{text[:LONGEST_TEXT]}…"


def file_spot(path: str) -> Spot:
    """The place of a file as a whole."""
    return Spot(place=SourcePlace(file=path))


def _code(code: str) -> "Code":
    from cesplan.config.codes import CODES  # the pages of all codes: a tree without findings needs none

    return CODES[code]
