"""Folders of `scenes`: edits on both sides, and the class, field, author and time of every difference."""

import json
import os
from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML

from tests.drift.conftest import Found, Scene, Stage

SCENES = Path(__file__).parent / "scenes"


def _scene(name: str) -> dict[str, Any]:
    return dict(YAML(typ="safe").load(SCENES / name / "scene.yaml"))


def _expect(name: str, file: str, text: str) -> None:
    path = SCENES / name / file
    if os.environ.get("REFRESH_SCENARIOS"):
        path.write_text(text)
    assert text == path.read_text()


def _play(scene: Scene, script: dict[str, Any]) -> None:
    for number, edit in enumerate(script["edits"], 1):
        scene.edit(number, edit)
    for change in script["tree"]:
        scene.change_tree(change)


@pytest.mark.parametrize("name", sorted(path.name for path in SCENES.iterdir()))
def test_every_difference_has_its_class_its_field_and_its_author(name: str, stage: Stage) -> None:
    """What was edited live is drift, what the tree changed is pending, and nothing else is told."""
    script = _scene(name)
    scene = stage(**script.get("switches", {}))
    _play(scene, script)
    found = scene.drift()
    assert (found.code, [app["error"] for app in found.document["apps"]]) == (2, ["", ""]), found.err
    _expect(name, "drift.txt", found.lines())
    _agrees_with_plan(scene, found)
    _agrees_with_merge(scene, found)


def _agrees_with_plan(scene: Scene, found: Found) -> None:
    """A plan says the same of each of them: the origin, who edited it and when."""
    code, out, err = scene.say("plan", "--format", "json")
    assert code == 0, err
    planned = {}
    for change in json.loads(out)["resource_changes"]:
        if change["action_reason"] in ("stamp", "locked"):
            continue
        fields = change["field_changes"] if change["change"]["actions"] == ["update"] else []
        for field in fields:
            planned[change["address"], field["path"]] = (field["origin"], field["live_edit"])
        if not fields:
            planned[change["address"], ""] = (change["origin"], change["live_edit"])
    listed = {
        (item["address"], item["field"]["path"] if item["field"] else ""): (item["origin"], item["live_edit"])
        for item in found.items
        if item["drift_class"] != "converged" and not item["note"].startswith("not managed")
    }
    assert listed == planned


def _agrees_with_merge(scene: Scene, found: Found) -> None:
    """A merge takes what is drift, leaves what is pending, and asks about conflicts; it is of apps alone."""
    code, out, err = scene.say("pull", "--merge", "--check", "--format", "json")
    assert code == 2, err
    fields = [field for app in json.loads(out)["apps"] for field in app["fields"]]
    fates = [fate for app in json.loads(out)["apps"] for fate in app["resources"]]
    taken = {field["address"] for field in fields if field["verdict"] in ("taken", "merged")}
    taken |= {fate["address"] for fate in fates if fate["fate"] in ("created", "deleted")}
    asked = {field["address"] for field in fields if field["verdict"] == "conflict"}
    asked |= {fate["address"] for fate in fates if fate["open"]}
    items = [item for item in found.items if not item["note"].startswith(("not managed", "to keep it, edit"))]
    assert taken == {item["address"] for item in items if item["drift_class"] == "drift"}
    assert asked == {item["address"] for item in items if item["drift_class"] == "conflict"}
