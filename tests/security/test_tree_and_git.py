"""The tree: nothing in a checkout makes git run a program, and git gets no secret."""

import os
import shutil
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from cesplan.config.committed import ExtractedTree, committed_at, extract_tree
from cesplan.config.git import repository_of
from cesplan.config.source import read_source
from tests.security.traps import Trap, disguise_as_repository, git, set_trap

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the traps are shell scripts")


@dataclass(frozen=True, slots=True, kw_only=True)
class Victim:
    """A checkout with a tree in a folder of it, and a trap outside."""

    top: Path
    tree: Path
    trap: Trap

    def use_git(self, into: Path) -> None:
        """Everything that cesplan asks git: the commit, what differs from it, the tree then, times of files."""
        commit = git(self.top, "-c", "core.fsmonitor=", "rev-parse", "HEAD")
        self.trap.reset()
        read_source(self.tree)
        read_source(self.tree, commit[:12])
        extract_tree(self.tree, commit, into)
        committed_at(self.tree, ("cesplan.yaml",))

    def touch(self) -> None:
        """Make git look into a file: its time changed, and its content did not."""
        os.utime(self.tree / "cesplan.yaml", (1, 1))


@pytest.fixture
def victim(tmp_path: Path) -> Victim:
    top = tmp_path / "checkout"
    tree = top / "ces"
    tree.mkdir(parents=True)
    (tree / "cesplan.yaml").write_text("cesplan: 1\n")
    git(top, "init", "-q", "-b", "main")
    git(top, "add", ".")
    git(top, "commit", "-q", "-m", "first")
    return Victim(top=top, tree=tree, trap=set_trap(tmp_path))


@pytest.fixture
def scratch(tmp_path: Path) -> Path:
    (tmp_path / "scratch").mkdir()
    return tmp_path / "scratch"


def test_files_that_look_like_a_repository_configure_nothing(victim: Victim, scratch: Path) -> None:
    """
    A pull request adds `HEAD`, `config`, `objects` and `refs` beside cesplan.yaml.

    A plain git in that folder obeys this configuration; the commit that cesplan finds is that of the checkout.
    """
    disguise_as_repository(victim.tree, victim.trap)
    git(victim.top, "add", ".")
    git(victim.top, "commit", "-q", "-m", "harmless")
    git(victim.tree, "-c", "safe.bareRepository=all", "status", check=False)
    assert victim.trap.is_sprung, "the attack does not work on a plain git"
    victim.use_git(scratch)
    assert not victim.trap.is_sprung
    assert read_source(victim.tree).commit == git(victim.top, "rev-parse", "HEAD")
    assert not read_source(victim.tree).dirty


def test_outside_a_repository_such_files_are_files(victim: Victim) -> None:
    """No `.git` above: there is no repository, whatever the folder looks like."""
    shutil.rmtree(victim.top / ".git")
    disguise_as_repository(victim.tree, victim.trap)
    assert repository_of(victim.tree) is None
    assert read_source(victim.tree).commit == ""
    assert not victim.trap.is_sprung


def _fsmonitor(victim: Victim) -> tuple[str, ...]:
    _configure(victim, f'[core]\nfsmonitor = "{victim.trap.program}"\n')
    return ("status",)


def _hooks(victim: Victim) -> tuple[str, ...]:
    hooks = victim.tree / "hooks"
    hooks.mkdir()
    for name in ("post-index-change", "reference-transaction", "post-checkout", "pre-auto-gc"):
        shutil.copy(victim.trap.program, hooks / name)
    _configure(victim, f'[core]\nhooksPath = "{hooks}"\n')
    return ("status",)


def _external_diff(victim: Victim) -> tuple[str, ...]:
    (victim.tree / "cesplan.yaml").write_text("cesplan: 1\nproject: p\n")
    _configure(victim, f'[diff]\nexternal = "{victim.trap.program}"\n')
    return ("diff",)


def _diff_driver(victim: Victim) -> tuple[str, ...]:
    (victim.tree / ".gitattributes").write_text("* diff=evil\n")
    (victim.tree / "cesplan.yaml").write_text("cesplan: 1\nproject: p\n")
    _configure(
        victim, f'[diff "evil"]\ntextconv = "{victim.trap.program}"\ncommand = "{victim.trap.program}"\n'
    )
    return ("diff",)


def _clean_filter(victim: Victim) -> tuple[str, ...]:
    return _filter(victim, f'clean = "{victim.trap.program}"')


def _filter_process(victim: Victim) -> tuple[str, ...]:
    return _filter(victim, f'process = "{victim.trap.program}"\nrequired = true')


def _filter(victim: Victim, setting: str, name: str = "Evil.Filter") -> tuple[str, ...]:
    (victim.tree / ".gitattributes").write_text(f"* filter={name}\n")
    _configure(victim, f'[filter "{name}"]\n{setting}\n')
    return ("diff",)


def _filter_with_an_equals_sign(victim: Victim) -> tuple[str, ...]:
    return _filter(victim, f'clean = "{victim.trap.program}"', "a=b.clean=")


def _pager(victim: Victim) -> tuple[str, ...]:
    _configure(victim, f'[core]\npager = "{victim.trap.program}"\n[pager]\ndiff = "{victim.trap.program}"\n')
    return ("--paginate", "log")


def _signature(victim: Victim) -> tuple[str, ...]:
    """A signed commit and a program that judges signatures."""
    plain = git(victim.top, "cat-file", "commit", "HEAD")
    head, _, message = plain.partition("\n\n")
    signed = f"{head}\ngpgsig -----BEGIN PGP SIGNATURE-----\n \n -----END PGP SIGNATURE-----\n\n{message}\n"
    (victim.top / ".git/signed").write_text(signed)
    commit = git(victim.top, "hash-object", "-t", "commit", "-w", ".git/signed")
    git(victim.top, "update-ref", "HEAD", commit)
    _configure(victim, f'[log]\nshowSignature = true\n[gpg]\nprogram = "{victim.trap.program}"\n')
    return ("log", "-1", "--format=%ct")


def _lazy_fetch(victim: Victim) -> tuple[str, ...]:
    return _partial_clone(victim, f'url = "ext::{victim.trap.program}"', "[protocol]\nallow = always\n")


def _lazy_fetch_of_a_protocol(victim: Victim) -> tuple[str, ...]:
    return _partial_clone(victim, f'url = "ext::{victim.trap.program}"', '[protocol "ext"]\nallow = always\n')


def _lazy_fetch_by_ssh(victim: Victim) -> tuple[str, ...]:
    ssh = f'[core]\nsshCommand = "{victim.trap.program}"\n'
    return _partial_clone(victim, 'url = "ssh://nohost.invalid/x"', ssh)


def _lazy_fetch_from_a_folder(victim: Victim) -> tuple[str, ...]:
    return _partial_clone(victim, f'url = "{victim.top}"\nuploadpack = "{victim.trap.program}"', "")


def _partial_clone(victim: Victim, remote: str, more: str) -> tuple[str, ...]:
    """A clone that lacks the file of the tree and would fetch it when it is asked for."""
    blob = git(victim.top, "rev-parse", "HEAD:ces/cesplan.yaml")
    (victim.top / f".git/objects/{blob[:2]}/{blob[2:]}").unlink()
    (victim.tree / "cesplan.yaml").write_text("cesplan: 1\n# changed\n")
    _configure(victim, f'[extensions]\npartialClone = evil\n[remote "evil"]\npromisor = true\n{remote}\n{more}')
    git(victim.top, "config", "core.repositoryformatversion", "1")
    return ("cat-file", "-p", blob)


def _configure(victim: Victim, text: str) -> None:
    """A file of the tree configures git: an ordinary habit, `git config include.path ../ces/gitconfig`."""
    (victim.tree / "gitconfig").write_text(text)
    git(victim.top, "config", "include.path", "../ces/gitconfig")


Attack = Callable[[Victim], tuple[str, ...]]


@pytest.mark.parametrize(
    "attack",
    [
        _fsmonitor,
        _hooks,
        _external_diff,
        _diff_driver,
        _clean_filter,
        _filter_process,
        _filter_with_an_equals_sign,
        _pager,
        _signature,
        _lazy_fetch,
        _lazy_fetch_of_a_protocol,
        _lazy_fetch_by_ssh,
        _lazy_fetch_from_a_folder,
    ],
)
def test_a_repository_that_is_configured_by_the_tree_runs_nothing(
    victim: Victim, attack: Attack, scratch: Path
) -> None:
    """Each attack gives the plain git command that falls for it."""
    command = attack(victim)
    victim.touch()
    git(victim.top, *command, check=False)
    if command[0] != "--paginate":  # git starts no pager without a terminal
        assert victim.trap.is_sprung, "the attack does not work on a plain git"
    victim.touch()
    victim.use_git(scratch)
    assert not victim.trap.is_sprung


@pytest.mark.parametrize("attack", [None, _external_diff, _clean_filter, _lazy_fetch, _lazy_fetch_by_ssh])
def test_git_itself_starts_no_process(
    victim: Victim, attack: Attack | None, scratch: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its own trace says so; a plain git that is attacked starts some."""
    trace = victim.trap.program.parent / "trace"
    folder = victim.trap.program.parent / "bin"
    folder.mkdir()
    spy = folder / "git"
    spy.write_text(f'#!/bin/sh\nGIT_TRACE2_EVENT="{trace}" exec "{shutil.which("git")}" "$@"\n')
    spy.chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")
    if attack:
        command = attack(victim)
        victim.touch()
        git(victim.top, *command, check=False)
        assert '"event":"child_start"' in trace.read_text()
        trace.unlink()
    victim.touch()
    head = victim.top / ".git/refs/heads/main"
    read_source(victim.tree)
    extract_tree(victim.tree, head.read_text().strip(), scratch)
    committed_at(victim.tree, ("cesplan.yaml",))
    assert '"event":"start"' in trace.read_text()
    assert '"event":"child_start"' not in trace.read_text()


def test_a_repository_below_the_tree_runs_nothing(victim: Victim, scratch: Path) -> None:
    """An archive that was unpacked as the tree may hold a `.git` below it, even as a submodule."""
    inner = victim.tree / "apps/inner"
    inner.mkdir(parents=True)
    git(inner, "init", "-q")
    git(inner, "commit", "-q", "--allow-empty", "-m", "inner")
    git(victim.top, "add", "ces/apps/inner")
    git(victim.top, "commit", "-q", "-m", "submodule")
    git(inner, "config", "core.fsmonitor", str(victim.trap.program))
    git(victim.top, "status")
    assert victim.trap.is_sprung, "the attack does not work on a plain git"
    victim.use_git(scratch)
    assert not victim.trap.is_sprung


def test_a_program_named_git_in_the_checkout_is_not_git(
    victim: Victim, scratch: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither by a relative folder in PATH nor by an absolute one inside the checkout."""
    (victim.tree / "git").write_bytes(victim.trap.program.read_bytes())
    (victim.tree / "git").chmod(0o755)
    path = os.pathsep.join([".", "", "ces", str(victim.tree), os.environ["PATH"]])
    head = git(victim.top, "rev-parse", "HEAD")
    monkeypatch.setenv("PATH", path)
    monkeypatch.chdir(victim.tree)
    assert read_source(victim.tree).commit == head
    extract_tree(victim.tree, head, scratch)
    assert not victim.trap.is_sprung


def test_git_gets_no_variable_that_it_does_not_need(victim: Victim, monkeypatch: pytest.MonkeyPatch) -> None:
    """Tokens and secrets stay with cesplan, and variables that would lead git elsewhere with the caller."""
    secrets = {
        "CESPLAN_SECRET_crm": "s3cret",
        "CESPLAN_VAR_host": "s3cret",
        "GOOGLE_APPLICATION_CREDENTIALS": "s3cret",
        "GITHUB_TOKEN": "s3cret",
        "GIT_CONFIG_PARAMETERS": "'http.extraheader=s3cret'",
        "GIT_EXTERNAL_DIFF": str(victim.trap.program),
        "GIT_SSH_COMMAND": str(victim.trap.program),
        "GIT_DIR": "/nonexistent",
        "GIT_INDEX_FILE": "/nonexistent",
    }
    for name, value in secrets.items():
        monkeypatch.setenv(name, value)
    folder = victim.trap.program.parent / "bin"
    folder.mkdir()
    spy = folder / "git"
    spy.write_text(f'#!/bin/sh\nenv > "{victim.trap.mark}"\nexec "{shutil.which("git")}" "$@"\n')
    spy.chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")
    assert read_source(victim.tree).commit != ""
    seen = victim.trap.mark.read_text()
    assert "GIT_NO_LAZY_FETCH=1" in seen
    assert "s3cret" not in seen
    assert {name for name in secrets if f"{name}=" in seen} == set()


def test_a_commit_is_named_in_full(victim: Victim, scratch: Path) -> None:
    """Live metadata says which commit was applied; a revision, an option or a path is not a commit."""
    for text in (
        "HEAD",
        "main",
        "--help",
        "HEAD:ces",
        "@{upstream}",
        git(victim.top, "rev-parse", "HEAD")[:12],
    ):
        trouble = "the stamp does not name the full id of a commit"
        assert extract_tree(victim.tree, text, scratch) == ExtractedTree(trouble=trouble)
    assert list(scratch.iterdir()) == []
