"""`cesplan schema`: JSON Schemas of all files of a tree, for editors."""

from pathlib import Path

import click

from cesplan.cli.exit_codes import ExitCode
from cesplan.cli.group import CONTEXT, Command
from cesplan.cli.lazily import lazily
from cesplan.cli.options import common_options
from cesplan.cli.session import Session

with lazily():
    from cesplan.workflow.reference import schemas


@click.command(
    "schema",
    cls=Command,
    context_settings=CONTEXT,
    epilog="""
\b
Examples:
  cesplan schema --out schemas

\b
In a file of the tree, for editors with YAML Language Server:
  # yaml-language-server: $schema=../../../schemas/agents.schema.json
""",
)
@click.option(
    "--out",
    metavar="DIR",
    required=True,
    type=click.Path(file_okay=False, path_type=Path),
    help="Folder to write to, created if needed.",
)
@common_options
@click.pass_obj
def command(session: Session, out: Path) -> int:
    """
    Write JSON Schemas for the files of a tree.

    Writes one schema for each resource kind, one for its overlays in `environments/`, and one each for
    cesplan.yaml, patches and policy_test.yaml. Editors use them to complete, explain and check files.
    `reports/` holds the schemas of plan files, JSON reports and JSON Lines.
    """
    for path in schemas.write_schemas(out):
        session.console.data(f"{path}\n")
    return ExitCode.DONE
