"""Small words: numbers with their nouns, durations, reasons, signs."""

from cesplan.domain.plan import Action, Reason
from cesplan.render import page

SIGNS = {Action.CREATE: "+", Action.UPDATE: "~", Action.DELETE: "-"}
INKS = {Action.CREATE: page.CREATE, Action.UPDATE: page.UPDATE, Action.DELETE: page.DELETE}
DONE = {Action.CREATE: "created", Action.UPDATE: "updated", Action.DELETE: "deleted"}

REASONS = {
    Reason.NOT_IN_LIVE: "new",
    Reason.NOT_IN_TREE: "removed from the tree",
    Reason.FIELD_CHANGED: "field changed",
    Reason.RESENT: "sent again",
    Reason.ID_CHANGED: "its $id changed",
    Reason.LOCKED: "locked",
    Reason.STAMP: "stamp",
}


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
