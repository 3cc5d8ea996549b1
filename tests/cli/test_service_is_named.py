"""Which service was read is said in every report, also where there is nothing to report."""

import json

import pytest

from cesplan.emulator import EmbeddedEmulator
from tests.cli.conftest import Run, Tree

NEW = ("projects/acme-dev/locations/us/apps/help-desk", "--into", "new")


def test_where_nothing_changes(tree: Tree, cesplan: Run, service: EmbeddedEmulator) -> None:
    """An empty plan has no heading that could name it."""
    assert cesplan("apply", "--auto-approve").code == 0
    said = "No changes. Live matches the tree. 4 resources compared (EMULATOR)."
    assert cesplan("plan").out.startswith(said)
    assert cesplan("apply", "--auto-approve").out.startswith(said)
    assert json.loads(cesplan("plan", "--format", "json").out)["emulated"] is True


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (
            ["pull", "help-desk"],
            "Nothing to write. help-desk (EMULATOR): 4 resources compared, no differences.",
        ),
        (["pull", *NEW], "help-desk (EMULATOR): 8 files written for 4 resources."),
        (["pull", "--merge", "help-desk"], "help-desk · EMULATOR\n"),
    ],
)
def test_where_a_pull_reads(
    tree: Tree, cesplan: Run, service: EmbeddedEmulator, words: list[str], said: str
) -> None:
    assert cesplan("apply", "--auto-approve").code == 0
    ran = cesplan(*words)
    assert ran.code == 0
    assert said in ran.out
    assert json.loads(cesplan(*words, "--format", "json").out)["service"] == "EMULATOR"


def test_where_a_pull_into_the_export_layout_reads(tree: Tree, cesplan: Run, service: EmbeddedEmulator) -> None:
    assert cesplan("apply", "--auto-approve").code == 0
    words = ["pull", "help-desk", "--layout", "export", "--into", "exported"]
    ran = cesplan(*words)
    assert ran.out.startswith("Written to exported from EMULATOR: "), ran.out + ran.err
    assert json.loads(cesplan(*words, "--format", "json").out)["service"] == "EMULATOR"


def test_where_files_say_something_else(tree: Tree, cesplan: Run, service: EmbeddedEmulator) -> None:
    assert cesplan("apply", "--auto-approve").code == 0
    tree.replace("apps/help-desk/agents/front-desk.md", "Greet", "Welcome")
    assert "1 file differs from live in help-desk (EMULATOR)." in cesplan("pull", "help-desk").out.replace(
        "\n", " "
    )
