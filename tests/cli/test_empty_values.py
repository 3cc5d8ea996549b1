"""What nothing, null and empty values in a file mean: the table of docs/tree.md, typed."""

import json

from cesplan.emulator import EmbeddedEmulator
from tests.cli.conftest import Tree
from tests.typed import Run

AGENT = "apps/help-desk/agents/front-desk.yaml"
DECLARED = "$ownership: declared\ndisplayName: Front desk\n"
LIVE = """\
displayName: Front desk
description: Greets.
instruction: {$file: front-desk.md}
tools: [lookup-order]
modelSettings: {temperature: 0.5}
"""
WITHOUT = {"description": LIVE.replace("description: Greets.\n", "")}
WITHOUT["tools"] = LIVE.replace("tools: [lookup-order]\n", "")
WITHOUT["modelSettings"] = LIVE.replace("modelSettings: {temperature: 0.5}\n", "")
EMPTY = {
    "description": ("", "description: null\n", 'description: ""\n'),
    "tools": ("", "tools: null\n", "tools: []\n"),
    "modelSettings": (
        "",
        "modelSettings: null\n",
        "modelSettings: {}\n",
        "modelSettings: {temperature: null}\n",
    ),
}


def test_nothing_null_and_empty_values(tree: Tree, service: EmbeddedEmulator, cesplan: Run) -> None:
    """In a file that is owned all mean the default; in a declared one, nothing means that it is not managed."""
    tree.write(AGENT, LIVE)
    assert cesplan("apply", "--auto-approve").code == 0

    def changed(text: str) -> list[str]:
        tree.write(AGENT, text)
        plan = json.loads(cesplan("plan", "--format", "json").out)
        return [field["path"] for item in plan["resource_changes"] for field in item.get("field_changes", ())]

    for field, spellings in EMPTY.items():
        path = "modelSettings.temperature" if field == "modelSettings" else field
        for text in spellings:
            assert changed(WITHOUT[field] + text) == [path], (field, text)
            assert changed(DECLARED + text) == ([path] if text else []), (field, text)
    zero = "modelSettings: {temperature: 0}\n"
    assert changed(WITHOUT["modelSettings"] + zero) == changed(DECLARED + zero) == ["modelSettings.temperature"]
    tree.write(AGENT, WITHOUT["modelSettings"] + zero)
    assert cesplan("apply", "--auto-approve").code == 0
    assert changed(WITHOUT["modelSettings"]) == ["modelSettings.temperature"]  # 0 is a value of its own there


def test_null_in_an_environment_removes_the_value_of_the_tree(
    tree: Tree, service: EmbeddedEmulator, cesplan: Run
) -> None:
    tree.write(AGENT, LIVE)
    tree.write(f"environments/prod/{AGENT}", "description: null\ntools: null\n")
    shown = json.loads(cesplan("render", "-e", "prod", "help-desk/agents/front-desk", "--format", "json").out)
    (resource,) = shown["resources"]
    assert {"description", "tools"} & {name for name, value in resource["body"].items() if value} == set()
    assert "instruction" in resource["body"]
