"""An export to ADK as text: the files written, and the parts left out."""

from collections.abc import Iterator, Sequence

from cesplan.domain.features.evaluation import AdkExport, ExportedCase
from cesplan.domain.text.words import count
from cesplan.render.page import BLANK, Ink, Page, Span, line, paint, wrapped
from cesplan.render.text.layout import PLAIN, View


def export_text(export: AdkExport, files: Sequence[str], view: View = PLAIN) -> str:
    """The files, and by evaluation and turn what they cannot hold; ended by a line feed."""
    where = "the tree" if export.source == "tree" else "the live app"
    head = f"{count(len(export.cases), 'evaluation')} of {export.app}, from {where}"
    page: Page = [line(Span(head, Ink.STRONG))]
    page += [line(f"  wrote {name}") for name in files]
    for case in export.cases:
        page += _case(case, view)
    if export.lost:
        page += [BLANK, line(Span("Left out of the test configuration", Ink.STRONG))]
        for text in export.lost:
            page += wrapped(line(f"  {text}"), view.width, 4)
    return paint(page, colour=view.colour)


def _case(case: ExportedCase, view: View) -> Iterator[tuple[Span, ...]]:
    if not (case.lost or case.turns):
        return
    yield BLANK
    yield line(Span(case.reference, Ink.STRONG), Span("  left out", Ink.DIM))
    for text in case.lost:
        yield from wrapped(line(f"  {text}"), view.width, 4)
    for turn in case.turns:
        for text in turn.lost:
            yield from wrapped(line(f"  turn {turn.turn}: {text}"), view.width, 4)
        for metric, why in sorted(turn.incomparable.items()):
            yield from wrapped(
                line(Span(f"  turn {turn.turn} says nothing in {metric}", Ink.NOTICE), f": {why}"),
                view.width,
                4,
            )
