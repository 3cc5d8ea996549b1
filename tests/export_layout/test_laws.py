"""What holds for every app: an export says what the tree said, and applying it changes nothing."""

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from cesplan.config.tree import load as native_loading
from cesplan.config.writing.saving import save
from cesplan.domain.plan import Action
from cesplan.features.export_layout import load as loading
from cesplan.features.export_layout.to_native import native_tree
from cesplan.features.export_layout.write import Style, write_export
from tests.export_layout.exporting import desired_in, put, reading
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


@pytest.mark.parametrize("seed", seeds(4, range(8)))
@pytest.mark.parametrize("style", list(Style))
def test_an_export_of_what_is_live_plans_to_nothing(
    seed: int, style: Style, worlds: World, tmp_path: Path
) -> None:
    """Native, applied, written as an export, read again: no changes, with values in place or moved."""
    desired = tree(seeded(seed), plain=True)
    there = worlds.fresh()
    there.carry_out(desired)
    written = write_export(desired.apps[0], style=style, environment=bool(seed % 2))
    again = desired_in(put(written, tmp_path), app_id=desired.apps[0].key)
    made = there.plan(again)
    assert [f"{item.address} {[str(c.path) for c in item.changes]}" for item in made.shown] == []


@pytest.mark.parametrize("seed", seeds(3, range(6)))
def test_an_export_without_names_never_changes_an_id(seed: int, worlds: World, tmp_path: Path) -> None:
    """Applied twice to an app with ids of its own: what is new is created once, the second plan is empty."""
    desired = tree(seeded(seed), plain=True)
    there = worlds.fresh()
    there.carry_out(desired)
    before = set(there.bodies())
    folder = put(write_export(desired.apps[0]), tmp_path)
    for file in sorted(folder.rglob("*.json")):
        _edit(file, lambda body: body.pop("name", None))
    _edit(folder / "app.json", lambda body: body.update(description="edited"))
    new = folder / "guardrails" / "Fresh_one" / "Fresh_one.json"
    new.parent.mkdir(parents=True)
    new.write_text(
        json.dumps(
            {
                "displayName": "Fresh one",
                "contentFilter": {"bannedContents": ["odd"], "matchType": "SIMPLE_STRING_MATCH"},
            }
        )
    )
    again = desired_in(folder, app_id=desired.apps[0].key)
    first = there.carry_out(again)
    assert {str(item.address): item.action for item in first.shown if item.action is not Action.UPDATE} == {
        "shop-desk/guardrails/fresh-one": Action.CREATE
    }
    assert set(there.bodies()) - before == {f"{WHERE.app('shop-desk')}/guardrails/fresh-one"}
    assert before <= set(there.bodies())
    assert there.plan(again).is_empty


def test_an_export_makes_the_app_where_there_is_none(worlds: World, tmp_path: Path) -> None:
    """Without `--app-id` the app gets the id it had, and is found again by its display name."""
    there = worlds.fresh()
    desired = tree(seeded(3), plain=True)
    folder = put(write_export(desired.apps[0]), tmp_path)
    there.carry_out(desired_in(folder))
    assert WHERE.app("shop-desk") in there.bodies()
    _edit(folder / "app.json", lambda body: body.update(name="elsewhere-it-had-another"))
    assert there.plan(desired_in(folder)).is_empty


def _edit(file: Path, change: Callable[[dict[str, Any]], object]) -> None:
    body = json.loads(file.read_text())
    change(body)
    file.write_text(json.dumps(body))


@pytest.mark.parametrize("seed", seeds(3, range(6)))
def test_there_and_back_and_there_again_plans_to_nothing(
    seed: int, worlds: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Native → export → native → export: each says what is live, and the second export is the first."""
    monkeypatch.setattr(native_loading, "run_checks", lambda *_: None)
    there = worlds.fresh()
    desired = tree(seeded(seed), plain=True)
    there.carry_out(desired)
    first = write_export(desired.apps[0])
    read = reading(put(first, tmp_path / "export"), app_id=desired.apps[0].key)
    assert read.loaded.desired is not None
    save(tmp_path / "native", native_tree(read, read.loaded.desired).files)
    native = native_loading.load(tmp_path / "native", environ={})
    assert native.desired is not None, native.diagnostics
    # The stamp knows kinds that an export has no place for: without pruning, the tree gives them up.
    assert [str(item.address) for item in there.plan(native.desired, prune=False).shown] == []
    second = write_export(native.desired.apps[0])
    assert {path: data.decode() for path, data in second.files.items()} == {
        path: data.decode() for path, data in first.files.items()
    }


def test_the_example_survives_the_journey(tmp_path: Path) -> None:
    """examples/support-desk, which was written for people, to an export and back."""
    native = native_loading.load(Path(__file__).parents[2] / "examples" / "support-desk", environ={})
    assert native.desired is not None
    written = write_export(native.desired.apps[0], environment=False)
    place = native.desired.settings.place
    folder = put(written, tmp_path)
    again = desired_in(folder, app_id="support-desk", project=place.project, location=place.location)
    assert sorted(written.left_out) == [
        "support-desk/agents/product-advisor: `$ignore`",
        "support-desk/agents/returns-desk: `$silence`",
        "support-desk/deployments/phone-line",
        "support-desk/deployments/web-chat",
        "support-desk/deployments/web-experiment",
        "support-desk/scheduledEvaluationRuns/nightly-regression",
        "support-desk/scheduledEvaluationRuns/weekly-personas",
        "support-desk/tools/care-manuals: `$ignore`",
        "support-desk/versions/release-1",
        "support-desk: `$ignore`",
    ]
    with world() as there:
        there.carry_out(replace(native.desired, location_resources=()))
        shown = there.plan(again).shown
        assert [f"{item.address} {[str(c.path) for c in item.changes]}" for item in shown] == []
