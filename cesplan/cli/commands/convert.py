"""`cesplan convert`: convert an app from one layout to the other."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from cesplan.cli.commands import shared_options as shared
from cesplan.cli.exit_codes import ExitCode
from cesplan.cli.group import define
from cesplan.cli.options import TreeChoice, format_option, tree_options
from cesplan.cli.session import Session
from cesplan.domain.diagnostic import Diagnostic, has_errors
from cesplan.domain.errors import InvalidConfiguration
from cesplan.domain.lazily import lazily
from cesplan.domain.text.words import count

if TYPE_CHECKING:
    from cesplan.workflow.converting import Converted

with lazily():
    from cesplan.features.export_layout import load, write
    from cesplan.render import page
    from cesplan.render.machine.formats import files as files_json
    from cesplan.render.text import diagnostics as diagnostics_words
    from cesplan.workflow import converting


@define(
    "convert",
    epilog="""
\b
Examples:
  cesplan convert Support_Desk.zip support-desk --project acme-dev --location us
  cesplan convert . Support_Desk.zip
  cesplan convert . export -e prod --app support-desk --style yaml
  cesplan convert Support_Desk.zip unpacked --layout export
""",
)
@click.argument("source", metavar="SRC", type=click.Path(exists=True, path_type=Path))
@click.argument("target", metavar="DST", type=click.Path(path_type=Path))
@click.option(
    "--layout", type=click.Choice(["native", "export"]), help="Layout to write.  [default: the other one]"
)
@shared.style(help="For an export: file format.")
@click.option("--app", metavar="KEY", default="", help="For a tree with several apps: the app to convert.")
@shared.project(help="For a new tree: project of the app.")
@shared.location
@click.option(
    "--environment-file",
    metavar="FILE",
    default="",
    help="For an export with several environment files: the one to use, as a path in it or a local path.",
)
@click.option("--app-id", metavar="ID", default="", help="Its id.  [default: the one in the export]")
@tree_options
@format_option
def command(
    session: Session,
    tree: TreeChoice,
    source: Path,
    target: Path,
    layout: str | None,
    style: str,
    app: str,
    project: str,
    location: str,
    app_id: str,
    environment_file: str,
) -> int:
    """
    Convert a tree to an official export, or an export to a tree, offline.

    SRC is the folder of a tree, or an export: a ZIP file, or the folder of app.json. DST is a new folder, or a
    name that ends in .zip. The result lists everything that the new layout cannot hold.
    """
    destination = load.Destination(
        project=project,
        location=location,
        app_id=app_id,
        environment=tree.environment,
        environment_file=environment_file,
    )
    try:
        converted = converting.convert(
            source,
            target,
            layout=converting.TreeLayout(layout) if layout else None,
            destination=destination,
            app=app,
            environment=tree.environment,
            variables=tree.variables,
            style=write.Style(style),
        )
    except InvalidConfiguration as error:
        _show_findings(
            session, error.diagnostics, len({item.place.file for item in error.diagnostics if item.place})
        )
        raise
    show(session, target, converted)
    return ExitCode.INVALID if has_errors(converted.diagnostics) else ExitCode.DONE


def _show_findings(session: Session, diagnostics: tuple[Diagnostic, ...], files: int) -> None:
    view = session.console.err_view
    session.console.notify(diagnostics_words.diagnostics_text(diagnostics, view))
    session.console.notify(diagnostics_words.summary_text(diagnostics, files, view))


def show(session: Session, target: Path, converted: "Converted") -> None:
    if converted.diagnostics:
        _show_findings(session, converted.diagnostics, converted.files)
    console = session.console
    console.data(_json(target, converted) if session.json else _text(target, converted))


def _text(target: Path, converted: "Converted") -> str:
    source = f" from {converted.service}" if converted.service else ""
    files = count(converted.files, "file")
    if target.suffix.lower() != ".zip":  # an archive is written as one
        files += f", {len(converted.written)} of them new or changed"
    lines = [f"Written to {target}{source}: {files}."]
    for title, items in (
        ("Left out, because this layout cannot hold it:", converted.left_out),
        ("Already there, and not part of this app:", converted.left_over),
        ("Variables in cesplan.yaml, from environment.json:", converted.variables),
        ("Check these files:", converted.notices),
    ):
        if items:
            lines += ["", title, "", *(f"    {item}" for item in items)]
    return page.paint(map(page.line, lines), colour=False)


def _json(target: Path, converted: "Converted") -> str:
    report = files_json.ConversionReport.from_value(
        converted, target=str(target), layout=converted.layout.value
    )
    return report.text()
