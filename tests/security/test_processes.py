"""
The tree: no process is started but git, and git only in the one place that closes its settings.

A scan of the source finds a new way to start a process or to evaluate a text as code before it is ever run; a
real run, watched from inside, finds what libraries start.
"""

import ast
import json
import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from cesplan.config import git as git_module
from cesplan.emulator import EmbeddedEmulator
from cesplan.remote.credentials import default_credentials
from tests.security.hostile_trees import SMALL_TREE, write_tree
from tests.security.traps import git, set_trap
from tests.security.watching import watched
from tests.sources import ROOT, names, texts, tree_of, words

GIT = ROOT / "config/git.py"

STARTS_PROCESSES = {
    "subprocess",
    "multiprocessing",
    "pty",
    "ctypes",
    "webbrowser",
    "pydoc",
    "antigravity",
    "concurrent.futures.process",
    "asyncio.subprocess",
}
RUNS_TEXT = {"pickle", "marshal", "shelve", "runpy", "code", "codeop", "imp"}
UNSAFE = STARTS_PROCESSES | RUNS_TEXT
OF_OS = ("system", "popen", "exec", "spawn", "posix_spawn", "fork", "startfile")
OF_OTHERS = {"create_subprocess_exec", "create_subprocess_shell", "subprocess_exec", "ProcessPoolExecutor"}
OF_CLICK = {"click.launch", "click.edit", "click.echo_via_pager", "click.termui"}
BUILT_IN = {"eval", "exec", "compile", "__import__"}
ALLOWED = {
    # As in the standard library: the text is made of the names of the fields of our own classes.
    "domain/frozen.py": {"exec"},
    # Only bytes whose keyed digest is right: those that this user's own cesplan wrote.
    "config/cache/pack.py": {"marshal"},
}


def test_only_one_module_can_start_a_process_or_run_a_text() -> None:
    """A `subprocess`, `os.system` or `eval` anywhere else in cesplan has to be allowed here first."""
    found = [
        f"{path.relative_to(ROOT)}:{line}: {what}"
        for path, text in texts().items()
        if path != GIT and _may_be_suspect(text)
        for line, what in _suspects(tree_of(path))
        if what not in ALLOWED.get(path.relative_to(ROOT).as_posix(), ())
    ]
    assert found == []


@pytest.mark.parametrize(
    "text",
    [
        "import subprocess",
        "import subprocess as harmless",
        "from subprocess import run",
        "import os\nos.system('x')",
        "import os\nos.execvp('x', [])",
        "from os import posix_spawn",
        "from concurrent.futures import ProcessPoolExecutor",
        "import concurrent.futures\nconcurrent.futures.ProcessPoolExecutor()",
        "import asyncio\nasyncio.create_subprocess_exec('x')",
        "import click\nclick.launch('x')",
        "import pickle",
        "eval('1')",
        "__import__('subprocess')",
        "import importlib\nimportlib.import_module('subprocess')",
        "import importlib\nimportlib.import_module('sub' 'process')",
        "import os, \\\n code",
        "from code import (\n interact,\n)",
        "import os\nos . \\\n system('x')",
        "from os import (path,  # paths\n popen)",
        "(compile  # a text\n ('1', '', 'exec'))",
        "import \U0001d4c8ubprocess",
        "from importlib import import_module\nimport_module('subprocess')",
    ],
)
def test_the_scan_finds(text: str) -> None:
    assert _may_be_suspect(text)
    assert list(_suspects(ast.parse(text))) != []


def test_the_one_module_starts_git_in_one_call_with_all_settings() -> None:
    """Settings first, so that no later argument is before them; its own environment; no shell."""
    calls = [
        node
        for node in ast.walk(ast.parse(GIT.read_text(encoding="utf-8")))
        if isinstance(node, ast.Attribute) and ast.unparse(node.value) == "subprocess"
    ]
    used = sorted(ast.unparse(call) for call in calls)
    assert used == ["subprocess.PIPE", "subprocess.Popen", "subprocess.Popen"], "a type and a call"
    assert {name.partition("=")[0] for name in git_module.SETTINGS} >= {
        "safe.bareRepository",
        "core.fsmonitor",
        "core.hooksPath",
        "core.pager",
        "core.sshCommand",
        "diff.external",
        "credential.helper",
        "protocol.allow",
    }


@pytest.mark.skipif(sys.platform != "linux", reason="limits of memory as Linux has them")
def test_each_command_starts_nothing_but_git(tmp_path: Path) -> None:
    """Validate, plan, apply, plan again and a merge, watched: every process is git with its settings."""
    tree, scratch = tmp_path / "tree", tmp_path / "scratch"
    scratch.mkdir()
    write_tree(tree, SMALL_TREE)
    git(tree, "init", "-q")
    git(tree, "add", ".")
    git(tree, "commit", "-q", "-m", "first")
    with EmbeddedEmulator() as emulator:
        seen = watched(
            tree,
            scratch,
            ["validate"],
            ["plan"],
            ["apply", "--auto-approve"],
            ["plan"],
            ["pull", "--merge", "--check"],
            emulator=emulator.address,
        )
    assert seen.codes == [0, 0, 0, 0, 0], seen.output
    started = seen.of("subprocess.Popen")
    assert started, "git was not asked for the commit"
    settings = [part for setting in git_module.SETTINGS for part in ("-c", setting)]
    for program, arguments, *_ in started:
        assert Path(program).is_absolute()
        assert Path(program).name == "git"
        assert arguments[1 : 1 + len(settings)] == settings
    assert (
        seen.of("os.system", "os.exec", "os.posix_spawn", "os.spawn", "os.fork", "os.forkpty", "pty.spawn")
        == []
    )


def test_a_login_of_gcloud_starts_no_gcloud(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """google-auth looks for a project nobody needs by running `gcloud`, here the one of the tree."""
    tree = tmp_path / "tree"
    tree.mkdir()
    trap = set_trap(tree, "gcloud")
    login = tmp_path / "gcloud/application_default_credentials.json"
    login.parent.mkdir()
    said = {"type": "authorized_user", "client_id": "c", "client_secret": "s", "refresh_token": "r"}
    login.write_text(json.dumps(said))
    monkeypatch.setenv("CLOUDSDK_CONFIG", str(login.parent))
    monkeypatch.setenv("PATH", f".{os.pathsep}{os.environ['PATH']}")
    monkeypatch.chdir(tree)
    for name in ("GOOGLE_APPLICATION_CREDENTIALS", "GOOGLE_CLOUD_PROJECT", "GCLOUD_PROJECT"):
        monkeypatch.delenv(name, raising=False)
    default_credentials()
    assert not trap.is_sprung
    monkeypatch.setenv("GOOGLE_APPLICATION_CREDENTIALS", str(login))
    default_credentials()
    assert not trap.is_sprung


_MODULES = "|".join(sorted({name.partition(".")[0] for name in UNSAFE}))
_OF_OS = rf"\b(?:{'|'.join(OF_OS)})\w*"
_PATTERNS = (
    re.compile(rf"\b(?:import|from)\b[\s\\\w.,]*\b(?:{_MODULES})\b"),
    re.compile(rf"\bos\b(?s:.*){_OF_OS}|{_OF_OS}(?s:.*)\bos\b"),
    words(*OF_OTHERS, "import_module"),
    re.compile(rf"(?<![.\w])(?:{'|'.join(sorted(BUILT_IN))})\b"),
)
_NAMES_OF_CLICK = words(*(name.rpartition(".")[2] for name in OF_CLICK))


def _may_be_suspect(text: str) -> bool:
    """Whether names that `_suspects` looks for are in a text at all, if only in a comment."""
    of_click = names(text, words("click")) and names(text, _NAMES_OF_CLICK)
    return of_click or any(names(text, pattern) for pattern in _PATTERNS)


def _suspects(module: ast.Module) -> Iterator[tuple[int, str]]:
    """Every place at which a process could be started, or a text run as code."""
    for node in ast.walk(module):
        if not isinstance(node, ast.Import | ast.ImportFrom | ast.Attribute | ast.Call):
            continue  # most of them, and matching each takes seconds for all of cesplan
        match node:
            case ast.Import() | ast.ImportFrom():
                found = [name for name in _imported(node) if _is_unsafe(name)]
            case ast.Attribute(value=ast.Name(id="os" | "click" as origin), attr=name):
                found = [f"{origin}.{name}"] if _is_unsafe(f"{origin}.{name}") else []
            case ast.Attribute(attr=name):
                found = [name] if name in OF_OTHERS else []
            case ast.Call(func=ast.Name(id=name)) if name in BUILT_IN:
                found = [name]
            case ast.Call(func=function, args=[ast.Constant(value=str(name)), *_]):
                is_import = ast.unparse(function).endswith("import_module")
                found = [name] if is_import and _is_unsafe(name) else []
            case _:
                found = []
        yield from ((node.lineno, name) for name in found)


def _imported(node: ast.Import | ast.ImportFrom) -> list[str]:
    names = [item.name for item in node.names]
    if isinstance(node, ast.Import):
        return names
    return [node.module or "", *(f"{node.module}.{name}" for name in names)]


def _is_unsafe(name: str) -> bool:
    """Whether a module, or a name of one, starts processes or runs texts."""
    origin, _, last = name.rpartition(".")
    parts = name.split(".")
    return (
        any(".".join(parts[:end]) in UNSAFE for end in range(1, len(parts) + 1))
        or (origin == "os" and last.startswith(OF_OS))
        or last in OF_OTHERS
        or name in OF_CLICK
    )
