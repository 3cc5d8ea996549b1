"""The tree at a commit is read once for all apps that were applied from it."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, cast

import pytest

from cesplan.features.history import sources
from cesplan.features.history.sources import EarlierTrees, Sources
from cesplan.remote.client import Client
from tests.security.traps import git


@pytest.fixture
def commits(tmp_path: Path) -> list[str]:
    """Commits of a tree of two apps, whose names have the number of the commit."""
    (tmp_path / "cesplan.yaml").write_text("cesplan: 1\nproject: acme-dev\nlocation: us\napps: [apps/*]\n")
    git(tmp_path, "init", "-q", "-b", "main")
    found = []
    for number in range(4):
        for key in ("shop-desk", "help-desk"):
            (tmp_path / "apps" / key).mkdir(parents=True, exist_ok=True)
            (tmp_path / "apps" / key / "app.yaml").write_text(f"displayName: {key} {number}\n")
        git(tmp_path, "add", "-A")
        git(tmp_path, "commit", "-q", "-m", "next")
        found.append(git(tmp_path, "rev-parse", "HEAD"))
    return found


@pytest.fixture
def extracted(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The commits whose files were written."""
    found: list[str] = []
    extract = sources.extract_tree

    def note(root: Path, commit: str, into: Path) -> Any:
        found.append(commit)
        return extract(root, commit, into)

    monkeypatch.setattr(sources, "extract_tree", note)
    return found


def test_apps_of_one_commit_share_its_tree(tmp_path: Path, commits: list[str], extracted: list[str]) -> None:
    """Also apps that are checked at the same time, and whatever the tree holds now."""
    trees, where = EarlierTrees(), Sources(client=cast("Client", None), root=tmp_path)
    with ThreadPoolExecutor(8) as pool:
        found = [*pool.map(lambda _: trees.at(commits[1], "", where), range(200))]
    assert extracted == [commits[1]]
    assert all(item is found[0] for item in found)
    names = {app.key: app.app.body["displayName"] for app in found[0].apps or ()}
    assert names == {"help-desk": "help-desk 1", "shop-desk": "shop-desk 1"}


def test_only_the_last_trees_are_held(tmp_path: Path, commits: list[str], extracted: list[str]) -> None:
    trees, where = EarlierTrees(), Sources(client=cast("Client", None), root=tmp_path)
    for number in (0, 1, 0, 2, 0, 1):
        found = trees.at(commits[number], "", where).apps
        assert found is not None
        assert found[0].app.body["displayName"] == f"help-desk {number}"
    assert extracted == [commits[number] for number in (0, 1, 2, 1)]


def test_a_commit_that_is_missing_is_looked_for_once(tmp_path: Path, extracted: list[str]) -> None:
    git(tmp_path, "init", "-q", "-b", "main")
    trees, where = EarlierTrees(), Sources(client=cast("Client", None), root=tmp_path)
    found = [trees.at("c0ffee" + "0" * 34, "", where) for _ in range(3)]
    assert {item.trouble.partition(" is ")[0] for item in found} == {"the commit c0ffee000000"}
    assert len(extracted) == 1
