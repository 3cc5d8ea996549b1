"""Lines are matched as difflib does, in a time that no text can stretch."""

import random
from difflib import SequenceMatcher

import pytest

from cesplan.domain.text import line_matching
from cesplan.domain.text.line_matching import LineComparison, Opcode, compared, opcodes


def _applied(old: list[str], new: list[str], found: list[Opcode]) -> list[str]:
    """The new text, made from the old one by opcodes that must cover both without a gap."""
    made: list[str] = []
    at = there = 0
    for tag, i1, i2, j1, j2 in found:
        assert (i1, j1) == (at, there)
        assert tag != "equal" or old[i1:i2] == new[j1:j2]
        made += old[i1:i2] if tag == "equal" else new[j1:j2]
        at, there = i2, j2
    assert (at, there) == (len(old), len(new))
    return made


def _calls(monkeypatch: pytest.MonkeyPatch, old: list[str], new: list[str]) -> tuple[int, LineComparison]:
    """Over how many lines difflib looks for the longest match, all looks together; and what was found."""
    looked = 0
    original = SequenceMatcher.find_longest_match

    def counted(self: SequenceMatcher[str], low: int, high: int, first: int, last: int) -> object:
        nonlocal looked
        looked += high - low
        return original(self, low, high, first, last)

    monkeypatch.setattr(SequenceMatcher, "find_longest_match", counted)
    found = compared(old, new)
    monkeypatch.undo()
    return looked, found


def _cycles(count: int) -> tuple[list[str], list[str]]:
    """Lines that repeat every ten, in two orders."""
    return [f"line {n % 10}" for n in range(count)], [f"line {n * 7 % 10}" for n in range(count)]


def _every_second(count: int) -> tuple[list[str], list[str]]:
    old = [f"line {n}" for n in range(count)]
    return old, [f"{line}!" if n % 2 else line for n, line in enumerate(old)]


@pytest.mark.parametrize("seed", range(40))
def test_what_takes_little_work_is_matched_as_difflib_does(seed: int) -> None:
    chance = random.Random(seed)
    letters = "abcdefghijkl"[: chance.randint(2, 12)]
    old, new = ([chance.choice(letters) for _ in range(chance.randint(0, 60))] for _ in range(2))
    old, new = ["<", *old, ">"], ["(", *new, ")"]
    expected = SequenceMatcher(None, old, new, autojunk=False).get_opcodes()
    assert compared(old, new).opcodes == expected
    assert not compared(old, new).is_coarse


@pytest.mark.parametrize("texts", [_cycles, _every_second])
@pytest.mark.parametrize("count", [300, 1500, 9000])
def test_the_opcodes_lead_from_one_text_to_the_other_however_coarse_they_are(texts, count) -> None:
    old, new = texts(count)
    assert _applied(old, new, opcodes(old, new)) == new


def test_repeating_lines_take_no_more_work_than_there_is(monkeypatch: pytest.MonkeyPatch) -> None:
    """Behind each match difflib looks at all of the rest again: that ends, and what is left is replaced."""
    looked, found = _calls(monkeypatch, *_cycles(1000))
    assert looked <= 2 * line_matching.MOST_WORK
    assert found.is_coarse


def test_many_small_changes_of_a_long_text_take_work_that_grows_with_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """They are cut at lines that occur once, and are exact."""
    (some, _), (twice, _), (again, found) = (
        _calls(monkeypatch, *_every_second(n)) for n in (5000, 10_000, 20_000)
    )
    assert again <= 2.1 * twice <= 4.41 * some
    assert (len(found.opcodes), found.is_coarse) == (20_000, False)
