"""Which element of one list answers to which of the other."""

import pytest

from cesplan.engine.comparing.pairs import Pair, align


@pytest.mark.parametrize(
    ("desired", "live", "moved", "rest"),
    [
        ("ba", "ab", [Pair(0, 1)], [Pair(1, 0)]),
        ("cab", "abc", [Pair(0, 2)], [Pair(1, 0), Pair(2, 1)]),
        ("cba", "abc", [Pair(0, 2), Pair(2, 0)], [Pair(2, 0)]),
        ("xba", "ab", [Pair(2, 0)], [Pair(0, None), Pair(2, 0)]),
    ],
)
def test_what_is_gone_here_and_new_there_has_moved(
    desired: str, live: str, moved: list[Pair], rest: list[Pair]
) -> None:
    """An element is never gone and new at once; what stays in line is a pair."""
    found = align([*desired], [*live])
    assert [*found.moved] == moved
    assert [*found.pairs] == rest


def test_an_element_that_is_there_once_more_is_new() -> None:
    """One of two equal elements moved, the other is new."""
    found = align(["a", "b", "a"], ["b", "a"])
    assert [*found.moved] == []
    assert Pair(0, None) in found.pairs


def test_a_replaced_element_whose_partner_moved_is_gone() -> None:
    """What moved takes nobody else's place: its old neighbor is alone."""
    found = align(["c", "b"], ["a", "b", "c"])
    assert [*found.moved] == [Pair(0, 2)]
    assert [*found.pairs] == [Pair(None, 0), Pair(1, 1)]
