"""
Regular expressions in RE2 syntax, parsed without running them.

Source: the syntax page of RE2 (github.com/google/re2/wiki/Syntax). What a pattern matches is not examined.
"""

import re
from typing import NamedTuple

MOST_REPETITIONS = 1000
"""The maximum repetition count in RE2."""

_REPETITION = re.compile(r"\{(\d+)(,(\d*))?\}")
_NAME = re.compile(r"\w+")
_FLAGS = re.compile(r"[imsU]*(-[imsU]+)?[:)]")
_HEX = re.compile(r"[0-9a-fA-F]{2}|\{[0-9a-fA-F]+\}")
_PROPERTY = re.compile(r"[A-Z]|\{\^?[A-Za-z_]+\}")
_POSIX = re.compile(r"\[:\^?[a-z]+:\]")
_LETTERS = frozenset("AbBCdDsSwWzafnrtvE")
_LETTERS_IN_CLASS = frozenset("dDsSwWafnrtv")
_CLASS_LETTERS = frozenset("dDsSwWpP")
_FOREIGN_GROUPS = (
    ("?=", "a lookahead"),
    ("?!", "a negative lookahead"),
    ("?<=", "a lookbehind"),
    ("?<!", "a negative lookbehind"),
    ("?>", "an atomic group"),
    ("?P=", "a backreference"),
    ("?P>", "a subroutine call"),
    ("?(", "a condition"),
    ("?|", "a branch reset"),
    ("?#", "a comment"),
    ("?R", "a recursion"),
    ("?&", "a subroutine call"),
)


class PatternFault(NamedTuple):
    """An error and its position. `foreign` is True for syntax that other engines support and RE2 does not."""

    message: str
    offset: int
    span: int = 1
    foreign: bool = False


class _Stop(Exception):
    def __init__(self, fault: PatternFault) -> None:
        super().__init__(fault.message)
        self.fault = fault


def fault_of(pattern: str) -> PatternFault | None:
    """The first fault in a pattern according to RE2, or None."""
    try:
        _Reader(pattern).read()
    except _Stop as stop:
        return stop.fault
    return None


class _Reader:
    """Reads a pattern     from left to right; `_repeatable` says whether a `*` may come next."""

    def __init__(self, pattern: str) -> None:
        self._pattern = pattern
        self._at = 0
        self._groups: list[int] = []
        self._names: set[str] = set()
        self._repeatable = False
        self._repeated = False

    def read(self) -> None:
        while self._at < len(self._pattern):
            self._step()
        if self._groups:
            raise _stop("this group is not closed", self._groups[-1])

    def _step(self) -> None:
        match self._pattern[self._at]:
            case "(":
                self._open_group()
            case ")":
                self._close_group()
            case "[":
                self._take(_Class(self._pattern, self._at).read())
            case "\\":
                self._escape()
            case "*" | "+" | "?":
                self._repeat(1)
            case "{" if found := _REPETITION.match(self._pattern, self._at):
                self._count(found)
            case "|":
                self._at += 1
                self._repeatable = self._repeated = False
            case _:
                self._take(self._at + 1)

    def _take(self, end: int) -> None:
        """Continue after something that may be repeated."""
        self._at, self._repeatable, self._repeated = end, True, False

    def _open_group(self) -> None:
        start = self._at
        rest = self._pattern[start + 1 : start + 4]
        for sign, name in _FOREIGN_GROUPS:
            if rest.startswith(sign):
                raise _stop(f"{name}, which RE2 does not support", start, len(sign) + 1, foreign=True)
        end = self._group_head(start) if rest.startswith("?") else start + 1
        self._repeatable = self._repeated = False
        self._at = end
        if self._pattern[end - 1] != ")":
            self._groups.append(start)

    def _group_head(self, start: int) -> int:
        """The end of `(?:`, `(?P<name>`, or flags such as `(?i)`."""
        for head in ("(?P<", "(?<"):
            if self._pattern.startswith(head, start):
                return self._named_group(start, start + len(head))
        flags = _FLAGS.match(self._pattern, start + 2)
        if not flags:
            raise _stop("invalid group syntax", start, 3)
        return flags.end()

    def _named_group(self, start: int, name_start: int) -> int:
        name = _NAME.match(self._pattern, name_start)
        if not name or self._pattern[name.end() : name.end() + 1] != ">":
            raise _stop("the group name has no closing `>`", start, name_start - start)
        if name[0] in self._names:
            raise _stop(f"duplicate group name `{name[0]}`", name_start, len(name[0]))
        self._names.add(name[0])
        return name.end() + 1

    def _close_group(self) -> None:
        if not self._groups:
            raise _stop("this `)` has no matching `(`", self._at)
        self._groups.pop()
        self._take(self._at + 1)

    def _repeat(self, width: int) -> None:
        if self._repeated and self._pattern[self._at] == "+":
            raise _stop("a possessive quantifier, which RE2 does not support", self._at, foreign=True)
        if not self._repeatable or self._repeated:
            raise _stop("there is nothing to repeat", self._at, width)
        self._at += width
        if self._pattern.startswith("?", self._at):
            self._at += 1
        self._repeated = True

    def _count(self, found: re.Match[str]) -> None:
        low = int(found[1][:9])
        high = int(found[3][:9]) if found[3] else low
        if max(low, high) > MOST_REPETITIONS:
            raise _stop(
                f"RE2 allows at most {MOST_REPETITIONS} repetitions", self._at, len(found[0]), foreign=True
            )
        if high < low:
            raise _stop("the first number is larger than the second", self._at, len(found[0]))
        self._repeat(len(found[0]))

    def _escape(self) -> None:
        after = self._pattern[self._at + 1 : self._at + 2]
        if after == "Q":
            end = self._pattern.find("\\E", self._at)
            self._take(len(self._pattern) if end < 0 else end + 2)
        else:
            self._take(_escape_end(self._pattern, self._at, _LETTERS))


class _Class:
    """Reads `[…]`."""

    def __init__(self, pattern: str, start: int) -> None:
        self._pattern = pattern
        self._start = start
        self._at = start + 1

    def read(self) -> int:
        """The position after the closing bracket."""
        if self._next() == "^":
            self._at += 1
        first = True
        while first or self._next() != "]":
            if not self._next():
                raise _stop("this `[` is not closed", self._start)
            first = False
            self._item()
        return self._at + 1

    def _next(self) -> str:
        return self._pattern[self._at : self._at + 1]

    def _item(self) -> None:
        start = self._at
        if posix := _POSIX.match(self._pattern, start):
            self._at = posix.end()
            return
        low = self._character()
        if self._next() != "-" or self._pattern[self._at + 1 : self._at + 2] in ("]", "") or low is None:
            return
        self._at += 1
        high = self._character()
        if high is None or high < low:
            raise _stop("this range is reversed or ends in a class", start, self._at - start)

    def _character(self) -> int | None:
        """The code of the character here; None for a class such as `\\d`, and if the code does not matter."""
        start = self._at
        if self._next() != "\\":
            self._at += 1
            return ord(self._pattern[start])
        letter = self._pattern[start + 1 : start + 2]
        self._at = _escape_end(self._pattern, start, _LETTERS_IN_CLASS)
        if letter in _CLASS_LETTERS:
            return None
        return _code(self._pattern[start : self._at])


def _code(escape: str) -> int:
    """The character that an escape represents."""
    if escape[1] == "x":
        return int(escape[2:].strip("{}"), 16)
    if escape[1] in "01234567":
        return int(escape[1:], 8)
    return {"a": 7, "t": 9, "n": 10, "v": 11, "f": 12, "r": 13}.get(escape[1], ord(escape[1]))


def _escape_end(pattern: str, start: int, letters: frozenset[str]) -> int:
    """The position after an escape."""
    letter = pattern[start + 1 : start + 2]
    if not letter:
        raise _stop("a trailing `\\`", start)
    if letter in letters or not (letter.isascii() and letter.isalnum()):
        return start + 2
    forms = {"x": _HEX, "p": _PROPERTY, "P": _PROPERTY}
    if letter in forms:
        return _formed_escape_end(pattern, start, forms[letter])
    if letter in "01234567":
        octal = re.compile("[0-7]{1,3}").match(pattern, start + 1)
        if octal and (letter == "0" or octal.end() > start + 2):
            return octal.end()
    if letter in "123456789":
        raise _stop("a backreference, which RE2 does not support", start, 2, foreign=True)
    raise _stop(f"RE2 does not support `\\{letter}`", start, 2, foreign=True)


def _formed_escape_end(pattern: str, start: int, form: re.Pattern[str]) -> int:
    found = form.match(pattern, start + 2)
    if not found:
        raise _stop(f"`\\{pattern[start + 1]}` is not complete", start, 2)
    return found.end()


def _stop(message: str, offset: int, span: int = 1, *, foreign: bool = False) -> _Stop:
    return _Stop(PatternFault(message=message, offset=offset, span=span, foreign=foreign))
