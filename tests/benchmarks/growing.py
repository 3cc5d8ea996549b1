"""Trees of any size, as files and as live resources that differ from them here and there."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.benchmarks.realistic import bodies as real_bodies

PLACE = "projects/acme-dev/locations/us"
APP = f"{PLACE}/apps/big-desk"
CHANGED_EVERY = 100
"""Of so many live resources one differs from its file."""

REFERENCES = {"tools": "tools", "guardrails": "guardrails", "childAgents": "agents"}
"""The reference fields of these resources, and the kinds they name."""
_PROJECT = "cesplan: 1\nproject: acme-dev\nlocation: us\napiVersion: v1beta\napps: [apps/*]\n"
_KINDS = ("agents", "tools", "tools", "guardrails", "examples", "evaluations", "agents", "tools")


def write_tree(root: Path, size: int, *, apps: int = 1, realistic: bool = False) -> None:
    """A tree with so many resources in it, one file each, spread evenly over its apps."""
    root.mkdir(parents=True)
    (root / "cesplan.yaml").write_text(_PROJECT)
    for key in _apps(apps):
        app = root / "apps" / key
        app.mkdir(parents=True)
        (app / "app.yaml").write_text(f"displayName: {_title(key)}\nrootAgent: agents-00000\n")
        for kind, name, body in bodies(_share(size, apps), realistic=realistic):
            (app / kind).mkdir(exist_ok=True)
            (app / kind / f"{name}.yaml").write_text(_yaml(body))


def live(
    size: int, *, apps: int = 1, realistic: bool = False, edited_every: int = CHANGED_EVERY
) -> Iterator[dict[str, Any]]:
    """The same as resources of the service, under a stamp of ours; one in so many was edited, none for 0."""
    for app in _apps(apps):
        place = f"{PLACE}/apps/{app}"
        yield {
            "name": place,
            "displayName": _title(app),
            "rootAgent": f"{place}/agents/agents-00000",
            "metadata": {"cesplan-commit": "c0ffee"},
        }
        for number, (kind, key, body) in enumerate(bodies(_share(size, apps), realistic=realistic)):
            was_edited = edited_every and number % edited_every == min(7, edited_every - 1)
            edit = _EDITS.get(kind, _RENAMED) if was_edited else {}
            yield {"name": f"{place}/{kind}/{key}", **_on_the_wire(body, place), **edit}


def bodies(size: int, *, realistic: bool = False) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Kind, key and body of each resource of an app; what refers to others comes after them."""
    if realistic:
        yield from real_bodies(size)
        return
    for number in range(size):
        kind = _KINDS[number % len(_KINDS)]
        key = f"{kind}-{number:05}"
        yield kind, key, _MAKERS[kind](number, key)


def _apps(number: int) -> list[str]:
    return ["big-desk"] if number == 1 else [f"desk-{place:03}" for place in range(number)]


def _share(size: int, apps: int) -> int:
    """The resources of one app: whole blocks, whose agents find their tools."""
    return size if apps == 1 else max(size // apps // len(_KINDS), 1) * len(_KINDS)


def _title(app: str) -> str:
    return app.replace("-", " ").capitalize()


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


def _on_the_wire(body: dict[str, Any], app: str) -> dict[str, Any]:
    """References under full names, as the service has them."""
    named = {
        field: [f"{app}/{kind}/{key}" for key in body[field]]
        for field, kind in REFERENCES.items()
        if field in body
    }
    if "toolsets" in body:
        named["toolsets"] = [{"toolset": f"{app}/toolsets/{item['toolset']}"} for item in body["toolsets"]]
    return {**body, **named}


def _yaml(body: dict[str, Any]) -> str:
    """Texts of several lines as blocks, as people write them; lists of values in flow style."""
    return "".join(_entry(name, value, "") for name, value in body.items())


def _entry(name: str, value: Any, indent: str) -> str:
    match value:
        case str() if "\n" in value:
            lines = "".join(f"{indent}  {line}\n" for line in value.removesuffix("\n").split("\n"))
            return f"{indent}{name}: |\n{lines}"
        case dict():
            inner = "".join(_entry(key, item, f"{indent}  ") for key, item in value.items())
            return f"{indent}{name}:\n{inner}"
        case [dict(), *_]:
            return f"{indent}{name}:\n{''.join(_element(item, indent) for item in value)}"
    return f"{indent}{name}: {json.dumps(value)}\n"


def _element(value: dict[str, Any], indent: str) -> str:
    lines = "".join(_entry(key, item, f"{indent}  ") for key, item in value.items())
    return f"{indent}- {lines.removeprefix(f'{indent}  ')}"
