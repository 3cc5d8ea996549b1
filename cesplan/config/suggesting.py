"""Did you mean: the nearest known word to one that is not known."""

from collections.abc import Iterable

_NEAR = 0.6
"""Ratcliff-Obershelp similarity from which a word counts as a slip of another."""

_SHORTEST_BEGINNING = 3
"""A word that begins another one is near it from this length on: `production` and `prod`."""


def nearest(word: str, known: Iterable[str]) -> str:
    """The known word that is most like this one, or nothing. Case and separators weigh little."""
    from difflib import SequenceMatcher  # costs milliseconds to import, and only errors need it

    plain = _plain(word)
    best, best_ratio = "", 0.0
    for candidate in sorted(known):
        other = _plain(candidate)
        ratio = SequenceMatcher(None, plain, other).ratio()
        if min(len(plain), len(other)) >= _SHORTEST_BEGINNING and (
            plain.startswith(other) or other.startswith(plain)
        ):
            ratio = max(ratio, _NEAR)
        if ratio > best_ratio:
            best, best_ratio = candidate, ratio
    return best if best_ratio >= _NEAR else ""


def same_but_for_spelling(word: str, other: str) -> bool:
    """Whether two words differ in case and separators only: `model_settings` and `modelSettings`."""
    return _plain(word) == _plain(other)


def _plain(word: str) -> str:
    return word.lower().replace("_", "").replace("-", "")


def one_of(words: Iterable[str], mark: str = "`") -> str:
    """A list for people: `a`, `b` or `c`."""
    names = [f"{mark}{word}{mark}" for word in words]
    return " or ".join([", ".join(names[:-1]), names[-1]]) if len(names) > 1 else "".join(names)
