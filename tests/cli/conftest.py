"""
Running the command line as a person would, and a small tree to run it on.

Most tests run it inside this process; `process` starts one, for what only a process has: its streams, its end.
"""

import os
import pty
import select
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Protocol

import pytest

from cesplan.emulator import EmbeddedEmulator
from tests.typed import Ran, Run, typing
from tests.warm import Started, Warm

FILES = {
    "cesplan.yaml": """\
cesplan: 1
project: acme-dev
location: us
apiVersion: v1beta
environments:
  prod: {project: acme-prod}
""",
    "apps/help-desk/app.yaml": """\
displayName: Help desk
rootAgent: front-desk
guardrails: [no-cards]
modelSettings: {model: gemini-2.5-flash, temperature: 0.5}
""",
    "apps/help-desk/agents/front-desk.yaml": """\
displayName: Front desk
instruction: {$file: front-desk.md}
tools: [lookup-order]
""",
    "apps/help-desk/agents/front-desk.md": """\
You are the front desk.

- Greet the caller by name.
- Offer a refund when the order is late.
""",
    "apps/help-desk/tools/lookup-order.yaml": """\
pythonFunction:
  name: lookup_order
  pythonCode: {$file: lookup-order.py}
""",
    "apps/help-desk/tools/lookup-order.py": '''\
def lookup_order(order: str) -> dict:
    """Find an order."""
    return {"order": order}
''',
    "apps/help-desk/guardrails/no-cards.yaml": """\
displayName: No cards
enabled: true
contentFilter: {matchType: REGEXP_MATCH, bannedContents: ['[0-9]{16}']}
action: {respondImmediately: {responses: [{text: No cards please.}]}}
""",
}


class Tree:
    """A tree on disk that tests write to."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def write(self, path: str, text: str) -> None:
        target = self.root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")

    def replace(self, path: str, old: str, new: str) -> None:
        text = (self.root / path).read_text(encoding="utf-8")
        assert old in text
        self.write(path, text.replace(old, new))

    def remove(self, path: str) -> None:
        (self.root / path).unlink()


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Tree:
    """A tree of one app, in the current folder."""
    made = Tree(tmp_path)
    for path, text in FILES.items():
        made.write(path, text)
    monkeypatch.chdir(tmp_path)
    for name in ("NO_COLOR", "FORCE_COLOR", "COLUMNS"):
        monkeypatch.delenv(name, raising=False)
    return made


@pytest.fixture
def service(monkeypatch: pytest.MonkeyPatch) -> Iterator[EmbeddedEmulator]:
    """An emulator that lives as long as the test, found by the environment."""
    with EmbeddedEmulator() as running:
        monkeypatch.setenv("CES_EMULATOR_HOST", running.address)
        yield running


@pytest.fixture
def cesplan(capsys: pytest.CaptureFixture[str]) -> Run:
    """Run a command line in this process; what it writes for machines must be what the schemas say."""

    return typing(capsys)


@pytest.fixture
def process(forked: str) -> Run:
    """
    Run a command line in a process of its own.

    With an `environ`, which is added to the environment, it is an interpreter that starts with that.
    """

    def ran(*arguments: str, environ: dict[str, str] | None = None, stdin: str = "") -> Ran:
        program = [sys.executable, "-m", "cesplan"] if environ else [forked]
        done = subprocess.run(
            [*program, *arguments],
            input=stdin,
            env={**os.environ, **(environ or {})},
            capture_output=True,
            encoding="utf-8",
            check=False,
            timeout=60,
        )
        return Ran(code=done.returncode, out=done.stdout, err=done.stderr)

    return ran


class AtTerminal(Protocol):
    """Type this when asked; the exit code, and all that was shown."""

    def __call__(self, *arguments: str, typed: str) -> tuple[int, str]: ...


@pytest.fixture
def at_terminal(begun_at_terminal: "BegunAtTerminal") -> AtTerminal:
    """
    Run at a pseudo-terminal, type this when asked, and return the code and all that was shown.

    Where nothing comes of it, it is typed again, as people do: a Ctrl-C just before the interpreter begins to
    wait for a line is only seen when a line comes.
    """

    def ran(*arguments: str, typed: str) -> tuple[int, str]:
        child, terminal = begun_at_terminal(*arguments)
        shown, is_asked, silences = b"", False, 0
        while silences < _MOST_SILENCES:
            if not select.select([terminal], [], [], _PATIENCE)[0]:
                silences += 1
                os.write(terminal, typed.encode() if is_asked else b"")
                continue
            piece = _read(terminal)
            if not piece:
                break
            shown += piece
            if not is_asked and shown.rstrip(b" ").endswith(_QUESTIONS):
                is_asked = True
                os.write(terminal, typed.encode())
        else:
            child.kill()
        os.close(terminal)
        return child.wait(), shown.decode()

    return ran


BegunAtTerminal = Callable[..., tuple[Started, int]]
"""Takes the arguments; gives the process, and the end of the terminal that people sit at."""


@pytest.fixture
def begun_at_terminal(warm: Warm) -> BegunAtTerminal:
    """Start at a pseudo-terminal of its own."""

    def begun(*arguments: str) -> tuple[Started, int]:
        terminal, theirs = pty.openpty()
        child = warm.start(*arguments, streams=(theirs, theirs, theirs))
        os.close(theirs)
        return child, terminal

    return begun


_QUESTIONS = (b"to apply:", b"to approve:", b"to write:", b"of deletes:")
_PATIENCE = 5.0
"""Seconds without a sign."""
_MOST_SILENCES = 20


def _read(terminal: int) -> bytes:
    try:
        return os.read(terminal, 4096)
    except OSError:  # the other end is closed
        return b""
