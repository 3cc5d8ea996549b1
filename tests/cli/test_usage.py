"""Wrong usage, help, and the small commands."""

import json
from pathlib import Path

import click
import pytest

from cesplan.cli.group import group
from cesplan.cli.options import CommonOption
from tests.cli.conftest import Run, Tree
from tests.security.test_output_places import commands


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("plam",), "Did you mean `plan`?"),
        (("plan", "--nope"), "--nope"),
        (("plan", "--var", "noequals"), "write name=value"),
        (("plan", "--allow-delete", "a/b"), "is not an address"),
        (("-C", "/does/not/exist", "plan"), "No such file or directory"),
        (("validate", "--format", "xml"), "xml"),
        (("schema",), "--out"),
        (("emulator", "serve", "--switch", "nope"), "--switch name=value"),
    ],
)
def test_wrong_usage_is_64_and_says_what_is_wrong(arguments: tuple[str, ...], said: str, cesplan: Run) -> None:
    """Click's own 2 means changes here."""
    ran = cesplan(*arguments)
    assert ran.code == 64
    assert ran.out == ""
    assert said in ran.err
    assert "Traceback" not in ran.err


@pytest.mark.usefixtures("service", "tree")
def test_every_option_of_every_command_reaches_its_code(cesplan: Run) -> None:
    """Click passes values by name, which no type checker sees; each way to end but a bug is fine here."""
    for name, command in commands(group):
        if name not in ("mcp", "emulator serve"):  # they serve until they are stopped
            needed = ["x" for item in command.params if isinstance(item, click.Argument) and item.required]
            for option in command.params:
                if isinstance(option, click.Option) and not isinstance(option, CommonOption):
                    ran = cesplan(*name.split(), *needed, option.opts[-1], *_value(option))
                    assert "bug in cesplan" not in ran.text, (name, option.opts)


def _value(option: click.Option) -> list[str]:
    choices = getattr(option.type, "choices", ["1" if "integer" in option.type.name else "x"])
    return [] if option.is_flag else [choices[-1]]


def test_the_text_of_a_variable_is_not_repeated(cesplan: Run) -> None:
    """It may be a secret whose name was forgotten."""
    assert "hunter2" not in cesplan("plan", "--var", "hunter2").err


@pytest.mark.parametrize("name", ["validate", "plan", "apply", "init", "schema", "score"])
def test_help_teaches_with_examples(name: str, cesplan: Run) -> None:
    """Every command shows how it is typed, and the common options apart."""
    ran = cesplan(name, "--help")
    assert ran.code == 0
    assert f"  cesplan {name}" in ran.out
    assert "Examples:" in ran.out
    assert "Common options:" in ran.out


@pytest.mark.parametrize("name", ["pull", "render", "convert", "promote"])
def test_help_lists_options_only_among_the_options(name: str, cesplan: Run) -> None:
    """Arguments are described in the usage line and the text."""
    own = cesplan(name, "--help").out.partition("\nOptions:\n")[2].partition("\nCommon options:\n")[0]
    rows = [line for line in own.splitlines() if line.strip() and not line.startswith("   ")]
    assert rows
    assert [line for line in rows if not line.startswith("  -")] == []


def test_help_of_all(cesplan: Run) -> None:
    """The commands, each with a line, and the exit codes."""
    ran = cesplan("--help")
    assert ran.code == 0
    assert all(
        f"\n  {name} " in ran.out for name in ("validate", "plan", "apply", "init", "schema", "emulator")
    )
    assert "64 usage error" in " ".join(ran.out.split())


def test_common_options_stand_before_or_after_the_command(tree: Tree, cesplan: Run) -> None:
    """-C is cumulative, as with git."""
    root = tree.root
    assert cesplan("-C", str(root.parent), "validate", "-C", root.name).code == 0


def test_init_writes_a_tree_once(tmp_path: Path, cesplan: Run) -> None:
    """It validates, it says what to do, and it never overwrites."""
    folder = str(tmp_path / "agents")
    ran = cesplan("init", folder)
    assert ran.code == 0
    assert "  + apps/hello-shop/app.yaml" in ran.out
    assert f"cesplan apply -C {folder} --emulator" in ran.out
    assert cesplan("-C", folder, "validate").code == 0
    again = cesplan("init", folder)
    assert again.code == 64
    assert "Nothing was written" in again.err


def test_schemas_are_written_and_named(tmp_path: Path, cesplan: Run) -> None:
    """One for each kind, one for cesplan.yaml; their paths are the output."""
    out = tmp_path / "schemas"
    ran = cesplan("schema", "--out", str(out))
    assert ran.code == 0
    names = [str(Path(row).relative_to(out)) for row in ran.out.splitlines()]
    assert {"agents.schema.json", "cesplan.schema.json", "reports/plan.schema.json"} <= {*names}
    assert all("$schema" in json.loads((out / name).read_text(encoding="utf-8")) for name in names)


def test_a_tree_has_schemas_and_settings_for_editors(tree: Tree, cesplan: Run) -> None:
    """Without a folder they are for the tree; settings that are there are not touched, but told."""
    ran = cesplan("schema")
    assert (ran.code, ran.err) == (0, "")
    folder, settings = map(Path, ran.out.splitlines())
    assert (folder / "agents.schema.json").is_file()
    settings.write_text("{}", encoding="utf-8")
    again = cesplan("schema")
    assert (again.code, again.out) == (0, f"{folder}\n")
    assert "does not name the schemas" in again.err
    assert '"yaml.schemas"' in again.err
    assert settings.read_text(encoding="utf-8") == "{}"


def test_schemas_without_a_tree_need_a_folder(tmp_path: Path, cesplan: Run) -> None:
    ran = cesplan("-C", str(tmp_path), "schema")
    assert ran.code == 64
    assert "cesplan schema --out DIR" in ran.err


def test_no_credentials_is_6(tree: Tree, cesplan: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """It says how to log in, and how to do without."""
    monkeypatch.delenv("CES_EMULATOR_HOST", raising=False)
    monkeypatch.setenv("GOOGLE_APPLICATION_CREDENTIALS", str(tmp_path / "none.json"))
    ran = cesplan("plan")
    assert ran.code == 6
    assert "gcloud auth application-default login" in ran.err
    assert "--emulator" in ran.err


def test_a_defect_is_told_without_a_trace(tree: Tree, cesplan: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """The trace is for --debug."""

    def broken(*arguments: object, **more: object) -> None:
        raise KeyError("surprise")

    monkeypatch.setattr("cesplan.workflow.validating.load", broken)
    ran = cesplan("validate")
    assert ran.code == 1
    assert "bug in cesplan" in ran.err
    assert "Traceback" not in ran.err
    assert "KeyError: 'surprise'" in cesplan("validate", "--debug").err


@pytest.mark.parametrize("words", [(), ("ci",), ("emulator",), ("policy",)])
def test_a_command_that_needs_another_shows_which_there_are(words: tuple[str, ...], cesplan: Run) -> None:
    """The help; scripts still see that nothing was done."""
    ran = cesplan(*words)
    assert (ran.code, ran.out) == (64, "")
    assert ran.err.startswith("Usage: cesplan")
    assert ran.err.count("Usage: ") == 1
    assert "Error" not in ran.err.partition("Commands:")[0]
