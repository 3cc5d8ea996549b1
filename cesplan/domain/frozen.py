"""
Frozen dataclasses that are cheap to define: the decorator of nearly all values in cesplan.

`dataclasses.dataclass` generates source text for six methods of a frozen class and compiles each when the class
is defined: 0.8 ms per class, and a command defines two hundred before it does anything. Here equality, order,
hash and representation are closures, and `__init__` is compiled when the first value is made: 0.05 ms per
class.

Fields, defaults, slots, `replace` and matching are those of the standard library, and to a type checker the
decorator is the standard one. A subclass of such a class must use this decorator too.
"""

import dataclasses
from collections.abc import Callable
from dataclasses import MISSING, Field, FrozenInstanceError
from operator import attrgetter, ge, gt, le, lt
from reprlib import recursive_repr
from typing import TYPE_CHECKING, Any, TypeAlias

_Getter: TypeAlias = Callable[[Any], tuple[Any, ...]]
_ABSENT = object()
"""The default of an argument whose field has a factory."""

if TYPE_CHECKING:
    from dataclasses import dataclass as dataclass
else:

    def dataclass(cls=None, /, *, frozen=False, slots=False, kw_only=False, eq=True, order=False, **others):
        """`dataclasses.dataclass`, but cheaper for a frozen class."""
        if frozen and not others and cls is None:
            return lambda cls: _frozen(cls, slots=slots, kw_only=kw_only, eq=eq, order=order)
        made = dataclasses.dataclass(frozen=frozen, slots=slots, kw_only=kw_only, eq=eq, order=order, **others)
        return made if cls is None else made(cls)


def _frozen(plain: Any, *, slots: bool, kw_only: bool, eq: bool, order: bool) -> Any:
    """The class with the methods of a frozen dataclass, except those that it defines itself."""
    plain.__doc__ = plain.__doc__ or plain.__name__  # else dataclass() renders the signature: 0.1 ms
    cls: Any = dataclasses.dataclass(init=False, repr=False, eq=False, slots=slots, kw_only=kw_only)(plain)
    own = cls.__dict__
    methods = dict(_SHARED)
    if slots:
        methods |= _OF_SLOTS
    if eq:
        values = _getter(tuple(item.name for item in dataclasses.fields(cls) if item.compare))
        methods["__eq__"] = _eq(values)
        if own.get("__hash__") is None:  # None: the class defines `__eq__`, so Python removed its hash
            cls.__hash__ = _hash(cls, values)
    if order:
        methods |= {f"__{item.__name__}__": _compared(values, item) for item in (lt, le, gt, ge)}
    methods["__init__"] = _waiting_init(cls, slots=slots)
    for name, function in methods.items():
        if name not in own:
            setattr(cls, name, function)
    return cls


def _getter(names: tuple[str, ...]) -> _Getter:
    """A function that returns the values of these attributes as a tuple."""
    if len(names) > 1:
        return attrgetter(*names)
    return lambda value: tuple(getattr(value, name) for name in names)


def _eq(values: _Getter) -> Callable[[Any, object], bool]:
    def equal(self: Any, other: object) -> bool:
        return values(self) == values(other) if other.__class__ is self.__class__ else NotImplemented

    return equal


def _hash(cls: Any, compared: _Getter) -> Callable[[Any], int]:
    fields = dataclasses.fields(cls)
    values = compared
    if any(item.hash is not None for item in fields):
        hashed = (item.name for item in fields if (item.compare if item.hash is None else item.hash))
        values = _getter(tuple(hashed))
    return lambda self: hash(values(self))


def _compared(values: _Getter, operator: Callable[[Any, Any], bool]) -> Callable[[Any, object], bool]:
    def compare(self: Any, other: object) -> bool:
        return operator(values(self), values(other)) if other.__class__ is self.__class__ else NotImplemented

    return compare


def _waiting_init(cls: Any, *, slots: bool) -> Callable[..., None]:
    def compiling(self: Any, /, *args: Any, **kwargs: Any) -> None:
        cls.__init__ = _init(cls, slots=slots)
        cls.__init__(self, *args, **kwargs)

    return compiling


def _init(cls: Any, *, slots: bool) -> Callable[..., None]:
    """`__init__` for the fields of a class. It sets the slots directly, bypassing `__setattr__`."""
    names: dict[str, Any] = {"_absent": _ABSENT, "_set": object.__setattr__}
    positional, keywords, body = ["self"], ["*"], []
    for number, item in enumerate(dataclasses.fields(cls)):
        if slots:
            names[f"_set{number}"] = getattr(cls, item.name).__set__
        names[f"_default{number}"] = item.default
        names[f"_factory{number}"] = item.default_factory
        if item.init:
            (keywords if item.kw_only else positional).append(f"{item.name}{_default(item, number)}")
        if item.init or item.default is not MISSING or item.default_factory is not MISSING:
            setter = f"_set{number}(self" if slots else f"_set(self, {item.name!r}"
            body.append(f"{setter}, {_value(item, number)})")
    if hasattr(cls, "__post_init__"):
        body.append("self.__post_init__()")
    arguments = ", ".join(positional + keywords if len(keywords) > 1 else positional)
    made: dict[str, Any] = {}
    exec(f"def __init__({arguments}):\n " + ("; ".join(body) or "pass"), names, made)
    init: Callable[..., None] = made["__init__"]
    init.__qualname__ = f"{cls.__qualname__}.__init__"
    init.__module__ = cls.__module__
    return init


def _default(item: "Field[Any]", number: int) -> str:
    if item.default_factory is not MISSING:
        return "=_absent"
    return "" if item.default is MISSING else f"=_default{number}"


def _value(item: "Field[Any]", number: int) -> str:
    if not item.init:
        return f"_default{number}" if item.default_factory is MISSING else f"_factory{number}()"
    if item.default_factory is MISSING:
        return item.name
    return f"_factory{number}() if {item.name} is _absent else {item.name}"


@recursive_repr()
def _repr(self: Any) -> str:
    said = (f"{item.name}={getattr(self, item.name)!r}" for item in dataclasses.fields(self) if item.repr)
    return f"{self.__class__.__qualname__}({', '.join(said)})"


def _refuse_set(self: Any, name: str, value: object) -> None:
    raise FrozenInstanceError(f"cannot assign to field {name!r}")


def _refuse_delete(self: Any, name: str) -> None:
    raise FrozenInstanceError(f"cannot delete field {name!r}")


def _getstate(self: Any) -> list[Any]:
    return [getattr(self, item.name) for item in dataclasses.fields(self)]


def _setstate(self: Any, state: list[Any]) -> None:
    for item, value in zip(dataclasses.fields(self), state, strict=True):
        object.__setattr__(self, item.name, value)


_SHARED: dict[str, Any] = {
    "__repr__": _repr,
    "__setattr__": _refuse_set,
    "__delattr__": _refuse_delete,
}
"""Methods shared by all classes."""
_OF_SLOTS: dict[str, Any] = {"__getstate__": _getstate, "__setstate__": _setstate}
