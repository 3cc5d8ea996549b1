"""Fixes as a unified diff, and the files left unedited. No context lines: they could reveal secrets."""

from collections.abc import Iterator, Mapping, Sequence

from cesplan.domain.text.words import count
from cesplan.features.fixes.edits import FileEdit, LineEdit
from cesplan.render.page import Ink, Page, Span, line, paint
from cesplan.render.text.layout import PLAIN, View


def diff_text(edits: Sequence[FileEdit], view: View = PLAIN) -> str:
    """The edits as in `diff -U0`, then a blank line; empty if there are no edits."""
    page: Page = []
    for edit in edits:
        page += [line(Span(f"--- a/{edit.path}", Ink.STRONG)), line(Span(f"+++ b/{edit.path}", Ink.STRONG))]
        for hunk in _hunks(edit.lines):
            where = f"{hunk[0].number}" + (f",{len(hunk)}" if len(hunk) > 1 else "")
            page.append(line(Span(f"@@ -{where} +{where} @@", Ink.DIM)))
            page += [line(Span(f"-{item.before}", Ink.DELETE)) for item in hunk]
            page += [line(Span(f"+{item.after}", Ink.CREATE)) for item in hunk]
    return paint([*page, ()], colour=view.colour) if page else ""


def left_text(left: Mapping[str, str], view: View = PLAIN) -> str:
    """The repairable files that were not edited, and why."""
    return paint(
        [line(Span("Not fixed: ", Ink.WARNING), f"{path} {why}.") for path, why in sorted(left.items())],
        colour=view.colour,
    )


def number_of(edits: Sequence[FileEdit]) -> str:
    """`3 fixes in 2 files`."""
    fixes = sum(len(edit.fixes) for edit in edits)
    return f"{count(fixes, 'fix', 'fixes')} in {count(len(edits), 'file')}"


def _hunks(lines: Sequence[LineEdit]) -> Iterator[list[LineEdit]]:
    """Groups of adjacent lines."""
    hunk: list[LineEdit] = []
    for item in lines:
        if hunk and item.number != hunk[-1].number + 1:
            yield hunk
            hunk = []
        hunk.append(item)
    if hunk:
        yield hunk
