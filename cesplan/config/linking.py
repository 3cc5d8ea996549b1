"""Linking: the tree, read and resolved, into the desired state that planning takes."""

from cesplan.config.tree import AppTree, ResourceFile, Tree
from cesplan.domain.desired import Desired, DesiredApp, DesiredResource


def link(tree: Tree, notices: tuple[str, ...] = ()) -> Desired:
    """The desired state of a tree without errors. `notices` are for the reader of a plan."""
    return Desired(
        settings=tree.settings,
        apps=tuple(_app(item) for item in tree.apps),
        location_resources=tuple(_resource(item) for item in tree.location_resources),
        notices=notices,
        secrets=tree.secrets,
    )


def _app(tree: AppTree) -> DesiredApp:
    return DesiredApp(
        key=tree.key,
        app=_resource(tree.app),
        resources=tuple(_resource(item) for item in tree.resources),
        folders=tree.folders,
    )


def _resource(file: ResourceFile) -> DesiredResource:
    return DesiredResource(
        address=file.address,
        body=file.body,
        file=file.path,
        resource_id=file.resource_id,
        other_ids=file.other_ids,
        ownership=file.ownership,
        protect=file.protect,
        ignore=file.ignore,
        silenced=tuple(file.silenced),
        extra=file.extra,
        files={path: item.path for path, item in file.included.items()},
    )
