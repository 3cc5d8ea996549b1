"""Folders of `scenes`: edits on both sides, and the class, field, author and time of every difference."""

import os
from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML

from tests.drift.conftest import Scene, Stage

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
