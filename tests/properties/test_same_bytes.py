"""Law 7: same inputs, same plan bytes; whatever the hash seed, the order of files, and the size of pages."""

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from cesplan.config.tree.load import load
from cesplan.domain.live import Live
from cesplan.domain.options import PlanOptions
from cesplan.engine.planning.plan import plan
from cesplan.render.machine.formats.plan import PlanReport
from tests.properties.dice import Dice, seeded
from tests.properties.edits import edited
from tests.properties.hostility import hostile
from tests.properties.plan_bytes import plan_bytes, shuffled, states
from tests.properties.steadily import steadily
from tests.properties.trees import tree
from tests.properties.world import World

ROOT = Path(__file__).parents[2]
VARIABLES: dict[str, str] = {}
SEEDS = [str(number) for number in range(12)]


class _Backwards:
    """The entries of a folder, the last one first."""

    def __init__(self, entries: Any) -> None:
        with entries:
            self._entries = [*entries][::-1]

    def __enter__(self) -> Iterator[Any]:
        return iter(self._entries)

    def __exit__(self, *error: object) -> None:
        pass


def _backwards(scandir: Callable[..., Any]) -> Callable[..., _Backwards]:
    return lambda *place: _Backwards(scandir(*place))


def in_a_process(hash_seed: str) -> str:
    """The plans of a dozen trees, made by an interpreter with this hash seed."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.properties.plan_bytes", *SEEDS],
        cwd=ROOT,
        env={**os.environ, "PYTHONHASHSEED": hash_seed, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout


def test_the_hash_seed_does_not_show() -> None:
    """Sets are sorted before anything is made of them."""
    one, other = in_a_process("1"), in_a_process("4242")
    assert one.count('"plan_digest"') == len(SEEDS)
    assert one == other


@pytest.mark.parametrize("seed", range(20))
def test_the_order_of_fields_and_answers_does_not_show(seed: int) -> None:
    desired, live = states(seed)
    first = plan_bytes(desired, live)
    assert all(plan_bytes(*shuffled(desired, live, place)) == first for place in range(3))


def test_the_order_in_which_a_folder_lists_its_files_does_not_show(monkeypatch: pytest.MonkeyPatch) -> None:
    """File systems list in any order; the tree that is loaded has one."""
    example = ROOT / "examples" / "support-desk"
    loaded = load(example, environ={}, variables=VARIABLES)
    assert loaded.desired is not None, loaded.diagnostics
    listing = os.listdir
    monkeypatch.setattr(os, "listdir", lambda *place: listing(*place)[::-1])
    monkeypatch.setattr(os, "scandir", _backwards(os.scandir))
    again = load(example, environ={}, variables=VARIABLES)
    assert again.desired is not None
    assert list(again.desired.apps[0].all()) == list(loaded.desired.apps[0].all())
    texts = [
        PlanReport.of(plan(tree, Live(), PlanOptions())).text() for tree in (loaded.desired, again.desired)
    ]
    assert texts[0] == texts[1]


@steadily(10)
def test_the_size_of_pages_does_not_show(worlds: Callable[..., World], throws: Dice) -> None:
    """Two servers that hold the same, one of which returns two resources a page."""
    desired = tree(throws)
    bodies = [{**body, "etag": f"etag-{place}"} for place, body in enumerate(hostile(throws, desired))]
    times = {"createTime": "2026-01-01T00:00:00Z", "updateTime": "2026-01-01T00:00:00Z"}
    wanted = edited(throws, desired).desired
    texts = []
    for size in (1000, 2):
        world = worlds(page_size_cap=size)
        world.emulator.seed(*({**times, **body} for body in bodies))
        made = world.plan(wanted, allow_drop_unknown=True)
        texts.append(PlanReport.of(replace(made, requests=0)).text())
    assert texts[0] == texts[1]


def test_a_plan_of_the_same_states_differs_where_they_do() -> None:
    """The bytes compared here are not empty words."""
    assert len({plan_bytes(*states(seed)) for seed in range(10)}) == 10
    assert seeded(1).below(100) == seeded(1).below(100)
