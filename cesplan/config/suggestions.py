"""Did you mean: the nearest known word to one that is not known."""

from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from cesplan.domain.address import Address
from cesplan.domain.choice import Choice, unmatched
from cesplan.domain.errors import UsageError

_NEAR = 0.6
"""Ratcliff-Obershelp similarity from which a word counts as a slip of another."""

_SHORTEST_BEGINNING = 3
"""A word that begins another one is near it from this length on: `production` and `prod`."""


_LONGEST_WORD = 100
"""Characters up to which a word may be a slip: names are shorter, and comparing takes the square of it."""

MOST_COMPARED = 20_000
"""Pairs of words that one load compares: a hundred slips among two hundred names, in half a second."""

_left: ContextVar[list[int] | None] = ContextVar("_left", default=None)


@contextmanager
def limited_suggestions() -> Iterator[None]:
    """Inside, no more than MOST_COMPARED pairs are compared; after that nothing is suggested."""
    token = _left.set([MOST_COMPARED])
    try:
        yield
    finally:
        _left.reset(token)


def nearest(word: str, known: Iterable[str]) -> str:
    """
    The known word that is most like this one, or nothing. Case and separators weigh little.

    Nothing too where looking would take too long: see `limited_suggestions`.
    """
    from difflib import SequenceMatcher  # costs milliseconds to import, and only errors need it

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


def _affordable(known: Iterable[str]) -> list[str]:
    """The candidates in order; none if there is no time left to compare with all of them."""
    candidates = [item for item in known if len(item) <= _LONGEST_WORD]
    left = _left.get()
    if len(candidates) > (MOST_COMPARED if left is None else left[0]):
        return []
    if left is not None:
        left[0] -= len(candidates)
    return sorted(candidates)


def same_but_for_spelling(word: str, other: str) -> bool:
    """Whether two words differ in case and separators only: `model_settings` and `modelSettings`."""
    return _plain(word) == _plain(other)


def _plain(word: str) -> str:
    return word.lower().replace("_", "").replace("-", "")


def refuse_unmatched(choice: Choice, known: Collection[Address]) -> None:
    """A pattern that means none of these resources is most likely a slip. Raises UsageError."""
    slips = unmatched((*choice.only, *choice.exclude), known)
    if slips:
        meant = nearest(slips[0], {text for item in known for text in (str(item), item.within_app) if text})
        raise UsageError(
            summary=f"`{slips[0]}` matches no resource in the tree or live."
            + (f" Did you mean `{meant}`?" if meant else ""),
            detail="A pattern is an address, with or without the app; `*` matches anything within one part.",
        )


def one_of(words: Iterable[str], mark: str = "`") -> str:
    """A list for people: `a`, `b` or `c`."""
    names = [f"{mark}{word}{mark}" for word in words]
    return " or ".join([", ".join(names[:-1]), names[-1]]) if len(names) > 1 else "".join(names)
