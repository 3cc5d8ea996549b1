"""Markdown of results: an apply, a validation, or the error that ended a command."""

from collections.abc import Sequence
from typing import assert_never

from cesplan.domain.diagnostic import Diagnostic, Severity
from cesplan.domain.errors import CesplanError, InvalidConfiguration, Refused
from cesplan.domain.outcome import Applied, Failed, NotRolledBack, Outcome, RolledBack, Skipped, Undone, Unknown
from cesplan.domain.plan import Action, Plan, Reason
from cesplan.domain.text.words import count, first_rows, seconds
from cesplan.render.plan_words import counts_of, done_word, rank_of
from cesplan.render.services.markdown import LIMIT, Comment, Detail, Item, fitted, mark, numbers_of
from cesplan.render.services.markdown_escaping import inert
from cesplan.render.services.markdown_fields import code, fence
from cesplan.render.text.outcome import because_of

_MOST_ROWS = 200


def outcomes_markdown(
    plan: Plan,
    outcomes: Sequence[Outcome],
    *,
    exit_code: int,
    undone: Sequence[Undone] = (),
    limit: int = LIMIT,
) -> str:
    """An apply as a comment: failures first; at most `limit` characters."""
    ordered = sorted(outcomes, key=_rank)
    head = _head("apply", plan.settings.environment, _sums(outcomes), exit_code, where=plan.settings.where)
    items = [*map(_item, ordered), *map(_undone, undone)]
    return fitted(Comment(head=head, items=items, rest=numbers_of), limit)


def diagnostics_markdown(
    diagnostics: Sequence[Diagnostic], files: int, *, environment: str = "", limit: int = LIMIT
) -> str:
    """A validation as a comment: errors first."""
    found = sorted(diagnostics, key=lambda item: (list(Severity).index(item.severity), item.sort_key))
    numbers = [
        count(number, severity.value)
        for severity in Severity
        if (number := sum(item.severity is severity for item in found))
    ]
    summary = f"**{', '.join(numbers) or 'No problems'}** in {count(files, 'file')}."
    head = _head("validate", environment, summary, None)
    return fitted(Comment(head=head, items=[*map(_finding, found)], rest=numbers_of), limit)


def error_markdown(
    command: str,
    error: CesplanError,
    *,
    exit_code: int,
    environment: str = "",
    diagnostics: Sequence[Diagnostic] = (),
    limit: int = LIMIT,
) -> str:
    """The error that ended a command, as a comment that replaces the one about the last run."""
    reasons = error.reasons if isinstance(error, Refused) else ()
    rows = [f"**{inert(error.summary)}**", "", *(f"- ⛔ {inert(item)}" for item in reasons)]
    rows += ["", fence(_first_lines(error.detail), "text")] if error.detail else []
    head = _head(command, environment, "\n".join(rows), exit_code)
    found = error.diagnostics if isinstance(error, InvalidConfiguration) else ()
    errors = [item for item in found or diagnostics if item.severity is Severity.ERROR]
    return fitted(Comment(head=head, items=[*map(_finding, errors)], rest=numbers_of), limit)


def _first_lines(text: str) -> list[str]:
    """The first lines of a text and the number of the others, because a code block must not be cut later."""
    return first_rows(text.split("\n"), _MOST_ROWS, "… and {:,} more lines")


def _head(command: str, environment: str, summary: str, exit_code: int | None, *, where: str = "") -> str:
    name = "".join(f" · {inert(item)}" for item in (environment, where) if item)
    failed = f"Exit code {exit_code}." if exit_code else ""
    # After a list or a block of code, a blank line keeps the text separate.
    space = "\n\n" if "\n" in summary else " "
    title = f"{mark(command, environment)}\n### cesplan {command}{name}"
    return f"{title}\n\n{summary.rstrip()}{space}{failed}".rstrip() + "\n\n"


def _sums(outcomes: Sequence[Outcome]) -> str:
    parts = [f"{number:,} {word}" for word, number in counts_of(outcomes).items() if number]
    return f"**{', '.join(parts) or 'Nothing was written'}.**"


def _rank(outcome: Outcome) -> int:
    """Of what was done, deletes come first."""
    is_done = isinstance(outcome, Applied) and not outcome.not_converged
    return rank_of(outcome) + (is_done and outcome.operation.action is not Action.DELETE)


def _item(outcome: Outcome) -> Item:
    line, more = _outcome_words(outcome)
    address = code(str(outcome.operation.address))
    stamp = " (stamp)" if outcome.operation.reason is Reason.STAMP else ""
    return _entry(f"- {address}{stamp}: {line}\n", more, line.split(" ", 1)[0].strip("*,"))


def _outcome_words(outcome: Outcome) -> tuple[str, str]:
    match outcome:
        case Applied():
            stray = ", ".join(map(code, outcome.not_converged))
            result = f"**not converged**: {stray}" if stray else seconds(outcome.seconds)
            return f"{done_word(outcome)}, {result}", outcome.note
        case Failed():
            return f"**failed**: {inert(outcome.error.summary)}", outcome.error.detail
        case Unknown():
            return f"**unknown**: {inert(outcome.error.summary)}", outcome.error.detail
        case Skipped():
            return f"skipped, {inert(because_of(outcome))}", ""
        case _:
            assert_never(outcome)


def _undone(undone: Undone) -> Item:
    address = code(str(undone.operation.address))
    match undone:
        case RolledBack():
            result = "rolled back"
        case NotRolledBack():
            result = f"**not rolled back**: {inert(undone.because)}"
        case _:
            assert_never(undone)
    return _entry(f"- {address}: {result}\n", "\n".join(undone.lost), "rolled back")


def _finding(item: Diagnostic) -> Item:
    place = f" {code(str(item.place))}" if item.place else ""
    line = f"- **{item.severity}** {item.code}{place}: {inert(item.summary)}\n"
    question = f"Did you mean {item.suggestion}?" if item.suggestion else ""
    return _entry(line, "\n".join(filter(None, (question, item.detail))), f"of {item.code}")


def _entry(line: str, more: str, group: str) -> Item:
    """An entry of one line, with more below it if there is room."""
    block = "".join(f"  {row}\n" for row in fence(more.split("\n"), "text").split("\n")) if more else ""

    def forms(level: Detail) -> str:
        match level:
            case Detail.NONE:
                return ""
            case Detail.LINE:
                return line
        return f"{line}{block}"

    return Item(forms=forms, group=group)
