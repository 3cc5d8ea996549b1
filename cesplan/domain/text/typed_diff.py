"""
Typed diffs: what a difference between two texts means in their language, in addition to the line diff.

A verdict is one line for the heading of a field. It never calls a change of meaning formatting. If the text
cannot be parsed, it says why, and only the line diff is shown.
"""

from enum import StrEnum

from cesplan.domain.frozen import dataclass

LONGEST_DETAIL = 200
"""The most characters of one detail. Names in it come from the texts and may have any length."""


class Meaning(StrEnum):
    """How the meaning of a text changed."""

    SAME = "same"
    """Only comments, formatting, or order that has no meaning."""
    CHANGED = "changed"
    UNREAD = "unread"
    """The text could not be parsed in its language, so only its lines were compared."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TypedDetail:
    """One change in the meaning of a text."""

    text: str
    """A line for people."""
    code: str = ""
    """The code of the rule, such as `OAS001`; empty if there is none."""
    breaking: bool = False
    """Whether it may break a caller that relied on the old text."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TypedDiff:
    """The meaning of a difference: one line for the heading, and the details."""

    verdict: str
    """A few words, such as `formatting and comments only`."""
    meaning: Meaning = Meaning.CHANGED
    """How the meaning changed."""
    details: tuple[TypedDetail, ...] = ()
    """The details, breaking ones first."""

    @property
    def breaking(self) -> bool:
        """Whether any detail may break a caller."""
        return any(item.breaking for item in self.details)


def detail(text: str, code: str = "", *, breaking: bool = False) -> TypedDetail:
    """A detail on one line, cut to the maximum length."""
    line = " ".join(text.split())
    short = line if len(line) <= LONGEST_DETAIL else f"{line[: LONGEST_DETAIL - 1]}…"
    return TypedDetail(text=short, code=code, breaking=breaking)


def unread(why: str) -> TypedDiff:
    """The verdict on texts that cannot be parsed in their language."""
    return TypedDiff(verdict=f"compared as text ({why})", meaning=Meaning.UNREAD)
