"""
Options that several commands share, each with its own help: `@shared.full(help="…")`. Groups of options that
become one value have their own modules, such as `app_options`.
"""

from functools import partial
from pathlib import Path

import click

from cesplan.cli.options import complete_address, complete_environment, since_time

QUICK = (
    "Read only the resources that the change log names since the last apply: two requests for an unchanged app."
)

environments = partial(
    click.option,
    "-e",
    "--environment",
    "environments",
    multiple=True,
    metavar="ENV",
    shell_complete=complete_environment,
)
targets = partial(
    click.option, "--target", "targets", multiple=True, metavar="PATTERN", shell_complete=complete_address
)
since = partial(click.option, "--since", metavar="TIME|DURATION", callback=since_time)
authors = partial(click.option, "--author", "authors", multiple=True, metavar="PATTERN")
auto_approve = partial(click.option, "--auto-approve", is_flag=True)
full = partial(click.option, "--full", is_flag=True)
quick = partial(click.option, "--quick", is_flag=True)
style = partial(click.option, "--style", type=click.Choice(["json", "yaml"]), default="json", show_default=True)
plan_file = partial(click.option, "--out", metavar="FILE", type=click.Path(dir_okay=False, path_type=Path))
max_sessions = partial(click.option, "--max-sessions", type=click.IntRange(min=1), metavar="N")
project = partial(click.option, "--project", metavar="PROJECT", default="")
location = click.option("--location", metavar="LOCATION", default="us", show_default=True, help="Its location.")
judge_project = partial(click.option, "--judge-project", metavar="PROJECT", default="")
judge_location = click.option(
    "--judge-location",
    metavar="LOCATION",
    default="us-central1",
    show_default=True,
    envvar="GOOGLE_CLOUD_LOCATION",
    help="The location in which judges run; GOOGLE_CLOUD_LOCATION also sets it.",
)
