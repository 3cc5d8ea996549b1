"""Times of the API: read, put in order, and shown."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cesplan.domain.text.times import moment, sortable, when

NO_TIMES = ("", "yesterday", "2026-13-01T00:00:00Z", "12:00", None, 7)


def test_digits_of_the_second_differ_and_the_order_is_that_of_time() -> None:
    """The order of the texts is another one: a `Z` sorts after a period and after every digit."""
    times = [
        "2026-11-22T12:00:05Z",
        "2026-11-22T12:00:05.000000001Z",
        "2026-11-22T12:00:05.5Z",
        "2026-11-22T12:00:05.500001Z",
        "2026-11-22T12:00:05.51Z",
        "2026-11-22T13:00:06+01:00",
    ]
    shuffled = times[3:] + times[:3]
    assert sorted(shuffled, key=sortable) == times
    assert sorted(times) != times


@given(st.integers(0, 10**18), st.integers(0, 10**18), st.data())
def test_the_order_holds_in_every_spelling(first: int, second: int, data: st.DataObject) -> None:
    """Nanoseconds since a day, written with as many digits as it takes or more."""

    def spelled(nanoseconds: int) -> str:
        seconds, rest = divmod(nanoseconds, 10**9)
        digits = f"{rest:09}"
        least = next(count for count in (0, 3, 6, 9) if not digits[count:].strip("0"))
        kept = data.draw(st.sampled_from([count for count in (0, 3, 6, 9) if count >= least]))
        day = datetime(2000, 1, 1, tzinfo=UTC) + timedelta(seconds=seconds)
        return f"{day:%Y-%m-%dT%H:%M:%S}{'.' + digits[:kept] if kept else ''}Z"

    one, other = spelled(first), spelled(second)
    assert (sortable(one) < sortable(other)) == (first < second)
    assert (sortable(one) == sortable(other)) == (first == second)


@pytest.mark.parametrize("text", NO_TIMES)
def test_what_is_no_time_comes_before_all_times(text: object) -> None:
    assert moment(text) is None
    assert sortable(text) == "" < sortable("0001-01-01T00:00:00Z")


def test_a_time_without_offset_is_in_utc() -> None:
    """Times with and without one can be compared: a foreign client may have written either."""
    assert moment("2026-11-22T12:00:00") == moment("2026-11-22T12:00:00Z")
    assert when("2026-11-22T12:00:05.5") == "2026-11-22 12:00 UTC"
    assert when("some day") == "some day"
