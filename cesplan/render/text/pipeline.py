"""The output of `cesplan ci`: the written pipeline and the setup steps, and whether a plan was reviewed."""

from collections.abc import Sequence

from cesplan.domain.plan import Operation
from cesplan.domain.text.words import count
from cesplan.render.page import BLANK, Ink, Span, line, paint
from cesplan.render.plan_words import INKS, SIGNS
from cesplan.render.text.layout import PLAIN, View

_PASTE = (
    "Commands to paste into bash, with an account that is allowed to run them. First set the variables at the"
    " top:"
)


_ONE_BY_ONE = "Then, one at a time, because each asks for a value:"


def pipeline_text(
    files: Sequence[str],
    following: str,
    view: View = PLAIN,
    *,
    commands: str = "",
    asking: Sequence[str] = (),
) -> str:
    """
    The files that were written, the next steps (a text of several lines), and their commands.

    Commands that are `asking` for input are separate: they would read text pasted after them as the answer.
    """
    rows = [line("  ", Span(f"+ {name}", Ink.CREATE)) for name in files]
    following_rows = [line(text) if text else BLANK for text in following.rstrip("\n").split("\n")]
    page = [*rows, BLANK, line(f"{count(len(files), 'file')} written. To set up:"), BLANK, *following_rows]
    if commands:
        pasted = [line("  ", text) if text else BLANK for text in commands.rstrip("\n").split("\n")]
        page += [BLANK, line(_PASTE), BLANK, *pasted]
    if asking:
        page += [BLANK, line(_ONE_BY_ONE), BLANK, *(line("  ", text) for text in asking)]
    return paint(page, colour=view.colour)


def compared_text(planned: int, unreviewed: Sequence[Operation], view: View = PLAIN) -> str:
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
