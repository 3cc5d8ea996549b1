"""Exit codes: what outcomes come to, and which code wins."""

import pytest

from cesplan.cli.exit_codes import of_outcomes, worst
from cesplan.domain.errors import Conflict, InvalidRequest, LostResponse, PermissionDenied
from cesplan.domain.outcome import Applied, Failed, Outcome, Skipped, Unknown
from tests.unit.render.builders import create

_ONE, _TWO = create("desk/tools/one"), create("desk/tools/two")
_DONE = Applied(operation=_ONE)
_UNLIKE = Applied(operation=_ONE, not_converged=("x",))
_INVALID = Failed(operation=_TWO, error=InvalidRequest(summary="no"))
_CONFLICT = Failed(operation=_TWO, error=Conflict(summary="moved"))
_DENIED = Failed(operation=_TWO, error=PermissionDenied(summary="denied"))
_SKIPPED = Skipped(operation=_TWO, because="desk/tools/one")
_UNKNOWN = Unknown(operation=_TWO, error=LostResponse(summary="lost"))


@pytest.mark.parametrize(
    ("codes", "winner"),
    [
        ((), 0),
        ((0, 0), 0),
        ((2, 1), 1),
        ((1, 3), 3),
        ((3, 4), 4),
        ((4, 5), 5),
        ((5, 6), 6),
        ((6, 7), 7),
        ((7, 64), 64),
        ((64, 130), 130),
        ((99,), 1),
    ],
)
def test_the_order_of_codes(codes: tuple[int, ...], winner: int) -> None:
    """130, 64, 7, 6, 5, 4, 3, 1, the greatest first; an unknown code is an error."""
    assert worst(codes) == winner


@pytest.mark.parametrize(
    ("outcomes", "code"),
    [
        ([], 0),
        ([_DONE], 0),
        ([_UNLIKE], 3),
        ([_INVALID], 1),
        ([_DONE, _INVALID], 3),
        ([_CONFLICT], 4),
        ([_CONFLICT, _SKIPPED], 4),
        ([_DONE, _CONFLICT], 3),
        ([_DENIED], 6),
        ([_DONE, _DENIED], 6),
        ([_DONE, _SKIPPED], 3),
        ([_SKIPPED], 1),
        ([_UNKNOWN], 3),
        ([_UNKNOWN, _CONFLICT], 3),
    ],
)
def test_what_outcomes_come_to(outcomes: list[Outcome], code: int) -> None:
    """A conflict is one only where nothing was written; an unknown write may have been one."""
    assert of_outcomes(outcomes) == code


def test_an_interrupt_wins() -> None:
    """Whatever else happened, Ctrl-C is 130."""
    assert of_outcomes([_DONE, _DENIED], interrupted=True) == 130
