"""A small tree with one agent file to edit, and a way to say what the file should say."""

import copy
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from cesplan.config.editing.overlaying import Overlay
from cesplan.config.editing.resource_edits import Edited, ResourceEdit, edit_resources
from cesplan.config.manifest import ResourceFile
from cesplan.config.resource.references import Keys
from cesplan.config.tree.load import load

TREE = {
    "cesplan.yaml": "cesplan: 1\nproject: acme\nlocation: us\n"
    "variables: {host: api.example, temperature: 0.3}\nenvironments: {prod: {}}\n",
    "apps/shop-desk/app.yaml": "displayName: Shop\n",
    "apps/shop-desk/agents/helper.yaml": "displayName: Helper\n",
    "apps/shop-desk/guardrails/a-first.yaml": "displayName: A\nenabled: true\n",
    "apps/shop-desk/guardrails/b-second.yaml": "displayName: B\nenabled: true\n",
}
AGENT = "apps/shop-desk/agents/front-desk.yaml"
ADDRESS = "shop-desk/agents/front-desk"

Change = Callable[[dict[str, Any]], None]


@dataclass(frozen=True, kw_only=True)
class Edit:
    """What became of an edit: texts of files by path, and what was refused."""

    text: str
    others: Mapping[str, str] = field(default_factory=dict)
    refused: Mapping[tuple[str, str], str] = field(default_factory=dict)


def edit(root: Path, text: str, change: Change, files: Mapping[str, str] | None = None, **more: Any) -> Edit:
    """Edit the agent's file so that its body is changed like this."""
    plant(root, {**TREE, **(files or {}), AGENT: text})
    found = edit_bodies(root, {ADDRESS: change}, **more)
    others = {path: new for path, new in found.files.items() if path != AGENT}
    return Edit(text=found.files.get(AGENT, text), others=others, refused=found.refused)


def edit_bodies(root: Path, changes: Mapping[str, Change], *, environment: str = "", **more: Any) -> Edited:
    """Edit several resources of a tree that has been planted."""
    loaded = load(root, environment=environment, environ={})
    assert [item for item in loaded.diagnostics if item.severity == "error"] == []
    assert loaded.tree is not None
    files = [item for app in loaded.tree.apps for item in (app.app, *app.resources)]
    keys = _keys(files)
    overlay = Overlay(root, keys, environment=environment, environ={})
    wanted = [_wanted(item, changes[str(item.address)], more) for item in files if str(item.address) in changes]
    return edit_resources(wanted, files, keys, overlay)


def plant(root: Path, files: Mapping[str, str]) -> None:
    for path, text in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_bytes(text.encode())


def _wanted(file: ResourceFile, change: Change, more: Mapping[str, Any]) -> ResourceEdit:
    body = copy.deepcopy(file.body)
    change(body)
    return ResourceEdit(
        file=file, body=body, extra=more.get("extra", file.extra), add_id=more.get("add_id", "")
    )


def _keys(files: list[ResourceFile]) -> Keys:
    found: dict[str, dict[str, str]] = {}
    for item in files:
        found.setdefault(item.address.kind, {})[item.address.key] = item.path
    return Keys(found)
