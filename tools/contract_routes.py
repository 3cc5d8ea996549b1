"""The kinds and the routes of the contract, and the messages that only methods carry."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

Json = dict[str, Any]

VERSIONS = ("v1", "v1beta")
# Custom methods that the emulator does not serve: the messages of these are left out.
WITHOUT_MESSAGES = re.compile("message.send|Generate|TestPersonaVoice|UploadEvaluationAudio")


def carried(rpc: Json) -> list[str]:
    """Return the messages that a method carries and that no kind reaches."""
    if WITHOUT_MESSAGES.search(rpc["rpc"]):
        return []
    names = [rpc["request"], rpc["response"]] if rpc["action"] == "custom" else []
    return names + list(rpc.get("operation", {}).values())


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
