"""`cesplan apply`: plan, show, ask, and carry out exactly that; or carry out a plan from a file."""

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from cesplan.cli.carry_out import carry_out, nothing_to_do, report
from cesplan.cli.commands import shared_options as shared
from cesplan.cli.commands.apply_file import apply_file
from cesplan.cli.commands.plan import tell_lines
from cesplan.cli.commands.timed_plan import timed_plan
from cesplan.cli.confirming import allow_reverts, approve, check_reverts, confirm
from cesplan.cli.export_options import export_options
from cesplan.cli.group import define
from cesplan.cli.options import (
    TreeChoice,
    tree_options,
)
from cesplan.cli.plan_options import PlanChoice, plan_options
from cesplan.cli.reports import report_options
from cesplan.cli.session import Session
from cesplan.domain.errors import Refused, UsageError
from cesplan.domain.features.policy import RuleSeverity
from cesplan.domain.lazily import lazily

if TYPE_CHECKING:
    from cesplan.domain.plan import Plan

with lazily():
    from cesplan.render.machine import checksums
    from cesplan.render.text import plan


@define(
    "apply",
    epilog="""
\b
Examples:
  cesplan apply --emulator
  cesplan apply -e prod                    # shows the plan and asks
  cesplan apply -e prod --auto-approve     # in a pipeline
  cesplan apply -e prod --auto-approve --report jsonl=apply.jsonl --report junit=apply.xml
  cesplan apply -e prod --report html=outcome.html
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
@report_options("text", "json", "jsonl", "markdown", "junit", "html")
@click.option(
    "--expect",
    metavar="CHECKSUM",
    help="Apply without a prompt, only if the plan has this checksum (see `cesplan plan --checksum`).",
)
@click.option(
    "--on-error",
    type=click.Choice(["continue", "stop", "rollback"]),
    default="continue",
    show_default=True,
    help="After a failure: continue with operations that do not depend on it, stop, or roll back.",
)
@shared.auto_approve(help="Apply without a prompt. Required if there is no terminal.")
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
    Plan, ask for approval, and apply exactly that plan.

    Shows the plan as `cesplan plan` does. Nothing is written before you approve, or if the plan is refused
    (exit code 5). A failed operation stops only the operations that depend on it. The report says what to run
    next; running the command again continues from there. On Ctrl-C, SIGTERM, or a closed terminal, requests in
    flight finish and the report is written; a second signal does not wait for them.

    With FILE, written by `cesplan plan --out`, that plan is applied without a tree and without a prompt.
    Supply secrets again, as CESPLAN_SECRET_<name>. Before the first write, all resources are read again; if
    someone changed what the plan would overwrite, nothing is written and both differences are shown (exit
    code 4).

    With `--on-error rollback`, operations done before a failure are undone, newest first, and verified.
    Operations that cannot be undone are listed: resources that someone else changed since, writes whose
    reply was lost, and resources that only the service creates.
    """
    if file is not None:
        if choices.without_approvals.words or tree.export or expect:
            raise UsageError(
                summary="A plan file is applied as is: remove the options that would change the plan."
            )
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
    with timed_plan(session, tree, choices) as found:
        plan = found.plan
        _show(session, plan, found.seconds, session.command("plan", *words, "--full"))
        _check(plan, expect)
        if not plan.operations:
            return nothing_to_do(session, plan)
        plan = approve(session.console, plan)
        if expect:  # the checksum is that of a plan that was seen
            plan = allow_reverts(plan)
        elif auto_approve:
            check_reverts(session, plan, words)
        elif not plan.is_empty:
            confirm(session.console, plan, session.command("apply", *words, "--auto-approve"))
            plan = allow_reverts(plan)
        finished = carry_out(session, plan, found.address, on_error)
    hints = {
        "To see what remains": session.command("plan", *words),
        "To continue": session.command("apply", *words),
    }
    return report(session, plan, finished, hints, is_all=plan.is_all)


def _check(plan: "Plan", expected: str | None) -> None:
    if expected:
        checksums.check_checksum(plan, expected)
    if plan.refusals:
        raise Refused(reasons=plan.blockers)


def _show(session: Session, planned: "Plan", duration: float, whole: str) -> None:
    """
    The plan, on stdout where people read the result; blockers are reported as an error, or approved at a
    prompt.
    """
    console = session.console
    warned = tuple(item for item in planned.verdicts if item.severity is RuleSeverity.WARN or item.approved)
    shown = replace(planned, refusals=(), verdicts=warned)
    tell_lines(session, planned)
    is_text = session.reports.stdout == "text"
    write, view = (console.data, console.out_view) if is_text else (console.notify, console.err_view)
    write(plan.plan_text(shown, view, duration=duration, is_all=planned.is_all, whole=whole))
