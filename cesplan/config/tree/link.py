"""Linking: turns the resolved tree into the desired state for planning."""

from collections.abc import Iterator
from dataclasses import replace

from cesplan.config.manifest import AppTree, ResourceFile, Tree
from cesplan.domain.app_metadata.names import others_keys, own_keys
from cesplan.domain.desired import Desired, DesiredApp, DesiredResource, secrets_of
from cesplan.domain.field_path import FieldPath
from cesplan.domain.lazily import lazily
from cesplan.model.kinds import kind_of

with lazily():
    from cesplan.domain.features import release

_METADATA = kind_of("apps").stamp_field


def link(tree: Tree, notices: tuple[str, ...] = ()) -> Desired:
    """The desired state of a tree without errors. `notices` are shown with a plan."""
    apps = tuple(_app(item) for item in tree.apps)
    location_resources = tuple(_resource(item) for item in tree.location_resources)
    files = (*(item for app in apps for item in app.all()), *location_resources)
    return Desired(
        settings=tree.settings,
        apps=apps,
        location_resources=location_resources,
        notices=(*notices, *_claimed(tree)),
        secrets=secrets_of(tree.secrets, files),
        rotations=tree.rotations,
        sources=tree.sources,
    )


def _app(tree: AppTree) -> DesiredApp:
    return DesiredApp(
        key=tree.key,
        app=_without_stamp(_resource(tree.app)),
        resources=tuple(_held(_resource(item), tree) for item in tree.resources),
        folders=tree.folders,
        releases=tree.releases,
    )


def _held(item: DesiredResource, tree: AppTree) -> DesiredResource:
    """A deployment that a release owns: the versions that it serves are ignored, whatever its file says."""
    if not any(item.address.within_app == owner.held for owner in tree.releases):
        return item
    return replace(item, ignore=(*item.ignore, *(FieldPath((name,)) for name in release.HELD_FIELDS)))


def _claimed(tree: Tree) -> Iterator[str]:
    """Notices about stamps in the tree, which come with exports of apps. Only cesplan writes the stamp."""
    for app in tree.apps:
        if keys := own_keys(app.app.body.get(_METADATA) or {}):
            names = ", ".join(sorted(keys))
            yield f"{app.app.path}: `{_METADATA}` has {names}, which cesplan writes itself: ignored"


def _without_stamp(app: DesiredResource) -> DesiredResource:
    metadata = app.body.get(_METADATA)
    if not isinstance(metadata, dict) or not own_keys(metadata):
        return app
    return replace(app, body={**app.body, _METADATA: others_keys(metadata)})


def _resource(file: ResourceFile) -> DesiredResource:
    return DesiredResource(
        address=file.address,
        body=file.body,
        file=file.path,
        files={path: item.path for path, item in file.included.items()},
        **file.directives,
    )
