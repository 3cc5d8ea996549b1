"""What holds for every app: an export says what the tree said, and applying it changes nothing."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from cesplan.config.export_layout import loading
from cesplan.config.export_layout.writing import Style, write_export
from tests.export_layout.exporting import desired_in, put
from tests.properties.dice import seeded
from tests.properties.trees import tree
from tests.properties.world import World, world


@pytest.fixture(scope="module")
def worlds() -> Iterator[World]:
    with world() as one:
        yield one


@pytest.fixture(autouse=True)
def _unchecked(monkeypatch: pytest.MonkeyPatch) -> None:
    """Generated code and documents make no sense, and checks say so; that is not what is tried here."""
    monkeypatch.setattr(loading, "run_checks", lambda *_: None)


@pytest.mark.parametrize("seed", range(8))
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
    assert [f"{item.address} {[str(c.path) for c in item.changes]}" for item in made.operations] == []
