"""Flags that name a resource: a slip is wrong usage, and what is gone already is a notice."""

import pytest

from cesplan.emulator import EmbeddedEmulator
from tests.cli.conftest import Run, Tree

NO_CARS = """\
displayName: No cars
enabled: true
contentFilter: {matchType: SIMPLE_STRING_MATCH, bannedContents: [car]}
action: {respondImmediately: {responses: [{text: No cars please.}]}}
"""


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


@pytest.mark.parametrize("flag", ["--force", "--allow-delete"])
def test_what_is_gone_already_is_no_slip(
    tree: Tree, cesplan: Run, service: EmbeddedEmulator, flag: str
) -> None:
    """A pipeline with a fixed flag runs twice, also beside a resource that is called almost the same."""
    tree.write("apps/help-desk/guardrails/no-cars.yaml", NO_CARS)
    assert cesplan("apply", "--auto-approve").code == 0
    tree.remove("apps/help-desk/guardrails/no-cars.yaml")
    for said in (False, True):
        ran = cesplan("apply", "--auto-approve", "--allow-mass-delete", flag, "help-desk/guardrails/no-cars")
        assert ran.code == 0, ran.err
        told = f"{flag} help-desk/guardrails/no-cars has no effect: it is neither in the tree nor live"
        assert (told in " ".join((ran.out + ran.err).split())) is said


@pytest.mark.parametrize("flag", ["--force", "--allow-delete"])
@pytest.mark.parametrize(
    "slip", ["help-desk/guardrails/no-card", "help-dsk/guardrails/no-cards", "help-desk/guardrails/nocards"]
)
def test_a_slip_in_any_part_is_found(
    tree: Tree, cesplan: Run, service: EmbeddedEmulator, flag: str, slip: str
) -> None:
    assert cesplan("apply", "--auto-approve").code == 0
    tree.remove("apps/help-desk/guardrails/no-cards.yaml")
    tree.replace("apps/help-desk/app.yaml", "guardrails: [no-cards]\n", "")
    assert cesplan("plan", flag, slip).code == 64
