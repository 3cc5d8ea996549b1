"""A small tree in git, the service, the command line, and colleagues who edit in the console."""

import json
import shutil
import subprocess
import urllib.error
import urllib.request
from typing import Any

import pytest

from cesplan.emulator import EmbeddedEmulator
from tests.cli.conftest import Ran, Run, Tree, at_terminal, begun_at_terminal, cesplan, service, tree

__all__ = ["Console", "Ran", "Tree", "at_terminal", "begun_at_terminal", "cesplan", "service", "tree"]

APP = "projects/acme-dev/locations/us/apps/help-desk"
BOB, EVE = "bob@acme.example", "eve@acme.example"


class Console:
    """The service as people use it in a browser; resources go by `<kind>/<id>`, the app by an empty text."""

    def __init__(self, service: EmbeddedEmulator) -> None:
        self.service = service

    def edit(self, name: str, mask: str, author: str = BOB, **body: Any) -> dict[str, Any]:
        return self._send("PATCH", f"{_full(name)}?updateMask={mask}", author, body)

    def create(self, name: str, author: str = EVE, **body: Any) -> dict[str, Any]:
        kind, _, key = name.partition("/")
        return self._send("POST", f"{APP}/{kind}?{_ID[kind]}={key}", author, body)

    def delete(self, name: str, author: str = EVE, *, force: bool = False) -> None:
        self._send("DELETE", _full(name) + ("?force=true" if force else ""), author, None)

    def get(self, name: str) -> dict[str, Any]:
        return self._send("GET", _full(name), "", None)

    def _send(self, method: str, path: str, author: str, body: Any) -> dict[str, Any]:
        request = urllib.request.Request(
            f"http://{self.service.address}/v1beta/{path}",
            data=None if body is None else json.dumps(body).encode(),
            method=method,
            headers={"Content-Type": "application/json", "X-Emulator-Author": author},
        )
        with urllib.request.urlopen(request, timeout=20) as answer:
            return dict(json.load(answer))


_ID = {"agents": "agentId", "tools": "toolId", "guardrails": "guardrailId"}


def _full(name: str) -> str:
    return f"{APP}/{name}" if name else APP


def git(tree: Tree, *words: str) -> str:
    who = ("-c", "user.name=Ann", "-c", "user.email=ann@acme.example")
    done = subprocess.run(["git", *who, *words], cwd=tree.root, check=True, capture_output=True, text=True)
    return done.stdout.strip()


def forget_history(tree: Tree) -> str:
    """Make the repository anew, as a shallow clone of another commit is; the id of the forgotten commit."""
    commit = git(tree, "rev-parse", "HEAD")
    shutil.rmtree(tree.root / ".git")
    git(tree, "init", "-q")
    git(tree, "add", "-A")
    git(tree, "commit", "-qm", "Anew")
    return commit


@pytest.fixture
def console(service: EmbeddedEmulator) -> Console:
    return Console(service)


@pytest.fixture
def applied(tree: Tree, service: EmbeddedEmulator, cesplan: Run) -> Tree:
    """The tree, committed and applied."""
    git(tree, "init", "-q")
    git(tree, "add", "-A")
    git(tree, "commit", "-qm", "The help desk")
    assert cesplan("apply", "--auto-approve").code == 0
    return tree
