"""Trees of any size, as files and as live resources that differ from them here and there."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

PLACE = "projects/acme-dev/locations/us"
APP = f"{PLACE}/apps/big-desk"
CHANGED_EVERY = 100
"""Of so many live resources one differs from its file."""

_PROJECT = "cesplan: 1\nproject: acme-dev\nlocation: us\napiVersion: v1beta\napps: [apps/*]\n"
_KINDS = ("agents", "tools", "tools", "guardrails", "examples", "evaluations", "agents", "tools")


def write_tree(root: Path, size: int) -> None:
    """A tree of one app with so many resources in it, one file each."""
    app = root / "apps" / "big-desk"
    app.mkdir(parents=True)
    (root / "cesplan.yaml").write_text(_PROJECT)
    (app / "app.yaml").write_text("displayName: Big desk\nrootAgent: agents-00000\n")
    for kind in sorted(set(_KINDS)):
        (app / kind).mkdir()
    for kind, key, body in bodies(size):
        (app / kind / f"{key}.yaml").write_text(_yaml(body))


def live(size: int) -> Iterator[dict[str, Any]]:
    """The same as resources of the service, under a stamp of ours; one in a hundred was edited."""
    yield {
        "name": APP,
        "displayName": "Big desk",
        "rootAgent": f"{APP}/agents/agents-00000",
        "metadata": {"cesplan-commit": "c0ffee"},
    }
    for number, (kind, key, body) in enumerate(bodies(size)):
        edited = _EDITS.get(kind, _RENAMED) if number % CHANGED_EVERY == 7 else {}
        yield {"name": f"{APP}/{kind}/{key}", **_on_the_wire(body), **edited}


def bodies(size: int) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Kind, key and body of each resource; what refers to others comes after them."""
    for number in range(size):
        kind = _KINDS[number % len(_KINDS)]
        key = f"{kind}-{number:05}"
        yield kind, key, _MAKERS[kind](number, key)


def _agent(number: int, key: str) -> dict[str, Any]:
    block = number // len(_KINDS) * len(_KINDS)
    return {
        "displayName": f"Agent {key}",
        "instruction": f"You are {key}.\n" + "- Be kind, be brief, and say what you are about to do.\n" * 12,
        "modelSettings": {"model": "gemini-2.5-flash", "temperature": 0.25},
        "tools": [f"tools-{block + 1:05}", f"tools-{block + 2:05}", "end_session"],
        "guardrails": [f"guardrails-{block + 3:05}"],
        "transferRules": [],
    }


def _tool(number: int, key: str) -> dict[str, Any]:
    name = key.replace("-", "_")
    code = f'def {name}(order: str) -> dict:\n    """Find an order."""\n    return {{"order": order}}\n'
    return {"executionType": "SYNCHRONOUS", "pythonFunction": {"name": name, "pythonCode": code}}


def _guardrail(number: int, key: str) -> dict[str, Any]:
    return {
        "displayName": f"Guardrail {key}",
        "enabled": True,
        "contentFilter": {"bannedContents": ["one", "two", "three"], "matchType": "SIMPLE_STRING_MATCH"},
        "action": {"respondImmediately": {"responses": [{"text": "Let us talk of something else."}]}},
    }


def _example(number: int, key: str) -> dict[str, Any]:
    turns = [
        {"role": "user", "chunks": [{"text": f"Where is my order {turn}?"}]}
        if turn % 2 == 0
        else {"role": "agent", "chunks": [{"text": "On its way."}]}
        for turn in range(6)
    ]
    return {"displayName": f"Example {key}", "messages": turns}


def _evaluation(number: int, key: str) -> dict[str, Any]:
    return {
        "displayName": f"Evaluation {key}",
        "tags": ["nightly", "smoke"],
        "scenario": {"task": "Ask for an order.", "rubrics": ["polite", "brief"], "maxTurns": 5},
    }


_RENAMED = {"displayName": "Edited in the console"}
_EDITS = {"tools": {"executionType": "ASYNCHRONOUS"}}

_MAKERS = {
    "agents": _agent,
    "tools": _tool,
    "guardrails": _guardrail,
    "examples": _example,
    "evaluations": _evaluation,
}


def _on_the_wire(body: dict[str, Any]) -> dict[str, Any]:
    """References under full names, as the service has them."""
    named = {
        field: [f"{APP}/{field}/{key}" for key in body[field]]
        for field in ("tools", "guardrails")
        if field in body
    }
    return {**body, **named}


def _yaml(body: dict[str, Any]) -> str:
    """Texts of several lines as blocks, as people write them; the rest in flow style, which is YAML too."""
    return "".join(_entry(name, value, "") for name, value in body.items())


def _entry(name: str, value: Any, indent: str) -> str:
    match value:
        case str() if "\n" in value:
            lines = "".join(f"{indent}  {line}\n" for line in value.removesuffix("\n").split("\n"))
            return f"{indent}{name}: |\n{lines}"
        case dict():
            inner = "".join(_entry(key, item, f"{indent}  ") for key, item in value.items())
            return f"{indent}{name}:\n{inner}"
    return f"{indent}{name}: {json.dumps(value)}\n"
