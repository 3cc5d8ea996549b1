"""`cesplan ci`: the pipeline that plans pull requests and applies what was reviewed."""

import click

from cesplan.cli.exit_codes import ExitCode
from cesplan.cli.group import CONTEXT, Command
from cesplan.cli.options import common_options, format_option
from cesplan.cli.session import Session


@click.group("ci", context_settings=CONTEXT)
def command() -> None:
    """A pipeline for a repository: plan on the pull request, apply after the merge."""


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
    from cesplan.render.pipeline_page import pipeline_json, pipeline_text
    from cesplan.workflow.pipelining import Service, write_pipeline

    made = write_pipeline(Service(service), session.root, environments=environments, branch=branch)
    console = session.console
    names = [str(made.repository / path) for path in made.files]
    if session.json:
        console.data(pipeline_json(service, names, made.next))
    else:
        console.data(pipeline_text(names, made.next, console.out_view))
    return ExitCode.DONE
