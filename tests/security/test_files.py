"""
What cesplan leaves on a disk: for whose eyes, on a full disk, and after a kill in the middle of writing.
"""

import os
import resource
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from cesplan.cli.running import run
from cesplan.config.writing.saving import save
from cesplan.config.writing.whole_files import ASIDE, write_whole
from cesplan.domain.errors import CesplanError
from cesplan.emulator import EmbeddedEmulator

FILES = {
    "cesplan.yaml": "cesplan: 1\nproject: acme-dev\nlocation: us\n",
    "apps/help-desk/app.yaml": "displayName: Help desk\nrootAgent: front-desk\n",
    "apps/help-desk/agents/front-desk.yaml": "displayName: Front desk\ninstruction: Be kind.\n",
}


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A small tree as the current folder, and an emulator that is the service."""
    root = tmp_path / "tree"
    for name, text in FILES.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    monkeypatch.chdir(root)
    with EmbeddedEmulator() as emulator:
        monkeypatch.setenv("CES_EMULATOR_HOST", emulator.address)
        yield root


@contextmanager
def full_disk(room: int = 100) -> Iterator[None]:
    """
    No file of this process may become larger; it fails as on a full disk, with EFBIG for ENOSPC.

    Python writes no bytecode meanwhile: it takes a short write of a .pyc file for a whole one, and every
    process that imports the module later ends with "marshal data too short".
    """
    old = resource.getrlimit(resource.RLIMIT_FSIZE)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "dont_write_bytecode", True)
        resource.setrlimit(resource.RLIMIT_FSIZE, (room, old[1]))
        try:
            yield
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, old)


def mode(path: Path) -> str:
    return oct(path.stat().st_mode & 0o777)


def test_plans_and_reports_are_for_their_owner_alone(tree: Path) -> None:
    """They hold prompts, names and ids; other users of the machine have no business with them."""
    old = os.umask(0)
    try:
        formats = ("text", "json", "jsonl", "markdown", "junit")
        for name in formats:
            (tree / f"report.{name}").touch(mode=0o666)
        reports = [word for name in formats for word in ("--report", f"{name}=report.{name}")]
        assert run(["plan", "--out", "plan.json", *reports]) == 0
        assert run(["validate", "--report", "sarif=report.sarif"]) == 0
    finally:
        os.umask(old)
    written = ["plan.json", *(f"report.{name}" for name in (*formats, "sarif"))]
    assert {name: mode(tree / name) for name in written} == dict.fromkeys(written, "0o600")


def test_the_schemas_are_whole_or_not_there_on_a_full_disk(
    tree: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """No empty file is left that an editor would believe."""
    with full_disk():
        assert run(["schema", "--out", "schemas"]) == 1
    told = capsys.readouterr().err
    assert "File too large" in told or "file too large" in told
    assert [path for path in tree.rglob("*") if path.is_file() and "schema" in path.name] == []


def test_a_plan_that_cannot_be_kept_is_no_wrong_usage(tree: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Exit code 1, no file, and the old one as it was; 64 is for a path at which no file can be."""
    with full_disk():
        assert run(["plan", "--out", "plan.json"]) == 1
    assert not (tree / "plan.json").exists()
    assert "Cannot write plan.json: File too large." in capsys.readouterr().err
    assert run(["plan", "--out", "plan.json"]) == 0
    kept = (tree / "plan.json").read_bytes()
    with full_disk():
        assert run(["plan", "--out", "plan.json"]) == 1
    assert (tree / "plan.json").read_bytes() == kept
    assert run(["plan", "--out", "no-such-folder/plan.json"]) == 64


@pytest.mark.parametrize("name", ["json", "markdown", "junit"])
def test_a_report_that_cannot_be_written_is_an_error(
    tree: Path, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    """The plan is shown, the old report stays, and the exit code says that something is missing."""
    (tree / "report").write_text("old")
    with full_disk():
        assert run(["plan", "--report", f"{name}=report"]) == 1
    assert (tree / "report").read_text() == "old"
    assert "Error: Cannot write" in capsys.readouterr().err


def test_stdout_on_a_full_disk_is_an_error(tree: Path) -> None:
    """Not a traceback, not a defect, and not success."""
    command = [os.sys.executable, "-m", "cesplan", "plan", "--format", "json"]  # type: ignore[attr-defined]
    with open("/dev/full", "wb") as full:
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, check=False, timeout=60)
    assert done.returncode == 1
    assert "No space left on device" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_full_disk_leaves_the_files_of_the_tree_as_they_are(tree: Path) -> None:
    """What is written is written whole, and what is not is not touched."""
    before = {name: (tree / name).read_bytes() for name in FILES}
    with full_disk(), pytest.raises(CesplanError, match="cannot be written: file too large"):
        save(tree, dict.fromkeys(FILES, "x" * 1000))
    assert {name: (tree / name).read_bytes() for name in FILES} == before
    assert [*tree.glob(f"{ASIDE}*")] == []


class Killed(BaseException):
    """Ends the process in the middle of things, as far as files can tell."""


def kill_while_writing(monkeypatch: pytest.MonkeyPatch, act) -> None:
    """Do something, and be killed before its first file is moved into its place: nothing is cleaned up."""

    def killed(*_: object, **__: object) -> None:
        raise Killed

    with monkeypatch.context() as patch:
        for name in ("os.replace", "os.unlink", "shutil.rmtree"):
            patch.setattr(f"cesplan.config.writing.whole_files.{name}", killed)
        with pytest.raises(Killed):
            act()


def test_no_commit_takes_what_a_killed_run_left(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`git add -A` after a killed merge, a killed plan and a killed schema adds nothing of theirs."""
    git = ["git", "-c", "safe.directory=*", "-C", str(tree)]
    subprocess.run([*git, "init", "-q"], check=True)
    kill_while_writing(monkeypatch, lambda: save(tree, {"apps/help-desk/agents/front-desk.md": "x"}))
    kill_while_writing(monkeypatch, lambda: write_whole(tree / "plan.json", "{}", mode=0o600))
    assert len([*tree.glob(f"{ASIDE}*/tmp*")]) == 2
    subprocess.run([*git, "add", "-A"], check=True)
    added = subprocess.run([*git, "ls-files"], check=True, capture_output=True, text=True).stdout
    assert added.split() == sorted(FILES)


def test_the_next_run_removes_what_a_killed_one_left(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """But not what a run of this very moment is writing, and nothing through a link."""
    kill_while_writing(monkeypatch, lambda: save(tree, {"a.md": "x"}))
    [left] = tree.glob(f"{ASIDE}*")
    save(tree, {"b.md": "x"})
    assert left.is_dir()
    (tree / "keep").mkdir()
    (tree / f"{ASIDE}link").symlink_to("keep")
    (tree / f"{ASIDE}file").write_text("not a folder of ours")
    an_hour_ago = time.time() - 3600
    for path in (left, tree / "keep"):
        os.utime(path, (an_hour_ago, an_hour_ago))
    save(tree, {"c.md": "x"})
    assert not left.exists()
    assert (tree / "keep").is_dir()
    assert (tree / f"{ASIDE}file").exists()


def test_unfinished_files_are_private(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also before they have their name."""
    kill_while_writing(monkeypatch, lambda: write_whole(tree / "plan.json", "{}", mode=0o600))
    [left] = tree.glob(f"{ASIDE}*")
    assert mode(left) == "0o700"


@pytest.mark.parametrize("option", [("--out", "{}"), ("--report", "json={}")])
@pytest.mark.parametrize("way", ["plan.json", "folder/plan.json"])
def test_a_committed_link_does_not_choose_what_is_replaced(
    tree: Path, tmp_path: Path, option: tuple[str, str], way: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """A pull request commits `plan.json` or its folder as a link out of the checkout."""
    victim = Path(tmp_path).resolve() / "victim"
    victim.mkdir()
    (victim / "plan.json").write_text("{}")
    Path("plan.json").symlink_to(victim / "plan.json")
    Path("folder").symlink_to(victim)
    assert run(["plan", option[0], option[1].format(way)]) == 64
    assert "symbolic link" in " ".join(capsys.readouterr().err.split())
    assert (victim / "plan.json").read_text() == "{}"
