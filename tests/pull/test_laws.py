"""
The laws of pull: what it writes plans to nothing, and pulling again changes no file.

Tried on apps that hold every kind and oneof, as an apply leaves them, and on live states that nobody wishes
for: ids made by machines, fields and values from the future, references that lead nowhere, metadata of others.
"""

from pathlib import Path

import pytest

from cesplan.domain.options import PlanOptions
from cesplan.workflow.connecting import Connection
from cesplan.workflow.planning import plan
from cesplan.workflow.pulling import Pulled, pull
from tests.properties.dice import seeded
from tests.properties.hostility import hostile
from tests.properties.trees import APP_NAME, tree
from tests.properties.world import World, world
from tests.seeds import seeds


@pytest.fixture(scope="module")
def here() -> World:
    with world() as made:
        yield made  # type: ignore[misc]


@pytest.fixture(autouse=True)
def _no_checks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Generated texts are neither Python nor OpenAPI; what checks say of them is not the question here."""
    monkeypatch.setattr("cesplan.config.tree.load.run_checks", lambda *_: None)


def files(root: Path) -> dict[str, bytes]:
    return {str(path.relative_to(root)): path.read_bytes() for path in root.rglob("*") if path.is_file()}


def pulled_twice(root: Path, connection: Connection) -> Pulled:
    """Pull into a new tree, plan, and pull again: nothing to do, and nothing touched."""
    first = pull(root / "one", APP_NAME, new_tree=True, connection=connection)
    assert [item for item in first.diagnostics if item.severity == "error"] == []
    written = files(root / "one")
    for adopt in (False, True):
        made = plan(root / "one", connection=connection, options=PlanOptions(adopt=adopt)).plan
        assert [(str(item.address), item.changes) for item in made.shown] == []
        assert made.would_remove == ()
    again = pull(root / "one", APP_NAME, connection=connection)
    assert (again.written, again.differing, again.equal) == ((), (), first.resources)
    pull(root / "two", APP_NAME, new_tree=True, connection=connection)
    assert files(root / "one") == files(root / "two") == written
    return first


@pytest.mark.parametrize("seed", seeds(3, range(6)))
def test_what_an_apply_left_is_pulled_and_plans_to_nothing(seed: int, here: World, tmp_path: Path) -> None:
    fresh = here.fresh()
    fresh.carry_out(tree(seeded(seed), plain=seed % 2 == 0))
    pulled_twice(tmp_path, Connection(emulator=fresh.emulator.address))


@pytest.mark.parametrize("seed", seeds(5, range(100, 112)))
def test_a_live_state_that_nobody_wishes_for_is_pulled_and_plans_to_nothing(
    seed: int, here: World, tmp_path: Path
) -> None:
    fresh = here.fresh()
    fresh.emulator.seed(*hostile(seeded(seed), tree(seeded(seed))))
    pulled_twice(tmp_path, Connection(emulator=fresh.emulator.address))


def test_a_pull_only_reads(here: World, tmp_path: Path) -> None:
    fresh = here.fresh()
    fresh.carry_out(tree(seeded(3), plain=True))
    fresh.forget()
    pull(tmp_path, APP_NAME, new_tree=True, connection=Connection(emulator=fresh.emulator.address))
    assert fresh.methods() == {"GET"}
