"""`cesplan schema`: JSON Schemas for all files of a tree, for editors."""

from pathlib import Path

import click

from cesplan.cli.exit_codes import ExitCode
from cesplan.cli.group import define
from cesplan.cli.session import Session
from cesplan.domain.lazily import lazily

with lazily():
    from cesplan.workflow.reference import editor, schemas


@define(
    "schema",
    epilog="""
\b
Examples:
  cesplan schema                    # for editors, in the tree
  cesplan schema --out schemas      # all of them, anywhere

\b
In a file, for editors that use YAML Language Server without these settings:
  # yaml-language-server: $schema=../../../.cesplan/schemas/agents.schema.json
""",
)
@click.option(
    "--out",
    metavar="DIR",
    type=click.Path(file_okay=False, path_type=Path),
    help="Write to this folder instead, created if needed, with the schemas of reports.",
)
def command(session: Session, out: Path | None) -> int:
    """
    Write JSON Schemas for the files of a tree, and editor settings that use them.

    Editors complete, explain, and check files with them. Writes one schema for each resource kind, one for its
    overlays in `environments/`, and one each for cesplan.yaml, patches, releases, and policy_test.yaml to
    `.cesplan/schemas`, which git ignores. If there is no `.vscode/settings.json`, writes one that names them
    for the YAML extension of VS Code. `init` and the first `pull` do the same. Run it again after you upgrade
    cesplan or clone a tree.

    With --out, writes all schemas, and in `reports/` those of plan files, JSON reports, and JSON Lines.
    """
    console = session.console
    if out is not None:
        for path in schemas.write_schemas(out):
            console.data(f"{path}\n")
        return ExitCode.DONE
    found = editor.write_for_editors(Path.cwd())
    console.data(f"{found.folder}\n")
    if found.settings:
        console.data(f"{found.folder.parents[1] / editor.SETTINGS_FILE}\n")
    elif found.missing:
        console.notify(f"{editor.SETTINGS_FILE} was not changed, and does not name the schemas. Add to it:\n")
        console.notify(found.missing)
    return ExitCode.DONE
