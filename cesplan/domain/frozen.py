"""
Dataclasses that are cheap to define: the decorator of nearly all values in cesplan, most of them frozen.

`dataclasses.dataclass` generates source text for six methods of a frozen class and compiles each when the class
is defined: 0.8 ms per class, and a command defines two hundred before it does anything. Here equality, order,
hash, and representation are closures: 0.05 ms per class. `__init__` is compiled only for a class with many
values; the first ones are filled field by field, and most classes of a command have no more.

Fields, defaults, slots, `replace`, and matching are those of the standard library, and to a type checker the
decorator is the standard one. A subclass of such a class must use this decorator too.
"""

import dataclasses
from collections.abc import Callable
from dataclasses import MISSING, Field, FrozenInstanceError
from operator import attrgetter, ge, gt, le, lt
from reprlib import recursive_repr
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

_Getter: TypeAlias = Callable[[Any], tuple[Any, ...]]
_ABSENT = object()
"""The default of an argument whose field has a factory."""
_FEW = 16
"""The number of values that are filled field by field: about what one compiled `__init__` costs."""

if TYPE_CHECKING:
    from dataclasses import dataclass as dataclass
else:

    def dataclass(cls=None, /, *, frozen=False, slots=False, kw_only=False, eq=True, order=False):
        """`dataclasses.dataclass`, but cheaper."""
        shape = _Shape(frozen, slots, kw_only, eq, order)
        return (lambda plain: _with_methods(plain, shape)) if cls is None else _with_methods(cls, shape)


class _Shape(NamedTuple):
    """The arguments of the decorator."""

    frozen: bool
    slots: bool
    kw_only: bool
    eq: bool
    order: bool


def _with_methods(plain: Any, shape: _Shape) -> Any:
    """The class with the methods of a dataclass, except those that it defines itself."""
    plain.__doc__ = plain.__doc__ or plain.__name__  # else dataclass() renders the signature: 0.1 ms
    cls: Any = dataclasses.dataclass(
        init=False, repr=False, eq=False, slots=shape.slots, kw_only=shape.kw_only
    )(plain)
    own = cls.__dict__
    methods: dict[str, Any] = {"__repr__": _repr, "__init__": _waiting_init(cls, shape)}
    if shape.frozen:
        methods |= _OF_FROZEN
        if shape.slots:
            methods |= _OF_FROZEN_SLOTS
    if shape.eq:
        values = _getter(tuple(item.name for item in dataclasses.fields(cls) if item.compare))
        methods["__eq__"] = _eq(values)
        if own.get("__hash__") is None:  # None: the class defines `__eq__`, so Python removed its hash
            cls.__hash__ = _hash(cls, values) if shape.frozen else None
    if shape.order:
        methods |= {f"__{item.__name__}__": _compared(values, item) for item in (lt, le, gt, ge)}
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


def _waiting_init(cls: Any, shape: _Shape) -> Callable[..., None]:
    """`__init__` for the first values. A compiled one replaces it after those, or to refuse wrong arguments."""
    put = object.__setattr__ if shape.frozen else setattr
    left = _FEW

    def filling(self: Any, /, *args: Any, **kwargs: Any) -> None:
        nonlocal left
        left -= 1
        values = _filled(cls, args, kwargs) if left >= 0 else None
        if values is None:
            cls.__init__ = _init(cls, shape)
            cls.__init__(self, *args, **kwargs)
            return
        for name, value in values:
            put(self, name, value)
        if hasattr(cls, "__post_init__"):
            self.__post_init__()

    return filling


def _filled(cls: Any, args: tuple[Any, ...], given: dict[str, Any]) -> list[tuple[str, Any]] | None:
    """The fields of a new value in order; None if the arguments do not fit the class."""
    fields = dataclasses.fields(cls)
    positional = [item.name for item in fields if item.init and not item.kw_only] if args else []
    left = dict(zip(positional, args, strict=False))
    if len(args) > len(positional) or left.keys() & given.keys():
        return None
    left |= given
    values = []
    for item in fields:
        if item.init and item.name in left:
            values.append((item.name, left.pop(item.name)))
        elif item.default is not MISSING:
            values.append((item.name, item.default))
        elif item.default_factory is not MISSING:
            values.append((item.name, item.default_factory()))
        elif item.init:
            return None
    return None if left else values


def _init(cls: Any, shape: _Shape) -> Callable[..., None]:
    """`__init__` for the fields of a class. If the class is frozen, it bypasses `__setattr__`."""
    names: dict[str, Any] = {"_absent": _ABSENT, "_set": object.__setattr__}
    positional, keywords, body = ["self"], ["*"], []
    for number, item in enumerate(dataclasses.fields(cls)):
        names[f"_default{number}"] = item.default
        names[f"_factory{number}"] = item.default_factory
        if item.init:
            (keywords if item.kw_only else positional).append(f"{item.name}{_default(item, number)}")
        if not item.init and item.default is MISSING and item.default_factory is MISSING:
            continue
        value = _value(item, number)
        if not shape.frozen:
            body.append(f"self.{item.name} = {value}")
        elif shape.slots:
            names[f"_set{number}"] = getattr(cls, item.name).__set__
            body.append(f"_set{number}(self, {value})")
        else:
            body.append(f"_set(self, {item.name!r}, {value})")
    if hasattr(cls, "__post_init__"):
        body.append("self.__post_init__()")
    arguments = ", ".join(positional + keywords if len(keywords) > 1 else positional)
    namespace: dict[str, Any] = {}
    exec(f"def __init__({arguments}):\n " + ("; ".join(body) or "pass"), names, namespace)
    init: Callable[..., None] = namespace["__init__"]
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
    members = (f"{item.name}={getattr(self, item.name)!r}" for item in dataclasses.fields(self) if item.repr)
    return f"{self.__class__.__qualname__}({', '.join(members)})"


def _refuse_set(self: Any, name: str, value: object) -> None:
    raise FrozenInstanceError(f"cannot assign to field {name!r}")


def _refuse_delete(self: Any, name: str) -> None:
    raise FrozenInstanceError(f"cannot delete field {name!r}")


def _getstate(self: Any) -> list[Any]:
    return [getattr(self, item.name) for item in dataclasses.fields(self)]


def _setstate(self: Any, state: list[Any]) -> None:
    for item, value in zip(dataclasses.fields(self), state, strict=True):
        object.__setattr__(self, item.name, value)


_OF_FROZEN: dict[str, Any] = {"__setattr__": _refuse_set, "__delattr__": _refuse_delete}
_OF_FROZEN_SLOTS: dict[str, Any] = {"__getstate__": _getstate, "__setstate__": _setstate}
