"""docs/library.md and docs/scores.md: their programs run as they are on the page."""

import os
import re
import subprocess
import sys
from pathlib import Path

from cesplan.emulator import EmbeddedEmulator

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "library.md").read_text(encoding="utf-8")


def test_the_program_of_the_page_plans_and_applies(tmp_path: Path) -> None:
    """Against an emulator at another address, from the folder in which its path leads to the example."""
    (program,) = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    with EmbeddedEmulator() as emulator:
        moved = program.replace("127.0.0.1:8470", emulator.address)
        assert moved != program
        done = subprocess.run(
            [sys.executable, "-c", moved],
            cwd=tmp_path,
            env={**os.environ, "CESPLAN_NO_CACHE": "1"},
            capture_output=True,
            text=True,
            check=False,
            timeout=60,
        )
    assert done.returncode == 0, done.stderr
    assert "create hello-shop/agents/greeter" in done.stdout
    assert "Applied hello-shop/agents/greeter" in done.stdout
    assert "Failed" not in done.stdout


def test_the_program_of_the_scores_prints_what_the_page_shows() -> None:
    page = (ROOT / "docs" / "scores.md").read_text(encoding="utf-8")
    ((program, shown),) = re.findall(r"```python\n(.*?)```\n\nprints\n\n```\n(.*?)```", page, re.DOTALL)
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=ROOT / "examples" / "scores",
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    assert done.stdout == shown


def test_every_name_that_the_page_mentions_is_there() -> None:
    """Functions of `cesplan.workflow`, in backticks."""
    import cesplan.workflow

    named = set(re.findall(r"`(save|load_reviewed|pull|merge|plan|apply)`", PAGE))
    assert named == {"save", "load_reviewed", "pull", "merge", "plan", "apply"}
    assert named <= set(cesplan.workflow.__all__)
