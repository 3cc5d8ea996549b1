"""`cesplan list`: the existing apps, and which of them the tree manages."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

from cesplan.cli.commands.app_options import PLACE
from cesplan.cli.exit_codes import ExitCode
from cesplan.cli.group import define
from cesplan.cli.loading import service_connection
from cesplan.cli.options import TreeChoice, format_option, tree_options, with_options
from cesplan.cli.session import Session
from cesplan.domain.features.app_list import Standing
from cesplan.domain.lazily import lazily
from cesplan.domain.resource_name import Place

if TYPE_CHECKING:
    from cesplan.domain.features.app_list import AppList

with lazily():
    from cesplan.features.app_list import text_report
    from cesplan.render.machine.formats import tree as tree_formats
    from cesplan.workflow.views import listing


def place_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """Where to find apps that are not in a tree: --project, --location, and --api-version."""
    return with_options(function, _PLACE)


_PLACE = (
    *PLACE,
    click.option(
        "--api-version",
        type=click.Choice(["v1", "v1beta"]),
        default="v1beta",
        show_default=True,
        help="API version to use.",
    ),
)


@define(
    "list",
    epilog="""
\b
Examples:
  cesplan list -e prod
  cesplan list --project acme-dev
  cesplan list --format json
""",
)
@place_options
@tree_options
@format_option
def command(session: Session, tree: TreeChoice, project: str, location: str, api_version: str) -> int:
    """
    List the apps of a project and location, live and in the tree.

    Shows each app with its display name and how it relates to this tree: managed, never applied, not live yet,
    applied by another tree or environment, or not managed at all. Takes one request per page; the connection is
    read-only. With --project, lists the apps of that project instead, and needs no tree.
    """
    place = Place(project=project, location=location) if project else None
    return list_apps(session, tree, place, api_version)


def list_apps(session: Session, tree: TreeChoice, place: Place | None, api_version: str) -> int:
    """Show the apps, and how to pull one into the tree."""
    with service_connection(session) as connection:
        found = listing.list_apps(
            tree.target(session.root),
            place=place,
            api_version=api_version,
            connection=connection,
        )
    console = session.console
    if session.json:
        console.data(tree_formats.AppListReport.of(found).text())
    else:
        hints = _hints(session, tree, found)
        console.data(text_report.app_list_text(found, hints=hints, view=console.out_view))
    return ExitCode.DONE


def _hints(session: Session, tree: TreeChoice, found: "AppList") -> dict[str, str]:
    """How to pull the first app that no tree has."""
    free = next((item for item in found.apps if item.standing is Standing.UNMANAGED), None)
    return {"To pull an app into the tree": session.command("pull", free.name, *tree.words)} if free else {}
