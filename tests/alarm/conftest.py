"""A small tree that is applied, an emulator, and a webhook: what a run in cron has around it."""

import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.alarm.servers import Receiver, receiver
from tests.cli.conftest import Ran, Tree, cesplan, service, tree
from tests.identity.conftest import Scene, scene

__all__ = ["Ran", "Scene", "Tree", "cesplan", "scene", "service", "tree"]

AGENT = "help-desk/agents/front-desk"
INSTRUCTION = "You are the front desk.\n\n- Greet the caller by name.\n- Offer a refund when the order is late."


@pytest.fixture
def hook(monkeypatch: pytest.MonkeyPatch) -> Iterator[Receiver]:
    monkeypatch.delenv("CESPLAN_NOTIFY", raising=False)
    with receiver() as made:
        yield made


@pytest.fixture
def applied(scene: Scene) -> Scene:
    """Git and live are equal."""
    scene.apply()
    return scene


Process = Callable[..., "subprocess.Popen[str]"]


@pytest.fixture
def start(tree: Tree, service: Any, forked: str) -> Iterator[Process]:
    """Start the command line in a process of its own, which can be killed if it is `real`."""
    started: list[subprocess.Popen[str]] = []

    def begin(*words: str, environ: Mapping[str, str] = {}, real: bool = False) -> "subprocess.Popen[str]":
        program = Path(sys.executable).parent / "cesplan"
        made = subprocess.Popen(
            [program if real else forked, *words],
            cwd=tree.root,
            env={**os.environ, **environ},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            encoding="utf-8",
        )
        started.append(made)
        return made

    yield begin
    for process in started:
        if process.poll() is None:
            process.kill()
        process.communicate(timeout=30)
