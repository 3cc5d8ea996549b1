"""The commit that the stamp names: what is checked out, or what someone says was reviewed."""

import os
import shutil
import subprocess

import pytest

from cesplan import __version__
from cesplan.emulator import EmbeddedEmulator
from tests.cli.conftest import Run, Tree

_APP = "projects/acme-dev/locations/us/apps/help-desk"


def _git(*words: str) -> str:
    settings = ("-c", "user.name=Ada", "-c", "user.email=ada@acme.example")
    done = subprocess.run(("git", *settings, *words), check=True, capture_output=True, text=True)
    return done.stdout.strip()


@pytest.fixture
def request_and_merge(tree: Tree) -> tuple[str, str]:
    """Two commits of one tree: the last of a pull request, and its merge, which is checked out."""
    _git("init", "--quiet")
    _git("add", "--all")
    _git("commit", "--quiet", "--message", "Request")
    request = _git("rev-parse", "HEAD")
    _git("commit", "--quiet", "--allow-empty", "--message", "Merge")
    return request, _git("rev-parse", "HEAD")


def _stamp(service: EmbeddedEmulator) -> dict[str, str]:
    row = service.store.get(_APP)
    assert row is not None
    return {
        name: text for name, text in row.body["metadata"].items() if name in ("cesplan-commit", "cesplan-dirty")
    }


def test_it_is_what_is_checked_out(
    service: EmbeddedEmulator, cesplan: Run, request_and_merge: tuple[str, str]
) -> None:
    assert cesplan("apply", "--auto-approve").code == 0
    assert _stamp(service) == {"cesplan-commit": request_and_merge[1]}


def test_another_one_is_named_by_option_or_environment(
    service: EmbeddedEmulator, cesplan: Run, request_and_merge: tuple[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The option wins. A plan file has its own, whatever the environment says when it is applied."""
    request, merge = request_and_merge
    monkeypatch.setenv("CESPLAN_COMMIT", request[:12])
    assert cesplan("plan", "--out", "plan.json").code == 0
    monkeypatch.setenv("CESPLAN_COMMIT", merge)
    assert cesplan("apply", "plan.json").code == 0
    assert _stamp(service) == {"cesplan-commit": request}
    assert cesplan("plan", "--commit", request).err == ""
    assert cesplan("apply", "plan.json", "--commit", merge).code == 64


def test_a_tree_that_is_not_its_own_is_told_and_stamped(
    service: EmbeddedEmulator, cesplan: Run, tree: Tree, request_and_merge: tuple[str, str]
) -> None:
    """In the plan that is reviewed."""
    tree.write("apps/help-desk/agents/front-desk.md", "Help.\n")
    ran = cesplan("plan", "--commit", request_and_merge[0], "--out", "plan.json")
    assert f"The tree differs from the tree of commit {request_and_merge[0][:12]}" in ran.out.replace("\n", " ")
    assert cesplan("apply", "plan.json").code == 0
    assert _stamp(service) == {"cesplan-commit": request_and_merge[0], "cesplan-dirty": "true"}


def test_a_checksum_outlives_the_merge(
    service: EmbeddedEmulator, cesplan: Run, request_and_merge: tuple[str, str]
) -> None:
    """The merge of a pull request is another commit; where the tree is the same, so is the plan."""
    _git("switch", "--quiet", "--detach", request_and_merge[0])
    checksum = cesplan("plan", "--checksum").out.strip()
    _git("switch", "--quiet", "--detach", request_and_merge[1])
    assert cesplan("apply", "--expect", checksum).code == 0
    assert _stamp(service) == {"cesplan-commit": request_and_merge[1]}


def test_a_repository_that_git_refuses_is_told(
    service: EmbeddedEmulator,
    cesplan: Run,
    request_and_merge: tuple[str, str],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    """The notice says what it costs and how to fix it; with a commit that is given, nothing is lost."""
    wary = tmp_path_factory.mktemp("bin") / "git"
    wary.write_text(f'#!/bin/sh\nGIT_TEST_ASSUME_DIFFERENT_OWNER=1 exec "{shutil.which("git")}" "$@"\n')
    wary.chmod(0o755)
    monkeypatch.setenv("PATH", f"{wary.parent}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", "/dev/null")
    told = " ".join(cesplan("plan").out.split())
    assert "the stamp will not record a commit" in told
    assert "git config --global --add safe.directory /" in told
    assert "safe.directory" not in cesplan("plan", "--commit", request_and_merge[1]).out


def test_every_plan_says_what_it_was_made_from(
    service: EmbeddedEmulator, cesplan: Run, tree: Tree, request_and_merge: tuple[str, str]
) -> None:
    """In each format, also without a stamp and without a change, and again when its file is shown."""
    project = (tree.root / "cesplan.yaml").read_text()
    tree.write("cesplan.yaml", f"{project}stamp: false\n")
    start = f"Made from commit {request_and_merge[1][:12]} with local changes, by cesplan {__version__}, 20"
    planned = cesplan(
        "plan", "--out", "plan.json", "--report", "markdown=plan.md", "--report", "html=plan.html"
    )
    said = next(line for line in planned.out.splitlines() if line.startswith("Made "))
    assert said.startswith(start)
    for text in (cesplan("show", "plan.json").out, (tree.root / "plan.html").read_text()):
        assert said in text
    assert f"<sub>{said}</sub>" in (tree.root / "plan.md").read_text()
    made = cesplan("plan", "--format", "json").json["made"]
    assert (made["commit"], made["dirty"]) == (request_and_merge[1], True)
    assert made["cesplan_version"] == __version__
    assert cesplan("apply", "--auto-approve").code == 0
    assert f"\n{start}" in cesplan("plan").out


def test_a_plan_outside_git_says_so(service: EmbeddedEmulator, cesplan: Run, tree: Tree) -> None:
    assert "\nMade outside git, by cesplan " in cesplan("plan").out
