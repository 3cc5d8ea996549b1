"""The pipeline that was written, and what to set up so that it runs."""

from collections.abc import Sequence

from cesplan.render.documents import opening, text_of
from cesplan.render.layout import View
from cesplan.render.page import BLANK, CREATE, Span, line, paint
from cesplan.render.words import count

_PLAIN = View()


def pipeline_text(files: Sequence[str], following: str, view: View = _PLAIN) -> str:
    """The files that were written, and what to do next (a text of several lines)."""
    rows = [line("  ", Span(f"+ {name}", CREATE)) for name in files]
    following_rows = [line(text) if text else BLANK for text in following.rstrip("\n").split("\n")]
    page = [*rows, BLANK, line(f"{count(len(files), 'file')} written. To set up:"), BLANK, *following_rows]
    return paint(page, colour=view.colour)


def pipeline_json(service: str, files: Sequence[str], following: str) -> str:
    """The same as a JSON document."""
    return text_of({**opening(), "service": service, "files": list(files), "next": following})
