"""`cesplan cron`: the drift alarm on a schedule."""

from pathlib import Path

import click

from cesplan.cli.commands import shared_options as shared
from cesplan.cli.commands.pipeline_report import show_pipeline
from cesplan.cli.exit_codes import ExitCode
from cesplan.cli.group import Group
from cesplan.cli.options import format_option
from cesplan.cli.session import Session
from cesplan.domain.lazily import lazily

with lazily():
    from cesplan.features.pipelines import cron


@click.group("cron", cls=Group)
def command() -> None:
    """Set up the drift alarm on a schedule."""


@command.define(
    "init",
    epilog="""
\b
Examples:
  cesplan cron init kubernetes --shards 8
  cesplan cron init cloudrun -e prod --schedule '*/30 * * * *' --out deploy
  cesplan cron init github
""",
)
@click.argument("service", type=click.Choice(["kubernetes", "cloudrun", "github"]))
@shared.environments(help="An environment to check. Can be repeated.  [default: all in cesplan.yaml]")
@click.option(
    "--schedule",
    metavar="CRON",
    default="17 * * * *",
    show_default=True,
    help="When to check, as five fields of cron, in UTC.",
)
@click.option(
    "--shards",
    metavar="N",
    type=click.IntRange(1, 200),  # GitHub takes 256 jobs of one matrix
    default=1,
    show_default=True,
    help="Check the apps in this many tasks at once; one more task joins their reports.",
)
@click.option(
    "--branch",
    metavar="BRANCH",
    default="main",
    show_default=True,
    help="The branch that live is compared with. GitHub always uses the default branch.",
)
@click.option(
    "--out",
    metavar="FOLDER",
    type=click.Path(file_okay=False, path_type=Path),
    help="Write the files here.  [default: the root of the git repository]",
)
@click.option("--force", is_flag=True, help="Replace files that exist.")
@format_option
def init(
    session: Session,
    service: str,
    environments: tuple[str, ...],
    schedule: str,
    shards: int,
    branch: str,
    out: Path | None,
    force: bool,
) -> int:
    """
    Write the files that run `cesplan drift` on a schedule, and list what to set up.

    The job reads with an account that cannot write, and posts to a webhook when drift appears, changes, and is
    gone. No service account key is needed, and no secret is in the files. They are yours to edit. Existing
    files are not overwritten: if one exists, nothing is written, unless --force is given.
    """
    files_written = cron.write_schedule(
        cron.Scheduler(service),
        session.root,
        environments=environments,
        shards=shards,
        schedule=schedule,
        branch=branch,
        out=out,
        force=force,
    )
    show_pipeline(session, service, files_written)
    return ExitCode.DONE
