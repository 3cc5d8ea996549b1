"""
The law of merging: with the tree as base, everything that changed live is taken, and a plan is empty then.

One app is pulled, live becomes another one, field by field and with all that nobody wishes for, and is merged.
What no file can say is left to people, and then only those resources still differ.
"""

from pathlib import Path

import pytest

from cesplan.domain.options import PlanOptions
from cesplan.features.history.base import base_of_tree
from cesplan.workflow.connecting import Connection
from cesplan.workflow.merging import merge
from cesplan.workflow.planning import plan
from cesplan.workflow.pulling import pull
from tests.properties.dice import seeded
from tests.properties.hostility import hostile
from tests.properties.trees import APP_NAME, tree
from tests.properties.world import World, world
from tests.seeds import seeds


@pytest.fixture(scope="module")
def here() -> World:
    with world() as made:
        yield made  # type: ignore[misc]


@pytest.mark.parametrize("seed", seeds(5, [16, *range(10)]))
def test_everything_that_changed_live_is_taken(
    seed: int, here: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cesplan.config.tree.load.run_checks", lambda *_: None)
    monkeypatch.setattr(
        "cesplan.features.merge.app.find_base",
        lambda asked: base_of_tree(asked.tree, asked.tree, asked.live, asked.naming),
    )
    fresh = here.fresh()
    connection = Connection(emulator=fresh.emulator.address)
    fresh.emulator.seed(*hostile(seeded(seed + 5), tree(seeded(seed))))
    pull(tmp_path, APP_NAME, new_tree=True, connection=connection)
    fresh.emulator.seed(*hostile(seeded(seed + 6), tree(seeded(seed + 500), plain=True)))
    merged = merge(tmp_path, connection=connection)
    assert [item for item in merged.diagnostics if item.severity == "error"] == []
    (app,) = merged.apps
    assert app.refused == {}
    options = PlanOptions(adopt=True, prune=False, allow_drop_unknown=True)
    made = plan(tmp_path, connection=connection, options=options).plan
    by_hand = {item.address for item in app.resources if item.is_open}
    assert {item.address for item in made.shown} <= by_hand
