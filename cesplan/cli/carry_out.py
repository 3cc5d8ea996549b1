"""Carrying out an approved plan, and reporting the result."""

from typing import TYPE_CHECKING

from cesplan.cli.exit_codes import ExitCode, of_outcomes
from cesplan.cli.report_formats import FILE_VIEW, apply_renderers
from cesplan.cli.reports import LINES
from cesplan.cli.session import Session
from cesplan.domain.lazily import lazily
from cesplan.domain.options import ApplyOptions
from cesplan.render.text.layout import View

if TYPE_CHECKING:
    from collections.abc import Callable

    from cesplan.cli.progress import FinishedApply
    from cesplan.domain.outcome import Event
    from cesplan.domain.plan import Plan

with lazily():
    from cesplan.cli import progress
    from cesplan.render.machine.formats import events as events_json
    from cesplan.render.text import outcome, plan
    from cesplan.workflow import apply_plan


def nothing_to_do(session: Session, planned: "Plan", message: str = "") -> int:
    """Report an empty plan; a text report says `message` instead of the plan."""
    text = {"text file": lambda: message or plan.plan_text(planned, FILE_VIEW)}
    session.reports.write_final(session.console, apply_renderers(planned, None, ExitCode.DONE, text))
    return ExitCode.DONE


def carry_out(session: Session, plan: "Plan", address: str, on_error: str) -> "FinishedApply":
    """Apply, and show the progress."""
    options = ApplyOptions(on_error=on_error)
    with apply_plan.applying(plan, connection=session.connection(address), options=options) as events:
        return progress.follow(events, plan, session.console, _event_listener(session), session.waits)


def _event_listener(session: Session) -> "Callable[[Event], None]":
    """Writes every event to the JSON Lines."""
    if LINES not in session.reports.formats:
        return lambda event: None
    return lambda event: session.reports.stream(session.console, [events_json.event_line(event)])


def report(
    session: Session, planned: "Plan", finished: "FinishedApply", hints: dict[str, str], *, is_all: bool
) -> int:
    """The result; `hints` are the next commands, and `is_all` is true if the plan was complete."""
    console = session.console
    code = of_outcomes(finished.outcomes, interrupted=finished.interrupted)
    next_ = {} if outcome.is_whole(finished.outcomes) else hints

    def text(view: View) -> str:
        return outcome.report_text(
            finished.outcomes,
            view,
            duration=finished.seconds,
            is_all=is_all,
            undone=finished.undone,
            hints=next_,
        )

    in_file = {"text file": lambda: f"{plan.plan_text(planned, FILE_VIEW)}\n{text(FILE_VIEW)}"}
    texts = {"text": lambda: text(console.out_view), **in_file}
    renderers = apply_renderers(planned, finished, code, texts, is_all=is_all, hints=next_)
    session.reports.write_final(console, renderers)
    return code
