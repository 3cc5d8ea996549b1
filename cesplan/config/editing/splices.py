"""Splices: replacements in a text that are applied together, to insert and remove entries and elements."""

from collections.abc import Iterable
from dataclasses import field

from cesplan.config.editing.syntax import Part, SourceText, walk
from cesplan.domain.frozen import dataclass


@dataclass(frozen=True, slots=True)
class Splice:
    """Replaces the text from `start` to `end`; `on_new_line` needs a line break before it."""

    start: int
    end: int
    text: str
    on_new_line: bool = False


@dataclass(slots=True)
class Splices:
    """The replacements for one text."""

    source: SourceText
    found: list[Splice] = field(default_factory=list)

    def replace(self, start: int, end: int, text: str) -> None:
        if text or start < end:
            self.found.append(Splice(start, end, text))

    def insert_lines(self, after: int, lines: Iterable[str]) -> None:
        """Insert lines below the line of an offset."""
        at = self.source.next_line(after)
        self.found.append(Splice(at, at, _lines(lines, self.source.newline), on_new_line=True))

    def insert_at(self, at: int, lines: Iterable[str]) -> None:
        """Insert lines at the beginning of a line."""
        self.insert_text(at, _lines(lines, self.source.newline))

    def insert_text(self, at: int, text: str) -> None:
        """Insert lines, exactly as given, at the beginning of a line."""
        ending = "" if text.endswith(("\n", "\r")) else self.source.newline
        self.found.append(Splice(at, at, text + ending, on_new_line=True))

    def insert_lines_before(self, offset: int, lines: Iterable[str]) -> None:
        """Insert lines above the line of an offset."""
        start = self.source.line_start(offset)
        self.replace(start, start, _lines(lines, self.source.newline))

    def insert_in_flow(self, text: str, first: Part, before: Part | None) -> None:
        """Insert a part between brackets, behind another one or in front of the first one."""
        if before is None:
            self.replace(first.start, first.start, f"{text}, ")
        else:
            self.replace(before.end, before.end, f", {text}")

    def remove_lines(self, start: int, end: int) -> None:
        """Remove the lines from one offset to another, including both."""
        self.replace(self.source.line_start(start), self.source.next_line(end), "")

    def remove_from_flow(self, parts: list[tuple[int, int]], removed: set[int]) -> None:
        """Remove parts between brackets."""
        kept = [place for place in range(len(parts)) if place not in removed]
        if not kept:
            self.replace(parts[0][0], parts[-1][1], "")
            return
        last = kept[-1]
        for place in sorted(removed):
            if place < last:
                self.replace(parts[place][0], parts[place + 1][0], "")
        if last < len(parts) - 1:
            self.replace(parts[last][1], parts[-1][1], "")

    def keep_anchors(self) -> None:
        """If an anchor is removed and its aliases stay, the first alias becomes the anchor."""
        if self.source.root is None:
            return
        anchors = {part.anchor: part for part in walk(self.source.root) if part.anchor}
        moved: set[str] = set()
        for part in [*walk(self.source.root)]:
            known = anchors.get(part.text) if part.style == "alias" else None
            if known is None or part.text in moved or not self._touches(known) or self._touches(part):
                continue
            if known.style in "|>" or (known.style == "block"):
                continue
            moved.add(part.text)
            value = self.source.text[known.start : known.end]
            self.replace(part.start, part.end, f"&{part.text} {value}")

    def _touches(self, part: Part) -> bool:
        """True if a part is removed as a whole, with its anchor."""
        return any(item.start < part.start and part.end <= item.end for item in self.found)

    def apply(self) -> str:
        """The text with all replacements. Raises ValueError if two replacements overlap."""
        pieces: list[str] = []
        at = 0
        for splice in sorted(self.found, key=lambda item: (item.start, item.end)):
            if splice.start < at:
                raise ValueError("two edits overlap")
            pieces.append(self.source.text[at : splice.start])
            if splice.on_new_line and _needs_break(pieces):
                pieces.append(self.source.newline)
            pieces.append(splice.text)
            at = splice.end
        return "".join([*pieces, self.source.text[at:]])


def _lines(lines: Iterable[str], newline: str) -> str:
    return "".join(line + newline for line in lines)


def _needs_break(pieces: list[str]) -> bool:
    last = next((piece for piece in reversed(pieces) if piece), "\n")
    return not last.endswith(("\n", "\r"))


def entry_range(key: Part, value: Part) -> tuple[int, int]:
    """The range from the beginning of a key to the end of its value."""
    return key.start, max(value.end, key.end + 1)
