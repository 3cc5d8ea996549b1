"""The work of a plan grows with the tree and no faster: every resource is looked at as often in a large one."""

from collections.abc import Callable
from dataclasses import replace

from cesplan.domain.address import AppKey, app_address
from cesplan.domain.desired import DesiredApp, DesiredResource
from cesplan.domain.live import Live, LiveApp, LiveResource
from cesplan.domain.options import PlanOptions
from cesplan.domain.value import Secret
from cesplan.engine.planning.plan import plan
from tests.costs import calls_of
from tests.unit.engine.builders import desired, live


def planning(apps: int) -> Callable[[], object]:
    """A plan of a tree of so many apps, each live as the tree has it, each with an agent and a secret."""
    token = Secret(("token",), "tok-1234567")
    one = desired(
        {"agents/front-desk": {"displayName": "Front"}}, {"displayName": "Shop", "description": token}
    )
    there = live({"agents/front-desk": {"displayName": "Front"}}, {"displayName": "Shop", "description": "x"})
    keys = [AppKey(f"app-{number:03}") for number in range(apps)]
    tree = replace(one, apps=tuple(_renamed(one.apps[0], key) for key in keys))
    state = Live(apps={key: _live(there.apps[one.apps[0].key], key) for key in keys})
    return lambda: plan(tree, state, PlanOptions())


def _renamed(app: DesiredApp, key: AppKey) -> DesiredApp:
    def moved(item: DesiredResource) -> DesiredResource:
        there = replace(item.address, app=key) if item.address.key else app_address(key)
        return replace(item, address=there)

    return replace(app, key=key, app=moved(app.app), resources=tuple(map(moved, app.resources)))


def _live(app: LiveApp, key: AppKey) -> LiveApp:
    def moved(item: LiveResource) -> LiveResource:
        return replace(item, body={**item.body, "name": item.name.replace("shop-desk", key)})

    children = {kind: tuple(map(moved, items)) for kind, items in app.children.items()}
    return LiveApp(app=moved(app.app), children=children)


def test_an_app_costs_the_same_in_a_tree_of_many_apps():
    """Were the secrets of the tree gathered for each app, ten more apps would cost more each time."""
    planning(30)()  # the first values of a class are made in another way
    ten, twenty, thirty = (calls_of(planning(n)) for n in (10, 20, 30))
    assert thirty - twenty <= 1.02 * (twenty - ten)
