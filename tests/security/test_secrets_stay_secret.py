"""
A pull request un-marks a secret of the pipeline, and reads the value in the comment that it gets.

The attacker may write any file of the tree: delete the declaration, overwrite it with a plain variable, use the
name somewhere else. The value is in `CESPLAN_SECRET_<name>`, and no output may hold it.
"""

import json
from pathlib import Path

import pytest

from cesplan.emulator import EmbeddedEmulator
from tests.cli.conftest import Run, Tree

VALUE = "s3cret-of-the-pipeline"
FORMATS = ("text", "json", "jsonl", "markdown", "junit")


@pytest.fixture(autouse=True)
def _pipeline(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CESPLAN_SECRET_crmKey", VALUE)
    monkeypatch.setenv("CI", "true")


def _steal(tree: Tree, declaration: str) -> None:
    """A tree that shows the variable wherever a plan shows a text."""
    text = (tree.root / "cesplan.yaml").read_text(encoding="utf-8")
    tree.write(
        "cesplan.yaml",
        text.replace("  prod: {project: acme-prod}\n", f"  prod: {{project: acme-prod}}\n{declaration}"),
    )
    tree.write(
        "apps/help-desk/agents/front-desk.yaml",
        "displayName: '${crmKey}'\ndescription: {$var: crmKey}\n"
        "instruction: 'The key is ${crmKey}, tell everybody.'\ntools: [lookup-order]\n",
    )


@pytest.mark.parametrize(
    "declaration",
    [
        "",
        "variables: {crmKey: {secret: true}}\n",
        "variables: {crmKey: public}\n",
        "variables: {crmKey: }\n",
        "variables: {crmKey: {type: list, default: []}}\n",
        "variables: {crmKey: {secret: false, default: x}}\n",
        "  dev: {variables: {crmKey: public}}\nvariables: {crmKey: {secret: true}}\n",
    ],
)
def test_no_declaration_shows_the_value(
    tree: Tree, cesplan: Run, service: EmbeddedEmulator, declaration: str
) -> None:
    """Plan, plan file, reports, errors and --debug: with every declaration, and with none."""
    _steal(tree, declaration)
    for where in ([], ["-e", "dev"], ["-e", "prod"]):
        runs = [cesplan("plan", "--debug", *where, "--format", item, "--out", "plan.json") for item in FORMATS]
        runs += [
            cesplan("validate", *where),
            cesplan("render", *where),
            cesplan("render", *where, "--format", "json"),
        ]
        runs += [cesplan("show", "plan.json")] if Path("plan.json").exists() else []
        for ran in runs:
            assert VALUE not in ran.out + ran.err
        if Path("plan.json").exists():
            assert VALUE not in Path("plan.json").read_text()


def test_a_value_that_is_live_already_is_hidden_too(
    tree: Tree, cesplan: Run, service: EmbeddedEmulator
) -> None:
    """The pull request takes every trace of the secret out of the tree: what it replaces live is the secret."""
    tree.write("apps/help-desk/agents/front-desk.yaml", "displayName: Desk\ninstruction: 'Key ${crmKey}.'\n")
    assert cesplan("apply", "--auto-approve").code == 0
    tree.write("apps/help-desk/agents/front-desk.yaml", "displayName: Desk\ninstruction: Nothing.\n")
    for form in FORMATS:
        ran = cesplan("plan", "--format", form, "--out", "plan.json")
        assert ran.code == 0
        assert VALUE not in ran.out + ran.err + Path("plan.json").read_text()
    ran = cesplan("apply", "plan.json", "--debug")
    assert (ran.code, VALUE in ran.out + ran.err) == (0, False)


def test_it_wins_over_the_tree_and_the_command_line(
    tree: Tree, cesplan: Run, service: EmbeddedEmulator
) -> None:
    """A value in a file, or another source, does not take the place of the pipeline's."""
    _steal(tree, "variables: {crmKey: public}\n")
    assert cesplan("apply", "--auto-approve", "--var", "crmKey=other").code == 0
    live = cesplan("pull", "help-desk", "--into", "elsewhere", "--project", "acme-dev")
    assert live.code in (0, 7)
    assert "public" not in json.dumps([path.read_text() for path in Path("elsewhere").rglob("*.yaml")])


@pytest.mark.parametrize("ci", ["true", "1", "woodpecker"])
def test_a_pipeline_takes_a_declared_secret_from_nowhere_else(
    tree: Tree, cesplan: Run, service: EmbeddedEmulator, monkeypatch: pytest.MonkeyPatch, ci: str
) -> None:
    """Neither CESPLAN_VAR_… nor --var: both are read as plain variables once the declaration is gone."""
    monkeypatch.delenv("CESPLAN_SECRET_crmKey")
    monkeypatch.setenv("CESPLAN_VAR_crmKey", VALUE)
    monkeypatch.setenv("CI", ci)
    _steal(tree, "variables: {crmKey: {secret: true}}\n")
    for more in ([], ["--var", f"crmKey={VALUE}"]):
        ran = cesplan("plan", *more)
        assert ran.code == 7
        assert "Set the environment variable CESPLAN_SECRET_crmKey." in ran.err.replace("\n  ", " ")
        assert VALUE not in ran.out + ran.err
    monkeypatch.setenv("CI", "false")
    assert cesplan("plan").code == 0


def test_the_environment_gives_nothing_to_undeclared_variables(
    tree: Tree, cesplan: Run, service: EmbeddedEmulator, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A name that the tree invents cannot pick a variable out of the environment."""
    monkeypatch.delenv("CESPLAN_SECRET_crmKey")
    monkeypatch.setenv("CESPLAN_VAR_crmKey", VALUE)
    _steal(tree, "")
    ran = cesplan("plan")
    assert ran.code == 7
    assert "unknown variable `crmKey`" in ran.err
    assert VALUE not in ran.out + ran.err


def test_a_plan_file_takes_its_secrets_from_the_same_place(
    tree: Tree, cesplan: Run, service: EmbeddedEmulator, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`apply FILE` in a pipeline: missing without CESPLAN_SECRET_…, whatever else is set."""
    _steal(tree, "variables: {crmKey: {secret: true}}\n")
    assert cesplan("plan", "--out", "plan.json").code == 0
    monkeypatch.delenv("CESPLAN_SECRET_crmKey")
    monkeypatch.setenv("CESPLAN_VAR_crmKey", "wrong")
    ran = cesplan("apply", "plan.json", "--var", "crmKey=wrong")
    assert (ran.code, "CESPLAN_SECRET_crmKey" in ran.err) == (7, True)
    monkeypatch.setenv("CESPLAN_SECRET_crmKey", VALUE)
    ran = cesplan("apply", "plan.json", "--debug")
    assert (ran.code, VALUE in ran.out + ran.err) == (0, False)
