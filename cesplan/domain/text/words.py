"""Small words: numbers with their nouns, durations, lists."""

from collections.abc import Iterable, Sequence


def sentence(text: str) -> str:
    """The text with a capital first letter."""
    return text[:1].upper() + text[1:]


def in_sentence(text: str) -> str:
    """The text of a sentence, such as a message of the operating system, as a part of another."""
    return text[:1].lower() + text[1:]


def count(number: int, noun: str, plural: str = "") -> str:
    """`1 file`, `2 files`, with a thousands separator."""
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"


def seconds(duration: float) -> str:
    """A duration in a readable form: `40 ms`, `0.3 s`, `45 s`, `2 min 5 s`."""
    if duration < 0.095:
        return f"{duration * 1000:.0f} ms"
    if duration < 10:
        return f"{duration:.1f} s"
    if duration < 60:
        return f"{duration:.0f} s"
    minutes, rest = divmod(round(duration), 60)
    return f"{minutes} min {rest} s"


def listed(items: Sequence[str], joint: str = "and") -> str:
    """`a`, `a and b`, `a, b, and c`."""
    if len(items) < 3:
        return f" {joint} ".join(items)
    return f"{', '.join(items[:-1])}, {joint} {items[-1]}"


def some_of(items: Sequence[str], most: int, joint: str = ", ") -> str:
    """`a, b, and 3 more`: the first `most` items, and how many are left."""
    rest = len(items) - most
    return joint.join([*items[:most], f"and {rest:,} more"] if rest > 0 else items)


def first_rows(rows: Sequence[str], most: int, more: str = "… and {:,} more") -> list[str]:
    """The first `most` rows, and a row that says how many are left, with the text `more`."""
    rest = len(rows) - most
    return [*rows[:most], more.format(rest)] if rest > 0 else list(rows)


def excerpt(text: str, most: int) -> str:
    """The beginning of a long text, with its length."""
    return text if len(text) <= most else f"{text[:most]} … ({len(text):,} characters)"


def letters_of(text: str) -> str:
    """The letters and digits of a name, ignoring case: what distinguishes names for a reader."""
    return "".join(sign for sign in text.casefold() if sign.isalnum())


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """` Did you mean `apply`?`, to append to a sentence; empty if no known word is near."""
    from difflib import get_close_matches  # slow to import, and only errors need it

    near = get_close_matches(word, list(known), n=1)
    return f" Did you mean `{near[0]}`?" if near else ""
