"""Matching files whose ids do not bind: those of an export."""

from cesplan.domain.address import Address, AppKey, Key, KindName
from cesplan.domain.desired import DesiredApp, DesiredResource
from cesplan.domain.live import LiveApp, LiveResource
from cesplan.domain.resource_name import Place
from cesplan.engine.comparing.match import Matched, match_resources

PLACE = Place(project="p", location="us")
APP = "projects/p/locations/us/apps/shop"


def agent(key: str, title: str, *, new_id: str, resource_id: str | None = None) -> DesiredResource:
    return DesiredResource(
        address=Address(app=AppKey("shop"), kind=KindName("agents"), key=Key(key)),
        body={"displayName": title},
        file=f"agents/{key}/{key}.json",
        resource_id=resource_id,
        new_id=new_id,
    )


def live(resource_id: str, title: str) -> LiveResource:
    name = f"{APP}/agents/{resource_id}"
    return LiveResource(kind=KindName("agents"), body={"name": name, "displayName": title})


def matched(files: list[DesiredResource], agents: list[LiveResource]) -> Matched:
    root = DesiredResource(
        address=Address(app=AppKey("shop"), kind=KindName("apps"), key=Key("shop")), body={}, file="app.json"
    )
    app = LiveApp(
        app=LiveResource(kind=KindName("apps"), body={"name": APP}),
        children={KindName("agents"): tuple(agents)},
    )
    return match_resources(DesiredApp(key=AppKey("shop"), app=root, resources=tuple(files)), app, PLACE)


def ids(found: Matched) -> dict[str, tuple[str, bool]]:
    """By key: the id, and whether it is live."""
    return {m.desired.address.key: (m.resource_id, m.live is not None) for m in found.matches[1:]}


def test_a_display_name_decides_before_an_id() -> None:
    """An id in an export was taken elsewhere: here another resource may have it."""
    found = matched(
        [agent("billing", "Billing", new_id="agent-1", resource_id="agent-1")],
        [live("agent-1", "Front desk"), live("agent-2", "Billing")],
    )
    assert ids(found) == {"billing": ("agent-2", True)}
    assert [item.id for item in found.live_only] == ["agent-1"]


def test_a_key_is_never_taken_for_an_id() -> None:
    """Without `name` the key is only a slug; a live id that looks the same means something else."""
    found = matched([agent("billing", "Billing", new_id="billing")], [live("billing", "Complaints")])
    assert ids(found) == {"billing": ("billing-2", False)}


def test_the_id_decides_where_the_name_is_new() -> None:
    """A renamed resource keeps its id."""
    file = agent("invoices", "Invoices", new_id="uuid-0001", resource_id="uuid-0001")
    assert ids(matched([file], [live("uuid-0001", "Billing")])) == {"invoices": ("uuid-0001", True)}


def test_equal_display_names_are_told_apart_by_id() -> None:
    """Of two with one name, the id finds one, and then the name is enough for the other."""
    files = [agent("one", "Same", new_id="same-one"), agent("two", "Same", new_id="same-two")]
    found = matched(files, [live("same-one", "Same"), live("other", "Same")])
    assert ids(found) == {"one": ("same-one", True), "two": ("other", True)}


def test_a_match_by_name_needs_no_advice() -> None:
    """An export has no line `$id` that could be added."""
    found = matched([agent("billing", "Billing", new_id="billing")], [live("uuid-0001", "Billing")])
    assert [m.by_display_name for m in found.matches[1:]] == [False]
    assert ids(found) == {"billing": ("uuid-0001", True)}


def test_an_app_that_is_new_gets_the_id_it_is_offered() -> None:
    """The key of an app without an id may be too short for one."""
    root = DesiredResource(
        address=Address(app=AppKey("shop"), kind=KindName("apps"), key=Key("shop")),
        body={"displayName": "Shop"},
        file="app.json",
        new_id="shop-app",
    )
    found = match_resources(DesiredApp(key=AppKey("shop"), app=root), None, PLACE)
    assert (found.matches[0].resource_id, found.naming.app_name) == (
        "shop-app",
        "projects/p/locations/us/apps/shop-app",
    )
