"""Options, and commands that are suggested with them."""

from cesplan.cli.options import TreeChoice
from cesplan.cli.plan_options import PlanChoice
from cesplan.cli.session import Session
from cesplan.domain.options import Allowances, PlanOptions


def test_suggested_commands_repeat_every_choice() -> None:
    """What is typed next must mean the same plan."""
    choices = PlanChoice(
        options=PlanOptions(adopt=True, prune=False, resend=frozenset({"b", "a"}), allow_drop_unknown=True),
        allowances=Allowances(
            delete=frozenset({"desk/deployments/web"}), mass_delete=True, unlock=True, empty=True
        ),
    )
    assert choices.words == [
        "--adopt", "--no-prune", "--resend", "a", "--resend", "b", "--allow-delete", "desk/deployments/web",
        "--allow-mass-delete", "--allow-empty", "--allow-unlock", "--allow-drop-unknown",
    ]  # fmt: skip


def test_suggested_commands_hold_no_values_of_variables() -> None:
    """A value on the command line may be a secret."""
    tree = TreeChoice(environment="prod", variables={"crmKey": "hunter2"})
    session = Session(chdir="my trees", emulator=True)
    assert (
        session.command("plan", *tree.words) == "cesplan plan -C 'my trees' --emulator -e prod --var crmKey=…"
    )
