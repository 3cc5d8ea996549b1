"""
The cost of a condition: an upper bound of its work, from its syntax tree and the sizes of its inputs. CEL
always terminates, but can still exhaust memory: each `replace` and each `x + x` in a `map` may double a text,
and the library limits only iterations. The bound is computed before a condition is evaluated. It reads the
checked expression in its documented protobuf form (cel-spec, cel/expr/syntax.proto and checked.proto), the
only view of it that the library offers. A function that is not in the tables here is refused, because its cost
is unknown.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from typing import Any, TypeAlias

from cesplan.domain.frozen import dataclass
from cesplan.domain.value import folded

MOST_WORK = 250_000_000
"""Of one condition for one operation, about characters handled: some 250 MB of memory, and a second."""

_MOST_ITERATIONS = 10_000
"""The library ends an evaluation that has more."""
_BASE = 10_000
"""What an evaluation costs in any case."""
_HANDED_OVER = 100
"""The cost of handing a value to the library, on top of its characters."""
_READ = 50
"""What the bound itself costs, for each byte of a checked expression."""


class TooCostly(Exception):
    """An expression that is never evaluated: the text says why."""


@dataclass(frozen=True, slots=True)
class Size:
    """How much text a value holds, and of how many values it consists."""

    characters: int
    items: int = 1

    def __add__(self, other: "Size") -> "Size":
        return Size(self.characters + other.characters, self.items + other.items)

    def times(self, factor: int) -> "Size":
        """The size of this many copies."""
        return Size(self.characters * factor, self.items * factor)

    def rounded(self) -> "Size":
        """Up to a power of two, so that operations of about one size share a bound."""
        return Size(1 << self.characters.bit_length(), 1 << self.items.bit_length())


Sizes: TypeAlias = tuple[tuple[str, Size], ...]

_NOTHING = Size(0, 0)
_ONE = Size(32)
"""A number, a boolean, or a timestamp, including its form as text."""
_USUAL = Size(300, 10)
"""The assumed size of a name when a condition is parsed: a condition must be affordable with it."""


def size_of(value: Any) -> Size:
    """The size of a value of JSON."""
    size: Size = folded(
        value,
        lambda leaf: Size(len(leaf)) if isinstance(leaf, str) else _ONE,
        lambda members: _sum(item + Size(len(str(key)), 0) for key, item in members.items()) + Size(0),
        lambda items: _sum(items) + Size(0),
    )
    return size


def usual_cost(checked: bytes, names: frozenset[str]) -> int:
    """An upper bound of the work for a small resource."""
    return cost(checked, tuple((name, _USUAL) for name in sorted(names)))


@lru_cache(maxsize=10_000)
def cost(checked: bytes, sizes: Sizes) -> int:
    """
    An upper bound of the work of a checked expression, where names hold values of these sizes.

    Raises TooCostly for an expression that calls a function of unknown cost.
    """
    bound = _Bound()
    expression = _fields(_fields(checked)[2][0])[4][0]  # in a google.protobuf.Any
    bound.size(_message(expression), dict(sizes))
    given = _sum([size for _, size in sizes])
    return bound.work + _BASE + given.items * _HANDED_OVER + given.characters


def cost_of_bound(checked: bytes) -> int:
    """The cost of computing `cost`, in the same unit."""
    return len(checked) * _READ


_Fields: TypeAlias = dict[int, list[Any]]


class _Bound:
    """Walks an expression: the largest size of its value, and the sum of the work."""

    def __init__(self) -> None:
        self.work = 0
        self._times = 1

    def size(self, node: _Fields, names: Mapping[str, Size]) -> Size:
        found = self._size(node, names)
        self.work += self._times * (1 + found.items)
        return found

    def _size(self, node: _Fields, names: Mapping[str, Size]) -> Size:
        for number, how in _KINDS.items():
            if number in node:
                found: Size = how(self, _message(node[number][0]), names)
                return found
        return _ONE

    def constant(self, node: _Fields, _: Mapping[str, Size]) -> Size:
        return Size(len(node.get(6, node.get(7, [b" " * 32]))[0]))

    def name(self, node: _Fields, names: Mapping[str, Size]) -> Size:
        return names.get(node[1][0].decode(), _ONE)

    def select(self, node: _Fields, names: Mapping[str, Size]) -> Size:
        return self.size(_message(node[1][0]), names)

    def list_(self, node: _Fields, names: Mapping[str, Size]) -> Size:
        return _sum(self.size(_message(item), names) for item in node.get(1, [])) + Size(0)

    def struct(self, node: _Fields, names: Mapping[str, Size]) -> Size:
        entries = [_message(item) for item in node.get(2, [])]
        parts = [_message(entry[number][0]) for entry in entries for number in (3, 4) if number in entry]
        return _sum(self.size(part, names) for part in parts) + Size(0)

    def call(self, node: _Fields, names: Mapping[str, Size]) -> Size:
        function = node[2][0].decode()
        parts = [_message(item) for item in (*node.get(1, []), *node.get(3, []))]
        sizes = [self.size(part, names) for part in parts]
        both = _sum(sizes)
        if function in _GROWTH:
            both = _GROWTH[function](sizes, both)
            self.work += self._times * both.items * 30
        elif function in _OF_A_PAIR:
            self.work += self._times * sizes[0].characters * (1 + sizes[-1].characters // 512)
            return _ONE
        elif function == "matches":
            self.work += self._times * (both.characters + 1_000) * (1 + sizes[-1].characters // 16)
            return _ONE
        elif function in _NO_COPIES:
            return both
        elif function in _OF_A_TIME:
            _check_time_zone([_message(item) for item in node.get(3, [])])
        elif function not in _COPIES and function not in _SHORT:
            raise TooCostly(f"the function `{function}` is not available in rules")
        self.work += self._times * (both.characters + both.items)
        return both if function in _COPIES or function in _GROWTH else _ONE

    def comprehension(self, node: _Fields, names: Mapping[str, Size]) -> Size:
        """A macro: `all`, `exists`, `map`, `filter`, and `optMap`, which only names a value."""
        over = self.size(_message(node[2][0]), names)
        result = self.size(_message(node[4][0]), names)
        times = min(max(over.items - 1, 0), _MOST_ITERATIONS)
        inside = {**names, **{node[key][0].decode(): over for key in (1, 8) if key in node}}
        grown = node[3][0].decode()
        before, self._times = self._times, self._times * max(times, 1)
        step = self.size(_message(node[6][0]), {**inside, grown: _NOTHING})
        self.size(_message(node[5][0]), {**inside, grown: _ONE})
        self._times = before
        result += step.times(times)
        # The library copies a list for each value that is added to it: 2,000 values take a third of a second.
        self.work += self._times * times * times * 10 if step.items > 1 else 0
        return self.size(_message(node[7][0]), {**names, grown: result})


_KINDS = {
    3: _Bound.constant,
    4: _Bound.name,
    5: _Bound.select,
    6: _Bound.call,
    7: _Bound.list_,
    8: _Bound.struct,
    9: _Bound.comprehension,
}
"""The forms of an expression, by the numbers of their fields."""

_OF_A_PAIR = frozenset({"contains", "indexOf", "lastIndexOf"})
_NO_COPIES = frozenset(
    {"_[_]", "_[?_]", "_?._", "_?_:_", "_&&_", "_||_", "orValue", "or", "value", "optional.of"}
)
_GROWTH: Mapping[str, Callable[[list[Size], Size], Size]] = {
    # An empty text is found between all characters.
    "replace": lambda each, _: Size((each[0].characters + 1) * (each[2].characters + 1)),
    "join": lambda each, both: Size(both.characters + each[0].items * _sum(each[1:]).characters),
    "split": lambda _, both: Size(both.characters, both.characters + 1),
    # `%.999f` writes a thousand characters.
    "format": lambda each, both: Size(each[0].characters * 200 + both.characters * 10 + both.items * 400),
    "strings.quote": lambda _, both: Size(both.characters * 10 + both.items * 400),
}
"""Functions that can produce more text than their input: the size, from those of each argument and of all."""
_COPIES = frozenset(
    {
        *("_+_", "substring", "trim", "reverse", "lowerAscii", "upperAscii", "string", "bytes", "dyn"),
        *("optional.none", "optional.ofNonZeroValue", "first", "last"),
    }
)
"""Functions whose result is at most as large as their input."""
_SHORT = frozenset(
    {
        *("_==_", "_!=_", "_<_", "_<=_", "_>_", "_>=_", "@in", "!_", "@not_strictly_false"),
        *("_-_", "-_", "_*_", "_/_", "_%_", "size", "startsWith", "endsWith", "charAt", "hasValue"),
        *("int", "uint", "double", "bool", "type", "timestamp", "duration"),
    }
)
"""Functions whose result is a number, a boolean, or a value just as small."""
_OF_A_TIME = frozenset(
    f"get{part}"
    for part in (
        *("FullYear", "Month", "Date", "DayOfMonth", "DayOfWeek", "DayOfYear"),
        *("Hours", "Minutes", "Seconds", "Milliseconds"),
    )
)
_TIME_ZONE = re.compile(r"[A-Za-z0-9_+-]+(/[A-Za-z0-9_+-]+)*|[+-]?\d\d:\d\d")


def _check_time_zone(arguments: list[_Fields]) -> None:
    """
    Raise TooCostly for a time zone that is not a plain name in quotes: the library would open the file that it
    names, which could be any file with `..` or a leading slash.
    """
    for argument in arguments:
        constant = _message(argument[3][0]) if 3 in argument else {}
        name = constant.get(6, [b""])[0].decode(errors="replace")
        if not _TIME_ZONE.fullmatch(name):
            raise TooCostly("a time zone must be a name in quotes, such as 'Europe/Berlin'")


def _sum(sizes: Iterator[Size] | list[Size]) -> Size:
    found = _NOTHING
    for item in sizes:
        found += item
    return found


def _message(field: object) -> _Fields:
    return _fields(field) if isinstance(field, bytes) else {}


def _fields(data: bytes) -> _Fields:
    """The fields of a protobuf message, by number: integers, and bytes of texts and messages."""
    found: _Fields = {}
    at = 0
    while at < len(data):
        key, at = _varint(data, at)
        value: object
        match key & 7:
            case 0:
                value, at = _varint(data, at)
            case 1:
                value, at = data[at : at + 8], at + 8
            case 2:
                length, at = _varint(data, at)
                value, at = data[at : at + length], at + length
            case _:
                value, at = data[at : at + 4], at + 4
        found.setdefault(key >> 3, []).append(value)
    return found


def _varint(data: bytes, at: int) -> tuple[int, int]:
    value = shift = 0
    while data[at] & 0x80:
        value |= (data[at] & 0x7F) << shift
        shift, at = shift + 7, at + 1
    return value | data[at] << shift, at + 1
