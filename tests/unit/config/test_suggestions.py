"""What a misspelled word means, and when nothing else can be meant."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cesplan.config.suggestions import guess, guess_key

_KNOWN = ("displayName", "instruction", "modelSettings", "tools", "toolsets", "childAgents", "name")


@pytest.mark.parametrize(
    ("word", "known", "nearest", "sure"),
    [
        ("displayname", _KNOWN, "displayName", True),
        ("display_name", _KNOWN, "displayName", True),
        ("instrution", _KNOWN, "instruction", True),
        ("instructoin", _KNOWN, "instruction", True),
        ("nmae", _KNOWN, "name", True),
        ("modelSetings", _KNOWN, "modelSettings", True),
        # Two letters of a short word, and three of a long one, may be another word.
        ("tulos", _KNOWN, "tools", False),
        ("displayNumber", _KNOWN, "displayName", False),
        # One word begins the other: an abbreviation, or something else.
        ("model", _KNOWN, "modelSettings", False),
        ("prod", ("production",), "production", False),
        # Two are as near.
        ("order-ab", ("order-a", "order-b"), "order-a", False),
        ("lookup-ordes", ("lookup-order", "lookup-orders"), "lookup-orders", False),
        ("lookup-ordr", ("lookup-order", "lookup-orders"), "lookup-order", True),
        ("Lookup_Order", ("lookup-order", "lookup-orders"), "lookup-order", True),
        ("lookup.order", ("lookup-order", "lookup_order"), "lookup-order", False),
        # A number that is not there is no slip of another one.
        ("v2", ("v1",), "", False),
        ("regression-2025", ("regression-2024",), "regression-2024", False),
        ("gemini-2.5-flsh", ("gemini-2.5-flash", "gemini-2.0-flash"), "gemini-2.5-flash", True),
        ("zzz", _KNOWN, "", False),
    ],
)
def test_a_guess_is_sure_only_of_a_slip(word: str, known: tuple[str, ...], nearest: str, sure: bool) -> None:
    """One slip (two in long words), no rival, and no other number."""
    found = guess(word, known)
    assert (found.word, found.nearest, found.sure) == (word, nearest, sure)


def test_a_key_that_is_there_already_is_not_meant_twice() -> None:
    """Renaming would set it twice; of two misspellings neither is sure."""
    assert guess_key("displayname", _KNOWN, ("displayname", "tools")).sure
    assert not guess_key("displayname", _KNOWN, ("displayname", "displayName")).sure
    assert not guess_key("displayname", _KNOWN, ("displayname", "dispalyName")).sure


def test_of_many_keys_no_more_are_looked_at_than_can_matter() -> None:
    """A mapping of 20,000 unknown keys asks for each of them."""
    for word, most in (("k1", 0), ("displayname", 300)):
        looked: list[int] = []
        keys = (looked.append(number) or f"k{number}" for number in range(20_000))
        assert not guess_key(word, _KNOWN, keys).sure
        assert len(looked) <= most


_LETTERS = st.sampled_from("abcdefgh")
_WORDS = st.text(_LETTERS, min_size=1, max_size=12)


@given(_WORDS, st.lists(_WORDS, max_size=6, unique=True))
def test_the_rule_as_a_plain_search(word: str, known: list[str]) -> None:
    """
    Sure is: nothing else within the slips that a word of this length may hold.

    The other side of the comparison makes every word that can come of so many slips.
    """
    most = (len(word) >= 4) + (len(word) >= 8)
    if most == 2:
        word, most = word[:7], 1
    reach = {word, *_one_slip(word)} if most else {word}
    found = guess(word, known)
    within = [item for item in known if item in reach]
    if found.sure:
        assert within == [found.nearest]
    elif len(within) == 1 and word not in known:
        assert found.nearest not in reach  # by likeness another word comes first, and it is too far away


def _one_slip(word: str) -> set[str]:
    cuts = [(word[:at], word[at:]) for at in range(len(word) + 1)]
    removed = {head + tail[1:] for head, tail in cuts if tail}
    added = {head + sign + tail for head, tail in cuts for sign in "abcdefgh"}
    replaced = {head + sign + tail[1:] for head, tail in cuts if tail for sign in "abcdefgh"}
    swapped = {head + tail[1] + tail[0] + tail[2:] for head, tail in cuts if len(tail) > 1}
    return removed | added | replaced | swapped


@given(_WORDS, st.lists(_WORDS, max_size=6))
def test_equally_near_is_never_sure(word: str, known: list[str]) -> None:
    """The order of the known words means nothing, and a word with a twin is never sure."""
    found = guess(word, known)
    assert found == guess(word, known[::-1])
    if found.sure:
        assert not guess(word, [*known, found.nearest.upper()]).sure
