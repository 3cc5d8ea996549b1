"""`cesplan promote`: what differs between two environments, in the tree and live, and the plan that follows."""

import json
from typing import Any

from tests.environments.conftest import ENVIRONMENTS, SECRETS, Desk, differing

TREE: dict[str, Any] = {
    "parcel-desk": [
        "guardrails[1]",
        "loggingSettings.conversationLoggingSettings.retentionWindow",
        "modelSettings.temperature",
    ],
    "parcel-desk/agents/claims": ["instruction", "modelSettings.model"],
    "parcel-desk/agents/front-desk": ["tools"],
    "parcel-desk/deployments/web-chat": "to",
    "parcel-desk/guardrails/no-promises": "to",
    "parcel-desk/tools/make-parcel": "from",
    "parcel-desk/toolsets/carrier-api": ["openApiToolset.openApiSchema"],
}
"""What the files of dev and prod say differently: field paths, or the side that alone has a resource."""


def test_the_tree_of_two_environments_side_by_side(desk: Desk) -> None:
    """Ids and places do not count, nor does the value of a secret; the text around one is read."""
    desk.apply("prod")
    document = _document(desk, "dev", "prod")
    assert _differences(document) == TREE
    assert (document["compared"], document["plan"]["summary"]["update"]) == ("tree", 0)
    (change,) = (
        change
        for item in document["differences"]
        for change in item["field_changes"]
        if change["path"].endswith("openApiSchema")
    )
    assert "https://api.dev.fjordpost.example/desk/${carrierKey}" in change["before"]
    assert "https://api.fjordpost.example/desk/${carrierKey}" in change["after"]
    assert _differences(_document(desk, "prod", "dev")) == {
        address: {"to": "from", "from": "to"}.get(what, what) if isinstance(what, str) else what
        for address, what in TREE.items()
    }


def test_everything_that_a_promotion_writes_can_be_read(desk: Desk) -> None:
    """The plan is shortened and says which command shows the whole; with `--full` nothing is."""
    short = desk.type("prod", "promote", "dev", "prod", "--allow-policy", "evaluated").out
    command = "cesplan promote dev prod --allow-policy evaluated --full"
    assert command in short
    whole = desk.type("prod", "promote", "dev", "prod", "--allow-policy", "evaluated", "--full").out
    assert command not in whole
    assert len(whole) > 2 * len(short)


def test_live_of_two_environments_side_by_side(desk: Desk) -> None:
    """Once all is applied it is what the tree says; an edit by hand is one difference more."""
    desk.apply(*ENVIRONMENTS)
    assert _differences(_document(desk, "dev", "prod", "--live")) == TREE
    desk.edit("prod", "guardrails/card-numbers", {"description": "Edited in the console."})
    assert _differences(_document(desk, "dev", "prod", "--live")) == {
        **TREE,
        "parcel-desk/guardrails/card-numbers": ["description"],
    }
    assert _differences(_document(desk, "dev", "prod")) == TREE


def test_what_is_not_live_yet_is_not_called_equal(desk: Desk) -> None:
    ran = desk.type("prod", "promote", "dev", "prod", "--live")
    assert ran.out.startswith("Nothing to compare: no app of the tree is live in dev or prod.\n")
    desk.apply("dev")
    assert "apply will refuse this plan" in ran.out
    assert "To apply this" not in ran.out
    approved = desk.type("prod", "promote", "dev", "prod", "--live", "--allow-policy", "evaluated")
    assert "cesplan apply -e prod --allow-policy evaluated" in approved.out
    assert set(_differences(_document(desk, "dev", "prod", "--live")).values()) == {"from"}


def test_a_change_is_tried_in_dev_and_promoted(desk: Desk) -> None:
    """What live lacks in prod is seen beside dev, and the plan that promote keeps is what apply does."""
    desk.apply(*ENVIRONMENTS)
    staging, apart = desk.live("staging"), differing(desk.live("dev"), desk.live("prod"))
    desk.replace("apps/parcel-desk/agents/front-desk.md", "Never promise a day.", "Promise nothing.")
    desk.apply("dev")
    live = _differences(_document(desk, "dev", "prod", "--live"))
    assert live["parcel-desk/agents/front-desk"] == ["instruction", "tools"]
    promoted = desk.type("prod", "promote", "dev", "prod", "--out", "plan.json")
    assert promoted.code == 0
    assert "Plan: 0 to create, 1 to update, 0 to delete" in promoted.out
    assert "cesplan apply plan.json" in promoted.out
    assert desk.type("prod", "apply", "plan.json").code == 0
    assert "Promise nothing." in desk.live("prod")["agents/front-desk instruction"]
    assert differing(desk.live("dev"), desk.live("prod")) == apart
    assert desk.live("staging") == staging


def test_no_side_tells_a_secret(desk: Desk) -> None:
    """Whosever key is at hand: live texts with another one are hidden where the tree has a secret."""
    desk.apply(*ENVIRONMENTS)
    for key_of in ENVIRONMENTS:
        for words in (
            (),
            ("--live",),
            *(("--live", "--format", name) for name in ("json", "html")),
            ("--out", "plan.json", "--debug"),
        ):
            ran = desk.type(key_of, "promote", "dev", "prod", *words)
            assert ran.code == 0, ran.text
            kept = (desk.root / "plan.json").read_text() if "--out" in words else ""
            assert not [name for name, secret in SECRETS.items() if secret in ran.text + kept]


def _document(desk: Desk, one: str, other: str, *words: str) -> dict[str, Any]:
    ran = desk.type(other, "promote", one, other, *words, "--format", "json")
    assert ran.code == 0, ran.text
    found: dict[str, Any] = json.loads(ran.out)
    return found


def _differences(document: dict[str, Any]) -> dict[str, Any]:
    """Paths by address, or the side that alone has the resource."""
    return {
        item["address"]: item["only_in"] or sorted(change["path"] for change in item["field_changes"])
        for item in document["differences"]
    }
