"""Small trees and live states for tests of the engine, written as literally as possible."""

from collections.abc import Mapping
from typing import Any

from cesplan.domain.address import Address, AppKey, Key, KindName, app_address
from cesplan.domain.desired import Desired, DesiredApp, DesiredResource
from cesplan.domain.live import Live, LiveApp, LiveResource
from cesplan.domain.naming import Naming
from cesplan.domain.options import PlanOptions
from cesplan.domain.plan import Plan
from cesplan.domain.resource_name import Place
from cesplan.domain.settings import Settings
from cesplan.domain.value import known_secrets
from cesplan.engine.planning.plan import plan

PLACE = Place(project="acme", location="us")
APP = AppKey("shop-desk")
NAMING = Naming(place=PLACE, app_id=APP)
STAMPED = {"metadata": {"cesplan-digest": "of an earlier apply"}}


def address(text: str) -> Address:
    """`agents/front-desk`, or an empty text for the app."""
    if not text:
        return app_address(APP)
    kind, key = text.split("/")
    return Address(app=APP, kind=KindName(kind), key=Key(key))


def desired_resource(text: str, body: Mapping[str, Any], **more: Any) -> DesiredResource:
    return DesiredResource(address=address(text), body=dict(body), file=f"{text or 'app'}.yaml", **more)


def desired(
    resources: Mapping[str, Mapping[str, Any]],
    app: Mapping[str, Any] | None = None,
    *,
    folders: tuple[str, ...] = ("agents", "tools", "toolsets", "guardrails", "examples", "deployments"),
    more: Mapping[str, Mapping[str, Any]] | None = None,
    **settings: Any,
) -> Desired:
    """A tree of one app. `more` adds attributes of DesiredResource by address."""
    extra = more or {}
    files = tuple(desired_resource(key, body, **extra.get(key, {})) for key, body in sorted(resources.items()))
    return Desired(
        settings=Settings(place=PLACE, **settings),
        apps=(
            DesiredApp(
                key=APP,
                app=desired_resource("", app or {"displayName": "Shop"}, **extra.get("", {})),
                resources=files,
                folders=frozenset(map(KindName, folders)),
            ),
        ),
        secrets=known_secrets(*(value for item in files for value in (item.body, dict(item.extra)))),
    )


def name(text: str = "") -> str:
    """The resource name of `agents/front-desk`; keys are ids here."""
    return f"{PLACE.app(APP)}/{text}" if text else PLACE.app(APP)


def live_resource(text: str, body: Mapping[str, Any]) -> LiveResource:
    return LiveResource(kind=address(text).kind, body={"name": name(text), "etag": f"etag-{text}", **body})


def live(
    resources: Mapping[str, Mapping[str, Any]], app: Mapping[str, Any] | None = None, *, stamped: bool = True
) -> Live:
    """One live app that holds these resources, stamped by an earlier apply unless said otherwise."""
    children: dict[KindName, tuple[LiveResource, ...]] = {}
    for text, body in sorted(resources.items()):
        item = live_resource(text, body)
        children[item.kind] = (*children.get(item.kind, ()), item)
    root = {**(app or {"displayName": "Shop"}), **(STAMPED if stamped else {})}
    return Live(apps={APP: LiveApp(app=live_resource("", root), children=children)})


NOTHING = Live()


def planned(tree: Desired, state: Live, **options: Any) -> Plan:
    return plan(tree, state, PlanOptions(**options))


def actions(made: Plan) -> list[str]:
    """`+ agents/front-desk`, `~ tools/x instruction,tools`, `- guardrails/y`: what a plan does, in order."""
    signs = {"create": "+", "update": "~", "delete": "-"}
    return [
        " ".join(
            filter(
                None,
                (
                    signs[item.action],
                    item.address.within_app if item.address.kind != "apps" else "app",
                    ",".join(map(str, item.mask)),
                ),
            )
        )
        for item in made.shown
    ]
