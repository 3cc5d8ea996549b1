"""
An apply that dies between two writes of one existing resource: the same command goes on, and asks for nothing.

No stamp tells of such writes. A resource that two updates change, a ring that is deleted, and the lock of an
app are left in a state that neither the last apply nor the tree has.
"""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from cesplan.emulator import EmbeddedEmulator
from tests.cli.conftest import Run, Tree
from tests.live_edits.conftest import Console, forget_history, git

PART = "apps/help-desk"
APPLY = ("apply", "--auto-approve", "--allow-unlock")


@dataclass(frozen=True, kw_only=True)
class Struck:
    """The service as a run left it that died; or it came to its end."""

    console: Console
    is_done: bool


@pytest.fixture
def before(
    tree: Tree, monkeypatch: pytest.MonkeyPatch, cesplan: Run, tmp_path_factory: pytest.TempPathFactory
) -> Path:
    """A file with what is live after an apply. The tree changed since, three resources by two writes."""
    tree.write("cesplan.yaml", (tree.root / "cesplan.yaml").read_text() + "tree: desks\n")
    tree.replace(f"{PART}/app.yaml", "displayName: Help desk\n", "displayName: Help desk\nlocked: true\n")
    for one, other in (("agent-one", "agent-two"), ("agent-two", "agent-one")):
        tree.write(
            f"{PART}/agents/{one}.yaml", f"displayName: {one}\ninstruction: Help.\nchildAgents: [{other}]\n"
        )
    for key, name in (("is-kind", "Is kind"), ("is-brief", "Is brief")):
        tree.write(
            f"{PART}/evaluationExpectations/{key}.yaml", f"displayName: {name}\nllmCriteria: {{prompt: Be.}}\n"
        )
    git(tree, "init", "-q")
    git(tree, "add", "-A")
    git(tree, "commit", "-qm", "The help desk")
    data = tmp_path_factory.mktemp("data") / "before.sqlite"
    with EmbeddedEmulator(data) as service:
        monkeypatch.setenv("CES_EMULATOR_HOST", service.address)
        ran = cesplan("apply", "--auto-approve")
        assert ran.code == 0, ran.err
    for key in ("agent-one", "agent-two"):
        tree.remove(f"{PART}/agents/{key}.yaml")
    for key, old, new in (("is-kind", "Is kind", "Is brief"), ("is-brief", "Is brief", "Is kind")):
        tree.replace(f"{PART}/evaluationExpectations/{key}.yaml", old, new)
    tree.replace(f"{PART}/app.yaml", "displayName: Help desk", "displayName: The help desk")
    git(tree, "add", "-A")
    git(tree, "commit", "-qm", "Without the ring")
    return data


@contextmanager
def _struck(data: Path, writes: int, monkeypatch: pytest.MonkeyPatch, cesplan: Run) -> Iterator[Struck]:
    """The service after a run that could write so often and no more: it leaves no record of what it wrote."""
    copy = data.with_name(f"{writes}.sqlite")
    shutil.copy(data, copy)
    with EmbeddedEmulator(copy) as service:
        monkeypatch.setenv("CES_EMULATOR_HOST", service.address)
        service.break_with(
            {"method": "[CUD]*", "times": 999, "skip": writes, "status": {"code": "PERMISSION_DENIED"}}
        )
        ran = cesplan(*APPLY)
        service.faults.clear()
        yield Struck(console=Console(service), is_done=ran.code == 0)


@pytest.mark.parametrize("has_git", [True, False])
def test_the_same_command_goes_on_wherever_it_died(
    before: Path, tree: Tree, monkeypatch: pytest.MonkeyPatch, cesplan: Run, has_git: bool
) -> None:
    """Nothing of it is drift, and nothing of it is taken into the tree. Without git the base is in the log."""
    if not has_git:
        forget_history(tree)
    wrong, writes, done = [], 0, False
    while not done:
        writes += 1
        with _struck(before, writes, monkeypatch, cesplan) as struck:
            done = struck.is_done
            commands = (("drift",), ("pull", "--merge"), APPLY) if has_git else (APPLY,)
            runs = {" ".join(words): cesplan(*words) for words in commands}
            wrong += [(writes, name, ran.out, ran.err) for name, ran in runs.items() if ran.code]
            assert git(tree, "status", "--short", "apps") == ""
            assert "matches the tree" in runs[" ".join(APPLY)].out
    assert (writes > 8, wrong) == (True, [])


def test_an_edit_beside_what_it_left_is_told(
    before: Path, tree: Tree, monkeypatch: pytest.MonkeyPatch, cesplan: Run
) -> None:
    """By another person, in a resource that is half written, or of the very field."""
    for edit in (
        lambda console: console.edit("", "locked", locked=True) and console.edit("", "locked", locked=False),
        lambda console: console.edit("evaluationExpectations/is-brief", "displayName", displayName="Short"),
        lambda console: console.edit("agents/agent-two", "instruction", instruction="Help more."),
    ):
        with _struck(before, 3, monkeypatch, cesplan) as struck:
            edit(struck.console)
            assert cesplan("drift").code == 2
            refused = cesplan(*APPLY)
            assert (refused.code, "bob@acme.example" in refused.err) == (5, True)
