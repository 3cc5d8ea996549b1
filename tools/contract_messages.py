"""The messages and enums of the contract: protos and discovery, both versions, merged."""

from __future__ import annotations

import importlib
import sys
from typing import Any

Json = dict[str, Any]

FORMATS = {
    "google-datetime": "google.protobuf.Timestamp",
    "google-duration": "google.protobuf.Duration",
    "google-fieldmask": "google.protobuf.FieldMask",
    "byte": "bytes",
}
# Discovery does not say which fields exclude each other; the REST reference does ("Union field").
ONEOFS = {
    ("Agent", "remoteA2aAgent"): "agent_type",
    ("Guardrail", "supervisor"): "guardrail_type",
    ("RemoteA2aConfig", "agentCard"): "agent_source",
    ("RemoteA2aConfig", "agentRegistry"): "agent_source",
}
FLAGS = {"REQUIRED": "q", "OUTPUT_ONLY": "x", "INPUT_ONLY": "i", "IDENTIFIER": "n"}


class Merge:
    """The union of the messages and enums of protos and discovery, both versions."""

    def __init__(self) -> None:
        self.messages: dict[str, dict[str, Json]] = {}
        self.enums: dict[str, dict[str, int]] = {}

    def add_protos(self, version: str, api: Json) -> None:
        types = importlib.import_module(f"google.cloud.ces_{version}.types")
        for name, values in api["enums"].items():
            numbers = {member.name: int(member) for member in enum_class(types, name)}
            found = self.enums.setdefault(name, {})
            found.update({v["name"]: numbers[v["name"]] for v in values})
        for name, message in api["messages"].items():
            fields = self.messages.setdefault(name, {})
            for field in message["fields"]:
                self._meet(fields, field["name"], proto_field(field), version)

    def add_discovery(self, version: str, schemas: Json) -> None:
        flat = {name.replace(".", ""): name for name in self.messages}
        names = {schema: flat.get(schema, schema) for schema in schemas}
        for schema, value in schemas.items():
            fields = self.messages.setdefault(names[schema], {})
            for name, prop in value.get("properties", {}).items():
                known = name in fields
                found = {} if known else self._discovery_field(names, names[schema], name, prop)
                self._meet(fields, name, found, version)
                relax(fields[name], prop)
                self._add_values(fields[name]["t"], prop)

    def _add_values(self, enum: str, prop: Json) -> None:
        """Add values that are newer than the enum; discovery has no numbers, so they count on from the last."""
        item = prop["items"] if prop.get("type") == "array" else prop
        found = self.enums.get(enum, {})
        for value in item.get("enum", []):
            found.setdefault(value, max(found.values(), default=-1) + 1)

    def reachable(self, roots: list[str]) -> dict[str, dict[str, Json]]:
        found: dict[str, dict[str, Json]] = {}
        waiting = list(reversed(roots))
        while waiting:
            name = waiting.pop()
            if name in found or name not in self.messages:
                continue
            found[name] = self.messages[name]
            types = [t for f in found[name].values() for t in (f["t"], f.get("v", ""))]
            waiting.extend(reversed(types))
        return {name: self._marked(found[name]) for name in sorted(found)}

    def _marked(self, fields: dict[str, Json]) -> dict[str, Json]:
        """Mark the fields that only one of the versions that have the message knows."""
        whole = set[str]().union(*(field["in"] for field in fields.values()))
        marked = {}
        for name, field in fields.items():
            some = field.pop("in")
            marked[name] = field if some == whole else field | {"in": min(some)}
        return marked

    def _meet(self, fields: dict[str, Json], name: str, found: Json, version: str) -> None:
        field = fields.setdefault(name, found | {"in": set()})
        field["in"].add(version)

    def _discovery_field(self, names: Json, message: str, name: str, prop: Json) -> Json:
        repeated = prop.get("type") == "array"
        item = prop["items"] if repeated else prop
        field: Json = {"t": self._discovery_type(names, message, name, item)}
        values = item.get("additionalProperties", {})
        if field["t"] == "map":
            field["v"] = self._discovery_type(names, message, name, values)
        words = prop.get("description", "").split(".")[:2]
        flags = "r" if repeated else ""
        flags += "q" if "Required" in words[0] else ""
        flags += "x" if prop.get("readOnly") else ""
        flags += "i" if any("Input only" in word for word in words) else ""
        oneof = ONEOFS.get((message, name))
        return field | ({"f": flags} if flags else {}) | ({"o": oneof} if oneof else {})

    def _discovery_type(self, names: Json, message: str, name: str, prop: Json) -> str:
        if "$ref" in prop:
            return str(names.get(prop["$ref"], prop["$ref"]))
        if "enum" in prop:
            enum = f"{message}.{name[0].upper()}{name[1:]}"
            self.enums[enum] = {value: number for number, value in enumerate(prop["enum"])}
            return enum
        if prop.get("type") == "object":
            values = prop.get("additionalProperties", {})
            return "google.protobuf.Struct" if values.get("type") == "any" else "map"
        form = prop.get("format", "")
        plain = {"boolean": "bool", "any": "google.protobuf.Value"}
        return FORMATS.get(form) or str(form or plain.get(prop["type"], prop["type"]))


def enum_class(types: Any, name: str) -> Any:
    """Return the client's enum class of a dotted proto name."""
    found = types
    for part in name.split("."):
        found = getattr(found, part)
    return found


def proto_field(field: Json) -> Json:
    """Return the compact form of one field of the protos."""
    out: Json = {"t": field["type"]}
    if "value" in field:
        out["v"] = field["value"]
    flags = "r" if field.get("repeated") else ""
    flags += "".join(FLAGS.get(behaviour, "") for behaviour in field.get("behavior", []))
    flags += "p" if field.get("explicitPresence") else ""
    if flags:
        out["f"] = flags
    if "oneof" in field:
        out["o"] = field["oneof"]
    if "reference" in field:
        out["ref"] = field["reference"]
    return out


def relax(field: Json, prop: Json) -> None:
    """A field is required only where both descriptions say so."""
    if "q" in field.get("f", "") and prop.get("description", "").startswith("Optional"):
        field["f"] = field["f"].replace("q", "")


def orders(messages: Json) -> Json:
    """Return the fields of each message by number, where the order of declaration is another."""
    found = {}
    for name, fields in messages.items():
        numbers = field_numbers(name)
        ordered = sorted(fields, key=lambda field: numbers.get(field, sys.maxsize))
        if ordered != list(fields):
            found[name] = ordered
    return found


def field_numbers(message: str) -> dict[str, int]:
    """Return the numbers of a message's fields in Google's client, {} where it has no such message."""
    found: Any = importlib.import_module("google.cloud.ces_v1beta.types")
    for part in message.split("."):
        found = getattr(found, part, None)
    fields = found.pb().DESCRIPTOR.fields if hasattr(found, "pb") else ()
    return {field.json_name: field.number for field in fields}
