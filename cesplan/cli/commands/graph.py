"""`cesplan graph`: which resources refer to which, in the tree or live."""

from typing import TYPE_CHECKING

import click

from cesplan.cli.exit_codes import ExitCode
from cesplan.cli.group import define
from cesplan.cli.live_line import wait_line
from cesplan.cli.loading import load_tree
from cesplan.cli.options import TreeChoice, tree_options
from cesplan.cli.report_formats import write_report
from cesplan.cli.reports import report_options
from cesplan.cli.session import Session
from cesplan.domain.address import Address, parse_address
from cesplan.domain.errors import UsageError
from cesplan.domain.lazily import lazily

if TYPE_CHECKING:
    from cesplan.workflow.views.graphing import Graphed

with lazily():
    from cesplan.features.impact import dot as impact_dot
    from cesplan.features.impact import json_report, text_report
    from cesplan.features.impact import mermaid as impact_mermaid
    from cesplan.workflow import emulating
    from cesplan.workflow.views import graphing


@define(
    "graph",
    epilog="""
\b
Examples:
  cesplan graph
  cesplan graph support-desk/tools/lookup-order     # what leads to it, and where it leads
  cesplan graph support-desk --format mermaid       # for a page on GitHub or GitLab
  cesplan graph --format dot | dot -Tsvg > app.svg
  cesplan graph --live -e prod --format json
""",
)
@click.argument("address", required=False, metavar="[ADDRESS]")
@tree_options
@click.option("--live", is_flag=True, help="Show the live resources instead of the tree.")
@click.option(
    "--all",
    "everything",
    is_flag=True,
    help="Also show examples, evaluations, versions, and deployments.",
)
@report_options("text", "mermaid", "dot", "json")
def command(session: Session, address: str | None, tree: TreeChoice, live: bool, everything: bool) -> int:
    """
    Show which resources refer to which.

    Shows each app with its agents from the root agent down: tools, toolsets, guardrails, and transfer rules
    with their direction; then cycles, and the resources that no conversation reaches or no evaluation runs
    through. With the ADDRESS of a resource, shows everything that leads to it and everything that it leads to.

    Works offline, except with `--live`: then the connection is read-only.
    """
    focus = _address(address)
    graphed = graphing.part_of(_graphed(session, tree, live=live), focus, everything=everything)
    for notice in graphed.notices:
        session.console.notify_escaped(f"Notice: {notice}\n")
    if session.reports.formats & {"mermaid"} and (why := impact_mermaid.why_not_drawn(graphed.graph)):
        session.console.notify_escaped(f"Notice: {why}. Name an ADDRESS for a part of it.\n")
    _show(session, graphed, focus, live=live)
    return ExitCode.DONE


def _graphed(session: Session, tree: TreeChoice, *, live: bool) -> "Graphed":
    loaded = load_tree(session, tree)
    if not live:
        return graphing.graph_of_tree(loaded)
    with (
        emulating.emulator(session.root, embedded=session.emulator) as at,
        wait_line(session, "Reading live resources"),
    ):
        return graphing.graph_of_live(loaded, connection=session.connection(at))


def _address(text: str | None) -> Address | None:
    if not text:
        return None
    try:
        return parse_address(text)
    except ValueError as error:
        raise UsageError(summary=f"{error}.") from error


def _show(session: Session, graphed: "Graphed", focus: Address | None, *, live: bool) -> None:
    graph, settings = graphed.graph, graphed.settings

    write_report(
        session,
        lambda view: text_report.graph_text(graph, settings, view, focus),
        mermaid=lambda: impact_mermaid.mermaid(graph),
        dot=lambda: impact_dot.dot(graph),
        json=lambda: json_report.GraphReport.of(graph, settings, live=live).text(),
    )
