"""The report of `cesplan ci init` and `cesplan cron init`."""

import os
from pathlib import Path
from typing import TYPE_CHECKING

from cesplan.cli.session import Session
from cesplan.domain.lazily import lazily

if TYPE_CHECKING:
    from cesplan.features.pipelines.files import Pipeline

with lazily():
    from cesplan.render.machine.formats import files
    from cesplan.render.text import pipeline


def show_pipeline(session: Session, service: str, made: "Pipeline") -> None:
    """Report the files written into a repository, the remaining manual steps, and their commands."""
    names = [str(made.repository / path) for path in made.files]
    near = [name.removeprefix(f"{Path.cwd()}{os.sep}") for name in names]
    if session.json:
        report = files.PipelineReport.from_value(made, service=service, files=names, asking=made.interactive)
        session.console.data(report.text())
    else:
        view = session.console.out_view
        session.console.data(
            pipeline.pipeline_text(near, made.next, view, commands=made.commands, asking=made.interactive)
        )
