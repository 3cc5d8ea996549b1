"""An app whose folder is gone is in the report as it is in a plan, once, by whichever shard looks."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from tests.drift.conftest import Fleet


@pytest.fixture
def left(fleet: Fleet) -> Fleet:
    """Two trees, of which the first has lost the folder of an app."""
    shutil.rmtree(fleet.root / "one" / "apps" / "bravo")
    return fleet


def _apps(fleet: Fleet, *words: str) -> tuple[int, list[dict[str, Any]]]:
    code, out, _ = fleet.say("drift", "--format", "json", *words)
    return code, json.loads(out)["apps"]


def test_it_is_pending_and_not_managed(left: Fleet) -> None:
    code, apps = _apps(left, "one", "two")
    assert code == 0
    assert [app["app"] for app in apps] == ["alpha", "bravo", "charlie", "delta"]
    bravo = apps[1]
    assert [app["former"] for app in apps] == [False, True, False, False]
    assert (bravo["managed"], bravo["unmanaged"], bravo["applied_at"][:2]) == (0, ["bravo"], "20")
    (item,) = bravo["items"]
    assert (item["drift_class"], item["kind"], item["alarming"]) == ("pending", "deleted", False)
    text = " ".join(left.say("drift", "one")[1].split())
    assert (
        "removed from the tree, not applied; its folder is gone; `cesplan apply --allow-delete bravo`" in text
    )
    assert "2 of 3 resources managed" in text


def test_a_live_edit_of_it_is_a_conflict(left: Fleet) -> None:
    """It would go with the app. There is nothing to merge into, so no command for that is shown."""
    left.edit("bravo", author="eve@acme.example")
    code, apps = _apps(left, "one")
    (item,) = apps[1]["items"]
    assert (code, item["drift_class"], item["live_edit"]["author"]) == (2, "conflict", "eve@acme.example")
    assert any("live edit of agents/desk-agent by eve@acme.example, 20" in text for text in apps[1]["notices"])
    out = left.say("drift", "one")[1]
    assert "pull --merge" not in out
    told = left.say("drift", "one", "--open-branch")[2]
    assert told.count("No branch was created: nothing was edited live.") == 1


@pytest.mark.parametrize("denied", ["ListChangelogs", "GetChangelog"])
def test_where_the_log_cannot_be_read_it_counts_as_edited(left: Fleet, denied: str) -> None:
    rule = {"method": denied, "times": 99, "status": {"code": "PERMISSION_DENIED"}}
    left.service.break_with({**rule, "resource": "*apps/bravo*"})
    code, apps = _apps(left, "one")
    (item,) = apps[1]["items"]
    assert (code, item["drift_class"], item["origin"]) == (2, "drift", "unknown")
    assert "origin unknown: it counts as a live edit" in item["note"]


@pytest.mark.parametrize("count", [2, 3])
def test_the_union_of_shards_has_it_once(left: Fleet, count: int, tmp_path: Path) -> None:
    """Also where the app files of other shards name the app by its id, or by its display name."""
    (left.root / "one" / "apps" / "alpha").rename(left.root / "one" / "apps" / "agent-one")
    moved = left.root / "two" / "apps" / "delta"
    moved.rename(moved.with_name("moved-app"))
    app = moved.with_name("moved-app") / "app.yaml"
    app.write_text(f"$id: delta\n{app.read_text()}")
    whole = _apps(left, "one", "two")
    assert [(item["app"], item["former"]) for item in whole[1]] == [
        ("agent-one", False),
        ("bravo", True),
        ("charlie", False),
        ("moved-app", False),
    ]
    files = [tmp_path / f"{index}.json" for index in range(1, count + 1)]
    for index, file in enumerate(files, 1):
        file.write_text(left.say("drift", "one", "two", "--shard", f"{index}/{count}", "--format", "json")[1])
    code, out, _ = left.say("drift", "merge", *map(str, files), "--format", "json")
    assert (code, _told(json.loads(out)["apps"])) == (whole[0], _told(whole[1]))


def test_it_can_be_asked_for_by_name(left: Fleet) -> None:
    """A name that means no app at all is still a slip; an app of another name is not looked for."""
    assert [app["app"] for app in _apps(left, "one", "--app", "bravo")[1]] == ["bravo"]
    assert [app["app"] for app in _apps(left, "one", "--app", "alpha")[1]] == ["alpha"]
    code, _, err = left.say("drift", "one", "--app", "brava")
    assert (code, "Did you mean `bravo`?" in err) == (64, True)


def test_apps_of_other_trees_and_environments_are_none_of_its_own(left: Fleet) -> None:
    left.apply("one", "prod")
    assert [app["app"] for app in _apps(left, "one", "-e", "prod")[1]] == ["alpha"]
    assert [app["app"] for app in _apps(left, "two")[1]] == ["charlie", "delta"]


def test_one_that_is_gone_by_now_is_no_difference(left: Fleet) -> None:
    assert left.say("apply", "-C", str(left.root / "one"), "--auto-approve", "--allow-delete", "bravo")[0] == 0
    assert [app["app"] for app in _apps(left, "one")[1]] == ["alpha"]


def _told(apps: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """What does not depend on when or in which run an app was checked."""
    return [{key: value for key, value in app.items() if key != "requests"} for app in apps]
