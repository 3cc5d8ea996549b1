"""`cesplan pull`: a live app into files."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from cesplan.cli.commands.pull_export import run_export
from cesplan.cli.commands.pull_merge import run_merge
from cesplan.cli.exit_codes import ExitCode
from cesplan.cli.group import CONTEXT, Command
from cesplan.cli.loading import telling_errors
from cesplan.cli.options import TreeChoice, common_options, format_option, tree_options
from cesplan.cli.patience import told
from cesplan.cli.session import Session
from cesplan.domain.choice import Choice
from cesplan.domain.diagnostic import Severity, has_errors
from cesplan.domain.errors import UsageError
from cesplan.domain.features.merge import Side

if TYPE_CHECKING:
    from cesplan.workflow.pulling import Pulled


@click.command(
    "pull",
    cls=Command,
    context_settings=CONTEXT,
    epilog="""
\b
Examples:
  cesplan pull "Support Desk" --project acme-dev --into agents
  cesplan pull projects/acme-dev/locations/us/apps/1b2c3d4e
  cesplan pull support-desk --only 'agents/*' --exclude agents/try-out
  cesplan pull support-desk --version v42 --into old
  cesplan pull support-desk --layout export --into Support_Desk.zip
  cesplan pull --merge --check                  # 2 when somebody changed something live
  cesplan pull --merge support-desk --theirs
""",
)
@click.argument("app", metavar="[APP]", default="")
@click.option(
    "--into",
    metavar="DIR",
    type=click.Path(path_type=Path),
    help="The folder of the tree; made when it is not there.  [default: the tree around this folder]",
)
@click.option("--project", metavar="PROJECT", default="", help="For a new tree: the project of the app.")
@click.option("--location", metavar="LOCATION", default="us", show_default=True, help="And its location.")
@click.option(
    "--api-version",
    type=click.Choice(["v1", "v1beta"]),
    default="v1beta",
    show_default=True,
    help="And the version of the API to use.",
)
@click.option(
    "--only", "--target", "only", multiple=True, metavar="ADDRESS", help="Take these only; `*` is allowed."
)
@click.option("--exclude", multiple=True, metavar="ADDRESS", help="Leave these resources out; `*` is allowed.")
@click.option("--version", "version", metavar="VERSION", default="", help="As this version of the app has it.")
@click.option(
    "--layout",
    type=click.Choice(["native", "export"]),
    default="native",
    show_default=True,
    help="export: as the official export does it, into a folder or a file that ends in .zip.",
)
@click.option(
    "--style",
    type=click.Choice(["json", "yaml"]),
    default="json",
    show_default=True,
    help="With --layout export: the format of the files.",
)
@click.option("--merge", is_flag=True, help="Edit the files: take in what was changed live, field by field.")
@click.option(
    "--overlay",
    is_flag=True,
    help="With --merge -e ENV: write into environments/ENV only, so that no other environment changes.",
)
@click.option("--check", is_flag=True, help="With --merge: write nothing; exit with 2 when there is something.")
@click.option("--theirs", is_flag=True, help="With --merge: live wins conflicts.")
@click.option("--ours", is_flag=True, help="With --merge: the tree wins conflicts.")
@tree_options
@format_option
@common_options
@click.pass_obj
def command(
    session: Session,
    tree: TreeChoice,
    app: str,
    into: Path | None,
    project: str,
    location: str,
    api_version: str,
    only: tuple[str, ...],
    exclude: tuple[str, ...],
    version: str,
    layout: str,
    style: str,
    merge: bool,
    overlay: bool,
    check: bool,
    theirs: bool,
    ours: bool,
) -> int:
    """
    Write a live app into files, so that a plan of them is empty.

    APP is a key of the tree, an id, a display name or a full name. Every resource gets a file with a readable
    name; long texts, Python and OpenAPI documents get files of their own. What a tree says already is not
    touched: where it says something else than what is live, nothing is written and the fields are named.

    With --merge the files are edited instead: what only live changed is taken, what only the tree changed is
    kept, and what both changed is a conflict that stays as it is. Only the lines of what changed are touched.
    With -e ENV, what the environment's own file says is edited there, and what is gone live is left out of this
    environment; other edits are in files that environments share, and the report names who else they change.
    """
    _check_usage(app, merge=merge, check=check, theirs=theirs, ours=ours, version=version)
    if overlay and not (merge and tree.environment):
        raise click.UsageError("--overlay goes with --merge and -e ENV.")
    if layout == "export" and (merge or only or exclude):
        raise click.UsageError("An export is pulled whole: --merge, --only and --exclude do not go with it.")
    choice = Choice(only=only, exclude=exclude)
    if merge:
        winner = Side.LIVE if theirs else Side.TREE if ours else Side.NEITHER
        return run_merge(session, tree, app, into, choice, winner, only_here=overlay, check=check)
    if layout == "export":
        where = {"project": project, "location": location, "api_version": api_version}
        return run_export(session, tree, app, into, **where, version=version, style=style)
    new = NewTree(project=project, location=location, api_version=api_version)
    return _run_pull(session, tree, app, into, new, choice, version)


@dataclass(frozen=True, slots=True, kw_only=True)
class NewTree:
    """Where the app of a new tree is."""

    project: str
    location: str
    api_version: str


def _run_pull(
    session: Session,
    tree: TreeChoice,
    app: str,
    into: Path | None,
    where: NewTree,
    choice: Choice,
    version: str,
) -> int:
    """Pull, show, and return the exit code."""
    from cesplan.domain.resource_name import Place
    from cesplan.workflow.emulating import emulator
    from cesplan.workflow.pulling import pull

    if into is not None and into.exists() and not into.is_dir():
        raise UsageError(summary=f"{into} is no folder.")
    with (
        telling_errors(session),
        emulator(session.root, embedded=session.emulator) as address,
        told(session) as tell,
    ):
        pulled = pull(
            into or session.root,
            app,
            new_tree=into is not None,
            place=Place(project=where.project, location=where.location) if where.project else None,
            api_version=where.api_version,
            environment=tree.environment,
            variables=tree.variables,
            endpoint=session.endpoint,
            version=version,
            choice=choice,
            connection=session.connection(address),
            tell=tell,
        )
    if into is not None:
        session.chdir = str(Path(session.chdir) / into)
    _show(session, tree, pulled)
    session.tell_requests()
    return _exit_code(pulled)


def _check_usage(app: str, *, merge: bool, check: bool, theirs: bool, ours: bool, version: str) -> None:
    """Options that make no sense together."""
    if not merge and not app:
        raise click.UsageError("Name the app to pull: an id, a display name or a full name.")
    if not merge and (check or theirs or ours):
        raise click.UsageError("--check, --theirs and --ours go with --merge.")
    if theirs and ours:
        raise click.UsageError("--theirs and --ours exclude each other.")
    if merge and version:
        raise click.UsageError("--version goes with a plain pull only.")


def _exit_code(pulled: "Pulled") -> int:
    if pulled.differing:
        return ExitCode.ERROR
    return ExitCode.INVALID if has_errors(pulled.diagnostics) else ExitCode.DONE


def _show(session: Session, tree: TreeChoice, pulled: "Pulled") -> None:
    from cesplan.render.machine.pull import pull_json
    from cesplan.render.text.diagnostics import diagnostics_text
    from cesplan.render.text.pull import pull_text

    console = session.console
    errors = tuple(item for item in pulled.diagnostics if item.severity is Severity.ERROR)
    if errors:
        console.tell(diagnostics_text(errors, console.err_view))
    facts = {
        "written": pulled.written,
        "resources": pulled.resources,
        "equal": pulled.equal,
        "differing": pulled.differing,
        "only_in_tree": pulled.only_in_tree,
        "notices": pulled.notices,
        "service": pulled.service,
    }
    if session.json:
        console.data(pull_json(pulled.app, folder=str(pulled.root), **facts))  # type: ignore[arg-type]
        return
    hints = _hints(session, tree, pulled)
    console.data(pull_text(pulled.app, **facts, hints=hints, view=console.out_view))  # type: ignore[arg-type]


def _hints(session: Session, tree: TreeChoice, pulled: "Pulled") -> dict[str, str]:
    """What to type next."""
    if pulled.differing:
        return {
            "To take what is live into the files": session.command("pull", "--merge", pulled.app, *tree.words)
        }
    return {"To see that nothing differs": session.command("plan", *tree.words)} if pulled.written else {}
