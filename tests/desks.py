"""Desks that are live in an emulator: applied once in a session, and each test has a copy of its own."""

import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from cesplan.cli.running import run
from cesplan.emulator import EmbeddedEmulator, Switches
from tests.typed import write_files

PIN = "pin-4711-0815"
"""The value of the variable `pin`, which is a secret."""


def applied_once(*trees: Mapping[str, str], then: tuple[str, ...] = ()) -> Any:
    """A fixture: a folder with the tree and the live data, after these were applied one over the other."""

    @pytest.fixture(scope="session")
    def applied(tmp_path_factory: pytest.TempPathFactory) -> Path:
        folder = tmp_path_factory.mktemp("applied")
        root = folder / "tree"
        with pytest.MonkeyPatch.context() as patch, EmbeddedEmulator(folder / "ces.db") as emulator:
            patch.setenv("CESPLAN_SECRET_pin", PIN)
            patch.setenv("CES_EMULATOR_HOST", emulator.address)
            patch.setattr("cesplan.workflow.evaluation.evaluating.sleep", lambda seconds: None)
            emulator.play({"evaluation": "*", "outcome": "PASS"})
            for files in trees:
                write_files(root, files)
                patch.chdir(root)
                assert run(["apply", "--auto-approve"]) == 0
            assert not then or run([*then]) == 0
        return folder

    return applied


@contextmanager
def copied(
    applied: Path, root: Path, monkeypatch: pytest.MonkeyPatch, switches: Switches | None = None
) -> Iterator[EmbeddedEmulator]:
    """Copy the tree to `root`, which is the current folder then, and its data beside it, and serve that."""
    shutil.copytree(applied / "tree", root, dirs_exist_ok=True)
    data = shutil.copy(applied / "ces.db", root.with_name(f"{root.name}.db"))
    monkeypatch.chdir(root)
    monkeypatch.setenv("CESPLAN_SECRET_pin", PIN)
    with EmbeddedEmulator(data, switches or Switches()) as emulator:
        monkeypatch.setenv("CES_EMULATOR_HOST", emulator.address)
        yield emulator
