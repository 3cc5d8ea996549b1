"""`cesplan ci`: the pipeline that plans pull requests and applies what was reviewed."""

from pathlib import Path

import click

from cesplan.cli.commands import shared_options as shared
from cesplan.cli.commands.pipeline_report import show_pipeline
from cesplan.cli.exit_codes import ExitCode
from cesplan.cli.group import Group
from cesplan.cli.options import format_option
from cesplan.cli.session import Session
from cesplan.domain.errors import UsageError
from cesplan.domain.lazily import lazily

with lazily():
    from cesplan.features.pipelines import files
    from cesplan.render.machine.formats import files as files_json
    from cesplan.render.text import pipeline
    from cesplan.workflow import reviewed as reviewed_workflow
    from cesplan.workflow import saving


_BRANCH = "main"


@click.group("ci", cls=Group)
def command() -> None:
    """Set up a pipeline (plan on pull requests, apply after the merge) and run its steps."""


@command.define(
    "init",
    epilog="""
\b
Examples:
  cesplan ci init github
  cesplan ci init gitlab -e staging -e prod
  cesplan ci init cloudbuild --branch release
  cesplan ci init github --reusable          # an action for workflows of your own
""",
)
@click.argument("service", type=click.Choice(["github", "gitlab", "cloudbuild"]))
@shared.environments(help="Environments to apply, in this order.  [default: all in cesplan.yaml, in its order]")
@click.option("--branch", metavar="BRANCH", default=_BRANCH, show_default=True, help="The branch to apply.")
@click.option(
    "--reusable",
    is_flag=True,
    help="Write a building block for pipelines of your own instead: a composite action (GitHub) or a component "
    "(GitLab) that runs one command.",
)
@format_option
def init(session: Session, service: str, environments: tuple[str, ...], branch: str, reusable: bool) -> int:
    """
    Write pipeline files for a repository and list what to set up.

    The pipeline plans each pull request and keeps the plan in a comment up to date. After the merge, it plans
    again and applies only reviewed changes, one environment after the other. No service account key is needed.
    The files go to the root of the git repository and are yours to edit. Existing files are never overwritten:
    if one exists, nothing is written.
    """
    pipeline_service = files.PipelineService(service)
    if reusable:
        if environments or branch != _BRANCH:
            raise UsageError(summary="--reusable takes its environment as an input: remove -e and --branch.")
        pipeline = files.write_reusable(pipeline_service, session.root)
    else:
        pipeline = files.write_pipeline(
            pipeline_service, session.root, environments=environments, branch=branch
        )
    show_pipeline(session, service, pipeline)
    return ExitCode.DONE


@command.define(
    "compare",
    short_help="Check that a plan contains only reviewed changes.",
    epilog="""
\b
Examples:
  cesplan plan -e prod --out plan.json          # after the merge
  cesplan ci compare plan.json reviewed.json    # the plan of the pull request
  cesplan apply -e prod plan.json
""",
)
@click.argument("plan", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.argument("reviewed", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@format_option
def compare(session: Session, plan: Path, reviewed: Path) -> int:
    """
    Check that PLAN contains only changes that the plan file REVIEWED shows.

    Both must be plan files for the same project, location, and environment. Two changes are the same if they
    change the same resource from the same values to the same values. Changes that only REVIEWED has are
    ignored: they may have been applied since. Works offline. Exit code 4 if PLAN contains any other change.
    """
    planned = saving.show(plan)
    left = reviewed_workflow.not_reviewed(planned, saving.show(reviewed))
    number = len(planned.plan.shown)
    console = session.console
    if session.json:
        console.data(files_json.ComparisonReport.from_value(changes=number, not_reviewed=left).text())
    else:
        console.data(pipeline.compared_text(number, left, console.out_view))
    return ExitCode.CONFLICT if left else ExitCode.DONE


@command.define(
    "parts",
    short_help="Split a long text into Markdown pages for a job summary.",
    epilog="""
\b
Examples:
  cesplan show --full plan.json > plan.txt
  cesplan ci parts plan.txt --out parts --title prod
  cat parts/part-1.md >> "$GITHUB_STEP_SUMMARY"
""",
)
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option(
    "--out",
    "folder",
    metavar="FOLDER",
    required=True,
    type=click.Path(path_type=Path),
    help="New folder for part-1.md, part-2.md, …",
)
@click.option("--title", metavar="TEXT", default="plan", show_default=True, help="Heading of each part.")
@click.option(
    "--limit",
    metavar="BYTES",
    type=click.IntRange(min=2000),
    default=1_000_000,
    show_default=True,
    help="Maximum size of a part, in bytes.",
)
def parts(session: Session, file: Path, folder: Path, title: str, limit: int) -> int:
    """
    Split the text in FILE into Markdown pages and print the number of pages.

    The whole text is kept and shown verbatim. GitHub accepts 1 MiB for the summary of a step.
    """
    session.console.data(f"{files.write_parts(file, folder, title=title, limit=limit)}\n")
    return ExitCode.DONE
