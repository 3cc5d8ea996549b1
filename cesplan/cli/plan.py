"""`cesplan plan`: what would make live equal the tree."""

from time import monotonic
from typing import TYPE_CHECKING

import click

from cesplan.cli.exit_codes import ExitCode
from cesplan.cli.export_options import export_options
from cesplan.cli.group import CONTEXT, Command
from cesplan.cli.loading import load_tree
from cesplan.cli.options import (
    PlanChoice,
    TreeChoice,
    common_options,
    format_option,
    plan_options,
    tree_options,
)
from cesplan.cli.patience import patience
from cesplan.cli.session import Session

if TYPE_CHECKING:
    from cesplan.domain.plan import Plan


@click.command(
    "plan",
    cls=Command,
    context_settings=CONTEXT,
    epilog="""
\b
Examples:
  cesplan plan --emulator
  cesplan plan -e prod --var apiHost=api.acme.example
  cesplan plan -e prod --format json > plan.json
  cesplan plan -e prod --detailed-exitcode      # 2 when there is something to do
  cesplan plan --resend support-desk/deployments/web
""",
)
@tree_options
@export_options
@plan_options
@format_option
@click.option("--detailed-exitcode", is_flag=True, help="Exit with 2 when the plan is not empty.")
@common_options
@click.pass_obj
def command(session: Session, tree: TreeChoice, choices: PlanChoice, detailed_exitcode: bool) -> int:
    """
    Show what would make live equal the tree.

    Reads the tree and the live apps it names, and shows each resource that would be created (+), updated (~)
    or deleted (-), with every field that differs. Nothing is written: the connection could not.
    """
    from cesplan.workflow.emulating import emulator
    from cesplan.workflow.planning import plan_loaded

    started = monotonic()
    loaded = load_tree(session, tree)
    with (
        emulator(session.root, embedded=session.emulator) as address,
        patience(session, "Reading what is live"),
    ):
        planned = plan_loaded(
            loaded,
            endpoint=session.endpoint,
            options=choices.options,
            allowances=choices.allowances,
            connection=session.connection(address),
        )
    made = planned.plan
    _show(session, made, monotonic() - started, _hints(session, tree, choices, made))
    session.tell_requests()
    return ExitCode.CHANGES if detailed_exitcode and not made.is_empty else ExitCode.DONE


def _show(session: Session, made: "Plan", duration: float, hints: dict[str, str]) -> None:
    console = session.console
    if session.json:
        from cesplan.render.plan_json import plan_json

        console.data(plan_json(made))
    else:
        from cesplan.render.plan_text import plan_text

        console.data(plan_text(made, console.out_view, duration=duration, hints=hints))


def _hints(session: Session, tree: TreeChoice, choices: PlanChoice, made: "Plan") -> dict[str, str]:
    """What to type next."""
    words = (*tree.words, *choices.words)
    hints: dict[str, str] = {}
    if made.operations and not made.refusals:
        hints["To apply this"] = session.command("apply", *words)
    if made.would_remove:
        hints["To take the app over"] = session.command("plan", *words, "--adopt")
    return hints
