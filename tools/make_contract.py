"""
Make ``cesplan/emulator/contract.json`` from the public descriptions of the API.

Nothing here is a judgment: the protos' messages and routes are merged with both discovery
documents (a field known to either is in the contract), and the numbers of the enums are read from
the installed ``google-cloud-ces``. What the server does with the facts is decided in the emulator.

    python tools/make_contract.py ces-api.json ces.v1.json ces.v1beta.json contract.json
"""

from __future__ import annotations

import argparse
import importlib
import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

Json = dict[str, Any]

VERSIONS = ("v1", "v1beta")
KINDS = (
    *("apps", "agents", "tools", "toolsets", "guardrails", "examples", "versions", "deployments"),
    *("evaluations", "evaluationExpectations", "evaluationDatasets", "scheduledEvaluationRuns"),
    *("securitySettings", "changelogs", "conversations", "evaluationRuns", "results"),
)
# Custom methods that talk to a model or to agents: the messages of these are left out.
WITHOUT_MESSAGES = re.compile(
    "Session|message.send|Generate|TestPersonaVoice|ExecuteTool|UploadEvaluationAudio"
)
FORMATS = {
    "google-datetime": "google.protobuf.Timestamp",
    "google-duration": "google.protobuf.Duration",
    "google-fieldmask": "google.protobuf.FieldMask",
    "byte": "bytes",
}
FLAGS = {"REQUIRED": "q", "OUTPUT_ONLY": "x", "INPUT_ONLY": "i", "IDENTIFIER": "n"}


def main() -> None:
    """Read the four paths of the command line and write the contract."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").strip().splitlines()[0])
    for name in ("protos", "discovery_v1", "discovery_v1beta", "out"):
        parser.add_argument(name, type=Path)
    args = parser.parse_args()
    protos = json.loads(args.protos.read_text())["versions"]
    discovery = {
        "v1": json.loads(args.discovery_v1.read_text()),
        "v1beta": json.loads(args.discovery_v1beta.read_text()),
    }
    args.out.write_text(rendering(contract(protos, discovery)))


def contract(protos: Json, discovery: Json) -> Json:
    """Return the whole contract as a plain value."""
    merged = Merge()
    for version in reversed(VERSIONS):
        merged.add_protos(version, protos[version])
    for version in reversed(VERSIONS):
        merged.add_discovery(version, discovery[version]["schemas"])
    kinds = {kind: kind_facts(kind, protos, discovery["v1beta"]) for kind in KINDS}
    routes = {version: rpcs(protos[version], discovery[version]) for version in VERSIONS}
    roots = [row["message"] for row in kinds.values()]
    roots += [name for row in routes["v1beta"] for name in carried(row)]
    roots += [row["listMessage"] for row in kinds.values() if "listMessage" in row]
    messages = merged.reachable(roots)
    used = {field["t"] for message in messages.values() for field in message.values()}
    used |= {field.get("v", "") for message in messages.values() for field in message.values()}
    return {
        "revision": {version: discovery[version]["revision"] for version in VERSIONS},
        "kinds": kinds,
        "rpcs": routes,
        "enums": {name: merged.enums[name] for name in sorted(merged.enums) if name in used},
        "order": orders(messages),
        "messages": messages,
    }


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


def carried(rpc: Json) -> list[str]:
    """Return the messages that a method carries and that no kind reaches."""
    if WITHOUT_MESSAGES.search(rpc["rpc"]):
        return []
    names = [rpc["request"], rpc["response"]] if rpc["action"] == "custom" else []
    return names + list(rpc.get("operation", {}).values())


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
        values = item.get("additionalProperties")
        if field["t"] == "map":
            field["v"] = self._discovery_type(names, message, name, values)
        words = prop.get("description", "").split(".")[:2]
        flags = "r" if repeated else ""
        flags += "q" if "Required" in words[0] else ""
        flags += "x" if prop.get("readOnly") else ""
        flags += "i" if any("Input only" in word for word in words) else ""
        return field | ({"f": flags} if flags else {})

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
        return FORMATS.get(form) or form or plain.get(prop["type"], prop["type"])


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


def kind_facts(kind: str, protos: Json, discovery: Json) -> Json:
    """Return the row of one kind: message, versions, create id, list key, queries."""
    found = {row["action"]: row for row in rpcs(protos["v1beta"], discovery) if row["kind"] == kind}
    messages = protos["v1beta"]["messages"]
    row: Json = {"message": found["get"]["response"]}
    row["in"] = [v for v in VERSIONS if any(r["kind"] == kind for r in rpcs(protos[v], {}))]
    if "create" in found:
        request = messages[found["create"]["request"]]["fields"]
        row["createId"] = next(f["name"] for f in request if f["name"].endswith("Id"))
    if "list" in found:
        row["listMessage"] = found["list"]["response"]
        row["listKey"] = messages[row["listMessage"]]["fields"][0]["name"]
        row["orderBy"], row["order"] = ordering(discovery, kind)
    standard = sorted(action for action in found if action != "custom")
    row["query"] = {action: query_names(messages, found[action], discovery) for action in standard}
    row["lro"] = [action for action in standard if "operation" in found[action]]
    return row


def query_names(messages: Json, rpc: Json, discovery: Json) -> list[str]:
    """
    Return the query parameters of a method: request fields not bound to path or body, and what
    only discovery knows.
    """
    bound = {"parent", "name", snake_to_camel(rpc["body"])}
    names = [f["name"] for f in messages[rpc["request"]]["fields"] if f["name"] not in bound]
    for method in discovery_methods(discovery):
        row = discovery_rpc(method)
        if (row["verb"], row["path"]) == (rpc["verb"], rpc["path"]):
            parameters = method.get("parameters", {}).items()
            names += [name for name, value in parameters if value["location"] == "query" and name not in names]
    return names


def ordering(discovery: Json, kind: str) -> tuple[list[str], str]:
    """Return the fields a list can be ordered by, and the documented default ('' if none)."""
    method = next(
        m
        for m in discovery_methods(discovery)
        if m["httpMethod"] == "GET" and m["path"].endswith(f"{{+parent}}/{kind}")
    )
    text = method["parameters"].get("orderBy", {}).get("description", "")
    default = re.search(r'"(\w+)" will be the default', text)
    return list(dict.fromkeys(re.findall(r'"([\w.]+)"', text))), default[1] if default else ""


def discovery_methods(node: Json) -> Iterator[Json]:
    """Yield every method below a node of a discovery document."""
    yield from node.get("methods", {}).values()
    for child in node.get("resources", {}).values():
        yield from discovery_methods(child)


def rpcs(api: Json, discovery: Json) -> list[Json]:
    """Return the routed methods of one version, those that only discovery knows included."""
    rows: list[Json] = []
    for service in api["services"].values():
        for name, method in service.items():
            rows.extend(proto_rpc(name, method, http) for http in method["http"])
    known = {(row["verb"], row["path"]) for row in rows}
    for method in discovery_methods(discovery):
        row = discovery_rpc(method)
        if (row["verb"], row["path"]) not in known:
            rows.append(row)
    return rows


def proto_rpc(name: str, method: Json, http: Json) -> Json:
    """Return the route of one method of the protos."""
    path = re.sub(r"\{[^=}]+=([^}]*)\}", r"\1", http["path"]).split("/", 2)[2]
    bound = re.search(r"\{([\w.]+)=", http["path"])
    row = {
        "rpc": name,
        "verb": http["verb"],
        "path": path,
        "bound": snake_to_camel(bound[1]) if bound else "",
        "request": method["request"],
        "response": method["response"],
        "body": snake_to_camel(http.get("body", "")),
    }
    if "operation" in method:
        row["operation"] = method["operation"]
    return row | action_of(http["verb"], path)


def discovery_rpc(method: Json) -> Json:
    """Return the route of one method of a discovery document."""
    path = re.sub(r"\{[^}]+\}", "*", method["flatPath"]).split("/", 1)[1]
    return {
        "rpc": method["id"].split(".", 1)[1],
        "verb": method["httpMethod"],
        "path": path,
        "request": method.get("request", {}).get("$ref", ""),
        "response": method.get("response", {}).get("$ref", ""),
        "body": "*" if "request" in method else "",
    } | action_of(method["httpMethod"], path)


def action_of(verb: str, path: str) -> Json:
    """Return what a route does by the standard-method rules (AIP-131 to AIP-135), and to what."""
    parts = path.split("/")
    if ":" in parts[-1]:
        return {"action": "custom", "kind": parts[-1 if "*" not in parts[-1] else -2].split(":")[0]}
    item = parts[-1] == "*"
    kind = parts[-2] if item else parts[-1]
    standard = {("GET", True): "get", ("PATCH", True): "update", ("DELETE", True): "delete"}
    standard |= {("GET", False): "list", ("POST", False): "create"}
    if kind == "securitySettings":
        standard = {("GET", False): "get", ("PATCH", False): "update"}
    return {"action": standard.get((verb, item), "custom"), "kind": kind}


def snake_to_camel(text: str) -> str:
    """Return a proto field name in its JSON spelling."""
    return re.sub(r"_(\w)", lambda found: found[1].upper(), text)


def rendering(value: Json) -> str:
    """Return the contract as JSON with one line for each message, enum, kind and method."""
    dump = json.JSONEncoder(separators=(",", ":"), ensure_ascii=False).encode
    parts = [f'"revision":{dump(value["revision"])}']
    for section in ("kinds", "enums", "order", "messages"):
        rows = ",\n".join(f"{dump(k)}:{dump(v)}" for k, v in value[section].items())
        parts.append(f'"{section}":{{\n{rows}\n}}')
    versions = []
    for version, rows in value["rpcs"].items():
        lines = ",\n".join(dump(row) for row in rows)
        versions.append(f"{dump(version)}:[\n{lines}\n]")
    parts.append('"rpcs":{' + ",\n".join(versions) + "}")
    return "{" + ",\n".join(parts) + "}\n"


if __name__ == "__main__":
    main()
