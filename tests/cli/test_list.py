"""`cesplan list`, and `pull` without a name or with --all."""

import json
from pathlib import Path

import pytest

from cesplan.emulator import EmbeddedEmulator
from tests.cli.conftest import Run, Tree

PLACE = "projects/acme-dev/locations/us"


@pytest.fixture
def others(service: EmbeddedEmulator) -> EmbeddedEmulator:
    """Apps beside that of the tree: one that nobody manages, and one of another tree."""
    service.seed({"name": f"{PLACE}/apps/0d9f2c1a", "displayName": "Old bot"})
    service.seed(
        {
            "name": f"{PLACE}/apps/their-shop",
            "displayName": "\u001b[31mTheir shop",
            "metadata": {
                "cesplan-digest": "sha256:" + "0" * 64,
                "cesplan-tree": "their-tree",
                "cesplan-environment": "prod",
                "cesplan-commit": "c" * 40,
                "cesplan-app": f"{PLACE}/apps/their-shop",
            },
        }
    )
    return service


def _standings(cesplan: Run, *words: str) -> dict[str, str]:
    apps = json.loads(cesplan("list", *words, "--format", "json").out)["apps"]
    return {item["key"] or item["display_name"]: item["standing"] for item in apps}


def test_every_app_says_what_it_is_to_the_tree(tree: Tree, others: EmbeddedEmulator, cesplan: Run) -> None:
    """Before and after the first apply, and once the folder is gone: a tree with a name knows its own apps."""
    project = (tree.root / "cesplan.yaml").read_text()
    tree.write("cesplan.yaml", f"{project}tree: one-tree\n")
    theirs = {"Old bot": "unmanaged", "\u001b[31mTheir shop": "elsewhere"}
    assert _standings(cesplan) == {"help-desk": "not_live", **theirs}
    assert cesplan("apply", "--auto-approve").code == 0
    assert _standings(cesplan) == {"help-desk": "managed", **theirs}
    (tree.root / "apps/help-desk").rename(tree.root / "apps/other-desk")
    tree.replace("apps/other-desk/app.yaml", "Help desk", "Other desk")
    assert _standings(cesplan) == {"other-desk": "not_live", "Help desk": "former", **theirs}


def test_an_app_of_a_tree_without_a_name_is_not_claimed(
    tree: Tree, service: EmbeddedEmulator, cesplan: Run
) -> None:
    """Outside git, such trees cannot be distinguished; `--project` asks about no tree at all."""
    assert cesplan("apply", "--auto-approve").code == 0
    assert _standings(cesplan, "--project", "acme-dev") == {"Help desk": "elsewhere"}
    assert "applied by a tree without a name" in cesplan("list", "--project", "acme-dev").out
    (tree.root / "apps/help-desk").rename(tree.root / "apps/other-desk")
    tree.replace("apps/other-desk/app.yaml", "Help desk", "Other desk")
    assert _standings(cesplan) == {"other-desk": "not_live", "Help desk": "elsewhere"}


def test_an_app_of_the_tree_without_a_stamp_or_with_that_of_another(
    tree: Tree, service: EmbeddedEmulator, cesplan: Run
) -> None:
    """A first apply needs --adopt, and the other tree would undo it."""
    service.seed({"name": f"{PLACE}/apps/help-desk", "displayName": "Help desk"})
    assert _standings(cesplan) == {"help-desk": "new"}
    project = (tree.root / "cesplan.yaml").read_text()
    tree.write("cesplan.yaml", f"{project}tree: one-tree\n")
    assert cesplan("apply", "--adopt", "--auto-approve").code == 0
    tree.write("cesplan.yaml", f"{project}tree: another-tree\n")
    assert "in the tree, but applied by one-tree" in cesplan("list").out


def test_the_text_names_the_place_and_what_to_type(tree: Tree, others: EmbeddedEmulator, cesplan: Run) -> None:
    """What the service says cannot paint the terminal."""
    ran = cesplan("list")
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.startswith("acme-dev/us · v1beta · EMULATOR\n")
    assert "applied by their-tree, environment prod; commit ccccccc" in ran.out
    assert "3 apps: 1 in this tree, 1 not managed by any tree." in ran.out
    assert f"cesplan pull {PLACE}/apps/0d9f2c1a" in ran.out
    assert "\u001b" not in ran.out


def test_a_place_needs_no_tree(
    tmp_path: Path, others: EmbeddedEmulator, cesplan: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And without either it says what to type."""
    monkeypatch.chdir(tmp_path)
    assert _standings(cesplan, "--project", "acme-dev")["Old bot"] == "unmanaged"
    assert "There are no apps." in cesplan("list", "--project", "acme-none").out
    ran = cesplan("list")
    assert (ran.code, ran.out) == (64, "")
    assert "cesplan list --project PROJECT" in ran.err


def test_pull_without_a_name_lists(tree: Tree, others: EmbeddedEmulator, cesplan: Run) -> None:
    """Options of a pull need an app."""
    assert cesplan("pull").out == cesplan("list").out
    ran = cesplan("pull", "--only", "agents/*")
    assert (ran.code, ran.out) == (64, "")
    assert "Name the app to pull, or use --all." in ran.err


def test_pull_all(tmp_path: Path, others: EmbeddedEmulator, cesplan: Run) -> None:
    """Each app gets a folder, in one tree whose plan is empty; the second time nothing is written."""
    into = str(tmp_path / "all")
    ran = cesplan("pull", "--all", "--project", "acme-dev", "--into", into)
    assert (ran.code, ran.err) == (0, "")
    names = sorted(path.name for path in (tmp_path / "all" / "apps").iterdir())
    assert names == ["old-bot", "their-shop"]
    again = json.loads(cesplan("pull", "--all", "-C", into, "--format", "json").out)
    assert [(app["app"], app["written"]) for app in again["apps"]] == [("old-bot", []), ("their-shop", [])]
    assert cesplan("-C", into, "plan", "--adopt", "--detailed-exitcode").code in (0, 5)


@pytest.mark.parametrize("words", [("desk",), ("--merge",), ("--version", "v1")])
def test_all_stands_alone(words: tuple[str, ...], tree: Tree, service: EmbeddedEmulator, cesplan: Run) -> None:
    assert "--all cannot be combined" in cesplan("pull", "--all", *words).err
