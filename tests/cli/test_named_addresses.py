"""Flags that name a resource: a slip is wrong usage, never an option without effect."""

import pytest

from cesplan.emulator import EmbeddedEmulator
from tests.cli.conftest import Run, Tree


@pytest.mark.parametrize("flag", ["--force", "--allow-delete"])
def test_a_slip_in_a_named_address_is_an_error(
    tree: Tree, cesplan: Run, service: EmbeddedEmulator, flag: str
) -> None:
    """With what was probably meant; an address of the tree, or one that is only live, is taken."""
    assert cesplan("apply", "--auto-approve").code == 0
    tree.remove("apps/help-desk/guardrails/no-cards.yaml")
    tree.replace("apps/help-desk/app.yaml", "guardrails: [no-cards]\n", "")
    for command in (["plan"], ["apply", "--auto-approve", "--allow-mass-delete"]):
        ran = cesplan(*command, flag, "help-desk/guardrails/no-card")
        assert ran.code == 64
        assert "Did you mean `help-desk/guardrails/no-cards`?" in ran.err.replace("\n", " ")
    for known in ("help-desk/guardrails/no-cards", "help-desk/tools/lookup-order"):
        assert cesplan("plan", flag, known).code == 0
