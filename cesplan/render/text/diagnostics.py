"""Diagnostics for people: the problem, its place, the source line with a caret, and what to do."""

from collections import Counter
from collections.abc import Iterable, Sequence

from cesplan.domain.diagnostic import Diagnostic, Severity
from cesplan.domain.text.words import count
from cesplan.render.page import BLANK, Ink, Line, Page, Span, line, paint, width_of, wrapped
from cesplan.render.text.layout import PLAIN, View

INKS = {Severity.ERROR: Ink.ERROR, Severity.WARNING: Ink.WARNING, Severity.NOTICE: Ink.NOTICE}
_WHOLE = 10
"""The most warnings of one code that are shown with line and advice; the rest say only what and where."""


def diagnostics_text(diagnostics: Sequence[Diagnostic], view: View = PLAIN, *, whole: bool = False) -> str:
    """
    The text of all diagnostics by file and line, a blank line after each; nothing when there are none.

    Equal warnings about several places are shown once, with all places. If there are many warnings of one code,
    the later ones are listed briefly at the end, unless `whole` is set.
    """
    shown_of: Counter[str] = Counter()
    page: Page = []
    short: Page = []
    for item, *others in _alike(sorted(diagnostics, key=lambda item: item.sort_key)):
        shown_of[item.code] += 1
        if whole or item.severity is Severity.ERROR or shown_of[item.code] <= _WHOLE:
            page += [*_page(item, others, view), BLANK]
        else:
            short += _head(item, others, view)
    return paint([*page, *short, *([BLANK] if short else [])], colour=view.colour)


def _alike(diagnostics: Iterable[Diagnostic]) -> Iterable[list[Diagnostic]]:
    """Each error by itself; equal warnings and notices together, at the place of the first."""
    groups: dict[object, list[Diagnostic]] = {}
    for number, item in enumerate(diagnostics):
        content = (item.code, item.summary, item.detail, item.suggestion)
        key = number if item.severity is Severity.ERROR or item.place is None else content
        groups.setdefault(key, []).append(item)
    return groups.values()


def summary_text(
    diagnostics: Sequence[Diagnostic],
    files: int,
    view: View = PLAIN,
    *,
    command: str = "",
    fix: str = "",
) -> str:
    """
    `2 errors, 1 warning in 31 files.` and how to read more about the first code; a line feed at the end.

    `fix` is the command that repairs the fixable ones.
    """
    counts = Counter(item.severity for item in diagnostics)
    found = [
        Span(count(counts[severity], severity.value), INKS[severity])
        for severity in Severity
        if counts[severity]
    ]
    where = f"{count(files, 'file')}."
    if not found:
        return paint([line(Span("No problems", Ink.STRONG), f" in {where}")], colour=view.colour)
    parts = [part for item in found for part in (Span(", "), item)][1:]
    left = line(*parts, f" in {where}")
    more = (Span(f"      {command}", Ink.COMMAND),) if command else ()
    page = [(*left, *more)]
    fixes = sum(item.fix is not None for item in diagnostics)
    if fixes and fix:
        page.append(line(f"{fixes} of them can be fixed:  ", Span(fix, Ink.COMMAND)))
    return paint(page, colour=view.colour)


def _page(item: Diagnostic, others: Sequence[Diagnostic], view: View) -> Page:
    page = [*_head(item, others, view), *_source(item, view)]
    if item.detail:
        page += [row for text in item.detail.split("\n") for row in wrapped(line("  ", text), view.width, 2)]
    return page


def _head(item: Diagnostic, others: Sequence[Diagnostic], view: View) -> Page:
    """The message and the places."""
    head = Span(f"{item.severity}[{item.code}]" if item.code else f"{item.severity}:", INKS[item.severity])
    page = wrapped((head, Span(" "), Span(item.summary, Ink.STRONG)), view.width, 2)
    if item.place is not None:
        page.append(line("  ", Span(str(item.place), Ink.DIM)))
    page += [line("  ", Span(f"also at {other.place}", Ink.DIM)) for other in others]
    return page


def _source(item: Diagnostic, view: View) -> Page:
    """The source line and the caret line below it, or only the suggestion if there is no line."""
    hint = _question(item.suggestion)
    if item.place is None or not item.source_line.strip():
        return [line("  ", hint)] if hint else []
    number = str(item.place.line).rjust(3)
    margin = f"{' ' * len(number)} | "
    shown, lead = _window(item, view.width - len(margin))
    ink = INKS[item.severity]
    span = max(1, min(item.span, width_of(shown) - lead))
    carets: Line = line(Span(margin, Ink.DIM), " " * lead, Span("^" * span, ink))
    rows: Page = [line(Span(f"{number} | ", Ink.DIM), shown), carets]
    if not hint:
        return rows
    if width_of(carets) + 1 + len(hint) <= view.width:
        return [rows[0], (*carets, Span(f" {hint}", ink))]
    return [*rows, line(Span(margin, Ink.DIM), Span(hint, ink))]


def _window(item: Diagnostic, width: int) -> tuple[str, int]:
    """The part of a long source line around the place, and the columns in front of it."""
    text = item.source_line.rstrip("\n").replace("\t", " ")
    start = (item.place.column if item.place else 1) - 1
    if width_of(text) <= width:
        return text, width_of(text[:start])
    first = max(0, start - width // 3)
    piece = text[first : first + width - 4]
    head = "… " if first else ""
    tail = " …" if first + len(piece) < len(text) else ""
    return f"{head}{piece}{tail}", len(head) + width_of(text[first:start])


def _question(suggestion: str) -> str:
    """`did you mean`: a bare word gets its quotes; a file in parentheses follows the question."""
    if not suggestion:
        return ""
    word, bracket, file = suggestion.partition(" (")
    quoted = word.strip() if "`" in word or " " in word.strip() else f"`{word.strip()}`"
    return f"did you mean {quoted}?{'  (' + file if bracket else ''}"
