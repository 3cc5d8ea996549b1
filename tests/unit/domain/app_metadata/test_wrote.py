"""What an apply wrote: exact up to a number of resources, then a map that leaves none out and stays small."""

import pytest

from cesplan.domain.app_metadata.stamp import id_mark
from cesplan.domain.app_metadata.wrote import MOST_MARKS, NOTHING, Wrote


def _marks(count: int, kind: str = "agents") -> list[str]:
    return [id_mark(kind, f"agent-{number}") for number in range(count)]


@pytest.mark.parametrize("count", [0, 1, MOST_MARKS, MOST_MARKS + 1, 10_000, 50_000])
def test_what_was_written_is_never_left_out(count: int) -> None:
    """Those written more than once keep their number; the text is short enough to be read again."""
    marks = _marks(count)
    times = {mark: 3 if number < 10 else 1 for number, mark in enumerate(marks)}
    wrote = Wrote.read(Wrote.of(times).text)
    assert wrote == Wrote.of(times)
    assert [wrote.times(mark) for mark in marks] == [*times.values()]
    assert len(wrote.text) < 51_000
    assert wrote.total >= sum(times.values())


@pytest.mark.parametrize(("count", "at_most"), [(MOST_MARKS, 0.0), (5_000, 0.08), (12_000, 0.08)])
def test_few_others_look_as_if_they_were(count: int, at_most: float) -> None:
    wrote = Wrote.of(dict.fromkeys(_marks(count), 1))
    others = _marks(5_000, "tools")
    assert sum(wrote.times(mark) for mark in others) <= at_most * len(others)


@pytest.mark.parametrize(
    "text", ["", "zz", "~x~AAAA", "~5~AAA", "~5~AA==", "12345678*", "~99999999~AAAA", "~5~ÄÄÄÄ"]
)
def test_anything_else_says_nothing(text: str) -> None:
    assert Wrote.read(text) == NOTHING
