"""Small literal states: one live app, stamped by an earlier apply, and a tree for it."""

from collections.abc import Mapping
from typing import Any

from cesplan.domain.address import KindName, location_address
from cesplan.domain.desired import Desired, DesiredResource
from cesplan.domain.live import Live, LiveApp, LiveResource
from cesplan.domain.options import PlanOptions
from cesplan.domain.plan import Plan
from cesplan.domain.settings import Ownership, Settings
from cesplan.domain.value import Body
from cesplan.engine.planning.plan import plan
from cesplan.model.kinds import kind_of
from tests.properties.trees import APP, APP_NAME, WHERE, desired

SHOP: Body = {"displayName": "Shop"}
STAMP: Body = {"metadata": {"cesplan-digest": "d"}}


def live(bodies: Mapping[str, Body], app: Body | None = None) -> Live:
    """A stamped live app that holds these resources, by `<kind>/<key>`."""
    children: dict[KindName, tuple[LiveResource, ...]] = {}
    for text, body in bodies.items():
        kind = kind_of(text.split("/")[0]).name
        item = LiveResource(kind=kind, body={"name": f"{APP_NAME}/{text}", **body})
        children[kind] = (*children.get(kind, ()), item)
    root = LiveResource(kind=KindName("apps"), body={"name": APP_NAME, **(app or SHOP), **STAMP})
    return Live(apps={APP: LiveApp(app=root, children=children)})


def planned(bodies: Mapping[str, Body], state: Live, app: Body | None = None, **settings: Any) -> Plan:
    """The plan that makes this state equal a tree of these bodies."""
    return plan(desired(bodies, app or SHOP, **settings), state, PlanOptions())


def planned_one(kind: str, wanted: Body, there: Body, **settings: Any) -> Plan:
    """The plan for one resource of a kind, whatever it is under."""
    row = kind_of(kind)
    if row.is_singleton:
        address = location_address(WHERE.location, row.name)
        file = DesiredResource(address=address, body=wanted, file=kind, ownership=Ownership.DECLARED)
        tree = Desired(settings=Settings(place=WHERE, **settings), location_resources=(file,))
        body = {"name": f"{WHERE.name}/{kind}", **there}
        return plan(tree, Live(location={row.name: LiveResource(kind=row.name, body=body)}), PlanOptions())
    if row.container:
        return planned({}, live({}, {**SHOP, **there}), {**SHOP, **wanted}, **settings)
    return planned({f"{kind}/the-one": wanted}, live({f"{kind}/the-one": there}), **settings)
