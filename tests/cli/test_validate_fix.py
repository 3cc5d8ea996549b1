"""`cesplan validate --fix`: what it shows, when it asks, what it never writes, and what it leaves."""

import json
import os
from pathlib import Path

import pytest

from cesplan.cli.commands import validate as validate_command
from tests.cli.conftest import AtTerminal, Run, Tree

_AGENT = "apps/help-desk/agents/front-desk.yaml"
_DIFF = f"--- a/{_AGENT}\n+++ b/{_AGENT}\n@@ -1 +1 @@\n-displayname: Front desk\n+displayName: Front desk\n"


@pytest.fixture
def slip(tree: Tree) -> Path:
    """The file with a misspelled key."""
    tree.replace(_AGENT, "displayName", "displayname")
    return tree.root / _AGENT


def test_without_a_terminal_it_shows_and_does_not_write(slip: Path, cesplan: Run) -> None:
    """The diff and the findings are on stdout; the way to do it without a prompt is on stderr."""
    ran = cesplan("validate", "--fix")
    assert ran.code == 7
    assert ran.out.startswith(_DIFF)
    assert "error[CES012] unknown field `displayname`" in ran.out
    assert "Nothing was written: there is no terminal" in ran.err
    assert "cesplan validate --fix --auto-approve" in ran.err
    assert "displayname" in slip.read_text()


def test_with_approval_it_writes_and_checks_again(slip: Path, cesplan: Run) -> None:
    """The exit code is that of what remains: nothing here."""
    ran = cesplan("validate", "--fix", "--auto-approve")
    assert (ran.code, ran.err) == (0, "Wrote 1 fix in 1 file.\n")
    assert ran.out == f"{_DIFF}\nNo problems in 7 files.\n"
    assert slip.read_text().startswith("displayName: Front desk\n")
    again = cesplan("validate", "--fix", "--auto-approve")
    assert (again.code, again.out) == (0, "No problems in 7 files.\n")
    assert again.err == "There is nothing to fix.\n"


def test_what_remains_is_7(slip: Path, tree: Tree, cesplan: Run) -> None:
    """One finding is repaired, the other one has no single meaning."""
    tree.replace(_AGENT, "tools: [lookup-order]", "tools: [nothing-like-it]")
    ran = cesplan("validate", "--fix", "--auto-approve")
    assert ran.code == 7
    assert "reference to a tool that does not exist: `nothing-like-it`" in ran.out
    assert "displayname" not in slip.read_text()


def test_a_repaired_key_shows_what_is_wrong_below(tree: Tree, cesplan: Run) -> None:
    """A field that was unknown is only read once it is known: all rounds are one diff."""
    tree.replace("apps/help-desk/app.yaml", "modelSettings: {model", "modelSetings: {modle")
    ran = cesplan("validate", "--fix", "--auto-approve")
    assert ran.code == 0
    assert "Wrote 2 fixes in 1 file.\n" in ran.err
    assert "+modelSettings: {model: gemini-2.5-flash, temperature: 0.5}\n" in ran.out


def test_json_has_what_was_fixed_and_what_could_be(slip: Path, cesplan: Run) -> None:
    """Stdout is one document; the diff goes to stderr."""
    place = {"file": _AGENT, "line": 1, "column": 1}
    fix = {"place": place, "before": "displayname", "after": "displayName"}
    ran = cesplan("validate", "--fix", "--format", "json")
    document = json.loads(ran.out)
    assert (ran.code, document["fixed"]) == (7, [])
    assert [item["fix"] for item in document["diagnostics"] if "fix" in item] == [fix]
    ran = cesplan("validate", "--fix", "--auto-approve", "--format", "json")
    document = json.loads(ran.out)
    assert (ran.code, document["valid"], document["fixed"]) == (0, True, [fix])
    assert ran.err.startswith(_DIFF)


def test_a_link_is_never_written(slip: Path, tree: Tree, cesplan: Run) -> None:
    """Neither through a symbolic link, nor a file that has another name; both are named."""
    other = tree.root / "elsewhere.yaml"
    slip.rename(other)
    slip.symlink_to(other)
    ran = cesplan("validate", "--fix", "--auto-approve")
    assert (ran.code, other.read_text()[:11]) == (7, "displayname")
    assert ran.err == f"Not fixed: {_AGENT} is reached through a symbolic link.\nThere is nothing to fix.\n"
    slip.unlink()
    os.link(other, slip)
    ran = cesplan("validate", "--fix", "--auto-approve")
    assert (ran.code, other.read_text()[:11]) == (7, "displayname")
    assert "has another name (a hard link)" in ran.err


def test_an_edit_of_another_user_is_not_overwritten(
    slip: Path, tree: Tree, cesplan: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Between the diff and the answer the file changes: nothing is written, not even the other files."""
    tree.replace("apps/help-desk/app.yaml", "rootAgent", "rootAgnet")
    before = (tree.root / "apps/help-desk/app.yaml").read_text()

    def meanwhile(*_: object, **__: object) -> None:
        slip.write_text(slip.read_text() + "# of another user\n")

    monkeypatch.setattr(validate_command, "_approve", meanwhile)
    ran = cesplan("validate", "--fix")
    assert ran.code == 7  # the tree still has its errors, which wins over the conflict
    assert f"`{_AGENT}` changed since it was read" in ran.err
    assert "Nothing was written." in ran.err
    assert slip.read_text().endswith("# of another user\n")
    assert (tree.root / "apps/help-desk/app.yaml").read_text() == before


def test_an_outdated_spelling_is_renewed(tree: Tree, cesplan: Run) -> None:
    """A deprecated field whose successor takes the very same values."""
    tree.write(_APP, f"{(tree.root / _APP).read_text()}{_OUTDATED}")
    assert "warning[CES019] `hallucinationMetricBehavior` is deprecated" in cesplan("validate").out
    ran = cesplan("validate", "--fix", "--auto-approve")
    assert (ran.code, ran.err) == (0, "Wrote 1 fix in 1 file.\n")
    assert "goldenHallucinationMetricBehavior: ENABLED}" in (tree.root / _APP).read_text()


def test_what_would_break_another_environment_is_not_written(tree: Tree, cesplan: Run) -> None:
    """A patch of prod names the outdated key, and would no longer find it."""
    tree.write(_APP, f"{(tree.root / _APP).read_text()}{_OUTDATED}")
    tree.write(
        "environments/prod/apps/help-desk/app.patch.yaml",
        "- {op: replace, path: /evaluationMetricsThresholds/hallucinationMetricBehavior, value: DISABLED}\n",
    )
    assert cesplan("validate", "-e", "prod").code == 0
    ran = cesplan("validate", "--fix", "--auto-approve")
    assert ran.code == 7
    assert "The fixes would break the environment prod. Nothing was written." in ran.err
    assert "error[CES103]" in ran.err
    assert (tree.root / _APP).read_text().endswith(_OUTDATED)


_APP = "apps/help-desk/app.yaml"
_OUTDATED = "evaluationMetricsThresholds: {hallucinationMetricBehavior: ENABLED}\n"


def test_what_an_environment_lays_over_is_repaired_where_it_is(tree: Tree, cesplan: Run) -> None:
    """A partial file and a patch of prod; without the environment there is nothing to see."""
    folder = "environments/prod/apps/help-desk"
    tree.write(f"{folder}/app.yaml", "modelSetings: {temperature: 0.2}\r\n")
    tree.write(
        f"{folder}/agents/front-desk.patch.yaml",
        "- {op: replace, path: /displayname, value: Desk}\n"
        "- {op: repalce, path: /tools/0, value: end_sesion}\n",
    )
    assert "nothing to fix" in cesplan("validate", "--fix").err
    ran = cesplan("validate", "-e", "prod", "--fix", "--auto-approve")
    assert (ran.code, ran.err) == (0, "Wrote 4 fixes in 2 files.\n"), ran.text
    assert (tree.root / folder / "app.yaml").read_bytes() == b"modelSettings: {temperature: 0.2}\r\n"
    patch = (tree.root / folder / "agents/front-desk.patch.yaml").read_text()
    assert patch == (
        "- {op: replace, path: /displayName, value: Desk}\n"
        "- {op: replace, path: /tools/0, value: end_session}\n"
    )


@pytest.mark.parametrize(
    "text",
    [
        "displayName: Front desk\ndisplayname: Again\n",
        "displayName: Front desk\ninstrution: Hi\ninstructin: Ho\n",
        "displayName: Front desk\nbeforeModelCallbacks: [&c {disbled: true, pythonCode: 'x = 1'}, *c]\n",
        'displayName: Front desk\n"instr\\u0075tion": Hi\ntools: ["look\\u0075p-ordr"]\n',
    ],
    ids=["the key is there", "two that mean one", "an alias repeats it", "an escape"],
)
def test_what_has_no_single_repair_is_left(tree: Tree, cesplan: Run, text: str) -> None:
    """The findings stay, and not a byte changes."""
    tree.write(_AGENT, text)
    ran = cesplan("validate", "--fix", "--auto-approve")
    assert (ran.code, ran.err) == (7, "There is nothing to fix.\n"), ran.text
    assert (tree.root / _AGENT).read_text() == text


def test_wrong_usage(tree: Tree, cesplan: Run, tmp_path: Path) -> None:
    """An export is not edited, and approval approves something."""
    assert cesplan("validate", "--auto-approve").code == 64
    assert cesplan("validate", "--fix", "--from", str(tmp_path)).code == 64


def test_a_person_is_asked(slip: Path, at_terminal: AtTerminal) -> None:
    """At a terminal; only `yes` writes."""
    code, shown = at_terminal("validate", "--fix", "--no-color", typed="y\n")
    assert code == 7
    assert "1 fix in 1 file. Type `yes` to write: " in shown
    assert "displayname" in slip.read_text()
    code, shown = at_terminal("validate", "--fix", "--no-color", typed="yes\n")
    assert code == 0
    assert "No problems in 7 files." in shown
    assert "displayname" not in slip.read_text()
