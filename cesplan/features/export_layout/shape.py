"""
Shaping: split one resource into its file in an export, its text files, and its part of environment.json.

Values get their JSON type here (64-bit integers are strings, numbers of free-form values have a fraction), so
that a style only has to write them down.
"""

import json
import re
import struct
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from cesplan.domain.field_path import Entry, FieldPath, Index
from cesplan.domain.resource_name import last_id
from cesplan.domain.value import ABSENT, Body, Place, Secret, as_object, as_text, folded, with_leaves
from cesplan.features.export_layout.layout import (
    ENV_VAR,
    ENVIRONMENT_FIELDS,
    LEAKED,
    LEAKED_FIELDS,
    LEAKED_TITLES,
    extension,
    is_in_file,
    snake,
    with_variable,
)
from cesplan.model.marks import OwnName
from cesplan.model.scalars import Scalar
from cesplan.model.spec import Cardinality, FieldSpec, MessageSpec, message_spec
from cesplan.model.walk import Trail

_TIME = re.compile(r"([^.]+?)(?:\.([0-9]{1,9}))?(Z|[+-][0-9:]+)")

_SORTED: Mapping[tuple[str, str], Callable[[Any], str]] = {
    ("App", "variableDeclarations"): lambda item: str(as_object(item).get("name", "")),
    ("Agent", "tools"): str,
    ("Agent", "childAgents"): str,
}
"""Lists that an export sorts (docs/api-facts.md)."""
COMPILED = Path(__file__).with_name("field_order.json")
"""Messages whose field numbers are not in declaration order; written by `tools/compile_export_order.py`."""


@dataclass(slots=True, kw_only=True)
class Shaping:
    """
    Shapes one resource and collects the parts that go to other files.

    `folder` is where its texts go, and `title_of` gives the display name of a reference. `moves` says whether
    values go to environment.json; `varied` are the paths of values to move that the service leaves in place.
    `files` are texts by path, `left_out` the parts that the layout cannot express. Recursive: each message
    becomes two, the part that stays in the file and the part for environment.json.
    """

    folder: str
    title_of: Callable[[str], str]
    moves: bool = True
    varied: frozenset[FieldPath] = frozenset()
    files: dict[str, str] = field(default_factory=dict)
    left_out: list[str] = field(default_factory=list)

    def message(self, spec: MessageSpec, body: Body, path: Trail = ()) -> tuple[Body, Body]:
        """A message with its fields in the order of the service, and its part of environment.json."""
        shaped: Body = {}
        moved: Body = {}
        body = {spec.renamed.get(name, name): value for name, value in body.items()}
        for known in ordered(spec):
            if known.name in body and _is_shown(spec, known) and not _is_omitted(known, body[known.name]):
                value, elsewhere = self._field(spec, known, body[known.name], (*path, known.name))
                shaped |= {known.name: value} if value is not ABSENT else {}
                moved |= {known.name: elsewhere} if elsewhere is not None else {}
        shaped |= {name: value for name, value in body.items() if name not in spec.fields}
        if self.moves and "openApiSchema" in shaped:
            self._move_url(shaped, moved)
        if target := LEAKED_TITLES.get(spec.name):
            shaped |= {"displayName": shaped[target]} if target in shaped else {}
        return shaped, moved

    def _field(self, spec: MessageSpec, known: FieldSpec, value: Any, path: Trail) -> tuple[Any, Any]:
        if not _has_shape(known.cardinality, value):
            return value, None  # newer than the model
        match known.cardinality:
            case Cardinality.LIST:
                return self._list(spec, known, value, path)
            case Cardinality.MAP:
                pairs = {
                    key: self._one(spec, known, item, (*path, Entry(key)))
                    for key, item in sorted(value.items())
                }
                moved = {key: item[1] for key, item in pairs.items() if item[1] is not None}
                return {key: item[0] for key, item in pairs.items() if item[0] is not ABSENT}, moved or None
            case Cardinality.ONE:
                return self._one(spec, known, value, path)

    def _list(self, spec: MessageSpec, known: FieldSpec, values: list[Any], path: Trail) -> tuple[Any, Any]:
        pairs = [self._one(spec, known, item, (*path, Index(place))) for place, item in enumerate(values)]
        pairs = [pair for pair in pairs if pair[0] is not ABSENT]
        order = _SORTED.get((spec.name, known.name))
        if order is not None:
            pairs.sort(key=lambda pair: order(pair[0]))
        is_moved = any(moved is not None for _, moved in pairs)
        return [shaped for shaped, _ in pairs], [moved or {} for _, moved in pairs] if is_moved else None

    def _one(self, spec: MessageSpec, known: FieldSpec, value: Any, path: Trail) -> tuple[Any, Any]:
        if isinstance(value, Secret):
            return self._leave_out(path), None
        if known.scalar is Scalar.MESSAGE and isinstance(value, dict):
            shaped, moved = self.message(known.message, value, path)
            return shaped, moved or None
        if self.moves and (spec.name, known.name) in ENVIRONMENT_FIELDS and isinstance(value, str):
            return ENV_VAR, value
        if isinstance(value, str) and is_in_file(spec.name, known.name):
            return self._file(known, value, path), None
        if isinstance(value, str) and known.reference is None and FieldPath(path) in self.varied:
            return ENV_VAR, value
        return self._scalar(known, value, path), None

    def _scalar(self, known: FieldSpec, value: Any, path: Trail) -> Any:
        own = known.mark(OwnName)
        if own is not None:
            return last_id(str(value))
        if known.reference is not None and known.reference.kinds:
            return self.title_of(str(value))
        if isinstance(value, int) and known.enum_name:
            return known.enum_value(value) or value
        if known.scalar in (Scalar.STRUCT, Scalar.VALUE):
            return self._free_form(value, path)
        return _typed(known.scalar, value)

    def _free_form(self, value: Any, path: Trail) -> Any:
        """Any JSON; its numbers come back from the service with a fraction (docs/api-facts.md)."""

        def leaf(at: Place, item: Any) -> Any:
            if isinstance(item, Secret):
                steps = (Entry(step) if isinstance(step, str) else Index(step) for step in at)
                return self._leave_out((*path, *steps))
            return float(item) if type(item) is int else item

        return folded(
            with_leaves(value, leaf),
            lambda item: item,
            lambda members: {key: item for key, item in members.items() if item is not ABSENT},
            lambda items: [item for item in items if item is not ABSENT],
        )

    def _leave_out(self, path: Trail) -> Any:
        self.left_out.append(f"`{FieldPath(path)}`, a secret")
        return ABSENT

    def _file(self, known: FieldSpec, text: str, path: Trail) -> str:
        name = "/".join([*filter(None, [self.folder]), *_folders(path)])
        name = f"{name}.{extension(known.language)}"
        self.files[name] = text
        return name

    def _move_url(self, shaped: Body, moved: Body) -> None:
        name = as_text(shaped["openApiSchema"])
        text, url = with_variable(self.files.get(name, ""))
        if url and "url" not in shaped:
            self.files[name] = text
            rest = dict(moved)
            moved.clear()
            moved |= {"url": url, **rest}


def ordered(spec: MessageSpec) -> tuple[FieldSpec, ...]:
    """The fields of a message by number."""
    return _ordered(spec.name)


def _folders(path: Trail) -> Iterator[str]:
    """`beforeAgentCallbacks[0].pythonCode` → `before_agent_callbacks`, `before_agent_callbacks_01`, …"""
    last = ""
    for segment in path:
        match segment:
            case str():
                last = snake(segment)
                yield last
            case Index(position):
                yield f"{last}_{position + 1:02}"
            case Entry(key):
                yield snake(key)


def _is_shown(spec: MessageSpec, known: FieldSpec) -> bool:
    is_leaked = known.name in LEAKED or (spec.name, known.name) in LEAKED_FIELDS
    return known.is_compared or (known.is_output and is_leaked)


def _is_omitted(known: FieldSpec, value: Any) -> bool:
    """Whether the service would omit a field: absent, empty, or a default that equals absence."""
    if known.cardinality is not Cardinality.ONE:
        return not value
    if known.scalar is Scalar.VALUE:
        return False  # any JSON is a value, null too
    is_scalar = isinstance(value, str | bool | int | float)
    return value is None or (is_scalar and not value and not known.has_presence)


def _has_shape(cardinality: Cardinality, value: Any) -> bool:
    """Whether a value is a list or a map if the model requires one."""
    if cardinality is Cardinality.LIST:
        return isinstance(value, list)
    return cardinality is Cardinality.ONE or isinstance(value, dict)


def _typed(scalar: Scalar, value: Any) -> Any:
    """A value with its type in protobuf's JSON mapping, or unchanged if it does not convert."""
    try:
        return value if isinstance(value, dict | list) else _spelled(scalar, value)
    except (ValueError, OverflowError):
        return value


def _spelled(scalar: Scalar, value: Any) -> Any:
    match scalar:
        case Scalar.INT32:
            return int(value)
        case Scalar.INT64:
            return str(int(value))
        case Scalar.FLOAT:
            return _shortest(float(value))
        case Scalar.DOUBLE:
            return float(value)
        case Scalar.DURATION:
            return _duration(str(value))
        case Scalar.TIMESTAMP:
            return _timestamp(str(value))
    return value


def _duration(text: str) -> str:
    """Seconds with zero, three, six, or nine fractional digits, as protobuf's JSON mapping writes them."""
    whole, _, fraction = text.removesuffix("s").partition(".")
    return f"{whole}{_fraction(fraction)}s"


def _timestamp(text: str) -> str:
    """A time with the same fractional digits; it ends in `Z` or an offset."""
    found = _TIME.fullmatch(text)
    return f"{found[1]}{_fraction(found[2] or '')}{found[3]}" if found else text


def _fraction(digits: str) -> str:
    digits = digits.rstrip("0")
    size = -(-len(digits) // 3) * 3
    return f".{digits.ljust(size, '0')}" if digits else ""


def _shortest(value: float) -> float:
    """The number with the fewest digits that is the same in 32 bits."""
    same = struct.pack("f", value)
    candidates = (float(f"{value:.{digits}g}") for digits in range(1, 10))
    return next((number for number in candidates if struct.pack("f", number) == same), value)


@cache
def _ordered(message: str) -> tuple[FieldSpec, ...]:
    fields = message_spec(message).fields
    names = _table().get(message)
    return tuple(fields.values() if names is None else (fields[name] for name in names))


@cache
def _table() -> dict[str, list[str]]:
    table: dict[str, list[str]] = json.loads(COMPILED.read_bytes())
    return table
