"""`cesplan plan`: the changes that would make live match the tree."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from cesplan.cli.commands import shared_options as shared
from cesplan.cli.commands.timed_plan import TimedPlan, timed_plan
from cesplan.cli.exit_codes import ExitCode
from cesplan.cli.export_options import export_options
from cesplan.cli.group import define
from cesplan.cli.loading import show_loaded, show_plan_findings
from cesplan.cli.options import (
    TreeChoice,
    tree_options,
)
from cesplan.cli.plan_options import PlanChoice, plan_options
from cesplan.cli.report_formats import plan_renderers
from cesplan.cli.reports import LINES, report_options
from cesplan.cli.session import Session
from cesplan.domain.errors import UsageError
from cesplan.domain.lazily import lazily

if TYPE_CHECKING:
    from cesplan.domain.features.app_list import ListedApp
    from cesplan.domain.plan import Plan
    from cesplan.domain.reviewed import Reviewed

with lazily():
    from cesplan.render.machine import digests
    from cesplan.render.machine.formats import events
    from cesplan.render.text import plan
    from cesplan.workflow import saving
    from cesplan.workflow.views import since as since_views


@define(
    "plan",
    epilog="""
\b
Examples:
  cesplan plan --emulator
  cesplan plan -e prod --var apiHost=api.acme.example
  cesplan plan -e prod --format json > plan.json
  cesplan plan -e prod --detailed-exitcode      # exits with 2 if there are changes
  cesplan plan --resend support-desk/deployments/web
  cesplan plan -e prod --report markdown=plan.md --report json=plan.json
  cesplan plan -e prod --out plan.json          # then: cesplan apply plan.json
  cesplan plan --target 'agents/*' --exclude agents/try-out
  cesplan plan --since main --report markdown=diff.md   # offline
""",
)
@tree_options
@export_options
@plan_options
@report_options("text", "json", "jsonl", "markdown", "junit", "html")
@shared.plan_file(
    help="Save the plan to this file, for `cesplan show` and `cesplan apply`. It holds no secrets."
)
@click.option(
    "--checksum",
    is_flag=True,
    help="Print only the plan's checksum, for `apply --expect`; the plan goes to stderr.",
)
@shared.full(help="Show everything in full.")
@shared.quick(help=f"{shared.QUICK} Cannot be applied.")
@click.option(
    "--since",
    metavar="REF",
    help="Compare with the tree at this commit instead of with live: offline, without credentials. Cannot be "
    "applied.",
)
@click.option("--detailed-exitcode", is_flag=True, help="Exit with 2 if the plan is not empty.")
def command(
    session: Session,
    tree: TreeChoice,
    choices: PlanChoice,
    out: Path | None,
    checksum: bool,
    full: bool,
    quick: bool,
    since: str | None,
    detailed_exitcode: bool,
) -> int:
    """
    Show the changes that would make live match the tree.

    Compares the tree with its live apps and shows each resource that would be created (+), updated (~) or
    deleted (-), with every field that differs. The connection is read-only.

    With `--out`, the plan can be reviewed and later applied exactly as it is, or not at all.

    With `--since main`, shows what changed in the tree since that commit, in the same form. This works for a
    pull request from a fork, for example.
    """
    if checksum and session.reports.stdout != "text":
        raise UsageError(summary="--checksum cannot be combined with --format: JSON has it as `plan_digest`.")
    if quick and (checksum or out is not None):
        raise UsageError(
            summary="--quick cannot be combined with --out or --checksum: a quick plan cannot be applied."
        )
    if since is not None:
        if out is not None or checksum or quick or tree.export:
            raise UsageError(
                summary="--since cannot be combined with --out, --checksum, --quick, or an export."
            )
        plan = _since(session, tree, choices, since)
        whole = session.command("plan", "--since", since, *tree.words, *choices.words, "--full")
        show_plan(session, plan, None, {}, full=full, whole=whole)
        return ExitCode.CHANGES if detailed_exitcode and not plan.is_empty else ExitCode.DONE
    choices = replace(choices, options=replace(choices.options, quick=quick))
    if out is not None:
        session.reports.check_apart(out)
        saving.check_savable(out)
    with timed_plan(session, tree, choices) as found:
        plan, duration = found.plan, found.seconds
    hints = _hints(session, tree, choices, plan, found.takeable)
    if out is not None:
        reviewed, hints = keep(session, found, out)
        duration = reviewed.seconds or duration
    if checksum:
        _show_checksum(session, plan, duration)
    else:
        whole = session.command("show", "--full", str(out)) if out else _full_command(session, tree, choices)
        show_plan(session, plan, duration, hints, full=full, whole=whole)
    return ExitCode.CHANGES if detailed_exitcode and not plan.is_empty else ExitCode.DONE


def _since(session: Session, tree: TreeChoice, choices: PlanChoice, ref: str) -> "Plan":
    """Show what changed in the tree since a commit."""
    loaded = since_views.load_offline(tree.target(session.root))
    show_loaded(session, tree, loaded)
    plan = since_views.plan_since(loaded, ref, options=choices.options).plan
    show_plan_findings(session, tree, loaded, plan)
    return plan


def keep(session: Session, found: TimedPlan, path: Path) -> tuple["Reviewed", dict[str, str]]:
    """Save a plan to a file; returns the next commands."""
    reviewed = saving.save(found.plan, path, seconds=found.seconds)
    return reviewed, file_hints(session, reviewed, path)


def show_plan(
    session: Session, plan: "Plan", duration: float | None, hints: dict[str, str], *, full: bool, whole: str
) -> None:
    """
    Show the plan on stdout and in every report; `whole` is the command that shows what a shorter view leaves
    out.
    """
    tell_lines(session, plan)
    view = replace(session.console.out_view, full=full)
    renderers = plan_renderers(plan, view, duration, hints, whole)
    session.reports.write_final(session.console, renderers)


def tell_lines(session: Session, plan: "Plan") -> None:
    """Write the plan as JSON Lines, if they were requested."""
    if LINES in session.reports.formats:
        session.reports.stream(session.console, events.plan_lines(plan))


def file_hints(session: Session, reviewed: "Reviewed", path: Path) -> dict[str, str]:
    """The next commands for a saved plan."""
    plan = reviewed.plan
    if not plan.operations or plan.blockers:
        return {}
    return {"To apply exactly this": session.command("apply", str(path))}


def _show_checksum(session: Session, planned: "Plan", duration: float) -> None:
    console = session.console
    console.notify(plan.plan_text(planned, console.err_view, duration=duration))
    tell_lines(session, planned)
    renderers = plan_renderers(planned, console.out_view, duration, {})
    session.reports.write_final(console, {**renderers, "text": lambda: f"{digests.plan_digest(planned)}\n"})


def _full_command(session: Session, tree: TreeChoice, choices: PlanChoice) -> str:
    return session.command("plan", *tree.words, *choices.words, "--full")


def _hints(
    session: Session, tree: TreeChoice, choices: PlanChoice, plan: "Plan", takeable: Sequence["ListedApp"]
) -> dict[str, str]:
    """What to type next."""
    words = (*tree.words, *choices.words)
    hints: dict[str, str] = {}
    if takeable:
        environment = ["-e", tree.environment] if tree.environment else []
        if len(takeable) == 1:
            hints["To pull the live app into the tree"] = session.command(
                "pull", takeable[0].name, *environment
            )
        else:
            hints["To choose a live app to pull into the tree"] = session.command("pull", *environment)
    if plan.operations and not plan.blockers:
        hints["To apply this"] = session.command("apply", *words)
    if plan.reverts:
        environment = ["-e", tree.environment] if tree.environment else []
        hints["To keep live edits"] = session.command("pull", "--merge", *environment)
    if plan.would_remove:
        hints["To take the app over"] = session.command("plan", *words, "--adopt")
    return hints
