"""
Checking a body against its message, and converting it to stored form.

Stored bodies are ProtoJSON with one spelling for each value: fields in the contract's order, defaults of fields
without presence left out, enums by name, maps sorted by key.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from cesplan.emulator.contract import Field, load
from cesplan.emulator.errors import MOST_VIOLATIONS, Violation, invalid_all
from cesplan.emulator.schema import values

Body = dict[str, Any]

_TRANSPORT = frozenset({"name", "etag", "createTime", "updateTime"})

# One field under two names: v1's protos and client against v1beta and both discovery
# documents (docs/api-facts.md). Stored under the second name.
ALIASES = {("AgentTool", "rootAgent"): "agent"}


@dataclass(slots=True)
class Checker:
    """
    Checks bodies. `learned` holds (message, field) pairs that the contract does not know but that were seeded,
    so that a test can have a server newer than the contract. With `proto_names`, the field names of the protos
    (snake_case) are accepted too.
    """

    learned: set[tuple[str, str]] = field(default_factory=set)
    proto_names: bool = False

    def check(self, message: str, body: object, *, version: str = "v1beta") -> Body:
        """Return the stored form of `body`. Raise Refused with all its faults."""
        return _Run(self.learned, version, proto_names=self.proto_names).stored(message, body)

    def learn(self, message: str, body: object) -> Body:
        """Return the stored form of a seeded body, including fields that the contract does not know."""
        return _Run(self.learned, "v1beta", lenient=True).stored(message, body)


def without_transport(body: Body) -> Body:
    """Return a resource without the fields that rows keep apart from it."""
    return {key: value for key, value in body.items() if key not in _TRANSPORT}


def is_default(spec: Field, value: Any) -> bool:
    """Say whether a stored value of a singular field without presence is its default."""
    if spec.type in load().enums:
        return load().enums[spec.type].get(value) == 0
    return spec.type in values.DEFAULTS and value == values.DEFAULTS[spec.type]


def spec_of(message: str, key: str, version: str, *, proto_names: bool) -> Field | None:
    """Return the field for a key of a body in a version of the API, None if there is none."""
    specs = load().messages[message]
    if proto_names and key not in specs:
        key = json_name(key)
    spec = specs.get(key)
    if spec is None or (spec.only_in and spec.only_in != version):
        return None
    return specs[ALIASES.get((message, key), key)]


def json_name(proto_name: str) -> str:
    """Return the JSON name of a field from its proto name (ProtoJSON accepts both)."""
    return re.sub(r"_([a-z0-9])", lambda found: found[1].upper(), proto_name)


class _Run:
    """The check of one body, with its violations."""

    __slots__ = ("learned", "lenient", "proto_names", "version", "violations")

    def __init__(
        self,
        learned: set[tuple[str, str]],
        version: str,
        *,
        lenient: bool = False,
        proto_names: bool = False,
    ) -> None:
        self.learned = learned
        self.version = version
        self.lenient = lenient
        self.proto_names = proto_names
        self.violations: list[Violation] = []

    def stored(self, name: str, body: object) -> Body:
        """Return the stored form of the whole body. Raise Refused with all its faults."""
        found = self.message(name, body, "")
        if self.violations:
            raise invalid_all(self.violations)
        return found

    def message(self, name: str, body: object, path: str) -> Body:
        if not isinstance(body, dict):
            self._wrong(path, "expected an object")
            return {}
        specs = load().messages[name]
        found: dict[str, Any] = {}
        extra: Body = {}
        for key, value in body.items():
            spec = spec_of(name, key, self.version, proto_names=self.proto_names)
            where = f"{path}.{key}" if path else key
            if spec is None:
                self._unknown(name, key, value, where, extra)
            elif spec.name in found:
                self._wrong(where, "the field is set twice, under two names")
            elif value is not None or spec.type == "google.protobuf.Value":
                self._put(found, spec, value, where)
        self._one_of_each(specs, found, path)
        return {key: found[key] for key in sorted(found, key=lambda k: specs[k].index)} | extra

    def _unknown(self, name: str, key: str, value: Any, where: str, extra: Body) -> None:
        if self.lenient:
            self.learned.add((name, key))
        if (name, key) in self.learned:
            extra[key] = value
        else:
            self._wrong(where, f"the message {name} has no such field")

    def _put(self, found: Body, spec: Field, value: Any, where: str) -> None:
        if spec.is_map:
            stored: Any = self._map(spec, value, where)
        elif spec.repeated:
            stored = self._list(spec, value, where)
        else:
            stored = self._single(spec.type, value, where)
            if not spec.presence and is_default(spec, stored):
                return
        if (spec.is_map or spec.repeated) and not stored:
            return
        if not spec.output_only or self.lenient:
            found[spec.name] = stored

    def _map(self, spec: Field, value: Any, where: str) -> Body:
        if not isinstance(value, dict):
            self._wrong(where, "expected an object")
            return {}
        items = sorted(value.items())
        return {key: self._single(spec.value, item, f"{where}[{key}]") for key, item in items}

    def _list(self, spec: Field, value: Any, where: str) -> list[Any]:
        if not isinstance(value, list):
            self._wrong(where, "expected a list")
            return []
        items = enumerate(value)
        return [self._single(spec.type, item, f"{where}[{index}]") for index, item in items]

    def _single(self, type_name: str, value: Any, where: str) -> Any:
        if type_name in load().messages:
            return self.message(type_name, value, where)
        if type_name in load().enums:
            return self._enum(type_name, value, where)
        try:
            return values.SCALARS[type_name](value)
        except ValueError as error:
            self._wrong(where, str(error))
            return None

    def _enum(self, type_name: str, value: Any, where: str) -> Any:
        names = load().enums[type_name]
        if isinstance(value, str) and value in names:
            return value
        if isinstance(value, int) and not isinstance(value, bool):
            for name, number in names.items():
                if number == value:
                    return name
        if isinstance(value, str) and (self.lenient or (type_name, value) in self.learned):
            self.learned.add((type_name, value))
            return value
        self._wrong(where, f"{value!r} is not a value of the enum {type_name}")
        return None

    def _one_of_each(self, specs: Mapping[str, Field], found: Body, path: str) -> None:
        seen: dict[str, str] = {}
        for key in found:
            oneof = specs[key].oneof
            if oneof and oneof in seen:
                self._wrong(path or key, f"{seen[oneof]} and {key} exclude each other ({oneof})")
            seen[oneof] = key

    def _wrong(self, where: str, why: str) -> None:
        if len(self.violations) < MOST_VIOLATIONS:
            self.violations.append(Violation(field=where, description=why))
