"""Every scenario folder is run and compared with what it says; `running` tells what a folder holds."""

import os
from pathlib import Path

import pytest

from tests.scenarios.running import run

FOLDERS = sorted(path.parent for path in Path(__file__).parent.glob("*/scenario.yaml"))
REFRESH = "REFRESH_SCENARIOS"


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_scenario(folder: Path) -> None:
    """Plan, requests and outcome are what the folder says."""
    texts = run(folder)
    if os.environ.get(REFRESH):
        for name, text in texts.items():
            (folder / name).write_text(text, encoding="utf-8")
    for name, text in texts.items():
        assert text == (folder / name).read_text(encoding="utf-8"), f"{name}; {REFRESH}=1 writes it anew"


def test_there_are_scenarios() -> None:
    """An empty parametrization would pass."""
    assert len(FOLDERS) >= 20
