"""
Where cesplan writes: no link in a checkout chooses which file or folder of the user that is.

Every option and argument that names a file or a folder is in one of the lists below, so that a new one is
thought of; and no other module than those named here writes to a disk.
"""

import ast
import os
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from cesplan.cli.group import group
from cesplan.cli.running import run
from cesplan.config.writing.saving import save
from cesplan.domain.errors import CesplanError
from cesplan.emulator import EmbeddedEmulator
from tests.security.hostile_trees import CANARY, SMALL_TREE, write_tree
from tests.sources import ROOT, names, texts, tree_of, words

APP = "projects/acme-dev/locations/us/apps/help-desk"
TO_FOLDERS = {
    "schema": ["schema", "--out", "{}"],
    "init": ["init", "{}"],
    "pull": ["pull", APP, "--into", "{}"],
    "pull of an export": ["pull", APP, "--layout", "export", "--into", "{}"],
    "merge": ["pull", "--merge", "--into", "{}"],
    "cron": ["cron", "init", "kubernetes", "--out", "{}"],
    "convert to an export": ["convert", ".", "{}"],
    "eval sets": ["evaluate", "--all", "--export", "adk", "--out", "{}"],
    "convert to a tree": ["convert", "export", "{}", "--project", "acme-dev"],
}
TO_FILES = {
    "plan": ["plan", "--out", "{}"],
    "report": ["plan", "--report", "json={}"],
    "lines": ["plan", "--report", "jsonl={}"],
    "metrics": ["drift", "--metrics-file", "{}"],
    "state": ["drift", "--notify", "https://hooks.example/x", "--state", "{}"],
    "promote": ["promote", "one", "two", "--out", "{}"],
    "findings": ["validate", "--report", "sarif={}"],
    "data": ["emulator", "serve", "--port", "0", "--data", "{}"],
    "export": ["convert", ".", "{}.zip"],
    "evidence": ["release", "gate", "web", "--auto-approve", "--evidence", "{}"],
    "parts": ["ci", "parts", "cesplan.yaml", "--out", "{}"],
}
WRITING = {
    "schema --out", "init folder", "pull --into", "convert target", "plan --out", "promote --out",
    "emulator serve --data", "ci parts --out", "cron init --out", "drift --metrics-file", "evaluate --out",
    *(f"release {word} --evidence" for word in ("plan", "gate", "start", "step", "status", "abort")),
}  # fmt: skip
READING = {
    "apply file", "show file", "ci compare plan", "ci compare reviewed", "ci parts file", "convert source",
    "emulator serve --faults", "emulator serve --evaluations", "emulator serve --judges",
    "emulator serve --sessions", "evaluate --criteria", "--chdir",
    "--from", "--environment-file", "score eval_set", "score results", "score --config",
}  # fmt: skip
WRITERS = {
    "config/branches.py",  # into a temporary folder
    "config/cache/place.py",  # the cache and its key: tests/unit/config/cache says where they may be
    "config/cache/store.py",  # removes what it has written
    "config/committed.py",  # into a temporary folder
    "config/writing/copying.py",  # into a temporary folder
    "config/writing/outputs.py",
    "config/writing/whole_files.py",
    "config/writing/saving.py",
    "features/drift/alarm/receivers.py",  # a lock beside the state
    "features/history/location_edits.py",  # into a temporary folder
    "features/history/sources.py",  # into a temporary folder
    "features/merge/proof.py",  # into a temporary folder
    "features/pipelines/files.py",
    "workflow/drift/branching.py",  # into a temporary folder
    "workflow/evaluation/exporting.py",
    "workflow/evidence/evidence_file.py",
    "workflow/pulling.py",
    "workflow/views/since.py",  # into a temporary folder
    "workflow/converting.py",
    "cli/console.py",  # /dev/null
    "config/git.py",  # a file without a name
}


@pytest.fixture
def victim(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder of the user; beside it a checkout with links to it, which is the current folder."""
    home, checkout = tmp_path.resolve() / "home", tmp_path.resolve() / "checkout"
    home.mkdir()
    (home / "plan.json").write_text("{}")
    environments = "environments: {one: {}, two: {project: acme-two}}\n"
    write_tree(checkout, {**SMALL_TREE, "cesplan.yaml": SMALL_TREE["cesplan.yaml"] + environments})
    write_tree(checkout / "export", {"app.json": '{"displayName": "Help desk"}'})
    for name in ("plan.json", "plan.json.zip", "new.json", "new.json.zip"):
        (checkout / name).symlink_to(home / name)
    (checkout / "folder").symlink_to(home)
    monkeypatch.chdir(checkout)
    with EmbeddedEmulator() as running:
        running.seed({"name": APP, "displayName": "Help desk"})
        monkeypatch.setenv("CES_EMULATOR_HOST", running.address)
        yield home


def everything(folder: Path) -> dict[str, str]:
    return {path.name: path.read_text() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize("name", sorted(TO_FOLDERS))
@pytest.mark.parametrize("place", ["folder", "folder/new", "folder/new/newer"])
def test_a_link_does_not_choose_the_folder(
    victim: Path, name: str, place: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Wrong usage, before a request; nothing is made where the link leads."""
    assert run([word.format(place) for word in TO_FOLDERS[name]]) == 64
    assert "leads out of this folder through a symbolic link" in " ".join(capsys.readouterr().err.split())
    assert everything(victim) == {"plan.json": "{}"}
    assert [item.name for item in victim.iterdir()] == ["plan.json"]


@pytest.mark.parametrize("name", sorted(TO_FILES))
@pytest.mark.parametrize("place", ["plan.json", "new.json", "folder/plan.json", "folder/new.json"])
def test_a_link_does_not_choose_the_file(
    victim: Path, name: str, place: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Also one that leads to where nothing is yet."""
    assert run([word.format(place) for word in TO_FILES[name]]) == 64
    assert "symbolic link" in " ".join(capsys.readouterr().err.split())
    assert [item.name for item in victim.iterdir()] == ["plan.json"]
    assert everything(victim) == {"plan.json": "{}"}


@pytest.mark.skipif(os.name != "posix", reason="pipes and devices")
@pytest.mark.parametrize("name", ["plan", "report", "lines", "promote"])
@pytest.mark.parametrize("target", ["/dev/full", "pipe"])
def test_a_link_to_a_device_or_a_pipe_is_a_link_too(victim: Path, name: str, target: str) -> None:
    """One to a disk would be written to, one to a pipe would wait for ever."""
    os.mkfifo(victim / "pipe")
    Path("odd.json").symlink_to(victim / target)
    assert run([word.format("odd.json") for word in TO_FILES[name]]) == 64


def test_links_inside_the_working_directory_are_the_users_own(victim: Path) -> None:
    """`build` may be a link to another folder of the checkout."""
    Path("elsewhere").mkdir()
    Path("build").symlink_to("elsewhere")
    assert run(["schema", "--out", "build/schemas"]) == 0
    assert run(["schema", "--out", "build"]) == 0
    assert run(["plan", "--out", "build/plan.json", "--report", "json=build/report.json"]) == 0
    assert Path("elsewhere/agents.schema.json").is_file()


def test_a_link_inside_the_folder_is_not_followed(victim: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The folder is a real one, and a file in it is committed as a link."""
    Path("schemas").mkdir()
    Path("schemas/agents.schema.json").symlink_to(victim / "plan.json")
    assert run(["schema", "--out", "schemas"]) == 1
    assert "leads out of the tree" in capsys.readouterr().err
    assert [path.name for path in Path("schemas").iterdir()] == ["agents.schema.json"]
    assert everything(victim) == {"plan.json": "{}"}


@pytest.mark.skipif(os.name != "posix", reason="pipes")
def test_a_pipe_in_the_place_of_a_file_is_an_error(tmp_path: Path) -> None:
    """Nothing waits for someone to write to it."""
    os.mkfifo(tmp_path / "a.yaml")
    with pytest.raises(CesplanError, match="not a regular file"):
        save(tmp_path, {"a.yaml": "x"})


def test_files_of_an_earlier_conversion_do_not_come_from_elsewhere(
    victim: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A link in `.export` took any file of the user into the export."""
    (victim / "key").write_text(CANARY)
    Path("apps/help-desk/.export").mkdir()
    Path("apps/help-desk/.export/notes.txt").symlink_to(victim / "key")
    assert run(["convert", ".", "out.zip"]) == 64
    assert "leads out of the tree" in " ".join(capsys.readouterr().err.split())
    assert not Path("out.zip").exists()
    Path("apps/help-desk/.export/notes.txt").unlink()
    os.mkfifo("apps/help-desk/.export/notes.txt")
    assert run(["convert", ".", "out.zip"]) == 64
    assert "not a regular file" in " ".join(capsys.readouterr().err.split())
    Path("apps/help-desk/.export/notes.txt").unlink()
    Path("apps/help-desk/.export").rmdir()
    Path("apps/help-desk/.export").symlink_to(victim)
    assert run(["convert", ".", "out.zip"]) == 0
    assert CANARY.encode() not in Path("out.zip").read_bytes()


def commands(of: click.Group, name: str = "") -> Iterator[tuple[str, click.Command]]:
    context = click.Context(of)
    for word in of.list_commands(context):
        found = of.get_command(context, word)
        if isinstance(found, click.Group):
            yield from commands(found, f"{name}{word} ")
        elif found is not None:
            yield f"{name}{word}", found


def test_every_option_that_names_a_file_is_known_here() -> None:
    """A new one has to be put into a list of this file: does it write, and is it tested above?"""
    found = set()
    for name, command in commands(group):
        for parameter in command.params:
            if isinstance(parameter.type, click.Path) or parameter.metavar in ("DIR", "FOLDER", "FILE", "PATH"):
                option = parameter.opts[-1]
                found.add(option if option in READING else f"{name} {option}")
    assert found - WRITING - READING == set()
    assert WRITING - found == set()


def test_no_other_module_writes() -> None:
    """Calls that make or change files, found in the source."""
    calls = {
        "write_text", "write_bytes", "mkdir", "makedirs", "touch", "mkstemp", "mkdtemp", "symlink_to", "link",
        "hardlink_to", "copyfile", "copytree", "copy2", "move", "rmtree", "unlink", "rename", "fdopen",
        "TemporaryFile", "TemporaryDirectory", "NamedTemporaryFile",
    }  # fmt: skip
    found = set()
    pattern = words("open", *calls)
    for path, text in texts().items():
        within = path.relative_to(ROOT).as_posix()
        if within.startswith("emulator/") or within in WRITERS or not names(text, pattern):
            continue
        for node in ast.walk(tree_of(path)):
            if not isinstance(node, ast.Call):
                continue
            name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            modes = [item.value for item in node.args if isinstance(item, ast.Constant)]
            writes = name == "open" and any(
                set(str(mode)) & set("wax+") and len(str(mode)) < 4 for mode in modes
            )
            if writes or (name in calls and isinstance(node.func, ast.Attribute)):
                found.add(within)
    assert found == set()
