"""What a new tree holds, and what to do with it."""

from collections.abc import Mapping, Sequence

from cesplan.render.page import BLANK, CREATE, Span, line, paint
from cesplan.render.text.layout import View
from cesplan.render.text.plan import hints_page
from cesplan.render.words import count

_PLAIN = View()


def started_text(folder: str, files: Sequence[str], hints: Mapping[str, str], view: View = _PLAIN) -> str:
    """The files that were written and what to type next, ended by a line feed."""
    rows = [line("  ", Span(f"+ {name}", CREATE)) for name in files]
    where = "here" if folder == "." else f"in {folder}"
    page = [
        *rows,
        BLANK,
        line(f"{count(len(files), 'file')} written {where}. Set your project in cesplan.yaml."),
        *hints_page(hints),
    ]
    return paint(page, colour=view.colour)
