"""`cesplan apply`: plan, show, ask, and carry out exactly that; or carry out a plan from a file."""

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from cesplan.cli.carry_out import carry_out, nothing_to_do, report
from cesplan.cli.commands.apply_file import apply_file
from cesplan.cli.confirming import approve, confirm
from cesplan.cli.export_options import export_options
from cesplan.cli.group import CONTEXT, Command
from cesplan.cli.options import (
    TreeChoice,
    common_options,
    tree_options,
)
from cesplan.cli.plan_options import PlanChoice, plan_options
from cesplan.cli.planned import planned
from cesplan.cli.reports import report_options
from cesplan.cli.session import Session
from cesplan.domain.errors import Refused, StalePlan, UsageError
from cesplan.domain.features.policy import Gravity

if TYPE_CHECKING:
    from cesplan.domain.plan import Plan


@click.command(
    "apply",
    cls=Command,
    context_settings=CONTEXT,
    epilog="""
\b
Examples:
  cesplan apply --emulator
  cesplan apply -e prod                    # shows the plan and asks
  cesplan apply -e prod --auto-approve     # in a pipeline
  cesplan apply -e prod --auto-approve --report jsonl=apply.jsonl --report junit=apply.xml
  cesplan apply -e prod --on-error rollback
  cesplan apply -e prod --allow-delete support-desk/deployments/old-web
  cesplan apply plan.json                  # exactly what was reviewed, or nothing
  cesplan apply -e prod --expect sha256:…  # only if the plan has this checksum
""",
)
@click.argument("file", required=False, type=click.Path(exists=True, dir_okay=False, path_type=Path))
@tree_options
@export_options
@plan_options
@report_options("text", "json", "jsonl", "markdown", "junit")
@click.option(
    "--expect",
    metavar="CHECKSUM",
    help="Do not ask, and go on only if the plan has this checksum (`cesplan plan --checksum`).",
)
@click.option(
    "--on-error",
    type=click.Choice(["continue", "stop", "rollback"]),
    default="continue",
    show_default=True,
    help="After a failure: go on with what does not depend on it, stop, or take back what was done.",
)
@click.option("--auto-approve", is_flag=True, help="Do not ask. Needed where there is no terminal.")
@common_options
@click.pass_obj
def command(
    session: Session,
    tree: TreeChoice,
    choices: PlanChoice,
    file: Path | None,
    expect: str | None,
    on_error: str,
    auto_approve: bool,
) -> int:
    """
    Plan, ask, and carry out exactly that.

    Makes a plan as `cesplan plan` does and shows it. Nothing is written before you said so, nor when the plan
    is refused (exit code 5). What fails stops only what depends on it, and the report says what to run next;
    running again goes on from there. Ctrl-C, SIGTERM and a terminal that closes let requests in flight finish,
    wait for nothing else, and report; a second one does not wait for answers either.

    With FILE, made by `cesplan plan --out`, that plan is applied: no tree is needed and nobody is asked, but
    secrets are given again, as CESPLAN_SECRET_<name>. Before the first write everything is read again;
    where somebody changed what the plan would overwrite, nothing is written and both differences are shown
    (exit code 4).

    With `--on-error rollback` what was done before a failure is taken back, newest first, and read again to
    prove it. What cannot be taken back is listed: what somebody else changed since, writes whose answer was
    lost, and what only the service makes.
    """
    if file is not None:
        if choices.without_approvals.words or tree.export or expect:
            raise UsageError(summary="A plan file is applied as it is: leave out what would change the plan.")
        return apply_file(session, tree, file, on_error, choices.allowances.policy)
    return _apply_tree(session, tree, choices, expect=expect, on_error=on_error, auto_approve=auto_approve)


def _apply_tree(
    session: Session,
    tree: TreeChoice,
    choices: PlanChoice,
    *,
    expect: str | None,
    on_error: str,
    auto_approve: bool,
) -> int:
    words = (*tree.words, *choices.words)
    with planned(session, tree, choices) as found:
        made = found.plan
        _show(session, made, found.seconds, session.command("plan", *words, "--full"))
        _check(made, expect)
        if not made.operations:
            return nothing_to_do(session, made)
        made = approve(session.console, made)
        if not auto_approve and not expect and not made.is_empty:
            confirm(session.console, made, session.command("apply", *words, "--auto-approve"))
        finished = carry_out(session, made, found.address, on_error)
    hints = {
        "To see what is left": session.command("plan", *words),
        "To go on": session.command("apply", *words),
    }
    return report(session, made, finished, hints, is_all=made.is_all)


def _check(made: "Plan", expected: str | None) -> None:
    if expected:
        _check_digest(made, expected)
    if made.refusals:
        raise Refused(reasons=made.hindrances)


def _check_digest(made: "Plan", expected: str) -> None:
    from cesplan.render.machine.digests import plan_digest

    found = plan_digest(made)
    if expected.removeprefix("sha256:") != found.removeprefix("sha256:"):
        raise StalePlan(
            summary="Nothing was written: this is not the plan that was expected.",
            detail=f"Expected  {expected}\nThis plan {found}\nThe tree or live changed; review the plan above.",
        )


def _show(session: Session, made: "Plan", duration: float, whole: str) -> None:
    """The plan, on stdout where people read the result; what hinders it is told as an error, or asked."""
    from cesplan.cli.commands.plan import tell_lines
    from cesplan.render.text.plan import plan_text

    console = session.console
    warned = tuple(item for item in made.verdicts if item.gravity is Gravity.WARN or item.approved)
    shown = replace(made, refusals=(), verdicts=warned)
    tell_lines(session, made)
    is_text = session.reports.stdout == "text"
    tell, view = (console.data, console.out_view) if is_text else (console.tell, console.err_view)
    tell(plan_text(shown, view, duration=duration, is_all=made.is_all, whole=whole))
