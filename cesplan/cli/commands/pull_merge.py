"""`cesplan pull --merge`: merge live edits into hand-written files."""

from pathlib import Path
from typing import TYPE_CHECKING

from cesplan.cli.exit_codes import ExitCode
from cesplan.cli.live_line import progress_line
from cesplan.cli.loading import service_connection, show_errors
from cesplan.cli.options import TreeChoice
from cesplan.cli.report_formats import write_report
from cesplan.cli.session import Session
from cesplan.domain.choice import Choice
from cesplan.domain.diagnostic import has_errors
from cesplan.domain.features.merge import Side
from cesplan.domain.lazily import lazily

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cesplan.domain.features.merge import FieldMerge, MergeOutcome

with lazily():
    from cesplan.features.merge import html_report, json_report, text_report
    from cesplan.workflow import merging


def run_merge(
    session: Session,
    tree: TreeChoice,
    app: str,
    into: Path | None,
    choice: Choice,
    winner: Side,
    *,
    only_here: bool,
    markers: bool,
    check: bool,
) -> int:
    """Merge, show, and return the exit code: 2 if a check found changes, 1 if conflicts are left."""
    folder = into or session.root
    with (
        service_connection(session) as connection,
        progress_line(session) as on_progress,
    ):
        merged = merging.merge(
            folder,
            app,
            environment=tree.environment,
            variables=tree.variables,
            choice=choice,
            winner=winner,
            only_here=only_here,
            markers=markers,
            check=check,
            connection=connection,
            on_progress=on_progress,
        )
    if into is not None:
        session.chdir = str(Path(session.chdir) / into)
    _show(session, tree, merged)
    return _exit_code(merged)


def _exit_code(merged: "MergeOutcome") -> int:
    if merged.is_check:
        return ExitCode.DONE if merged.is_empty else ExitCode.CHANGES
    if has_errors(merged.diagnostics):
        return ExitCode.INVALID
    return ExitCode.ERROR if any(app.is_open for app in merged.apps) else ExitCode.DONE


def _show(session: Session, tree: TreeChoice, merged: "MergeOutcome") -> None:
    show_errors(session, merged.diagnostics)
    hints = _hints(session, tree, merged)
    write_report(
        session,
        lambda view: text_report.merge_text(merged, hints=hints, view=view),
        json=lambda: json_report.MergeReport.of(merged).text(),
        html=lambda: html_report.merge_html(merged, environment=tree.environment, hints=hints),
    )


def _hints(session: Session, tree: TreeChoice, merged: "MergeOutcome") -> dict[str, str]:
    """The next commands."""
    hints: dict[str, str] = {}
    if merged.is_check and not merged.is_empty:
        hints["To merge the changes into the files"] = session.command("pull", "--merge", *tree.words)
    if any(field.has_markers for field in _fields(merged)):
        hints["After you remove the markers"] = session.command("plan", *tree.words)
    elif any(app.is_open for app in merged.apps):
        hints["To let live win"] = session.command("pull", "--merge", "--theirs", *tree.words)
        hints["To let the tree win"] = session.command("pull", "--merge", "--ours", *tree.words)
        if any(field.collisions and field.file for field in _fields(merged)):
            hints["To resolve them in the text files"] = session.command(
                "pull", "--merge", "--conflict-markers", *tree.words
            )
    elif merged.written and not merged.is_check:
        hints["To see what the tree would still change"] = session.command("plan", *tree.words)
    return hints


def _fields(merged: "MergeOutcome") -> "Iterator[FieldMerge]":
    for app in merged.apps:
        for item in app.resources:
            yield from item.fields
