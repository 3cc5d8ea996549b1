"""
The least program that can tell whether a tree and live are equal: the measure for a plan that finds nothing.

One C parse a file, one JSON parse a page, references put under their full names, one `==` a resource. It
reports no place of a mistake, knows no defaults, asks for nothing twice and writes nothing.
"""

import json
import sys
from pathlib import Path

import urllib3
import yaml

PLACE = "projects/acme-dev/locations/us"
_REFERENCES = {"tools": "tools", "guardrails": "guardrails", "childAgents": "agents"}


def main(root: Path, address: str) -> int:
    """Print how many resources differ."""
    pool = urllib3.PoolManager()
    different = 0
    for app in sorted((root / "apps").iterdir()):
        name = f"{PLACE}/apps/{app.name}"
        for folder in sorted(path for path in app.iterdir() if path.is_dir()):
            live = _listed(pool, address, name, folder.name)
            for file in sorted(folder.iterdir()):
                with file.open("rb") as opened:
                    body = yaml.load(opened, yaml.CSafeLoader)
                for field, kind in _REFERENCES.items():
                    if field in body:
                        body[field] = [f"{name}/{kind}/{key}" for key in body[field]]
                for item in body.get("toolsets", ()):
                    item["toolset"] = f"{name}/toolsets/{item['toolset']}"
                found = live.get(f"{name}/{folder.name}/{file.stem}", {})
                different += {key: found.get(key) for key in body} != body
    print(different)
    return 0


def _listed(pool: urllib3.PoolManager, address: str, app: str, kind: str) -> dict[str, dict[str, object]]:
    found: dict[str, dict[str, object]] = {}
    token = ""
    while True:
        query = f"pageSize=1000&pageToken={token}"
        answer = json.loads(pool.request("GET", f"http://{address}/v1beta/{app}/{kind}?{query}").data)
        found |= {body["name"]: body for body in answer.get(kind, [])}
        token = answer.get("nextPageToken", "")
        if not token:
            return found


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), sys.argv[2]))
