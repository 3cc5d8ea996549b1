"""
The emulator as judge: it reads and writes the same layout with code of its own.

Texts are compared as they are, resource files as values: the emulator writes fields in the order of
declaration, this layout by number, as exports in public have them (`test_json_style` is about the style). And
environment.json has a part `app` here and `apps` by display name there: neither is established, both are read.
"""

import base64
import io
import json
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import urllib3

from cesplan.config.yaml.composing import compose
from cesplan.config.yaml.nodes import plain
from cesplan.features.export_layout import load as loading
from cesplan.features.export_layout.write import Style, WrittenExport, write_export, write_live_export, zipped
from tests.export_layout.exporting import desired_in, put
from tests.properties.dice import seeded
from tests.properties.trees import WHERE, tree
from tests.properties.world import World, world
from tests.seeds import seeds


@pytest.fixture(scope="module")
def worlds() -> Iterator[World]:
    with world() as one:
        yield one


@pytest.fixture(autouse=True)
def _unchecked(monkeypatch: pytest.MonkeyPatch) -> None:
    """Generated code and documents make no sense, and checks say so; that is not what is tried here."""
    monkeypatch.setattr(loading, "run_checks", lambda *_: None)


@pytest.mark.parametrize("seed", seeds(3, range(6)))
@pytest.mark.parametrize("style", list(Style))
def test_what_is_imported_comes_back_as_it_was_written(seed: int, style: Style, worlds: World) -> None:
    """Export → `:importApp` → `:exportApp` gives the same files, text by text."""
    there = worlds.fresh()
    desired = tree(seeded(seed), plain=True)
    written = write_export(desired.apps[0], style=style)
    import_app(there, written, desired.apps[0].key)
    found, wanted = alike(export_app(there, desired.apps[0].key, style)), alike(_texts(written))
    assert {path: found.get(path) for path in wanted if found.get(path) != wanted[path]} == {}
    assert found.keys() == wanted.keys()


@pytest.mark.parametrize("seed", seeds(3, range(6)))
def test_an_export_of_the_service_plans_to_nothing(seed: int, worlds: World, tmp_path: Path) -> None:
    """`:exportApp` of what was applied is read, and asks for no change."""
    there = worlds.fresh()
    desired = tree(seeded(seed), plain=True)
    there.carry_out(desired)
    files = export_app(there, desired.apps[0].key, Style.JSON)
    encoded = {path: text.encode() for path, text in files.items()}
    folder = put(WrittenExport(folder="any", files=encoded), tmp_path)
    made = there.plan(desired_in(folder, app_id=desired.apps[0].key))
    assert [f"{item.address} {[str(c.path) for c in item.changes]}" for item in made.shown] == []


def import_app(there: World, written: WrittenExport, app_id: str) -> None:
    content = base64.b64encode(zipped(written)).decode()
    answer = _call(there, f"{WHERE.name}/apps:importApp", {"appId": app_id, "appContent": content})
    assert "warnings" not in answer, answer


def export_app(there: World, app_id: str, style: Style) -> dict[str, str]:
    answer = _call(there, f"{WHERE.app(app_id)}:exportApp", {"exportFormat": style.name})
    with zipfile.ZipFile(io.BytesIO(base64.b64decode(answer["appContent"]))) as archive:
        return {name.partition("/")[2]: archive.read(name).decode() for name in archive.namelist()}


def alike(files: dict[str, str]) -> dict[str, Any]:
    return {path: _value(path, text) for path, text in sorted(files.items())}


def _value(path: str, text: str) -> Any:
    """The texts of files that hold texts, the values of those that hold values."""
    if path == "environment.json":
        found = json.loads(text)
        apps = found.pop("apps", {})
        return found | ({"app": next(iter(apps.values()))} if apps else {})
    if path.endswith(".json"):
        return _without_filled(json.loads(text))
    if path.endswith(".yaml") and not path.endswith("open_api_schema.yaml"):
        root = compose(text.replace("\\r\\n", "\\n")).root  # the emulator's YAML has no carriage returns
        return _without_filled(plain(root)) if root is not None else None
    return text


def _without_filled(body: Any) -> Any:
    """Without what the service fills in by itself; how it spells a fallback that is a tool is unknown."""
    logging = dict(body.get("loggingSettings", {}))
    conversations = dict(logging.pop("conversationLoggingSettings", {}))
    if conversations.get("retentionWindow") == "31536000s":
        del conversations["retentionWindow"]
    logging |= {"conversationLoggingSettings": conversations} if conversations else {}
    body.get("languageSettings", {}).pop("fallbackAction", None)
    rest = {key: value for key, value in body.items() if key not in ("loggingSettings", "dataStoreSettings")}
    return rest | ({"loggingSettings": logging} if logging else {})


def _texts(written: WrittenExport) -> dict[str, str]:
    return {path: data.decode() for path, data in written.files.items()}


def _call(there: World, path: str, body: dict[str, Any]) -> dict[str, Any]:
    answer = urllib3.request("POST", f"http://{there.emulator.address}/v1beta/{path}", json=body)
    assert answer.status == 200, answer.data
    operation = answer.json()
    while not operation.get("done"):
        operation = urllib3.request("GET", f"http://{there.emulator.address}/v1beta/{operation['name']}").json()
    assert "error" not in operation, operation
    return {key: value for key, value in operation["response"].items() if key != "@type"}


@pytest.mark.parametrize("seed", seeds(3, range(6)))
@pytest.mark.parametrize("style", list(Style))
def test_a_live_app_is_written_as_the_service_exports_it(seed: int, style: Style, worlds: World) -> None:
    """Files made from what lists answer are those of `:exportApp`, even where a tree would leave values out."""
    there = worlds.fresh()
    desired = tree(seeded(seed))
    there.carry_out(desired)
    live = there.look(desired).apps[desired.apps[0].key]
    wanted = alike(_texts(write_live_export(live, style=style)))
    found = alike(export_app(there, desired.apps[0].key, style))
    assert {path: found.get(path) for path in wanted if found.get(path) != wanted[path]} == {}
    assert found.keys() == wanted.keys()
