"""`cesplan promote`: two environments side by side, and the plan for the second."""

from dataclasses import replace
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING

import click

from cesplan.cli.commands import shared_options as shared
from cesplan.cli.commands.plan import keep
from cesplan.cli.commands.timed_plan import TimedPlan
from cesplan.cli.exit_codes import ExitCode
from cesplan.cli.group import define
from cesplan.cli.live_line import wait_line
from cesplan.cli.loading import load_tree
from cesplan.cli.options import (
    TreeChoice,
    variables_option,
)
from cesplan.cli.plan_options import PlanChoice, plan_options
from cesplan.cli.report_formats import drawn, write_report
from cesplan.cli.reports import report_options
from cesplan.cli.session import Session
from cesplan.domain.errors import UsageError
from cesplan.domain.lazily import lazily
from cesplan.render.text.layout import View

if TYPE_CHECKING:
    from cesplan.domain.features.promotion import Promotion
    from cesplan.domain.plan import Plan

with lazily():
    from cesplan.features.promotion import html_report, json_report, text_report
    from cesplan.render.text import plan
    from cesplan.workflow import emulating, promoting


@define(
    "promote",
    epilog="""
\b
Examples:
  cesplan promote dev prod                      # the tree in both
  cesplan promote dev prod --live               # live in both
  cesplan promote staging prod --out plan.json  # then: cesplan apply plan.json
  cesplan promote staging prod --report html=promote.html
""",
)
@click.argument("one", metavar="FROM")
@click.argument("other", metavar="TO")
@click.option("--live", is_flag=True, help="Compare the live resources instead of the tree.")
@variables_option
@plan_options
@report_options("text", "json", "html")
@shared.plan_file(
    help="Save the plan for TO to this file, for `cesplan show` and `cesplan apply`. It holds no secrets."
)
@shared.full(help="Show the plan in full.")
def command(
    session: Session,
    one: str,
    other: str,
    live: bool,
    variables: dict[str, str],
    choices: PlanChoice,
    out: Path | None,
    full: bool,
) -> int:
    """
    Show the differences between two environments, and the plan for the second.

    FROM and TO are environments in cesplan.yaml. Shows their differences by address and field: in the tree, or
    with `--live` in the live resources. Project names, ids, and secret values are ignored. Then shows the plan
    for TO: the changes that would make live match the tree there. Only the plan file is written.
    """
    if one == other:
        raise UsageError(summary=f"`{one}` cannot be compared with itself: name two environments.")
    session.reports.environment = other
    if out is not None:
        session.reports.check_apart(out)
    trees = [TreeChoice(environment=name, variables=variables) for name in (one, other)]
    promotion, found = _promoted(session, trees, choices, live=live)
    hints = _hints(session, found.plan, [*trees[1].words, *choices.words])
    if out is not None:
        _, hints = keep(session, found, out)
    words = [*(["--live"] if live else []), *TreeChoice(environment="", variables=variables).words]
    if out is not None:
        whole = session.command("show", "--full", str(out))
    else:
        whole = session.command("promote", one, other, *words, *choices.words, "--full")
    _show(session, promotion, found, hints, full=full, whole=whole)
    return ExitCode.DONE


def _promoted(
    session: Session, trees: list[TreeChoice], choices: PlanChoice, *, live: bool
) -> tuple["Promotion", TimedPlan]:
    started = monotonic()
    first, second = (load_tree(session, tree) for tree in trees)
    with (
        emulating.emulator(session.root, embedded=session.emulator) as address,
        wait_line(session, "Reading live resources"),
    ):
        promotion, plan = promoting.promote(
            first,
            second,
            live=live,
            options=choices.options,
            allowances=choices.allowances,
            connection=session.connection(address),
        )
    return promotion, TimedPlan(plan=plan.plan, seconds=monotonic() - started, address=address)


def _show(
    session: Session,
    promotion: "Promotion",
    found: TimedPlan,
    hints: dict[str, str],
    *,
    full: bool,
    whole: str,
) -> None:
    made = found.plan

    def text(view: View) -> str:
        view_of_plan = replace(view, full=full)
        planned = plan.plan_text(made, view_of_plan, duration=found.seconds, hints=hints, whole=whole)
        return f"{text_report.promotion_text(promotion, view)}\n{planned}"

    write_report(
        session,
        text,
        json=lambda: json_report.PromotionReport.of(promotion, made).text(),
        html=lambda: html_report.promotion_html(promotion, made, hints, drawn(made)),
    )


def _hints(session: Session, plan: "Plan", words: list[str]) -> dict[str, str]:
    if not plan.operations or plan.blockers:
        return {}
    return {"To apply this": session.command("apply", *words)}
