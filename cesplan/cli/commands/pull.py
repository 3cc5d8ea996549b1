"""`cesplan pull`: write a live app to files."""

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from cesplan.cli.commands import shared_options as shared
from cesplan.cli.commands.list import list_apps, place_options
from cesplan.cli.commands.pull_export import run_export
from cesplan.cli.commands.pull_merge import run_merge
from cesplan.cli.exit_codes import ExitCode, worst
from cesplan.cli.group import define
from cesplan.cli.live_line import progress_line
from cesplan.cli.loading import service_connection, show_errors
from cesplan.cli.options import TreeChoice, complete_address, refuse_combinations, tree_options
from cesplan.cli.reports import HTML, report_options
from cesplan.cli.session import Session
from cesplan.domain.choice import Choice
from cesplan.domain.diagnostic import has_errors
from cesplan.domain.errors import UsageError
from cesplan.domain.features.merge import Side
from cesplan.domain.frozen import dataclass
from cesplan.domain.lazily import lazily
from cesplan.domain.resource_name import Place

if TYPE_CHECKING:
    from cesplan.domain.features.pull import Pulled
    from cesplan.workflow.connecting import Connection

with lazily():
    from cesplan.render import documents
    from cesplan.render.machine.formats import files
    from cesplan.render.text import pull as pull_words
    from cesplan.workflow import pulling
    from cesplan.workflow.reference import editor
    from cesplan.workflow.views import listing


@define(
    "pull",
    epilog="""
\b
Examples:
  cesplan pull "Support Desk" --project acme-dev --into agents
  cesplan pull projects/acme-dev/locations/us/apps/1b2c3d4e
  cesplan pull support-desk --only 'agents/*' --exclude agents/try-out
  cesplan pull support-desk --version v42 --into old
  cesplan pull support-desk --layout export --into Support_Desk.zip
  cesplan pull --merge --check                  # exits with 2 if live was edited
  cesplan pull --merge support-desk --theirs
  cesplan pull --merge --check --report html=merge.html
""",
)
@click.argument("app", metavar="[APP]", default="")
@click.option(
    "--into",
    metavar="DIR",
    type=click.Path(path_type=Path),
    help="Folder of the tree, created if needed.  [default: the tree that holds this folder]",
)
@place_options
@click.option("--all", "everything", is_flag=True, help="Pull all apps of the place, each into its own folder.")
@click.option(
    "--only",
    "--target",
    "only",
    multiple=True,
    metavar="ADDRESS",
    shell_complete=complete_address,
    help="Pull only these resources; `*` is allowed.",
)
@click.option("--exclude", multiple=True, metavar="ADDRESS", help="Exclude these resources; `*` is allowed.")
@click.option("--version", "version", metavar="VERSION", default="", help="Pull this version of the app.")
@click.option(
    "--layout",
    type=click.Choice(["native", "export"]),
    default="native",
    show_default=True,
    help="export: as the official export, to a folder or a file that ends in .zip.",
)
@shared.style(help="With --layout export: file format.")
@click.option("--merge", is_flag=True, help="Merge live changes into the files, field by field.")
@click.option(
    "--overlay",
    is_flag=True,
    help="With --merge -e ENV: write only to environments/ENV, so that no other environment changes.",
)
@click.option("--check", is_flag=True, help="With --merge: write nothing; exit with 2 if there are changes.")
@click.option("--theirs", is_flag=True, help="With --merge: resolve conflicts with the live value.")
@click.option("--ours", is_flag=True, help="With --merge: resolve conflicts with the tree's value.")
@click.option(
    "--conflict-markers",
    is_flag=True,
    help="With --merge: write conflicts into text files, between git-style markers.",
)
@tree_options
@report_options("text", "json", "html")
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
    everything: bool,
    version: str,
    layout: str,
    style: str,
    merge: bool,
    overlay: bool,
    check: bool,
    theirs: bool,
    ours: bool,
    conflict_markers: bool,
) -> int:
    """
    Write a live app to files, or merge live edits into them.

    APP is a key in the tree, an id, a display name, or a full name. Without APP, lists the apps; --all pulls
    them all. Without --merge, each resource gets a file with a readable name; long texts, Python code, and
    OpenAPI documents get their own files. Existing files are not changed: if one differs from live, nothing
    is written and the differing fields are listed.

    With --merge, the files are edited instead: changes made only live are taken, changes made only in the tree
    are kept, and fields changed in both are conflicts and stay as they are. Texts are merged by line, and long
    paragraphs by sentence and word: only lines that both changed, or neighboring ones, are a conflict. Only the
    changed lines are touched. With -e ENV, values set in the environment's own files are edited there, and
    resources that were deleted live are excluded from this environment. Other edits go to shared files, and the
    report lists the other environments that they change. With --merge, --report also writes the result of the
    merge to a file.
    """
    is_export, only_merged = layout == "export", check or theirs or ours
    has_report = session.reports.files or session.reports.stdout == HTML
    refuse_combinations(
        ("--all cannot be combined with APP, --merge, or --version.", everything and (app or merge or version)),
        ("--check, --theirs, and --ours require --merge.", only_merged and not merge),
        ("--theirs and --ours cannot be combined.", theirs and ours),
        ("--version cannot be combined with --merge.", merge and version),
        ("--report FORMAT=FILE and --format html require --merge.", has_report and not merge),
        (
            "--conflict-markers requires --merge, without --theirs, --ours, and --check.",
            conflict_markers and (not merge or only_merged),
        ),
        ("--overlay requires --merge and -e ENV.", overlay and not (merge and tree.environment)),
        ("Name the app to pull: an id, a display name, or a full name.", is_export and not app),
        (
            "An export is pulled as a whole: --merge, --only, and --exclude cannot be used with it.",
            is_export and (merge or only or exclude),
        ),
    )
    choice = Choice(only=only, exclude=exclude)
    if merge:
        winner = Side.LIVE if theirs else Side.TREE if ours else Side.NEITHER
        return run_merge(
            session, tree, app, into, choice, winner, only_here=overlay, markers=conflict_markers, check=check
        )
    if is_export:
        where = {"project": project, "location": location, "api_version": api_version}
        return run_export(session, tree, app, into, **where, version=version, style=style)
    place = Place(project=project, location=location) if project else None
    if not app and not everything:
        if into or only or exclude or version:
            raise click.UsageError("Name the app to pull, or use --all.")
        return list_apps(session, tree, place, api_version)
    if into is not None and into.exists() and not into.is_dir():
        raise UsageError(summary=f"{into} is not a folder.")
    with service_connection(session) as connection:
        work = _Pulling(
            session=session,
            tree=tree,
            into=into,
            place=place,
            api_version=api_version,
            choice=choice,
            version=version,
            connection=connection,
        )
        return work.all_apps() if everything else work.one_app(app)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Pulling:
    """What was typed; `place` is the place of the apps of a new tree."""

    session: Session
    tree: TreeChoice
    into: Path | None
    place: Place | None
    api_version: str
    choice: Choice
    version: str
    connection: "Connection"

    def one_app(self, app: str) -> int:
        """Pull, show, and return the exit code."""
        pulled = self._pulled(app, self.session.root)
        _step_into(self.session, self.into)
        _show(self.session, self.tree, pulled)
        return _exit_code(pulled)

    def all_apps(self) -> int:
        """Pull the apps one after the other, show each, and return the worst exit code."""
        root = self.session.root
        listed = listing.list_apps(
            self.tree.target(root),
            place=self.place,
            api_version=self.api_version,
            connection=self.connection,
        )
        names = sorted(item.name for item in listed.apps if item.name)
        _step_into(self.session, self.into)
        found: list[Pulled] = []
        for name in names:
            pulled = self._pulled(name, root)
            found.append(pulled)
            if not self.session.json:
                _show(self.session, self.tree, pulled)
        if self.session.json:
            for pulled in found:
                show_errors(self.session, pulled.diagnostics)
            reports = tuple(map(files.PullReport.of, found))
            self.session.console.data(files.PullAllReport(**documents.opening(), apps=reports).text())
        elif not found:
            self.session.console.notify("There are no live apps.\n")
        return worst(map(_exit_code, found)) if found else ExitCode.DONE

    def _pulled(self, app: str, root: Path) -> "Pulled":
        with progress_line(self.session) as on_progress:
            pulled = pulling.pull(
                self.into or root,
                app,
                new_tree=self.into is not None,
                place=self.place,
                api_version=self.api_version,
                environment=self.tree.environment,
                variables=self.tree.variables,
                version=self.version,
                choice=self.choice,
                connection=self.connection,
                on_progress=on_progress,
            )
        if "cesplan.yaml" not in pulled.written:
            return pulled
        added = editor.write_for_editors(pulled.root).written
        return replace(pulled, written=tuple(sorted((*pulled.written, *added))))


def _step_into(session: Session, into: Path | None) -> None:
    """Make suggested commands run in the folder of the tree."""
    if into is not None:
        session.chdir = str(Path(session.chdir) / into)


def _exit_code(pulled: "Pulled") -> int:
    if pulled.differing:
        return ExitCode.ERROR
    return ExitCode.INVALID if has_errors(pulled.diagnostics) else ExitCode.DONE


def _show(session: Session, tree: TreeChoice, pulled: "Pulled") -> None:
    console = session.console
    show_errors(session, pulled.diagnostics)
    if session.json:
        console.data(files.PullReport.of(pulled).text())
        return
    hints = _hints(session, tree, pulled)
    console.data(pull_words.pull_text(pulled, hints=hints, view=console.out_view))


def _hints(session: Session, tree: TreeChoice, pulled: "Pulled") -> dict[str, str]:
    """The next commands."""
    if pulled.differing:
        return {
            "To merge the live changes into the files": session.command(
                "pull", "--merge", pulled.app, *tree.words
            )
        }
    return {"To check the result": session.command("plan", *tree.words)} if pulled.written else {}
