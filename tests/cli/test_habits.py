"""What people type who know Terraform, git or kubectl: understood, or answered with what to do instead."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from cesplan import __version__
from cesplan.cli.group import ALIASES, ANSWERS, COMMANDS
from cesplan.emulator import EmbeddedEmulator
from tests.cli.conftest import Run, Tree


@pytest.mark.parametrize(("alias", "name"), sorted(ALIASES.items()))
def test_an_alias_is_the_command(alias: str, name: str, cesplan: Run) -> None:
    """The usage names the real one, so that people learn it."""
    ran = cesplan(alias, "--help")
    assert ran.code == 0
    assert ran.out == cesplan(name, "--help").out
    assert alias not in COMMANDS


def test_lint_validates(tree: Tree, cesplan: Run) -> None:
    tree.replace("apps/help-desk/app.yaml", "no-cards", "no-card")
    assert cesplan("lint").code == cesplan("validate").code == 7


@pytest.mark.parametrize("name", sorted(ANSWERS))
def test_what_there_is_not_is_answered(name: str, cesplan: Run) -> None:
    """With what to do instead; nothing else is said to be meant."""
    ran = cesplan(name, "anything", "--at-all")
    assert (ran.code, ran.out) == (64, "")
    assert f"There is no command `{name}`. {ANSWERS[name]}" in ran.err


def test_no_silly_guess(cesplan: Run) -> None:
    """A slip is one letter or two, not half of the word."""
    assert "Did you mean `apply`?" in cesplan("aply").err
    assert "Did you mean" not in cesplan("upgrade").err


@pytest.mark.parametrize("words", [("--version",), ("-V",), ("version",), ("-C", ".", "version")])
def test_the_version_by_every_name(words: tuple[str, ...], cesplan: Run) -> None:
    assert cesplan(*words).out == f"cesplan {__version__}\n"


def test_help_is_a_command_too(cesplan: Run) -> None:
    """Of all, of one, of one below."""
    assert cesplan("help").out == cesplan("--help").out
    assert cesplan("help", "plan").out == cesplan("plan", "--help").out
    assert cesplan("help", "cron", "init").code == 0
    unknown = cesplan("help", "plam")
    assert (unknown.code, "Did you mean `plan`?" in unknown.err) == (64, True)


@pytest.mark.parametrize(
    ("words", "meant"),
    [
        (("plan", "-out", "plan.json"), "--out"),
        (("plan", "-out=plan.json"), "--out"),
        (("apply", "-auto-approve"), "--auto-approve"),
        (("plan", "-environment", "prod"), "--environment"),
        (("-emulator", "plan"), "--emulator"),
    ],
)
def test_one_dash_before_a_long_option(words: tuple[str, ...], meant: str, tree: Tree, cesplan: Run) -> None:
    """Click would take it for a row of short options, or for the value of one."""
    ran = cesplan(*words)
    assert (ran.code, ran.out) == (64, "")
    assert f"Did you mean `{meant}`?" in ran.err


def test_the_environment_can_be_in_the_environment(
    tree: Tree, cesplan: Run, service: EmbeddedEmulator, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An option wins; drift reads it too, unless all environments are asked for."""
    tree.write("cesplan.yaml", tree_with_two())
    monkeypatch.setenv("CESPLAN_ENVIRONMENT", "prod")
    assert json.loads(cesplan("plan", "--format", "json").out)["environment"] == "prod"
    assert json.loads(cesplan("plan", "-e", "dev", "--format", "json").out)["environment"] == "dev"
    checked = json.loads(cesplan("drift", "--format", "json").out)
    assert {app["environment"] for app in checked["apps"]} == {"prod"}
    everywhere = json.loads(cesplan("drift", "--all-environments", "--format", "json").out)
    assert {app["environment"] for app in everywhere["apps"]} == {"dev", "prod"}
    monkeypatch.setenv("CESPLAN_ENVIRONMENT", "prd")
    assert "no environment `prd`" in cesplan("validate").out


def tree_with_two() -> str:
    return "cesplan: 1\nlocation: us\nenvironments:\n  dev: {project: acme-dev}\n  prod: {project: acme-prod}\n"


def test_codes_are_explained_and_listed(cesplan: Run) -> None:
    """Findings, rules of interfaces and weakening alike; as text and as JSON."""
    for code in ("CES021", "oas001", "WEA001"):
        assert cesplan("explain", code).out == cesplan("validate", "--explain", code).out
    listed = cesplan("explain")
    rows = [row.split(maxsplit=2) for row in listed.out.splitlines()]
    assert ["WEA001", "warning", "guardrail off or gone"] in rows
    codes = json.loads(cesplan("explain", "--format", "json").out)["codes"]
    assert [item["code"] for item in codes] == [row[0] for row in rows] == sorted(row[0] for row in rows)
    unknown = cesplan("explain", "CES0021")
    assert (unknown.code, unknown.out) == (64, "")
    assert unknown.err == "Error: Unknown code `CES0021`.\n  To list all codes:\n\n      cesplan explain\n"


def _completed(words: list[str], folder: Path) -> list[str]:
    """What bash would be told for a line whose last word is not finished."""
    environment = {
        "_CESPLAN_COMPLETE": "bash_complete",
        "COMP_WORDS": " ".join(["cesplan", *words]),
        "COMP_CWORD": str(len(words)),
        "PATH": "/usr/bin:/bin",
    }
    done = subprocess.run(
        [sys.executable, "-m", "cesplan"],
        cwd=folder,
        env=environment,
        capture_output=True,
        encoding="utf-8",
        check=True,
    )
    assert done.stderr == ""
    return [row.partition(",")[2] for row in done.stdout.split()]


@pytest.mark.parametrize(
    ("words", "found"),
    [
        (["val"], ["validate"]),
        (["plan", "--ou"], ["--out"]),
        (["plan", "-e", ""], ["prod"]),
        (["plan", "--target", "help-desk/to"], ["help-desk/tools/lookup-order"]),
        (["apply", "--allow-delete", "help-desk/g"], ["help-desk/guardrails/no-cards"]),
        (["explain", "wea00"], [f"WEA00{number}" for number in range(1, 8)]),
    ],
)
def test_a_shell_completes(words: list[str], found: list[str], tree: Tree) -> None:
    """Commands, options, environments, addresses and codes."""
    assert _completed(words, tree.root) == found


def test_completing_in_a_broken_tree_says_nothing(tree: Tree) -> None:
    """No message belongs into the middle of a line that somebody types."""
    tree.write("cesplan.yaml", "environments: [")
    assert _completed(["plan", "-e", ""], tree.root) == []
    assert _completed(["plan", "--target", ""], tree.root) == []


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_script_for_a_shell(shell: str, cesplan: Run) -> None:
    """It asks cesplan itself, by the variable that it looks for."""
    ran = cesplan("completion", shell)
    assert (ran.code, ran.err) == (0, "")
    assert f"_CESPLAN_COMPLETE={shell}_complete" in ran.out


def test_bash_takes_the_script(cesplan: Run) -> None:
    """A real bash reads it without a word and has the completion afterwards."""
    script = cesplan("completion", "bash").out
    done = subprocess.run(
        ["bash", "--norc", "-c", f"{script}\ncomplete -p cesplan"],
        capture_output=True,
        encoding="utf-8",
        check=True,
    )
    assert done.stderr == ""
    assert "cesplan" in done.stdout
