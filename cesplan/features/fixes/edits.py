"""
Apply fixes to the text of a file. Only the words that they name change; every other byte stays the same. A YAML
text must have the same shape before and after, and no more changed values than replaced words; otherwise it is
not edited.
"""

import re
from collections.abc import Iterable, Iterator
from collections.abc import Mapping as MappingOf
from dataclasses import field
from itertools import pairwise

from cesplan.config.report import HIDDEN
from cesplan.config.yaml.composing import compose
from cesplan.config.yaml.nodes import Mapping, Node, Scalar, Sequence
from cesplan.domain.diagnostic import Diagnostic, Fix
from cesplan.domain.frozen import dataclass

_LINE_BREAK = re.compile("\r\n|\r|\n")
_BOM = "\ufeff"
_YAML = (".yaml", ".yml")


@dataclass(frozen=True, slots=True, kw_only=True)
class LineEdit:
    """A line before and after, for display: secrets are hidden in both."""

    number: int
    before: str
    after: str


@dataclass(frozen=True, slots=True, kw_only=True)
class FileEdit:
    """A file of a tree before and after; `path` is relative to the root."""

    path: str
    before: bytes
    after: bytes
    fixes: tuple[Fix, ...]
    lines: tuple[LineEdit, ...]


@dataclass(slots=True)
class FileDraft:
    """A file being edited, in one or more rounds of findings."""

    path: str
    before: bytes
    text: str
    fixes: list[Fix] = field(default_factory=list)
    lines: dict[int, LineEdit] = field(default_factory=dict)

    @classmethod
    def of(cls, path: str, data: bytes) -> "FileDraft":
        """Start a draft from the bytes of a file. Raises UnicodeDecodeError if they are not UTF-8."""
        return cls(path, data, data.decode("utf-8"))

    def apply(self, findings: Iterable[Diagnostic]) -> bool:
        """Apply the fixes of these findings. Returns whether anything changed."""
        found = {item.fix: item.source_line for item in findings if item.fix}
        offsets = _offsets(self.text, found)
        after = _replaced(self.text, offsets)
        if not offsets or not _has_same_shape(self.path, self.text, after, len(offsets)):
            return False
        self.text = after
        self.fixes += offsets
        for line in _shown({fix: found[fix] for fix in offsets}):
            known = self.lines.get(line.number, line)
            self.lines[line.number] = LineEdit(number=line.number, before=known.before, after=line.after)
        return True

    def edit(self) -> FileEdit:
        """The file before and after all rounds."""
        return FileEdit(
            path=self.path,
            before=self.before,
            after=self.text.encode(),
            fixes=tuple(self.fixes),
            lines=tuple(_without_secrets(self.lines[number]) for number in sorted(self.lines)),
        )


def _offsets(text: str, fixes: Iterable[Fix]) -> dict[Fix, int]:
    """The offset of each fix's word, in order. Fixes whose word is missing or that overlap are left out."""
    starts = [len(_BOM) * text.startswith(_BOM), *(found.end() for found in _LINE_BREAK.finditer(text))]
    found: dict[Fix, int] = {}
    for fix in fixes:
        if fix.place.line <= len(starts):
            at = starts[fix.place.line - 1] + fix.place.column - 1
            if text.startswith(fix.before, at):
                found[fix] = at
    ordered = sorted(found, key=found.__getitem__)
    clashing = {
        fix
        for one, other in pairwise(ordered)
        if found[one] + len(one.before) > found[other]
        for fix in (one, other)
    }
    return {fix: found[fix] for fix in ordered if fix not in clashing}


def _replaced(text: str, offsets: MappingOf[Fix, int]) -> str:
    pieces: list[str] = []
    end = 0
    for fix, at in offsets.items():
        pieces += [text[end:at], fix.after]
        end = at + len(fix.before)
    return "".join([*pieces, text[end:]])


def _shown(lines: MappingOf[Fix, str]) -> Iterator[LineEdit]:
    """Each line that has fixes, with all of them applied."""
    by_line: dict[int, list[Fix]] = {}
    for fix in lines:
        by_line.setdefault(fix.place.line, []).append(fix)
    for number, fixes in by_line.items():
        before = lines[fixes[0]]
        here = {fix: fix.place.column - 1 for fix in sorted(fixes, key=lambda item: item.place.column)}
        yield LineEdit(number=number, before=before, after=_replaced(before, here))


def _without_secrets(line: LineEdit) -> LineEdit:
    """Hide the old line too if only the repaired line shows that it has a secret."""
    if line.before.count(HIDDEN) == line.after.count(HIDDEN):
        return line
    return LineEdit(number=line.number, before=HIDDEN * 8, after=line.after)


def _has_same_shape(path: str, before: str, after: str, words: int) -> bool:
    """Whether two texts differ in at most `words` values. Aliases are followed once."""
    if not path.endswith(_YAML):
        return True
    old, new = (compose(text.removeprefix(_BOM), any_key=True) for text in (before, after))
    if len(old.problems) != len(new.problems) or old.root is None or new.root is None:
        return False
    pending: list[tuple[Node, Node]] = [(old.root, new.root)]
    seen: set[int] = set()
    different = 0
    while pending:
        pair = pending.pop()
        inside = _inside(*pair)
        if inside is None:
            return False
        if id(pair[0]) not in seen:
            seen.add(id(pair[0]))
            different += isinstance(pair[0], Scalar) and pair[0].text != getattr(pair[1], "text", None)
            pending += inside
    return different <= words


def _inside(one: Node, other: Node) -> list[tuple[Node, Node]] | None:
    """Pairs of the parts of two nodes; None if the nodes have different shapes."""
    match one, other:
        case Scalar(), Scalar():
            return [] if one.quoted == other.quoted and type(one.value) is type(other.value) else None
        case Sequence(), Sequence() if len(one.items) == len(other.items):
            return list(zip(one.items, other.items, strict=True))
        case Mapping(), Mapping() if len(one.entries) == len(other.entries):
            entries = zip(one.entries.values(), other.entries.values(), strict=True)
            return [pair for old, new in entries for pair in zip(old, new, strict=True)]
    return None
