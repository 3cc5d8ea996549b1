"""`cesplan pull --layout export`: a live app into files of the official layout."""

from pathlib import Path

from cesplan.cli.commands.convert import show
from cesplan.cli.exit_codes import ExitCode
from cesplan.cli.live_line import progress_line
from cesplan.cli.options import TreeChoice
from cesplan.cli.session import Session
from cesplan.domain.lazily import lazily
from cesplan.domain.resource_name import Place

with lazily():
    from cesplan.features.export_layout import write
    from cesplan.workflow import emulating, exporting


def run_export(
    session: Session,
    tree: TreeChoice,
    app: str,
    into: Path | None,
    *,
    project: str,
    location: str,
    api_version: str,
    version: str,
    style: str,
) -> int:
    """Write the app and report what was written."""
    target = into or session.root
    with (
        emulating.emulator(session.root, embedded=session.emulator) as address,
        progress_line(session) as on_progress,
    ):
        converted = exporting.pull_export(
            app,
            target,
            tree=tree.target(session.root),
            place=Place(project=project, location=location) if project else None,
            api_version=api_version,
            version=version,
            style=write.Style(style),
            connection=session.connection(address),
            on_progress=on_progress,
        )
    show(session, target, converted)
    return ExitCode.DONE
