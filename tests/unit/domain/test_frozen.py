"""Our dataclasses are those of the standard library, method by method."""

import copy
import dataclasses
import pickle
from collections.abc import Callable
from dataclasses import FrozenInstanceError, field, fields, replace
from functools import cached_property
from typing import Any, ClassVar

import pytest

from cesplan.domain import frozen


def _classes(dataclass: Callable[..., Any]) -> dict[str, Any]:
    """Every shape of class that values have, made by one of the two decorators."""

    @dataclass(frozen=True, slots=True, kw_only=True)
    class Keywords:
        """Said."""

        one: int
        many: list[int] = field(default_factory=list)
        word: str = "word"
        aside: int = field(default=0, compare=False, repr=False)
        shared: ClassVar[int] = 7

    @dataclass(frozen=True, slots=True)
    class Positional:
        one: int
        two: str = "two"
        last: bool = field(default=False, kw_only=True)

    @dataclass(frozen=True, slots=True)
    class Inherits(Positional):
        three: int = field(default=3, hash=False)
        made: list[int] = field(default_factory=list, init=False, compare=False)

    @dataclass(frozen=True, slots=True)
    class Own:
        one: int

        def __post_init__(self) -> None:
            object.__setattr__(self, "one", abs(self.one))

        def __eq__(self, other: object) -> bool:
            return isinstance(other, Own) and self.one % 10 == other.one % 10

        def __hash__(self) -> int:
            return self.one % 10

        def __repr__(self) -> str:
            return f"<{self.one}>"

    @dataclass(frozen=True, slots=True)
    class Empty:
        pass

    @dataclass(frozen=True, slots=True, order=True)
    class Ordered:
        one: int
        two: str = field(default="two", compare=False)

    @dataclass(frozen=True, kw_only=True)
    class Cached:
        one: int
        two: list[int] = field(default_factory=list)
        three: int = field(default=3, init=False)

        @cached_property
        def double(self) -> int:
            return 2 * self.one

    @dataclass(frozen=True, slots=True, eq=False)
    class Itself:
        one: int = 1

    @dataclass
    class Changing:
        one: int = 1
        many: list[int] = field(default_factory=list)
        made: int = field(default=4, init=False)

    @dataclass(slots=True, eq=False)
    class Node:
        one: int
        two: str = field(default="", repr=False)

        def __post_init__(self) -> None:
            self.two = self.two or "made"

    @dataclass(kw_only=True, eq=False)
    class Wrong(Exception):
        one: int
        two: str = "two"

    @dataclass(kw_only=True, eq=False)
    class Worse(Wrong):
        three: int = 3

    frozen_ones = (Keywords, Positional, Inherits, Own, Empty, Ordered, Cached, Itself)
    classes = (*frozen_ones, Changing, Node, Wrong, Worse)
    return {item.__name__: item for item in classes}


ARGUMENTS: dict[str, list[tuple[tuple[Any, ...], dict[str, Any]]]] = {
    "Keywords": [
        ((), {"one": 1}),
        ((), {"one": 1, "many": [2], "word": "x", "aside": 3}),
        ((), {"one": 1, "aside": 9}),
    ],
    "Positional": [((1,), {}), ((1, "2"), {"last": True}), ((), {"one": 1, "two": "two"})],
    "Inherits": [((1,), {}), ((1, "two", 4), {"last": True}), ((1, "two", 3), {})],
    "Own": [((-3,), {}), ((13,), {}), ((4,), {})],
    "Empty": [((), {})],
    "Ordered": [((1,), {}), ((1, "x"), {}), ((2,), {})],
    "Cached": [((), {"one": 1}), ((), {"one": 1, "two": [3]})],
    "Itself": [((), {}), ((1,), {})],
    "Changing": [((), {}), ((1,), {"many": [2]}), ((1, [2]), {})],
    "Node": [((1,), {}), ((1, "two"), {}), ((), {"one": 1, "two": "two"})],
    "Wrong": [((), {"one": 1}), ((), {"one": 1, "two": "2"})],
    "Worse": [((), {"one": 1}), ((), {"one": 1, "three": 2})],
}
CHANGING = ("Changing", "Node", "Wrong", "Worse")
BY_IDENTITY = ("Itself", "Node", "Wrong", "Worse")
WRONG: list[tuple[str, tuple[Any, ...], dict[str, Any]]] = [
    ("Keywords", (1,), {}),
    ("Keywords", (), {}),
    ("Positional", (), {}),
    ("Positional", (1, "2", True), {}),
    ("Positional", (1,), {"one": 1}),
    ("Inherits", (1,), {"made": []}),
    ("Empty", (1,), {}),
    ("Changing", (1, [], 4), {}),
    ("Node", (), {"one": 1, "three": 3}),
    ("Wrong", (1,), {}),
    ("Worse", (), {"three": 3}),
]
OURS, STANDARD = _classes(frozen.dataclass), _classes(dataclasses.dataclass)


def _made(classes: dict[str, Any]) -> list[Any]:
    return [classes[name](*args, **kwargs) for name, rows in ARGUMENTS.items() for args, kwargs in rows]


def _used_often() -> dict[str, Any]:
    """Our classes once they have so many values that `__init__` is compiled."""
    classes = _classes(frozen.dataclass)
    for _ in range(20):
        _made(classes)
    return classes


OFTEN = _used_often()


@pytest.mark.parametrize("own", [OURS, OFTEN], ids=["first values", "later values"])
def test_values_look_compare_and_hash_alike(own: dict[str, Any]) -> None:
    """Of every pair of values, and after `replace` and copying."""
    ours, theirs = _made(own), _made(STANDARD)
    assert [repr(item) for item in ours] == [repr(item) for item in theirs]
    assert [[a == b for b in ours] for a in ours] == [[a == b for b in theirs] for a in theirs]
    hashes = [
        [_hash_of(item) for item in items if type(item).__name__ not in BY_IDENTITY] for items in (ours, theirs)
    ]
    assert hashes[0] == hashes[1]
    copied = [item for item in ours if not isinstance(item, Exception)]
    assert [repr(copy.deepcopy(item)) for item in copied] == [repr(item) for item in copied]
    assert [[_less(a, b) for b in ours] for a in ours] == [[_less(a, b) for b in theirs] for a in theirs]
    assert [item.double for item in ours if type(item).__name__ == "Cached"] == [2, 2]
    for mine, other in zip(ours, theirs, strict=True):
        if hasattr(mine, "one"):
            assert repr(replace(mine, one=8)) == repr(replace(other, one=8))


def _less(one: Any, other: Any) -> tuple[bool, ...] | str:
    try:
        return (one < other, one <= other, one > other, one >= other)
    except TypeError as error:
        return str(error)


def _hash_of(value: Any) -> int | str:
    try:
        return hash(value)
    except TypeError as error:
        return str(error)


def test_a_factory_makes_a_new_value_each_time() -> None:
    first, second = OURS["Keywords"](one=1), OURS["Keywords"](one=1)
    first.many.append(1)
    assert (second.many, first == second) == ([], False)


@pytest.mark.parametrize(("name", "args", "kwargs"), WRONG)
def test_wrong_arguments_are_refused_in_the_same_words(
    name: str, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> None:
    """Before the first value is made, and after many."""
    said = []
    for classes in (_classes(frozen.dataclass), OFTEN, STANDARD):
        with pytest.raises(TypeError) as found:
            classes[name](*args, **kwargs)
        said.append(str(found.value))
    assert said == [said[-1]] * 3


def test_what_is_frozen_stays_so() -> None:
    for item in (*_made(OURS), *_made(OFTEN)):
        if type(item).__name__ in CHANGING:
            continue
        for name in ("one", "new"):
            with pytest.raises(FrozenInstanceError):
                setattr(item, name, 1)
            with pytest.raises(FrozenInstanceError):
                delattr(item, name)
        assert hasattr(item, "__dict__") == (type(item).__name__ == "Cached")


def test_the_classes_say_the_same_of_themselves() -> None:
    for name, ours in OURS.items():
        theirs = STANDARD[name]
        assert [(item.name, item.type, item.kw_only) for item in fields(ours)] == [
            (item.name, item.type, item.kw_only) for item in fields(theirs)
        ]
        assert ours.__match_args__ == theirs.__match_args__
        assert getattr(ours, "__slots__", None) == getattr(theirs, "__slots__", None)
    assert OURS["Keywords"].__doc__ == "Said."


@frozen.dataclass(frozen=True, slots=True)
class Sent:
    one: int
    many: tuple[int, ...] = ()


def test_values_can_be_sent_to_another_process() -> None:
    assert pickle.loads(pickle.dumps(Sent(1, (2,)))) == Sent(1, (2,))


def test_what_may_change_does() -> None:
    """Apart from what has slots, which takes no new names; an equal value has no hash."""
    for name in CHANGING:
        for classes in (OURS, OFTEN):
            value = classes[name](one=1)
            value.one = 2
            assert value.one == 2
    assert OURS["Changing"](1) == OURS["Changing"]() != OURS["Changing"](2)
    with pytest.raises(TypeError, match="unhashable"):
        hash(OURS["Changing"]())
    with pytest.raises(AttributeError):
        OURS["Node"](one=1).new = 1


def test_an_error_is_raised_and_shown_like_any_other() -> None:
    wrong = OURS["Worse"](one=1)
    with pytest.raises(OURS["Wrong"]) as found:
        raise wrong
    assert found.value is wrong
    assert wrong.args == ()
