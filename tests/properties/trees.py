"""
Whole trees: one app with resources of every kind, as the configuration hands them to the engine.

Keys come from small pools, so that two trees made one after the other share some of their resources.
"""

from collections.abc import Mapping
from typing import Any

from cesplan.domain.address import Address, AppKey, Key, KindName, app_address, location_address
from cesplan.domain.desired import Desired, DesiredApp, DesiredResource
from cesplan.domain.resource_name import Place as Where
from cesplan.domain.settings import Ownership, Settings
from cesplan.domain.value import Body, known_secrets
from cesplan.model.kinds import KINDS, Kind, app_kinds, kind_of
from tests.properties.bodies import PERSONAS, SYSTEM_TOOLS, Bodies, Place
from tests.properties.dice import Dice

WHERE = Where(project="acme", location="us")
APP = AppKey("shop-desk")
APP_NAME = WHERE.app(APP)
ADDRESS = app_address(APP)

_POOL = 4
"""Keys of a kind that a tree may have: `agents-0`, `agents-1`, …"""
_IDS = {
    "toolsets-1": "4b1c6a2e-8f30-4d7e-9a55-0c2d1e3f4a5b",
    "agents-2": "77aa9c1e-0000-4000-8000-000000000002",
}
"""Resources whose file says `$id`."""
_DENSITIES = (12, 25, 40, 70)


def tree(
    dice: Dice, *, plain: bool = False, api_version: str = "v1beta", most: int = 3, **settings: Any
) -> Desired:
    """A tree of one app that the service accepts. `most` is how many resources of a kind it may have."""
    kinds = app_kinds(api_version)
    keys = {kind.name: _keys(dice, kind, most) for kind in kinds}
    references = _references(dice, keys, api_version)
    bodies = Bodies(dice, plain=plain)
    resources = [
        _resource(bodies, Address(app=APP, kind=kind.name, key=Key(key)), references, api_version)
        for kind in kinds
        for key in keys[kind.name]
    ]
    app = _resource(bodies, ADDRESS, references, api_version)
    location = _location(bodies, references, api_version)
    return Desired(
        settings=Settings(place=WHERE, api_version=api_version, **settings),
        apps=(
            DesiredApp(
                key=APP,
                app=app,
                resources=tuple(sorted(resources, key=lambda item: item.address)),
                folders=frozenset(kind.name for kind in kinds),
            ),
        ),
        location_resources=location,
        secrets=known_secrets(*(item.body for item in (app, *resources, *location))),
    )


def desired(
    bodies: Mapping[str, Body], app: Body, more: Mapping[str, Mapping[str, Any]] | None = None, **settings: Any
) -> Desired:
    """A tree from literal bodies by `<kind>/<key>`; `more` holds further attributes of a resource."""
    extra = more or {}
    files = [
        DesiredResource(address=ADDRESS.sibling(text), body=body, file=f"{text}.yaml", **extra.get(text, {}))
        for text, body in sorted(bodies.items())
    ]
    root = DesiredResource(address=ADDRESS, body=app, file="app.yaml", **extra.get("", {}))
    version = settings.get("api_version", "v1beta")
    folders = frozenset(kind.name for kind in app_kinds(version))
    whole = DesiredApp(key=APP, app=root, resources=tuple(files), folders=folders)
    secrets = known_secrets(app, *bodies.values())
    return Desired(settings=Settings(place=WHERE, **settings), apps=(whole,), secrets=secrets)


def version_body(key: str) -> Body:
    """A version cannot be changed, so what it says follows from its key."""
    return {"displayName": f"Release {key}", "description": f"What was live as {key}."}


def _keys(dice: Dice, kind: Kind, most: int) -> tuple[str, ...]:
    if kind.is_snapshot:
        return tuple(dice.some([f"release-{number}" for number in range(5)], 1))
    return tuple(sorted(dice.some([f"{kind.name}-{number}" for number in range(_POOL)], most)))


def _references(
    dice: Dice, keys: Mapping[KindName, tuple[str, ...]], api_version: str
) -> dict[str, tuple[str, ...]]:
    found = {str(kind): tuple(f"{kind}/{key}" for key in own) for kind, own in keys.items()}
    found["tools"] = (*found["tools"], *SYSTEM_TOOLS)
    if api_version == "v1beta":
        found[PERSONAS] = tuple(f"{PERSONAS}/{name}" for name in dice.some(("calm", "hasty", "grumpy")))
    return found


def _resource(
    bodies: Bodies, address: Address, references: Mapping[str, tuple[str, ...]], api_version: str
) -> DesiredResource:
    if kind_of(address.kind).is_snapshot:
        body = version_body(address.key)
    else:
        place = Place(
            address=str(address),
            title=f"The {address.key} of {address.kind}",
            references=references,
            api_version=api_version,
            density=bodies.dice.pick(_DENSITIES),
        )
        body = bodies.resource(address.kind, place)
    return DesiredResource(
        address=address, body=body, file=f"{address}.yaml", resource_id=_IDS.get(address.key)
    )


def _location(
    bodies: Bodies, references: Mapping[str, tuple[str, ...]], api_version: str
) -> tuple[DesiredResource, ...]:
    kinds = [kind for kind in KINDS.values() if kind.is_singleton and api_version in kind.api_versions]
    if not kinds or not bodies.dice.chance(30):
        return ()
    address = location_address(WHERE.location, kinds[0].name)
    place = Place(address=str(address), title="", references=references)
    body = bodies.resource(address.kind, place)
    file = f"{address.kind}.yaml"
    return (DesiredResource(address=address, body=body, file=file, ownership=Ownership.DECLARED),)
