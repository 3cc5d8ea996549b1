"""
Make ``cesplan/emulator/contract.json`` from the public descriptions of the API.

Nothing here is a judgment: the protos' messages and routes are merged with both discovery
documents (a field known to either is in the contract), and the numbers of the enums are read from
the installed ``google-cloud-ces``. What the server does with the facts is decided in the emulator.

    python tools/make_contract.py ces-api.json ces.v1.json ces.v1beta.json contract.json \\
        --newer NEWER/ces.v1.json NEWER/ces.v1beta.json

Newer discovery documents, such as those that come with ``google-api-python-client`` (in
``googleapiclient/discovery_cache/documents``), add the fields, messages and enum values that they have
beyond the others. What they no longer have stays.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

from contract_messages import Merge, orders
from contract_routes import VERSIONS, carried, kind_facts, rpcs

Json = dict[str, Any]

KINDS = (
    *("apps", "agents", "tools", "toolsets", "guardrails", "examples", "versions", "deployments"),
    *("evaluations", "evaluationExpectations", "evaluationDatasets", "scheduledEvaluationRuns"),
    *("securitySettings", "changelogs", "conversations", "evaluationRuns", "results"),
)


def main() -> None:
    """Read the four paths of the command line and write the contract."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").strip().splitlines()[0])
    for name in ("protos", "discovery_v1", "discovery_v1beta", "out"):
        parser.add_argument(name, type=Path)
    parser.add_argument("--newer", type=Path, nargs=2, metavar=("DISCOVERY_V1", "DISCOVERY_V1BETA"))
    args = parser.parse_args()
    protos = json.loads(args.protos.read_text())["versions"]
    discovery = {
        "v1": json.loads(args.discovery_v1.read_text()),
        "v1beta": json.loads(args.discovery_v1beta.read_text()),
    }
    newer = {
        version: json.loads(path.read_text()) for version, path in zip(VERSIONS, args.newer or (), strict=False)
    }
    args.out.write_text(rendering(contract(protos, discovery, newer)))


def contract(protos: Json, discovery: Json, newer: Json) -> Json:
    """Return the whole contract as a plain value; of the newer documents the messages alone are read."""
    merged = Merge()
    for version in reversed(VERSIONS):
        merged.add_protos(version, protos[version])
    for version in reversed(VERSIONS):
        merged.add_discovery(version, discovery[version]["schemas"])
    for version in reversed([version for version in VERSIONS if version in newer]):
        merged.add_discovery(version, newer[version]["schemas"])
    kinds = {kind: kind_facts(kind, protos, discovery["v1beta"]) for kind in KINDS}
    routes = {version: rpcs(protos[version], discovery[version]) for version in VERSIONS}
    roots = [row["message"] for row in kinds.values()]
    roots += [name for row in routes["v1beta"] for name in carried(row)]
    roots += [row["listMessage"] for row in kinds.values() if "listMessage" in row]
    messages = merged.reachable(roots)
    used = {field["t"] for message in messages.values() for field in message.values()}
    used |= {field.get("v", "") for message in messages.values() for field in message.values()}
    return {
        "revision": {version: (discovery | newer)[version]["revision"] for version in VERSIONS},
        "kinds": kinds,
        "rpcs": routes,
        "enums": {name: merged.enums[name] for name in sorted(merged.enums) if name in used},
        "order": orders(messages),
        "messages": messages,
    }


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
