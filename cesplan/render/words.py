"""Small words: numbers with their nouns, durations, lists."""


def sentence(text: str) -> str:
    """The same with a capital letter."""
    return text[:1].upper() + text[1:]


def count(number: int, noun: str, plural: str = "") -> str:
    """`1 file`, `2 files`; thousands are set apart."""
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"


def seconds(duration: float) -> str:
    """A duration as people say it: `40 ms`, `0.3 s`, `45 s`, `2 min 5 s`."""
    if duration < 0.095:
        return f"{duration * 1000:.0f} ms"
    if duration < 10:
        return f"{duration:.1f} s"
    if duration < 60:
        return f"{duration:.0f} s"
    minutes, rest = divmod(round(duration), 60)
    return f"{minutes} min {rest} s"


def listed(items: list[str]) -> str:
    """`a`, `a and b`, `a, b and c`."""
    if len(items) < 2:
        return "".join(items)
    return f"{', '.join(items[:-1])} and {items[-1]}"
