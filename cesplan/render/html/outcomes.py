"""An apply as a page: the outcome of every operation, failures first, and the plan that it carried out."""

from collections.abc import Iterator, Mapping, Sequence
from typing import assert_never

from cesplan.domain.errors import CesplanError, Refused
from cesplan.domain.outcome import Applied, Failed, NotRolledBack, Outcome, Skipped, Undone, Unknown
from cesplan.domain.plan import Plan, Reason
from cesplan.domain.text.words import count, seconds
from cesplan.render.html.heading import Heading, Looks, VerdictMark
from cesplan.render.html.picture import Picture
from cesplan.render.html.plan import NO_PICTURE, anchors_of, key_of, plan_view
from cesplan.render.html.report import Article, Box, Folded, HtmlReport, Section, Slot, Table, report_html
from cesplan.render.plan_words import done_word, rank_of
from cesplan.render.text.errors import status_of
from cesplan.render.text.outcome import (
    because_of,
    headline_words,
    ignore_line,
    is_whole,
    is_written,
    name_of,
)
from cesplan.render.text.rollback import undone_word
from cesplan.render.text.rollback import undone_words as rollback_words


def outcomes_html(
    plan: Plan,
    outcomes: Sequence[Outcome],
    *,
    duration: float,
    is_all: bool = True,
    undone: Sequence[Undone] = (),
    hints: Mapping[str, str] = {},
    picture: Picture = NO_PICTURE,
) -> str:
    """
    The page of an apply; without outcomes, there was nothing to do.

    `duration` is in seconds. `is_all` is true if the plan held nothing back. `undone` are the operations that
    were to be rolled back after a failure. `hints` are the next commands: purpose → command.
    """
    found = sorted(outcomes, key=rank_of)
    settings = plan.settings
    verdict, looks = _verdict(outcomes, duration, is_all=is_all)
    heading = Heading(
        title="Apply",
        environment=settings.environment,
        where=settings.place.short,
        service=settings.where,
        verdict=verdict,
        looks=looks,
        facts=(": ".join(rollback_words(undone)),) if undone else (),
    )
    results = {key_of(item.operation): _mark(item) for item in outcomes if not _is_stamp(item)}
    return report_html(
        HtmlReport(
            heading=heading,
            sections=tuple(_sections(found, undone, plan)),
            plan=plan_view(plan, picture, results),
            plan_title="The plan that was carried out" if outcomes else "The plan",
            hints=hints,
        )
    )


def _verdict(outcomes: Sequence[Outcome], duration: float, *, is_all: bool) -> tuple[str, Looks]:
    if not outcomes:
        return "Nothing to do", Looks.GOOD
    looks = Looks.GOOD if is_whole(outcomes) else Looks.OPEN if is_written(outcomes) else Looks.BAD
    return ": ".join(headline_words(outcomes, duration, is_all=is_all)), looks


def _is_stamp(outcome: Outcome) -> bool:
    """Whether this is the stamp: an update of the app that the plan does not show."""
    return outcome.operation.reason is Reason.STAMP


def _mark(outcome: Outcome) -> VerdictMark:
    match outcome:
        case Failed():
            return VerdictMark(looks=Looks.BAD, said="failed")
        case Unknown():
            return VerdictMark(looks=Looks.OPEN, said="unknown")
        case Applied() if outcome.not_converged:
            return VerdictMark(looks=Looks.OPEN, said=f"{done_word(outcome)}, not converged")
        case Applied():
            return VerdictMark(looks=Looks.GOOD, said=done_word(outcome))
        case Skipped():
            return VerdictMark(looks=Looks.QUIET, said="skipped")
        case _:
            assert_never(outcome)


def _sections(outcomes: list[Outcome], undone: Sequence[Undone], plan: Plan) -> Iterator[Section]:
    anchors = anchors_of(plan)
    table = Table(
        label="Outcomes",
        columns=("Outcome", "Resource", "Why", "Took"),
        rows=tuple(
            _row(item, "" if _is_stamp(item) else anchors.get(key_of(item.operation), "")) for item in outcomes
        ),
    )
    if outcomes:
        yield Section(title="What was done", tables=(table,), articles=tuple(_articles(outcomes)))
    if undone:
        yield _rollback(undone)


def _row(outcome: Outcome, place: str) -> tuple[Slot, ...]:
    elapsed = "" if isinstance(outcome, Skipped) else seconds(outcome.seconds)
    return (
        Slot(mark=_mark(outcome)),
        Slot(text=name_of(outcome.operation), anchor=place),
        Slot(text=_why(outcome)),
        Slot(text=elapsed),
    )


def _why(outcome: Outcome) -> str:
    match outcome:
        case Failed() | Unknown():
            return outcome.error.summary
        case Skipped():
            return because_of(outcome)
        case Applied():
            return outcome.note
        case _:
            assert_never(outcome)


def _articles(outcomes: list[Outcome]) -> Iterator[Article]:
    """An article for each outcome that needs more than a row."""
    for number, item in enumerate(outcomes):
        place = f"o{number}"
        match item:
            case Failed() | Unknown():
                yield _trouble(item, place)
            case Applied() if item.not_converged:
                yield _not_converged(item, place)


def _trouble(item: Failed | Unknown, place: str) -> Article:
    status = status_of(item.error)
    wrote = f"{count(item.writes, 'write')} took effect" if item.writes else ""
    return Article(
        anchor=place,
        looks=str(_mark(item).looks),
        said=_mark(item).said,
        address=name_of(item.operation),
        lines=(item.error.summary,),
        quiet=tuple(filter(None, (status, wrote))),
        folded=tuple(_details(item.error)),
    )


def _not_converged(item: Applied, place: str) -> Article:
    paths = [text for text in item.not_converged if " " not in text]
    file = item.operation.file
    folded = (
        (Folded(title=f"To leave it alone, add to {file}", text=ignore_line(paths), is_open=True),)
        if paths and file
        else ()
    )
    return Article(
        anchor=place,
        looks=str(Looks.OPEN),
        said="not converged",
        address=name_of(item.operation),
        lines=("The service returned other values than were sent.",),
        warnings=item.not_converged,
        folded=folded,
    )


def _rollback(undone: Sequence[Undone]) -> Section:
    rows = tuple(
        (
            Slot(mark=_undone_mark(item)),
            Slot(text=name_of(item.operation)),
            Slot(text=item.because if isinstance(item, NotRolledBack) else ""),
            Slot(text=seconds(item.seconds)),
        )
        for item in undone
    )
    lost = tuple(f"{name_of(item.operation)}: {text}" for item in undone for text in item.lost)
    left = [item for item in undone if isinstance(item, NotRolledBack)]
    return Section(
        title="Rollback",
        facts=(": ".join(rollback_words(undone)),),
        tables=(Table(label="Rollback", columns=("Result", "Resource", "Why", "Took"), rows=rows),),
        articles=tuple(
            Article(
                anchor=f"u{number}",
                looks=str(Looks.BAD),
                said="not undone",
                address=name_of(item.operation),
                lines=(item.because,),
                folded=tuple(_details(item.error)),
            )
            for number, item in enumerate(left)
            if item.error is not None
        ),
        boxes=(Box(title="Not restored", items=lost, looks="alert"),),
    )


def _undone_mark(item: Undone) -> VerdictMark:
    looks = Looks.BAD if isinstance(item, NotRolledBack) else Looks.OPEN if item.lost else Looks.GOOD
    return VerdictMark(looks=looks, said=undone_word(item))


def _details(error: CesplanError | None) -> Iterator[Folded]:
    if error is None:
        return
    text = "\n".join([*(error.reasons if isinstance(error, Refused) else ()), error.detail]).strip("\n")
    if text:
        yield Folded(title="Details", text=text, is_open=True)
