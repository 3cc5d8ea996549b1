"""`cesplan history`: past applies, with author and commit, and the edits in between."""

from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click

from cesplan.cli.commands import shared_options as shared
from cesplan.cli.commands.app_options import AppChoice, app_options
from cesplan.cli.exit_codes import ExitCode
from cesplan.cli.group import define
from cesplan.cli.live_line import wait_line
from cesplan.cli.loading import service_connection
from cesplan.cli.options import TreeChoice, tree_options
from cesplan.cli.report_formats import write_report
from cesplan.cli.reports import report_options
from cesplan.cli.session import Session
from cesplan.domain.lazily import lazily

if TYPE_CHECKING:
    from cesplan.features.timeline.values import Timeline

with lazily():
    from cesplan.features.timeline import json_report, markdown_report, text_report
    from cesplan.workflow.views import history as past

_LIMIT = 20


@define(
    "history",
    epilog="""
\b
Examples:
  cesplan history -e prod
  cesplan history -e prod --since 7d --author '*@acme.example'
  cesplan history --target agents/billing          # each edit of it, with the fields that changed
  cesplan history --limit 0 --format json          # everything that the log has
""",
)
@click.argument("tree_folder", metavar="[TREE]", required=False)
@tree_options
@app_options
@click.option(
    "--limit",
    type=click.IntRange(min=0),
    default=_LIMIT,
    show_default=True,
    metavar="N",
    help="Show the newest N events; 0 for all.",
)
@shared.since(help="Show only events since then: 2026-11-20T17:40Z, 30m, 24h, 7d.")
@shared.authors(help="Show only events by these authors; `*` is allowed, and '' stands for an unknown author.")
@shared.targets(
    help="Show only these resources, each edit on its own with the fields that changed; `*` matches within "
    "one part of the address."
)
@shared.full(help="Show every resource of every event.")
@report_options("text", "markdown", "json")
def command(
    session: Session,
    tree_folder: str | None,
    tree: TreeChoice,
    app_choice: AppChoice,
    limit: int,
    since: datetime | None,
    authors: tuple[str, ...],
    targets: tuple[str, ...],
    full: bool,
) -> int:
    """
    Show past applies, with author and commit, and the live edits in between.

    Reads the change log of each app, newest first. cesplan recognizes an apply by its stamp, which has the
    commit, the environment, and what was written. Everything else counts as an edit, grouped by author between
    two applies, including an apply without a stamp (`stamp: false`) and a killed apply. How much the change log
    covers, and for how long, is not documented. The connection is read-only.

    TREE is the folder of a tree.  [default: the tree that holds this folder]
    """
    target = app_choice.target(session, tree, "history")
    if tree_folder is not None:
        if not Path(tree_folder).is_dir():
            raise click.UsageError(f"{tree_folder} is not a folder.")
        target = replace(target, tree=tree.target(Path(tree_folder)))
    choice = past.HistoryChoice(limit=limit, since=since, authors=authors, targets=targets)
    with (
        service_connection(session) as connection,
        wait_line(session, "Reading the change log"),
    ):
        found = past.history(target, choice, connection)
    words = [*([tree_folder] if tree_folder else []), *tree.words, *app_choice.words]
    words += [word for name in authors for word in ("--author", name)]
    words += [word for name in targets for word in ("--target", name)]
    _show(session, found, words, limit, full=full)
    return ExitCode.DONE


def _show(session: Session, found: "Timeline", words: list[str], limit: int, *, full: bool) -> None:
    hints = {}
    if found.has_more:
        hints["To see more"] = session.command("history", *words, "--limit", str(limit * 5))
    if not full and any(len(item.touched) > text_report.MOST_RESOURCES for item in found.happenings):
        hints["To see every resource"] = session.command("history", *words, "--full")

    write_report(
        session,
        lambda view: text_report.timeline_text(found, hints=hints, view=replace(view, full=full)),
        markdown=lambda: markdown_report.timeline_markdown(found),
        json=lambda: json_report.HistoryReport.of(found).text(),
    )
