"""Outcomes as text: a line for each outcome during the apply, and the report at the end."""

from collections.abc import Mapping, Sequence
from itertools import takewhile
from typing import assert_never

from cesplan.domain.field_path import FieldPath, Index
from cesplan.domain.outcome import Applied, Failed, Outcome, Skipped, Undone, Unknown, Waiting
from cesplan.domain.plan import Action, Operation, Reason
from cesplan.domain.text.words import count, listed, seconds
from cesplan.render.page import BLANK, Ink, Line, Page, Span, line, padded, paint, width_of, wrapped
from cesplan.render.plan_words import DONE, INKS, counts_of, done_word
from cesplan.render.text.errors import detail_page, status_of
from cesplan.render.text.layout import PLAIN, View
from cesplan.render.text.operation import sign_of
from cesplan.render.text.plan import hints_page
from cesplan.render.text.rollback import undone_page

_WORD_WIDTH = 12
_INTERRUPTED = "interrupted"
"""The only one-word reason that is not an address."""
_TIME_WIDTH = 8
_MOST_NAMES = 3
"""The most skipped operations that are named for one reason; JSON has them all."""


def outcome_text(outcome: Outcome, view: View = PLAIN, *, widest: int = 34, app: str = "") -> str:
    """
    The line of one outcome, and below it why it failed; ended by a line feed.

    `widest` is the width of the column of names. Addresses in `app` are shown without it.
    """
    name = name_of(outcome.operation, app)
    return paint(_outcome_page(outcome, name.ljust(widest), view.width), colour=view.colour)


def waiting_text(event: Waiting, view: View = PLAIN) -> str:
    """A progress line of a long-running operation, ended by a line feed."""
    text = f"  … {name_of(event.operation)} still running, {seconds(event.seconds)}"
    return paint([line(Span(text, Ink.DIM))], colour=view.colour)


def report_text(
    outcomes: Sequence[Outcome],
    view: View = PLAIN,
    *,
    duration: float,
    is_all: bool = True,
    undone: Sequence[Undone] = (),
    hints: Mapping[str, str] = {},
) -> str:
    """
    The report at the end: what was done, what was not, and why; ended by a line feed.

    `duration` is in seconds. `is_all` is true if the plan held nothing back. `undone` are the operations that
    were to be rolled back after a failure. `hints` are the next commands: purpose → command.
    """
    page: Page = [
        *_headline(outcomes, duration, view, is_all=is_all),
        *_troubles(outcomes, view),
        *_not_converged(outcomes, view),
        *undone_page(undone, view),
        *hints_page(hints),
    ]
    return paint(page, colour=view.colour)


def name_of(operation: Operation, app: str = "") -> str:
    """The address, without the app if it is `app`; the stamp is labeled as one."""
    name = operation.address.short if operation.address.app == app else str(operation.address)
    return f"{name} (stamp)" if operation.reason is Reason.STAMP else name


def is_whole(outcomes: Sequence[Outcome]) -> bool:
    """True if every operation was applied and took effect."""
    return all(isinstance(item, Applied) and not item.not_converged for item in outcomes)


def _outcome_page(outcome: Outcome, name: str, width: int) -> Page:
    operation = outcome.operation
    ink = INKS[operation.action]
    match outcome:
        case Applied():
            word, right = Span(done_word(outcome), ink), _remarks(outcome)
            return [_row(operation, name, word, outcome.seconds, right)]
        case Failed() | Unknown():
            row = _row(operation, name, _trouble(outcome), outcome.seconds, _status(outcome))
            return [row, *_reason(outcome, width)]
        case Skipped():
            because = Span(f"  {because_of(outcome)}", Ink.DIM)
            row = _row(operation, name, Span("skipped", Ink.DIM), None, (because,))
            return wrapped(row, width, 6)
        case _:
            assert_never(outcome)


def because_of(outcome: Skipped) -> str:
    """
    Why an operation was skipped, as text, and how many of its writes took effect. A reason that is only an
    address names the operation that failed before it.
    """
    reason = outcome.because
    why = reason if " " in reason or reason == _INTERRUPTED else f"after {reason}"
    return f"{why}; {count(outcome.writes, 'write')} took effect" if outcome.writes else why


def _row(operation: Operation, name: str, word: Span, duration: float | None, right: Line) -> Line:
    left = line("  ", Span(f"{sign_of(operation)} ", INKS[operation.action]), f"{name}  ")
    elapsed = seconds(duration) if duration is not None else ""
    return (*padded((*left, word), width_of(left) + _WORD_WIDTH), Span(elapsed.rjust(_TIME_WIDTH)), *right)


def _remarks(outcome: Applied) -> Line:
    remarks: list[str] = []
    if outcome.operation.action is Action.UPDATE and outcome.operation.changes:
        remarks.append(count(len(outcome.operation.changes), "field"))
    if outcome.note:
        remarks.append(outcome.note)
    spans = [Span(f"   {', '.join(remarks)}", Ink.DIM)] if remarks else []
    if outcome.not_converged:
        spans.append(Span("   not converged", Ink.WARNING))
    return tuple(spans)


def _trouble(outcome: Failed | Unknown) -> Span:
    return Span("failed", Ink.DELETE) if isinstance(outcome, Failed) else Span("unknown", Ink.WARNING)


def _status(outcome: Failed | Unknown) -> Line:
    status = status_of(outcome.error)
    return (Span(f"   {status}", Ink.DIM),) if status else ()


def _reason(outcome: Failed | Unknown, width: int) -> Page:
    rows = wrapped(line("      ", outcome.error.summary), width, 6)
    return [*rows, *detail_page(outcome.error, width, 6)]


def headline_words(outcomes: Sequence[Outcome], duration: float, *, is_all: bool) -> tuple[str, str]:
    """The verdict and its numbers: `Applied in part`, `1 created, 0 updated, 0 deleted, 1 failed in 0.3 s.`"""
    counts = counts_of(outcomes)
    parts = [f"{number:,} {word}" for word, number in counts.items() if number or word in DONE.values()]
    elapsed = f" in {seconds(duration)}."
    if is_whole(outcomes):
        return "Applied", f"{', '.join(parts)}{elapsed}{' Live matches the tree.' if is_all else ''}"
    verdict = "Applied in part" if is_written(outcomes) else "Not applied"
    return verdict, f"{', '.join(parts)}{elapsed}"


def is_written(outcomes: Sequence[Outcome]) -> bool:
    """True if anything was written at all."""
    return any(item.writes for item in outcomes)


def _headline(outcomes: Sequence[Outcome], duration: float, view: View, *, is_all: bool) -> Page:
    verdict, details = headline_words(outcomes, duration, is_all=is_all)
    if is_whole(outcomes):
        return [line(Span(f"{verdict}: ", Ink.STRONG), details)]
    ink = Ink.UPDATE if is_written(outcomes) else Ink.DELETE
    return wrapped(line(Span(f"{verdict}: ", f"{Ink.STRONG} {ink}"), details), view.width, 2)


def _troubles(outcomes: Sequence[Outcome], view: View) -> Page:
    """The failed and unknown operations, and those skipped because of them."""
    page: Page = []
    for outcome in outcomes:
        if not isinstance(outcome, Failed | Unknown):
            continue
        word, said = _trouble(outcome), f"{name_of(outcome.operation)}: {outcome.error.summary}"
        page += wrapped(line("  ", Span(word.text.ljust(9), word.ink), said), view.width, 11)
        if outcome.writes:
            page.append(line(" " * 11, Span(f"{count(outcome.writes, 'write')} took effect", Ink.DIM)))
    page += _skips(outcomes, view)
    return [BLANK, *page] if page else []


def _skips(outcomes: Sequence[Outcome], view: View) -> Page:
    """One entry for each reason: many operations can be skipped, but always for the same few reasons."""
    names: dict[str, list[str]] = {}
    for outcome in outcomes:
        if isinstance(outcome, Skipped):
            names.setdefault(because_of(outcome), []).append(name_of(outcome.operation))
    page: Page = []
    for why, skipped in names.items():
        more = [f"{len(skipped) - _MOST_NAMES:,} more"] if len(skipped) > _MOST_NAMES else []
        text = f"{listed([*skipped[:_MOST_NAMES], *more])}: {why}"
        page += wrapped(line("  ", Span("skipped  ", Ink.DIM), text), view.width, 11)
    return page


def _not_converged(outcomes: Sequence[Outcome], view: View) -> Page:
    page: Page = []
    for outcome in outcomes:
        if isinstance(outcome, Applied) and outcome.not_converged:
            page += _unlike(outcome, view)
    intro = "Not converged: the service returned other values than were sent."
    return [BLANK, line(Span(intro, Ink.WARNING)), *page] if page else []


def _unlike(outcome: Applied, view: View) -> Page:
    page: Page = [line("  ", name_of(outcome.operation))]
    for text in outcome.not_converged:
        page += wrapped(line("    ", text), view.width, 6)
    paths = [text for text in outcome.not_converged if " " not in text]
    if paths and outcome.operation.file:
        page.append(line("    ", Span(f"to leave it alone, add to {outcome.operation.file}:", Ink.DIM)))
        page.append(line("      ", ignore_line(paths)))
    return page


def ignore_line(paths: Sequence[str]) -> str:
    """The directive that ignores fields, as YAML: a path with brackets needs quotes."""
    places = dict.fromkeys(map(_ignorable, paths))
    return f"$ignore: [{', '.join(map(_yaml_text, places))}]"


def _ignorable(text: str) -> str:
    """A path that `$ignore` accepts: a list whose elements have no key is ignored as a whole."""
    try:
        path = FieldPath.parse(text)
    except ValueError:
        return text
    return str(FieldPath(tuple(takewhile(lambda segment: not isinstance(segment, Index), path.segments))))


def _yaml_text(path: str) -> str:
    return path if path.replace(".", "").isalnum() else "'" + path.replace("'", "''") + "'"
