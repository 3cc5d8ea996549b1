"""`cesplan ci init`: what it writes where, what it says, and what it refuses."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from cesplan.cli.running import run
from cesplan.workflow import start

Ci = Callable[..., tuple[int, str, str]]


@pytest.fixture
def ci(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Ci:
    """Run `cesplan ci init` in a tree that lies in a folder of a repository."""
    (tmp_path / ".git").mkdir()
    start(tmp_path / "voice")
    monkeypatch.chdir(tmp_path / "voice")

    def ran(*words: str) -> tuple[int, str, str]:
        code = run(["ci", "init", *words])
        return code, *capsys.readouterr()

    return ran


def _environments(text: str) -> None:
    with Path("cesplan.yaml").open("a", encoding="utf-8") as file:
        file.write(text)


def test_files_go_where_the_service_looks_and_the_rest_is_said(ci: Ci, tmp_path: Path) -> None:
    """At the top of the repository; secrets and environments of the tree are in what is to be set up."""
    _environments("variables: {crmKey: {secret: true}}\nenvironments: {staging: {}, prod: {}}\n")
    code, out, _ = ci("github")
    assert code == 0
    assert (tmp_path / ".github/workflows/cesplan.yaml").exists()
    assert "secret    CESPLAN_SECRET_CRMKEY" in out
    assert "one for each of: staging, prod" in out
    assert out.startswith(f"  + {tmp_path / '.github/workflows/cesplan.yaml'}\n")
    code, out, _ = ci("cloudbuild", "--format", "json")
    document = json.loads(out)
    assert [Path(name).name for name in document["files"]] == [
        "cloudbuild.cesplan-apply.yaml",
        "cloudbuild.cesplan-plan.yaml",
    ]
    assert "_NAME=prod" in document["next"]


def test_a_file_below_the_current_folder_is_shown_from_there(ci: Ci, tmp_path: Path) -> None:
    (tmp_path / "voice/.git").mkdir()
    code, out, _ = ci("github")
    assert (code, out.splitlines()[0]) == (0, "  + .github/workflows/cesplan.yaml")


def test_nothing_is_overwritten_and_nothing_half_written(ci: Ci, tmp_path: Path) -> None:
    """One of two files in the way stops both."""
    (tmp_path / "cloudbuild.cesplan-apply.yaml").write_text("mine", encoding="utf-8")
    code, out, err = ci("cloudbuild")
    assert (code, out) == (64, "")
    assert "cloudbuild.cesplan-apply.yaml" in err
    assert (tmp_path / "cloudbuild.cesplan-apply.yaml").read_text(encoding="utf-8") == "mine"
    assert not (tmp_path / "cloudbuild.cesplan-plan.yaml").exists()


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("-e", "prd"), "no environment `prd`"),
        (("--branch", "main; rm -rf /"), "not a valid branch name"),
    ],
)
def test_names_that_are_unknown_or_dangerous_are_wrong_usage(
    ci: Ci, tmp_path: Path, words: tuple[str, ...], message: str
) -> None:
    """They would end up in shells and expressions."""
    _environments("environments: {staging: {}, prod: {}}\n")
    code, _, err = ci("github", *words)
    assert code == 64
    assert message in err
    assert not (tmp_path / ".github").exists()


@pytest.mark.parametrize("name", ["eu.prod", "1st"])
def test_an_environment_that_no_job_can_be_called_after_is_refused(ci: Ci, name: str) -> None:
    _environments(f"environments: {{{name}: {{project: p}}}}\n")
    code, _, err = ci("gitlab")
    assert code == 64
    assert "cannot be the name of a job" in err


def test_an_expression_is_no_name_of_an_environment(ci: Ci) -> None:
    _environments("environments: {'prod ${{ evil }}': {}}\n")
    assert ci("gitlab")[0] == 7


def test_a_broken_project_file_is_an_invalid_tree(ci: Ci) -> None:
    Path("cesplan.yaml").write_text("cesplan: 2\n", encoding="utf-8")
    assert ci("github")[0] == 7


def test_without_a_tree_there_is_nothing_to_plan(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run(["ci", "init", "github"]) == 64
    assert "cesplan init" in capsys.readouterr().err


def test_no_file_is_written_through_a_link(ci: Ci, tmp_path: Path) -> None:
    """A stranger's repository may hold links that lead out of it, or nowhere."""
    outside = tmp_path.with_name(f"{tmp_path.name}-outside")
    outside.mkdir()
    (tmp_path / ".github").symlink_to(outside)
    (tmp_path / ".gitlab-ci.yml").symlink_to(outside / "anything")
    assert ci("github")[0] == 1
    assert ci("gitlab")[0] == 64
    assert [*outside.iterdir()] == []
