"""
Typed diffs: what a difference between two texts means in their language, beside the lines that differ.

A verdict is one line for the heading of a field. It never says that a change of meaning is formatting: where
the meaning cannot be read, it says why, and the lines are what there is.
"""

from enum import StrEnum

from cesplan.domain.frozen import dataclass

LONGEST_DETAIL = 200
"""Characters of one detail; names in it come from the texts and may be of any length."""


class Meaning(StrEnum):
    """What became of the meaning of a text."""

    SAME = "same"
    """Comments, formatting or order without meaning."""
    CHANGED = "changed"
    UNREAD = "unread"
    """The text could not be read in its language: only its lines can be compared."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TypedDetail:
    """One thing that changed in the meaning of a text."""

    text: str
    """A line for people."""
    code: str = ""
    """The rule, such as `OAS001`; empty where there is none."""
    breaking: bool = False
    """Whether a caller that relied on the text before may fail."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TypedDiff:
    """What a difference means: one line for the heading, and what it consists of."""

    verdict: str
    """A few words, such as `formatting and comments only`."""
    meaning: Meaning = Meaning.CHANGED
    """What became of the meaning."""
    details: tuple[TypedDetail, ...] = ()
    """The changes, breaking ones first."""

    @property
    def breaking(self) -> bool:
        """Whether anything in it may break a caller."""
        return any(item.breaking for item in self.details)


def detail(text: str, code: str = "", *, breaking: bool = False) -> TypedDetail:
    """A detail of one line and of bounded length, whatever names are in it."""
    line = " ".join(text.split())
    short = line if len(line) <= LONGEST_DETAIL else f"{line[: LONGEST_DETAIL - 1]}…"
    return TypedDetail(text=short, code=code, breaking=breaking)


def unread(why: str) -> TypedDiff:
    """The verdict on texts that cannot be read in their language."""
    return TypedDiff(verdict=f"compared as text ({why})", meaning=Meaning.UNREAD)
