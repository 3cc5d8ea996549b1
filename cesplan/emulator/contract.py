"""
The facts about messages, enums, kinds, and methods, as the server uses them.

They are in `contract.json`, which `tools/make_contract.py` generates from the public descriptions. Nothing is
added by hand.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

VERSIONS = ("v1", "v1beta")


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    """One field of a message. `type` is a scalar, a well-known type, an enum, or a message."""

    name: str
    type: str
    value: str = ""
    repeated: bool = False
    required: bool = False
    output_only: bool = False
    input_only: bool = False
    presence: bool = False
    oneof: str = ""
    reference: str = ""
    only_in: str = ""
    index: int = 0

    @property
    def is_map(self) -> bool:
        return self.type == "map"


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind:
    """The facts about one resource kind, named by its collection."""

    collection: str
    message: str
    versions: frozenset[str]
    create_id: str
    list_message: str
    list_key: str
    order_by: tuple[str, ...]
    default_order: str
    query: Mapping[str, frozenset[str]]
    long_running: frozenset[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Rpc:
    """One method with its route; `action` is a standard method or `custom`."""

    name: str
    verb: str
    path: str
    action: str
    kind: str
    request: str
    response: str
    # The path variable, and the request field that is the body; "*" is the whole request.
    bound: str = ""
    body: str = ""
    operation: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Contract:
    messages: Mapping[str, Mapping[str, Field]]
    enums: Mapping[str, Mapping[str, int]]
    # The fields by number, for messages that declare them in another order.
    order: Mapping[str, Sequence[str]]
    kinds: Mapping[str, Kind]
    rpcs: Mapping[str, tuple[Rpc, ...]]


@cache
def load() -> Contract:
    """Return the contract in this package."""
    raw = json.loads(Path(__file__).with_name("contract.json").read_text(encoding="utf-8"))
    return Contract(
        messages={name: _fields(value) for name, value in raw["messages"].items()},
        enums=raw["enums"],
        order=raw["order"],
        kinds={name: _kind(name, value) for name, value in raw["kinds"].items()},
        rpcs={version: tuple(map(_rpc, rows)) for version, rows in raw["rpcs"].items()},
    )


def _fields(raw: dict[str, dict[str, Any]]) -> dict[str, Field]:
    return {name: _field(index, name, row) for index, (name, row) in enumerate(raw.items())}


def _field(index: int, name: str, row: dict[str, Any]) -> Field:
    flags = row.get("f", "")
    return Field(
        name=name,
        type=row["t"],
        value=row.get("v", ""),
        repeated="r" in flags,
        required="q" in flags,
        output_only="x" in flags,
        input_only="i" in flags,
        presence="p" in flags or "o" in row,
        oneof=row.get("o", ""),
        reference=row.get("ref", ""),
        only_in=row.get("in", ""),
        index=index,
    )


def _kind(name: str, row: dict[str, Any]) -> Kind:
    return Kind(
        collection=name,
        message=row["message"],
        versions=frozenset(row["in"]),
        create_id=row.get("createId", ""),
        list_message=row.get("listMessage", ""),
        list_key=row.get("listKey", ""),
        order_by=tuple(row.get("orderBy", ())),
        default_order=row.get("order", ""),
        query={action: frozenset(names) for action, names in row["query"].items()},
        long_running=frozenset(row["lro"]),
    )


def _rpc(row: dict[str, Any]) -> Rpc:
    return Rpc(name=row["rpc"], **{key: value for key, value in row.items() if key != "rpc"})
