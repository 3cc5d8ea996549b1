"""`cesplan plan` as a whole process, on trees of some size and shape: CPU seconds, memory, requests."""

import os
import re
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from cesplan.config.cache.switch import OFF
from tests.benchmarks.growing import live, write_tree
from tests.benchmarks.measuring import CESPLAN, Used, folder, measured, server

LEAST, FILLING, WARM = "least", "filling", "warm"
"""Names among the commands that are measured: the least program, and a plan with an empty and a full cache."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """
    A tree and what is live, which was applied unless something was edited.

    `edited_every` is the distance of two resources that differ, 0 for none; `first` leaves live empty.
    """

    size: int
    apps: int = 1
    realistic: bool = True
    edited_every: int = 0
    first: bool = False

    @property
    def title(self) -> str:
        """In words, for a table."""
        shape = "" if self.realistic else " tiny"
        apps = f" in {self.apps} apps" if self.apps > 1 else ""
        changes = f"{self.size // self.edited_every:,} changes" if self.edited_every else "no change"
        return f"{self.size:,}{shape} resources{apps}, {'first plan' if self.first else changes}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """A tree on disk and the emulator that has it."""

    root: Path
    address: str

    def plan(self, *words: str) -> list[str]:
        """The command that plans it without a cache."""
        return [*self.cached, "--no-cache", *words]

    @property
    def adopting(self) -> list[str]:
        """The command that puts the stamp on equal live apps, so that later plans find nothing to write."""
        return [CESPLAN, "-C", str(self.root), "apply", "--adopt", "--auto-approve", "--no-cache"]

    @property
    def cached(self) -> list[str]:
        """The command that plans it with a cache, which is beside the tree."""
        return [CESPLAN, "-C", str(self.root), "plan", "--adopt"]

    @property
    def least(self) -> list[str]:
        """The least program over the same tree."""
        return [sys.executable, "-m", "tests.benchmarks.least", str(self.root), self.address]

    @property
    def environment(self) -> dict[str, str]:
        beside = str(self.root.parent)
        places = {"XDG_CACHE_HOME": f"{beside}/cache", "XDG_STATE_HOME": f"{beside}/state"}
        own = {**os.environ, **places, "CES_EMULATOR_HOST": self.address}
        own.pop(OFF, None)
        return own


@contextmanager
def scene(chosen: Scene) -> Iterator[Place]:
    """The tree and its emulator."""
    shape = {"apps": chosen.apps, "realistic": chosen.realistic}
    with folder() as root, server() as running:
        write_tree(root / "tree", chosen.size, **shape)
        place = Place(root=root / "tree", address=running.address)
        if not chosen.first:
            running.seed([*live(chosen.size, edited_every=chosen.edited_every, **shape)])
            if not chosen.edited_every:
                measured({"apply": place.adopting}, place.environment, runs=1)
        yield place


def measure(chosen: Scene, *, runs: int, out: bool = False) -> Mapping[str, Used]:
    """
    The least that each command used in so many runs, taking turns: the least program, a plan, `--out`, and with
    a cache; the first run with one fills it.
    """
    with scene(chosen) as place:
        filling = measured({FILLING: place.cached}, place.environment, runs=1)
        commands = {"plan": place.plan()}
        if not chosen.first:
            commands |= {WARM: place.cached, LEAST: place.least}
        if out:
            commands["--out"] = place.plan("--out", str(place.root.parent / "plan.json"))
        return {**filling, **measured(commands, place.environment, runs=runs)}


def measure_plan(chosen: Scene, *, runs: int) -> Used:
    """The least that a plan without a cache used in so many runs."""
    with scene(chosen) as place:
        return measured({"plan": place.plan()}, place.environment, runs=runs)["plan"]


def requests_of(chosen: Scene) -> int:
    """The requests of a plan, as it says itself."""
    with scene(chosen) as place:
        said = measured({"plan": place.plan()}, place.environment, runs=1)["plan"].said
        found = re.search(r"([\d,]+) requests", said)
        assert found, said
        return int(found[1].replace(",", ""))
