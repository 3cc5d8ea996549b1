"""Did you mean: the known word nearest to an unknown one."""

from collections.abc import Collection, Container, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from itertools import islice
from typing import NamedTuple

from cesplan.domain.address import Address
from cesplan.domain.choice import Choice, unmatched
from cesplan.domain.errors import UsageError
from cesplan.domain.text.words import listed

_NEAR = 0.6
"""The Ratcliff-Obershelp similarity from which a word counts as a misspelling of another."""

_SHORTEST_BEGINNING = 3
"""From this length on, a prefix of a word is near it: `prod` and `production`."""


_LONGEST_WORD = 100
"""The longest word to compare, in characters. Names are shorter, and the cost is quadratic."""

MOST_COMPARED = 20_000
"""The most pairs of words that a load compares: 100 typos among 200 names, in half a second."""

_left: ContextVar[list[int] | None] = ContextVar("_left", default=None)


@contextmanager
def limited_suggestions() -> Iterator[None]:
    """In this context, at most MOST_COMPARED pairs are compared; after that, nothing is suggested."""
    token = _left.set([MOST_COMPARED])
    try:
        yield
    finally:
        _left.reset(token)


def nearest(word: str, known: Iterable[str]) -> str:
    """
    The known word most similar to this one; empty if none is. Case and separators matter little.

    Also empty if comparing would take too long: see `limited_suggestions`.
    """
    from difflib import SequenceMatcher  # slow to import, and only errors need it

    plain = _plain(word)
    candidates = _affordable(known) if len(plain) <= _LONGEST_WORD else []
    best, best_ratio = "", 0.0
    for candidate in candidates:
        other = _plain(candidate)
        ratio = SequenceMatcher(None, plain, other).ratio()
        if min(len(plain), len(other)) >= _SHORTEST_BEGINNING and (
            plain.startswith(other) or other.startswith(plain)
        ):
            ratio = max(ratio, _NEAR)
        if ratio > best_ratio:
            best, best_ratio = candidate, ratio
    return best if best_ratio >= _NEAR else ""


class Guess(NamedTuple):
    """
    An unknown word, and the most similar known word, or an empty text.

    It is `sure` if no other word can be meant, so that the word may be replaced.
    """

    word: str
    nearest: str = ""
    sure: bool = False

    def confirmed(self, elsewhere: Container[str]) -> "Guess":
        """
        The same guess, sure only if the known word is used elsewhere too.

        If a name is declared in one text and used in another, either may be misspelled. Two places that agree
        settle it.
        """
        return self._replace(sure=self.sure and self.nearest in elsewhere)


def guess(word: str, known: Iterable[str]) -> Guess:
    """
    The nearest known word, as `nearest` finds it.

    It is sure if the two words differ only in case and separators, or by one typo (two in words of eight or
    more letters), and no other known word needs as few. Numbers are never typos of each other: `v2` may be
    missing rather than mean `v1`.
    """
    candidates = list(known)
    found = nearest(word, candidates)
    return Guess(word, found, sure=bool(found) and _is_only(word, found, candidates))


def guess_key(word: str, known: Iterable[str], beside: Iterable[str]) -> Guess:
    """
    The same for a key of a mapping; `beside` are all of its keys.

    It is not sure if the known key is already present, or if another key may also mean it.
    """
    known = frozenset(known)
    found = guess(word, known)
    if not found.sure:
        return found
    plain = _plain(found.nearest)
    rivals = (item for item in beside if item != word and (item == found.nearest or item not in known))
    # Only as many as can matter: a mapping with many unknown keys asks this for each of them.
    others = [*islice(rivals, _MOST_RIVALS + 1)]
    is_alone = len(others) <= _MOST_RIVALS and not any(
        _slips(_plain(item), plain, _bearable(plain)) is not None for item in others
    )
    return found._replace(sure=is_alone)


def _is_only(word: str, found: str, candidates: list[str]) -> bool:
    if word == found or _digits(word) != _digits(found):
        return False
    plain = _plain(word)
    slips = _slips(plain, _plain(found), _bearable(plain))
    if slips is None:
        return False
    rivals = {
        item
        for item in candidates
        if item != found and abs(len(_plain(item)) - len(plain)) <= slips and _digits(item) == _digits(word)
    }
    return len(rivals) <= _MOST_RIVALS and all(_slips(plain, _plain(item), slips) is None for item in rivals)


_MOST_RIVALS = 200
"""The most other words that a guess is compared with. If there are more, it is not sure."""
_SHORT, _LONG = 4, 8
"""The lengths from which a word may have one typo, and two."""


def _bearable(plain: str) -> int:
    return (len(plain) >= _SHORT) + (len(plain) >= _LONG)


def _digits(word: str) -> str:
    return "".join(item for item in word if item.isdigit())


def _slips(one: str, other: str, most: int) -> int | None:
    """
    The number of letters omitted, added, replaced, or swapped with their neighbor; None for more than `most`.

    The restricted Damerau-Levenshtein distance (Boytsov 2011, section 2.2), within a band.
    """
    if abs(len(one) - len(other)) > most:
        return None
    before: list[int] = []
    last = list(range(len(other) + 1))
    for row, letter in enumerate(one, 1):
        here = [row] + [most + 1] * len(other)
        for column in range(max(1, row - most), min(len(other), row + most) + 1):
            cost = min(last[column - 1] + (letter != other[column - 1]), last[column] + 1, here[column - 1] + 1)
            is_swap = (
                row > 1 and column > 1 and letter == other[column - 2] and one[row - 2] == other[column - 1]
            )
            here[column] = min(cost, before[column - 2] + 1) if is_swap else cost
        if min(here) > most:
            return None
        before, last = last, here
    return last[-1] if last[-1] <= most else None


def _affordable(known: Iterable[str]) -> list[str]:
    """The candidates in order; none if the limit does not allow comparing all of them."""
    candidates = [item for item in known if len(item) <= _LONGEST_WORD]
    left = _left.get()
    if len(candidates) > (MOST_COMPARED if left is None else left[0]):
        return []
    if left is not None:
        left[0] -= len(candidates)
    return sorted(candidates)


def same_but_for_spelling(word: str, other: str) -> bool:
    """Whether two words differ only in case and separators: `model_settings` and `modelSettings`."""
    return _plain(word) == _plain(other)


def _plain(word: str) -> str:
    return word.lower().replace("_", "").replace("-", "")


def refuse_unmatched(choice: Choice, known: Collection[Address]) -> None:
    """Refuse patterns that match none of these resources. Raises UsageError."""
    slips = unmatched((*choice.only, *choice.exclude), known)
    if slips:
        correction = nearest(
            slips[0], {text for item in known for text in (str(item), item.within_app) if text}
        )
        raise UsageError(
            summary=f"`{slips[0]}` matches no resource in the tree or live."
            + (f" Did you mean `{correction}`?" if correction else ""),
            detail="A pattern is an address, with or without the app; `*` matches anything within one part.",
        )


def one_of(words: Iterable[str], mark: str = "`") -> str:
    """A list in words: `a`, `b`, or `c`."""
    return listed([f"{mark}{word}{mark}" for word in words], "or")
