"""`cesplan evaluate --export adk`: evaluations as ADK files; nothing is run."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from cesplan.cli.commands.evaluate_options import EvaluationOptions
from cesplan.cli.exit_codes import ExitCode
from cesplan.cli.loading import showing_errors
from cesplan.cli.options import gathered
from cesplan.cli.report_formats import write_report
from cesplan.cli.session import Session
from cesplan.domain.errors import UsageError
from cesplan.domain.frozen import dataclass
from cesplan.domain.lazily import lazily

if TYPE_CHECKING:
    from cesplan.domain.features.evaluation import AdkExport
    from cesplan.workflow.live_app.target import AppTarget

with lazily():
    from cesplan.config.writing import outputs
    from cesplan.features.scores import export_report
    from cesplan.render.machine.formats import evaluation
    from cesplan.workflow import emulating
    from cesplan.workflow.evaluation import exporting


_FORMATS = frozenset({"text", "json"})


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportToAdk:
    """Whether and where to write ADK files."""

    form: str | None
    folder: Path
    is_live: bool
    overwrite: bool


def export(
    session: Session, options: EvaluationOptions, target: "AppTarget", export_options: ExportToAdk
) -> int:
    """Write the files and report what they cannot hold."""
    _check(session, options)
    outputs.check_output_folder(export_options.folder)
    with showing_errors(session):
        if export_options.is_live:
            with emulating.emulator(session.root, embedded=session.emulator) as address:
                found = exporting.export_of_live(target, options.choice(), session.connection(address))
        else:
            found = exporting.export_of_tree(target, options.choice())
    files = [
        str(path)
        for path in exporting.write_export(found, export_options.folder, overwrite=export_options.overwrite)
    ]
    return _show(session, found, files)


def _check(session: Session, options: EvaluationOptions) -> None:
    """Raise UsageError for options of a run, which would have no effect."""
    given = {
        "--version": options.version,
        "--channel": options.channel,
        "--method": options.method,
        "--tools": options.tools,
        "--repeats": options.repeats,
        "--persona": options.personas,
    }
    if named := [name for name, value in given.items() if value]:
        raise UsageError(summary=f"--export runs nothing: remove {', '.join(named)}.")
    if other := sorted(set(session.reports.formats) - _FORMATS):
        raise UsageError(summary=f"An export is reported as text or JSON, not as {', '.join(other)}.")


def _show(session: Session, found: "AdkExport", files: list[str]) -> int:
    write_report(
        session,
        lambda view: export_report.export_text(found, files, view),
        json=lambda: evaluation.EvaluationExportReport.of(found, files).text(),
    )
    return ExitCode.DONE


_OPTIONS = (
    click.option(
        "--export",
        "export_form",
        type=click.Choice(["adk"]),
        help="Run nothing: write the chosen evaluations as an ADK eval set and test configuration.",
    ),
    click.option(
        "--out",
        "export_folder",
        metavar="DIR",
        default=".",
        type=click.Path(file_okay=False, path_type=Path),
        help="With --export: the folder for APP.evalset.json and test_config.json.  [default: the current one]",
    ),
    click.option(
        "--live",
        "export_live",
        is_flag=True,
        help="With --export: the evaluations of the live app. [default: those of the tree]",
    ),
    click.option(
        "--overwrite",
        "export_overwrite",
        is_flag=True,
        help="With --export: replace existing files.",
    ),
)


def export_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """Whether evaluations are exported, as `exporting`."""
    return gathered(function, _OPTIONS, "exporting", _choice)


def _choice(
    *, export_form: str | None, export_folder: Path, export_live: bool, export_overwrite: bool
) -> ExportToAdk:
    if export_form is None and (export_live or export_overwrite or export_folder != Path()):
        raise click.UsageError("--out, --live, and --overwrite belong to --export.")
    return ExportToAdk(form=export_form, folder=export_folder, is_live=export_live, overwrite=export_overwrite)
