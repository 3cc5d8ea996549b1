"""The files of a new tree, and the next steps."""

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
    The files that were written and the next commands, ended by a line feed.

    `has_place`: cesplan.yaml already names the project.
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
