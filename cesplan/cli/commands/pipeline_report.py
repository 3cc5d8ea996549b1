"""The report of `cesplan ci init` and `cesplan cron init`."""

import os
from collections.abc import Sequence
from pathlib import Path

from cesplan.cli.session import Session
from cesplan.domain.lazily import lazily

with lazily():
    from cesplan.render.machine.formats import files
    from cesplan.render.text import pipeline


def show_pipeline(
    session: Session,
    service: str,
    repository: Path,
    paths: Sequence[Path],
    steps: str,
    commands: str = "",
    asking: Sequence[str] = (),
) -> None:
    """Report the files written into a repository, the remaining manual steps, and their commands."""
    names = [str(repository / path) for path in paths]
    near = [name.removeprefix(f"{Path.cwd()}{os.sep}") for name in names]
    if session.json:
        session.console.data(files.PipelineReport.of(service, names, steps, commands, asking).text())
    else:
        session.console.data(
            pipeline.pipeline_text(near, steps, session.console.out_view, commands=commands, asking=asking)
        )
