"""
Exit codes, the same in every output format.

An exception knows its own code; this module has the codes of outcomes, and decides which code wins if several
apply.
"""

from collections.abc import Iterable, Iterator, Sequence
from enum import IntEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cesplan.domain.outcome import Outcome


class ExitCode(IntEnum):
    DONE = 0
    ERROR = 1
    CHANGES = 2
    PARTIAL = 3
    CONFLICT = 4
    REFUSED = 5
    NOT_PERMITTED = 6
    INVALID = 7
    INCONCLUSIVE = 8
    USAGE = 64
    INTERRUPTED = 130


_PRECEDENCE = (
    ExitCode.INTERRUPTED,
    ExitCode.USAGE,
    ExitCode.INVALID,
    ExitCode.NOT_PERMITTED,
    ExitCode.REFUSED,
    ExitCode.INCONCLUSIVE,
    ExitCode.CONFLICT,
    ExitCode.PARTIAL,
    ExitCode.ERROR,
    ExitCode.CHANGES,
)


def worst(codes: Iterable[int]) -> int:
    """The code that wins if several apply; an unknown one counts as an error."""
    held = {code if code in _PRECEDENCE else ExitCode.ERROR for code in codes if code}
    return next((int(code) for code in _PRECEDENCE if code in held), 0)


def of_outcomes(outcomes: "Sequence[Outcome]", *, interrupted: bool = False) -> int:
    """
    The exit code for the outcomes of one apply.

    A conflict counts only if nothing was written: otherwise the plan was partially applied.
    """
    from cesplan.domain.outcome import Unknown  # only few commands have outcomes

    written = any(item.writes or isinstance(item, Unknown) for item in outcomes)
    codes = {int(ExitCode.INTERRUPTED)} if interrupted else set()
    for outcome in outcomes:
        codes |= {*_codes(outcome, written=written)}
    return worst(codes)


def _codes(outcome: "Outcome", *, written: bool) -> Iterator[int]:
    from cesplan.domain.outcome import Applied, Failed, Skipped, Unknown

    match outcome:
        case Applied():
            if outcome.not_converged:
                yield ExitCode.PARTIAL
        case Failed():
            code = outcome.error.exit_code
            if not (written and code == ExitCode.CONFLICT):
                yield code
            if written:
                yield ExitCode.PARTIAL
        case Skipped():
            yield ExitCode.PARTIAL if written else ExitCode.ERROR
        case Unknown():
            yield ExitCode.PARTIAL
