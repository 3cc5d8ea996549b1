"""
The values of a text in simple block style, which is how resource files are usually written.

Reading events and making nodes of them costs more than all else that is done with a file. Where nothing is
wrong with it, only its values are asked for, and most files need few constructs: block mappings and sequences,
keys and values on one line, block scalars, short flow collections, comments. A text with anything else,
or with a mistake, is not simple: the composer reads it, which also knows places. Both come to the same values,
and a construct about which that is not certain does not belong here.
"""

import re
from collections.abc import Callable
from sys import intern
from typing import Any

from cesplan.config.yaml.core_schema import NOT_TEXTS, resolve
from cesplan.config.yaml.events import SyntaxProblem, check_characters

MOST_CHARACTERS = 200_000
"""Of a simple text: so it has fewer events and values than the composer allows, whatever it says."""
_NOT_SIMPLE = ("\t", "\r", "\u2028", "\u2029")
"""What tells two readers of YAML apart, or what they take for a break."""
_DEEPEST = 40
"""Levels of nesting; the composer allows more."""

_KEY = r"[A-Za-z_/$][A-Za-z0-9_/{}.$-]{0,200}"
_TAIL = r"\ *(?:(?<=\ )\#[^\n]*)?\n"
_LINE = re.compile(
    rf"""
    (?:\ *(?:\#[^\n]*)?\n)*+                # empty lines and comments
    (\ *)(-\ +)?                            # 1: indentation, 2: the dash of an element
    (?:(?:({_KEY})|'([^'\n]{{0,200}})'|"([^"\\\n]{{0,200}})"):(?=[\ \n])\ *)?   # 3 to 5: a key
    (?:
      "([^"\\\n]*+)"{_TAIL}                 # 6: double quotes without escapes
    | ([|>]-?)\n(\ +)(?=[^\ \n])            # 7: a block scalar, 8: its indentation
    | ((?:[A-Za-z0-9_./$(<+~\x80-\U0010ffff]|-(?=[A-Za-z0-9.]))
       (?:[^\n:#]++|:(?=[^\ \n])|(?<=[^\ \n])\#)*+){_TAIL}     # 9: a plain scalar
    | '((?:[^'\n]++|'')*+)'{_TAIL}          # 10: single quotes
    | "((?:[^"\\\n]++|\\[nt"\\])*+)"{_TAIL} # 11: double quotes with some escapes
    | (?=([\[{{]))                          # 12: a flow collection
    | {_TAIL}
    )
    """,
    re.VERBOSE,
)
_EMPTY = re.compile(r"(?:\ *(?:\#[^\n]*)?\n)*+", re.VERBOSE)
_AFTER_FLOW = re.compile(_TAIL, re.VERBOSE)
_ESCAPE = re.compile(r"\\(.)")
_ESCAPES = {"n": "\n", "t": "\t", '"': '"', "\\": "\\"}
_FLOW_KEY = re.compile(rf"\ *+(?:({_KEY})|'([^'\n]{{0,200}})'|\"([^\"\\\n]{{0,200}})\"):\ ++", re.VERBOSE)
_FLOW_VALUE = re.compile(
    r"""
    \ *+(?:
      "([^"\\\n]*+)"
    | '([^'\n]*+)'
    | ((?:[A-Za-z0-9_./$(<+~]|-(?=[0-9]))(?:[^\n,\[\]{}:\#]++|:(?=[^\s,\[\]{}:"']))*+)
    | (?=([\[{]))
    )
    """,
    re.VERBOSE,
)
_FLOW_GOES_ON = re.compile(r"\ *+([,\]}])")


class _NotSimple(Exception):
    """Something that only the composer reads."""


def simple_values(text: str) -> dict[str, Any] | None:
    """The mapping that a text holds; None where it is not simple, or holds something else."""
    if len(text) > MOST_CHARACTERS or not text.endswith("\n") or any(sign in text for sign in _NOT_SIMPLE):
        return None
    try:
        check_characters(text)
        return _mapping(text)
    except (_NotSimple, SyntaxProblem):
        return None


def first_line(text: str) -> int:
    """The line, from 0, in which the mapping of a simple text begins."""
    found = _EMPTY.match(text)
    return text.count("\n", 0, found.end()) if found else 0


def _mapping(text: str) -> dict[str, Any]:
    """The root of a text, line by line. Raises _NotSimple."""
    lines = _Lines()
    at, match = 0, _LINE.match
    while found := match(text, at):
        at = found.end()
        indent, dash, name, single, double = found.group(1, 2, 3, 4, 5)
        key = (double if single is None else single) if name is None else name
        if name in NOT_TEXTS:
            raise _NotSimple
        holder = lines.holder(len(indent), len(dash) if dash else 0, has_key=key is not None)
        last = found.lastindex or 0
        value: Any = None
        if last in _ONE_LINE:
            value = _ONE_LINE[last](found[last])
        elif last == _BLOCK:
            value, at = _block(text, at, found[_BLOCK], found[_BLOCK - 1], lines.column)
        elif last == _FLOW:
            value, at = _flow(text, at, 1)
            at = _end_of_line(text, at)
        elif key is None:
            raise _NotSimple
        else:
            lines.waiting = key
        if key is None:
            holder.append(value)
        elif key in holder:
            raise _NotSimple
        else:
            holder[intern(key)] = value
    end = _EMPTY.match(text, at)
    if not lines.root or end is None or end.end() < len(text):
        raise _NotSimple
    return lines.root


class _Lines:
    """The collections that may go on in the next line, each with its column; the innermost last."""

    def __init__(self) -> None:
        self.root: dict[str, Any] = {}
        self.column = 0
        self.waiting: str | None = None
        """The key in the innermost mapping whose value may be in the next lines."""
        self._inner: Any = self.root
        self._is_list = False
        self._open: list[tuple[int, Any, bool]] = []
        """What is around the innermost collection: the column, the collection, whether it is a list."""

    def holder(self, here: int, dash: int, *, has_key: bool) -> Any:
        """
        What a line adds to: a mapping if it `has_key`, else a list.

        `here` is its indentation, `dash` the characters from the dash to the content. Raises _NotSimple.
        """
        if self.waiting is not None:
            if here > self.column or (dash and here == self.column):
                new: Any = [] if dash else {}
                self._inner[self.waiting] = new
                self._enter(here, new, is_list=dash > 0)
            self.waiting = None
        if self.column != here or self._is_list != (dash > 0):
            self._leave(here, is_list=dash > 0)
        if not dash:
            if not has_key:
                raise _NotSimple
        elif has_key:
            element: dict[str, Any] = {}
            self._inner.append(element)
            self._enter(here + dash, element, is_list=False)
        return self._inner

    def _enter(self, column: int, new: Any, *, is_list: bool) -> None:
        self._open.append((self.column, self._inner, self._is_list))
        self.column, self._inner, self._is_list = column, new, is_list
        if len(self._open) > _DEEPEST:
            raise _NotSimple

    def _leave(self, here: int, *, is_list: bool) -> None:
        """Leave what has ended before a line with this indentation, which must belong to what is left."""
        opened = self._open
        column, inner, was_list = self.column, self._inner, self._is_list
        while column > here or (column == here and was_list and not is_list):
            if not opened:
                raise _NotSimple
            column, inner, was_list = opened.pop()
        if column != here or was_list != is_list:
            raise _NotSimple
        self.column, self._inner, self._is_list = column, inner, was_list


def _put(holder: Any, key: str | None, value: Any) -> None:
    """Add to a mapping, or to a list where there is no key."""
    if key is None:
        holder.append(value)
    elif key in holder:
        raise _NotSimple
    else:
        holder[intern(key)] = value


def _plain(text: str) -> Any:
    return resolve(text.rstrip(" "))


_ONE_LINE: dict[int, Callable[[str], Any]] = {
    6: lambda text: text,
    9: _plain,
    10: lambda text: text.replace("''", "'"),
    11: lambda text: _ESCAPE.sub(lambda sign: _ESCAPES[sign[1]], text),
}
"""The values of scalars on one line, by the group of _LINE that has them."""
_BLOCK, _FLOW = 8, 12


def _end_of_line(text: str, at: int) -> int:
    tail = _AFTER_FLOW.match(text, at)
    if tail is None:
        raise _NotSimple
    return tail.end()


_literals: dict[int, re.Pattern[str]] = {}


def _block(text: str, start: int, indent: str, head: str, column: int) -> tuple[str, int]:
    """The text of a block scalar from its first letter, and where it ends; `column` is that of its key."""
    size = len(indent)
    if size <= column:
        raise _NotSimple
    lines = _literals.get(size)
    if lines is None:
        lines = _literals[size] = re.compile(rf"[^\n]*+\n(?: {{{size}}}[^\n]*+\n|\n|( +\n))*+")
    found = lines.match(text, start)
    if found is None:
        raise _NotSimple
    if head[0] == ">":
        content = _folded(found[0].rstrip("\n").split(f"\n{indent}"))
    elif found[1] is None:
        content = found[0].replace(f"\n{indent}", "\n").rstrip("\n")
    else:  # a line of fewer spaces than the text is indented by
        first, *rest = found[0].split("\n")
        content = "\n".join([first, *(line[size:] for line in rest)]).rstrip("\n")
    return content if head[1:] else f"{content}\n", found.end()


def _folded(lines: list[str]) -> str:
    """The lines of a paragraph as one; several paragraphs, and lines that are set in, are not simple."""
    if any(line[:1] in ("", " ") or "\n" in line for line in lines):
        raise _NotSimple
    return " ".join(lines)


def _flow(text: str, at: int, depth: int) -> tuple[Any, int]:
    """A flow collection on one line, and where it ends. Recursive; its nesting is limited."""
    if depth > _DEEPEST:
        raise _NotSimple
    closing = "}" if text[at] == "{" else "]"
    found: Any = {} if closing == "}" else []
    at += 1
    if text[at] == closing:
        return found, at + 1
    sign = ","
    while sign == ",":
        key = None
        if closing == "}":
            key, at = _flow_key(text, at)
        value, at = _flow_value(text, at, depth)
        _put(found, key, value)
        goes_on = _FLOW_GOES_ON.match(text, at)
        if goes_on is None:
            raise _NotSimple
        at, sign = goes_on.end(), goes_on[1]
    if sign != closing:
        raise _NotSimple
    return found, at


def _flow_key(text: str, at: int) -> tuple[str, int]:
    found = _FLOW_KEY.match(text, at)
    if found is None or found[1] in NOT_TEXTS:
        raise _NotSimple
    return found[1] or found[2] or found[3] or "", found.end()


def _flow_value(text: str, at: int, depth: int) -> tuple[Any, int]:
    found = _FLOW_VALUE.match(text, at)
    if found is None:
        raise _NotSimple
    double, single, plain, inner = found.groups()
    if inner is not None:
        return _flow(text, found.end(), depth + 1)
    if plain is not None:
        return _plain(plain), found.end()
    return (double if single is None else single), found.end()
