"""Exporting: a live app into files of the official layout, as the service itself would write them."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from cesplan.config.project.project import find_root
from cesplan.domain.desired import Desired
from cesplan.domain.errors import UsageError
from cesplan.domain.resource_name import Place
from cesplan.domain.settings import Settings
from cesplan.engine.pulling.lookup import find_app, place_in_name
from cesplan.features.export_layout.write import Style, write_live_export
from cesplan.workflow.connecting import GOOGLE, Connection, connected
from cesplan.workflow.converting import Converted, check_target, put_export
from cesplan.workflow.reading import read_app, read_version
from cesplan.workflow.validating import TreeTarget, desired_of


def pull_export(
    app: str,
    target: Path,
    *,
    tree: TreeTarget,
    place: Place | None = None,
    api_version: str = "v1beta",
    version: str = "",
    style: Style = Style.JSON,
    connection: Connection = GOOGLE,
    on_progress: Callable[[str], None] = lambda text: None,
) -> Converted:
    """
    Write a live app to `target`: a folder, or a ZIP where it is called so.

    `app` is an id, a display name, a full name, or a key of the `tree`, which then gives the place
    of the app. `version` takes it from a version's snapshot. Raises UsageError, and what the service
    answers.
    """
    check_target(target)
    known = place_in_name(app) or place
    desired = _desired_at(known, api_version) if known else _tree(tree)
    settings = connection.at(desired.settings)
    with connected(connection, settings, read_only=True, secrets=desired.secrets) as client:
        on_progress("Looking for the app")
        found = find_app(app, desired, client.list_apps(settings.place))
        on_progress("Reading the app")
        live = read_version(found, version, client) if version else read_app(found, client, settings)
    on_progress("Writing")
    return replace(put_export(write_live_export(live, style=style), target), service=settings.where)


def _desired_at(place: Place, api_version: str) -> Desired:
    return Desired(settings=Settings(place=place, api_version=api_version))


def _tree(tree: TreeTarget) -> Desired:
    if find_root(tree.folder) is None:
        raise UsageError(
            summary="There is no tree here, and the location of the app is unknown.",
            detail="Name the project: --project PROJECT [--location us], or write the app's full name.",
        )
    return desired_of(tree.read())
