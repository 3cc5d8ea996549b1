"""`cesplan init`: a small tree to start from, unless there is an existing app to start from."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from cesplan.cli.commands import shared_options as shared
from cesplan.cli.exit_codes import ExitCode
from cesplan.cli.group import define
from cesplan.cli.live_line import wait_line
from cesplan.cli.options import format_option
from cesplan.cli.session import Session
from cesplan.domain.errors import ApiError, NotAuthenticated, UsageError
from cesplan.domain.lazily import lazily
from cesplan.domain.resource_name import Place
from cesplan.domain.text.words import first_rows

if TYPE_CHECKING:
    from cesplan.domain.features.app_list import ListedApp

with lazily():
    from cesplan.render.machine.formats import files as files_json
    from cesplan.render.text import init
    from cesplan.workflow import emulating, starting
    from cesplan.workflow.reference import editor

_MOST_LISTED = 10
_LOCATION = "us"


@define(
    "init",
    epilog="""
\b
Examples:
  cesplan init
  cesplan init my-agents
  cesplan init my-agents --project acme-dev --location us
""",
)
@click.argument("folder", metavar="[DIR]", default=".", type=click.Path(file_okay=False, path_type=Path))
@shared.project(help="The Google Cloud project of the tree.")
@shared.location
@click.option("--offline", is_flag=True, help="With --project: do not look for existing apps there.")
@format_option
def command(session: Session, folder: Path, project: str, location: str, offline: bool) -> int:
    """
    Create a small tree to start from: one app, one agent, one tool, one guardrail.

    DIR is created if needed. Existing files are never overwritten: if one exists, nothing is written.

    With --project, cesplan first looks for apps in the project and location. If there are any that no tree has
    applied, it lists them and writes nothing: `cesplan pull` creates a tree from an existing app. With
    --offline, or without --project, it makes no requests.
    """
    place = _place(project, location, offline=offline)
    if place is not None and not offline:
        _check_apps(session, folder, place)
    started = [str(path) for path in starting.start(folder, place)]
    files = sorted((*started, *editor.write_for_editors(folder).written))
    console = session.console
    if session.json:
        console.data(files_json.InitReport.from_value(folder=str(folder), files=files).text())
    else:
        console.data(_text(session, folder, place, files))
    return ExitCode.DONE


def _text(session: Session, folder: Path, place: Place | None, files: list[str]) -> str:
    pull = _pull(session, folder, Place(project="PROJECT", location=_LOCATION))
    session.chdir = "" if str(folder) == "." else str(Path(session.chdir) / folder)
    hints = {
        "To check it": session.command("validate"),
        "To try it without a Google account": session.command("apply", "--emulator"),
        "To see what it would change in your project": session.command("plan"),
        **({} if place else {"To list your existing apps, and start from one of them": pull}),
    }
    return init.started_text(str(folder), files, hints, session.console.out_view, has_place=place is not None)


def _place(project: str, location: str, *, offline: bool) -> Place | None:
    """Raises UsageError for invalid names of a project or location."""
    if not project:
        if offline or location != _LOCATION:
            raise UsageError(summary=f"{'--offline' if offline else '--location'} needs --project.")
        return None
    place = Place(project=project, location=location)
    if place.problem:
        raise UsageError(summary=f"{place.problem[0].upper()}{place.problem[1:]}.")
    return place


def _check_apps(session: Session, folder: Path, place: Place) -> None:
    """Raises UsageError if apps exist. An unreachable service does not stop the command: it is a notice."""
    with emulating.emulator(session.root, embedded=session.emulator) as address:
        try:
            with wait_line(session, "Looking for existing apps"):
                found = starting.existing_apps(place, connection=session.connection(address))
        except (NotAuthenticated, ApiError) as error:
            where = place.short
            session.console.notify_escaped(
                f"Notice: whether {where} has apps could not be checked: {error.summary}\n"
            )
            return
    if found:
        raise UsageError(
            summary=f"Nothing was written: {place.short} has apps that no tree has applied.",
            detail=_advice(session, folder, place, found),
        )


def _advice(session: Session, folder: Path, place: Place, found: "tuple[ListedApp, ...]") -> str:
    names = [f"    {item.display_name or item.id}  ({item.id})" for item in found]
    words = (str(folder), "--project", place.project, "--location", place.location, "--offline")
    return "\n".join(
        (
            *first_rows(names, _MOST_LISTED, "    … and {:,} more"),
            "",
            "To start from the first of them:" if len(found) > 1 else "To start from it:",
            "",
            f"    {_pull(session, folder, place, found[0].name)}",
            "",
            "To start from the example anyway:",
            "",
            f"    {session.command('init', *words)}",
        )
    )


def _pull(session: Session, folder: Path, place: Place, name: str = "") -> str:
    """The command that creates a tree from an app; without a name, it lists the apps."""
    into = ["--into", str(folder)] if name and str(folder) != "." else []
    where = [name] if name else ["--project", place.project, "--location", place.location]
    return session.command("pull", *where, *into)
