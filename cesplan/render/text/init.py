"""What a new tree holds, and what to do with it."""

from collections.abc import Mapping, Sequence

from cesplan.domain.text.words import count
from cesplan.render.page import BLANK, Ink, Span, line, paint
from cesplan.render.text.layout import PLAIN, View
from cesplan.render.text.plan import hints_page

_SET_PROJECT = " Set your project in cesplan.yaml."


def started_text(
    folder: str,
    files: Sequence[str],
    hints: Mapping[str, str],
    view: View = PLAIN,
    *,
    has_place: bool = False,
) -> str:
    """
    The files that were written and what to type next, ended by a line feed.

    `has_place`: the project is in cesplan.yaml already.
    """
    rows = [line("  ", Span(f"+ {name}", Ink.CREATE)) for name in files]
    where = "here" if folder == "." else f"in {folder}"
    page = [
        *rows,
        BLANK,
        line(f"{count(len(files), 'file')} written {where}.{'' if has_place else _SET_PROJECT}"),
        *hints_page(hints),
    ]
    return paint(page, colour=view.colour)
