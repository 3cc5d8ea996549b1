"""The question before anything is written, at a real terminal: what is shown, and what counts as a yes."""

import pytest

from cesplan.emulator import EmbeddedEmulator
from tests.cli.conftest import AtTerminal, Run, Tree

_ENTER, _CTRL_C, _CTRL_D = "\n", "\x03", "\x04"


def _writes(service: EmbeddedEmulator) -> int:
    return sum(entry.method != "GET" for entry in service.journal.entries)


@pytest.fixture
def deleting(service: EmbeddedEmulator, tree: Tree, cesplan: Run) -> int:
    """Live has a guardrail that the tree has no more; returns the number of writes so far."""
    assert cesplan("apply", "--auto-approve").code == 0
    tree.replace("apps/help-desk/app.yaml", "guardrails: [no-cards]\n", "")
    tree.remove("apps/help-desk/guardrails/no-cards.yaml")
    return _writes(service)


@pytest.mark.parametrize(
    ("typed", "code"),
    [(_ENTER, 1), ("y\n", 1), ("yes\n", 1), ("2\n", 1), (_CTRL_D, 1), (_CTRL_C, 130)],
    ids=["Enter", "y", "yes", "2", "Ctrl-D", "Ctrl-C"],
)
def test_what_deletes_wants_the_number(
    service: EmbeddedEmulator, deleting: int, typed: str, code: int, at_terminal: AtTerminal
) -> None:
    """What is deleted is named, and nothing that one types by habit will do."""
    ended, shown = at_terminal("apply", "--no-color", "--allow-mass-delete", typed=typed)
    assert (ended, _writes(service)) == (code, deleting)
    assert (
        "This deletes 1 resource in acme-dev/us (EMULATOR):\r\n  - help-desk/guardrails/no-cards\r\n" in shown
    )
    assert ("type `1`" in shown) == (code == 1)
    assert "of deletes: Error" not in shown


def test_the_number_is_a_yes(service: EmbeddedEmulator, deleting: int, at_terminal: AtTerminal) -> None:
    code, shown = at_terminal("apply", "--no-color", "--allow-mass-delete", typed="1\n")
    assert (code, "1 deleted" in shown) == (0, True)
    assert _writes(service) > deleting


@pytest.mark.parametrize(("typed", "code"), [(_ENTER, 1), (_CTRL_D, 1), (_CTRL_C, 130)])
def test_what_deletes_nothing_wants_a_word(
    service: EmbeddedEmulator, tree: Tree, typed: str, code: int, at_terminal: AtTerminal
) -> None:
    """More than Enter."""
    ended, shown = at_terminal("apply", "--no-color", typed=typed)
    assert (ended, _writes(service)) == (code, 0)
    assert "Type `yes` to apply:" in shown


def test_without_a_terminal_nobody_is_asked(service: EmbeddedEmulator, deleting: int, process: Run) -> None:
    """Declined (1), whatever is on its input, with the flag that goes on."""
    ran = process("apply", "--allow-mass-delete", stdin="1\n")
    assert (ran.code, _writes(service)) == (1, deleting)
    assert "cesplan apply --allow-mass-delete --auto-approve" in ran.err
