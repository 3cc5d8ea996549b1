"""
The law of editing: whatever a file says and however it is spelled, it can be made to say anything else.

Files of one generated tree are edited until they say what those of another one do; every edit proves itself
by being read again, so it is enough that none is refused.
"""

import io
from dataclasses import replace
from pathlib import Path

import pytest
from ruamel.yaml import YAML

from cesplan.config.editing.overlaying import Overlay
from cesplan.config.editing.resource_edits import ResourceEdit, edit_resources
from cesplan.config.tree.load import load
from cesplan.config.writing.app_files import app_files, app_keys, project_file
from cesplan.config.writing.saving import save
from cesplan.config.yaml.composing import compose
from cesplan.config.yaml.nodes import plain
from cesplan.domain.desired import DesiredApp, DesiredResource
from cesplan.domain.naming import Naming
from cesplan.domain.settings import Settings
from cesplan.domain.value import secret_variables
from cesplan.engine.comparing.normalize import normalize
from cesplan.model.kinds import kind_of
from tests.properties.dice import seeded
from tests.properties.trees import WHERE, tree
from tests.seeds import seeds

NAMING = Naming(place=WHERE, app_id="shop-desk")
STYLES = [(None, 40, 2), (True, 60, 2), (False, 80, 4), (None, 4000, 4)]
"""Flow style, width and indentation of lists: ways in which the same values may be spelled."""


def canonical(resource: DesiredResource) -> DesiredResource:
    body = normalize(kind_of(resource.address.kind).spec, resource.body, NAMING).body
    return replace(resource, body=body)


def generated(seed: int) -> DesiredApp:
    app = tree(seeded(seed), plain=True).apps[0]
    return replace(app, app=canonical(app.app), resources=tuple(map(canonical, app.resources)))


def restyled(path: str, text: str, style: tuple[bool | None, int, int]) -> str:
    """The same values in another spelling, where that is read the same."""
    if not path.endswith(".yaml") or path.endswith(".openapi.yaml"):
        return text
    values = plain(compose(text).root)  # type: ignore[arg-type]
    writer = YAML(typ="safe", pure=True)
    writer.default_flow_style, writer.width, writer.allow_unicode = style[0], style[1], True  # type: ignore[assignment]
    writer.indent(mapping=2, sequence=style[2], offset=style[2] - 2)
    stream = io.StringIO()
    writer.dump(values, stream)
    again = compose(stream.getvalue())
    same = not again.problems and again.root is not None and plain(again.root) == values
    return stream.getvalue() if same else text


@pytest.mark.parametrize("seed", seeds(6, range(16)))
def test_any_file_can_be_made_to_say_anything_else(
    seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cesplan.config.tree.load.run_checks", lambda *_: None)
    old, new = generated(seed), generated(seed + 10_000)
    style = STYLES[seed % len(STYLES)]
    files = {path: restyled(path, text, style) for path, text in app_files(old, "apps/shop-desk").items()}
    save(tmp_path, {"cesplan.yaml": project_file(Settings(place=WHERE)), **files})
    loaded = load(tmp_path, environ={}).tree
    assert loaded is not None
    read = [loaded.apps[0].app, *loaded.apps[0].resources]
    bodies = {item.address: item.body for item in new.all() if not secret_variables(item.body)}
    wanted = [
        ResourceEdit(file=item, body=bodies[item.address])
        for item in read
        if item.address in bodies and not secret_variables(item.body)
    ]
    keys = app_keys(replace(old, app=new.app), new.resources)
    found = edit_resources(wanted, read, keys, Overlay(tmp_path, keys, environ={}))
    assert len(wanted) > 1
    assert found.refused == {}
