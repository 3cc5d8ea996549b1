"""What `cesplan ci` says: the pipeline that was written and what to set up, and whether a plan was reviewed."""

from collections.abc import Sequence

from cesplan.domain.plan import Operation
from cesplan.render.page import BLANK, CREATE, Span, line, paint
from cesplan.render.plan_words import INKS, SIGNS
from cesplan.render.text.layout import View
from cesplan.render.words import count

_PLAIN = View()


def pipeline_text(files: Sequence[str], following: str, view: View = _PLAIN) -> str:
    """The files that were written, and what to do next (a text of several lines)."""
    rows = [line("  ", Span(f"+ {name}", CREATE)) for name in files]
    following_rows = [line(text) if text else BLANK for text in following.rstrip("\n").split("\n")]
    page = [*rows, BLANK, line(f"{count(len(files), 'file')} written. To set up:"), BLANK, *following_rows]
    return paint(page, colour=view.colour)


def compared_text(planned: int, unreviewed: Sequence[Operation], view: View = _PLAIN) -> str:
    """The operations of a plan that were not reviewed; one line if there are none."""
    if not unreviewed:
        return f"The whole plan was reviewed: {count(planned, 'change')}.\n"
    rows = [line("  ", Span(f"{SIGNS[item.action]} {item.address}", INKS[item.action])) for item in unreviewed]
    page = [
        line(f"The plan differs from the reviewed one. Of {count(planned, 'change')}, these are new:"),
        BLANK,
        *rows,
        BLANK,
        line("Live or the branch changed after the review. Review the new plan and apply it."),
    ]
    return paint(page, colour=view.colour)
