"""A deployment and a draft as desired state, so that the planner shows what going back changes."""

from collections.abc import Iterable

from cesplan.domain.address import Address, KindName
from cesplan.domain.desired import Desired, DesiredApp, DesiredResource, secrets_of
from cesplan.domain.live import LiveApp, LiveResource
from cesplan.domain.resource_name import Place
from cesplan.domain.settings import Ownership
from cesplan.engine.comparing.match import match_resources
from cesplan.engine.comparing.snapshot import CHILDREN
from cesplan.model.kinds import kind_of

_SPLIT = "experimentConfig"


def desired_deployment(
    app: LiveResource, tree: DesiredApp, deployment: LiveResource, address: Address, version: str
) -> DesiredApp:
    """
    An app in which only this is declared: the deployment serves this one version (`versions/<key>`). Version
    files of the `tree` are kept, so that versions are shown by their keys.
    """
    body = {"appVersion": version}
    if deployment.body.get(_SPLIT):
        body[_SPLIT] = None  # type: ignore[assignment]  # an explicit null clears the field
    resource = DesiredResource(
        address=address, body=body, file="", resource_id=deployment.id, ownership=Ownership.DECLARED
    )
    return DesiredApp(key=tree.key, app=_only_named(tree, app), resources=(*_versions(tree), resource))


def known_versions(tree: DesiredApp | None, live: LiveApp, place: Place) -> tuple[DesiredResource, ...]:
    """The version files of a tree that are live; others would be created again."""
    if tree is None:
        return ()
    found = match_resources(tree, live, place).matches
    return tuple(
        match.desired
        for match in found
        if match.live is not None and kind_of(match.desired.address.kind).is_snapshot
    )


def desired_draft(desired: Desired, held: DesiredApp, live: LiveApp) -> Desired:
    """A tree with exactly the contents of a version: everything else in the draft is deleted."""
    resources = tuple(item for item in held.resources if item.address.kind in CHILDREN)
    app = DesiredApp(
        key=held.key, app=held.app, resources=resources, folders=frozenset(map(KindName, CHILDREN))
    )
    return Desired(
        settings=desired.settings,
        apps=(app,),
        secrets=secrets_of(desired.secrets, app.all()),
        rotations=desired.rotations,
    )


def _versions(tree: DesiredApp) -> Iterable[DesiredResource]:
    return (item for item in tree.resources if kind_of(item.address.kind).is_snapshot)


def _only_named(tree: DesiredApp, app: LiveResource) -> DesiredResource:
    """The app, with only its lock declared, so that it is locked again after it was unlocked."""
    lock = kind_of(app.kind).lock_field
    return DesiredResource(
        address=tree.app.address,
        body={lock: True} if app.body.get(lock) else {},
        file=tree.app.file,
        resource_id=app.id,
        ownership=Ownership.DECLARED,
    )
