"""Walking a stored body by its schema."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from cesplan.emulator.contract import Field, load
from cesplan.emulator.schema.messages import Body


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """One value in a body: the message and field it is in, and its path."""

    message: str
    field: Field
    path: str
    value: Any


def places(
    message: str, body: Body, path: str = "", only: Mapping[str, frozenset[str]] | None = None
) -> Iterator[Place]:
    """
    Yield all values that callers can set, at any depth; for lists and maps each element. Fields that the
    contract does not know are skipped, and all but `only` these of each message.
    """
    specs = load().messages[message]
    for name, whole in body.items():
        spec = specs.get(name)
        if spec is None or spec.output_only or (only is not None and name not in only[message]):
            continue
        inner = spec.value or spec.type
        for value, where in elements(spec, whole, f"{path}.{name}" if path else name):
            yield Place(message=message, field=spec, path=where, value=value)
            if inner in load().messages:
                yield from places(inner, value, where, only)


def elements(spec: Field, value: Any, where: str) -> Iterator[tuple[Any, str]]:
    """Yield the elements of a list or map with their paths, or the single value of another field."""
    if spec.is_map:
        yield from ((item, f"{where}[{key}]") for key, item in value.items())
    elif spec.repeated:
        yield from ((item, f"{where}[{index}]") for index, item in enumerate(value))
    else:
        yield value, where
