"""The apps of a place: those of the service beside those of the tree."""

from dataclasses import replace

from cesplan.config.project.project import find_root
from cesplan.config.source import read_source
from cesplan.domain.desired import Desired
from cesplan.domain.errors import UsageError
from cesplan.domain.features.app_list import AppList
from cesplan.domain.resource_name import Place
from cesplan.domain.settings import Settings
from cesplan.features.app_list.standing import listed_apps
from cesplan.workflow.connecting import GOOGLE, Connection, connected
from cesplan.workflow.pulling import usable
from cesplan.workflow.validating import TreeTarget


def list_apps(
    tree: TreeTarget,
    *,
    place: Place | None = None,
    api_version: str = "v1beta",
    connection: Connection = GOOGLE,
) -> AppList:
    """
    The apps where a tree is applied, or of `place`, which needs no tree.

    A tree without an app is good enough. Raises UsageError where there is neither a tree nor a place,
    InvalidConfiguration for a tree with other errors, and what the service answers.
    """
    desired = _desired(tree, place, api_version)
    settings = connection.at(desired.settings)
    with connected(connection, settings, read_only=True, secrets=desired.secrets) as client:
        live = client.list_apps(settings.place)
        return AppList(settings=settings, apps=listed_apps(desired, live), requests=client.requests)


def _desired(tree: TreeTarget, place: Place | None, api_version: str) -> Desired:
    if place is not None:
        return Desired(settings=Settings(place=place, api_version=api_version))
    root = find_root(tree.folder)
    if root is None:
        raise UsageError(
            summary="There is no tree here, and the project is unknown.",
            detail="Name it: cesplan list --project PROJECT [--location us]",
        )
    found = usable(tree.read())
    return replace(found, source=read_source(root, ""))
