"""`cesplan ci`: the pipeline that plans pull requests and applies what was reviewed."""

from pathlib import Path

import click

from cesplan.cli.exit_codes import ExitCode
from cesplan.cli.group import CONTEXT, Command
from cesplan.cli.options import common_options, format_option
from cesplan.cli.session import Session


@click.group("ci", context_settings=CONTEXT)
def command() -> None:
    """A pipeline: plan on the pull request, apply after the merge; and commands for its steps."""


@command.command(
    "init",
    cls=Command,
    context_settings=CONTEXT,
    epilog="""
\b
Examples:
  cesplan ci init github
  cesplan ci init gitlab -e staging -e prod
  cesplan ci init cloudbuild --branch release
""",
)
@click.argument("service", type=click.Choice(["github", "gitlab", "cloudbuild"]))
@click.option(
    "-e",
    "--environment",
    "environments",
    metavar="ENV",
    multiple=True,
    help="Apply to these, in this order.  [default: all of cesplan.yaml, in its order]",
)
@click.option(
    "--branch", metavar="BRANCH", default="main", show_default=True, help="The branch whose state is applied."
)
@format_option
@common_options
@click.pass_obj
def init(session: Session, service: str, environments: tuple[str, ...], branch: str) -> int:
    """
    Write the pipeline of a repository, and say what to set up.

    Each pull request is planned, and the plan stands in a comment that is kept up to date. After the merge that
    very plan is applied, to one environment after the other. No key of a service account is needed. The files
    go to the top of the git repository around the tree, and are yours from then on: those that exist are never
    overwritten, and then nothing is written at all.
    """
    from cesplan.features.pipelines.files import Service, write_pipeline
    from cesplan.render.text.pipeline import pipeline_json, pipeline_text

    made = write_pipeline(Service(service), session.root, environments=environments, branch=branch)
    console = session.console
    names = [str(made.repository / path) for path in made.files]
    if session.json:
        console.data(pipeline_json(service, names, made.next))
    else:
        console.data(pipeline_text(names, made.next, console.out_view))
    return ExitCode.DONE


@command.command(
    "compare",
    cls=Command,
    short_help="Check that a plan does nothing that a reviewed plan does not show.",
    context_settings=CONTEXT,
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
@common_options
@click.pass_obj
def compare(session: Session, plan: Path, reviewed: Path) -> int:
    """
    Check that PLAN does nothing that the plan file REVIEWED does not show.

    Both are plan files for the same place. A change is the same when it is made to the same resource, from the
    same values to the same values. What REVIEWED shows and PLAN does not may have been applied since, and does
    not count. Sends no request. Exit code 4 when PLAN does something else.
    """
    from cesplan.render.text.pipeline import compared_json, compared_text
    from cesplan.workflow.reviewed import not_reviewed, show

    planned = show(plan)
    left = not_reviewed(planned, show(reviewed))
    number = len(planned.plan.shown)
    console = session.console
    console.data(compared_json(number, left) if session.json else compared_text(number, left, console.out_view))
    return ExitCode.CONFLICT if left else ExitCode.DONE


@command.command(
    "parts",
    cls=Command,
    short_help="Split a long text into pages of Markdown for a job summary.",
    context_settings=CONTEXT,
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
    help="A new folder for part-1.md and those that follow.",
)
@click.option("--title", metavar="TEXT", default="plan", show_default=True, help="The heading of each part.")
@click.option(
    "--limit",
    metavar="BYTES",
    type=click.IntRange(min=2000),
    default=1_000_000,
    show_default=True,
    help="The size of a part at most.",
)
@common_options
@click.pass_obj
def parts(session: Session, file: Path, folder: Path, title: str, limit: int) -> int:
    """
    Split the text in FILE into pages of Markdown, and print how many there are.

    Nothing is left out, and nothing in the text is read as Markdown. GitHub accepts 1 MiB for the summary of
    one step.
    """
    from cesplan.features.pipelines.files import write_parts

    session.console.data(f"{write_parts(file, folder, title=title, limit=limit)}\n")
    return ExitCode.DONE
