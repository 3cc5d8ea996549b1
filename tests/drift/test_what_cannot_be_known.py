"""What is not available makes a report weaker, never wrong, and the report says what could not be known."""

import re
from collections.abc import Sequence
from typing import Any

import pytest

from tests.drift.conftest import APP, Found, Scene, Stage

EDITS: Sequence[dict[str, Any]] = (
    {"by": "bob", "patch": "tools/lookup-order", "mask": "timeout", "body": {"timeout": "25s"}},
    {"by": "eve", "patch": "tools/lookup-order", "mask": "timeout", "body": {"timeout": "26s"}},
    {"by": "eve", "patch": "guardrails/card-numbers", "mask": "enabled", "body": {"enabled": False}},
    {"by": "bob", "delete": "examples/gift-for-a-cook"},
    {
        "by": "eve",
        "post": "evaluationExpectations",
        "id": "is-kind",
        "body": {"displayName": "Is kind", "llmCriteria": {"prompt": "Be kind."}},
    },
)
TREE = (
    {"file": "agents/billing.yaml", "replace": "displayName: Billing", "by": "displayName: Billing desk"},
    {
        "file": "guardrails/card-numbers.yaml",
        "replace": "displayName: Card numbers",
        "by": "displayName: Cards",
    },
)
IN_FULL = """\
pending    agents/billing  displayName
drift      evaluationExpectations/is-kind  (created)  eve #5
drift      examples/gift-for-a-cook  (deleted)  bob #4
pending    guardrails/card-numbers  displayName
drift      guardrails/card-numbers  enabled  eve #3
drift      tools/lookup-order  timeout  eve #2
"""


def _edited(scene: Scene, *, commit: bool = True) -> Scene:
    for number, edit in enumerate(EDITS, 1):
        scene.edit(number, edit)
    for change in TREE:
        scene.change_tree(change)
    if commit:
        scene.commit()
    return scene


def _notices(found: Found) -> str:
    return "\n".join(found.app["notices"])


def _shallow(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    """A clone that has the newest commit alone, as many pipelines make it."""
    clone = scene.root.parent / "clone"
    scene.git("clone", "-q", "--depth", "1", f"file://{scene.root}", str(clone))
    monkeypatch.chdir(clone)


def _without_log(scene: Scene) -> None:
    denied = {"status": {"code": "PERMISSION_DENIED", "message": "no access to changes"}, "times": 1000}
    scene.service.break_with({"method": "ListChangelogs", **denied}, {"method": "GetChangelog", **denied})


def test_with_everything_at_hand(stage: Stage) -> None:
    """The commit of the last apply and the whole change log: class, field, author and time of each."""
    found = _edited(stage()).drift()
    assert found.lines() == IN_FULL
    assert (found.code, _notices(found), found.app["base"][:12]) == (2, "", "the tree at ")


def test_no_stamp_claims_no_drift(stage: Stage) -> None:
    """Without a stamp nothing tells both sides apart: all differences are pending, and the exit code is 0."""
    found = _edited(stage(stamp=False)).drift()
    assert {item["drift_class"] for item in found.items} == {"pending"}
    assert {item["origin"] for item in found.items} == {"unknown"}
    assert (found.code, found.app["commit"], found.app["base"]) == (0, "", "")
    assert "no complete apply left a stamp" in _notices(found)


def test_a_shallow_clone_knows_the_base_by_the_change_log(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The commit is missing; what was edited since is what the log tells of, so the classes are the same."""
    scene = _edited(stage())
    _shallow(scene, monkeypatch)
    found = scene.drift()
    assert found.lines() == IN_FULL
    assert found.code == 2
    assert "is not in this repository (in a shallow clone, fetch it)" in _notices(found)


def test_no_permission_to_read_the_log_leaves_edits_without_an_author(stage: Stage) -> None:
    """The commit tells the classes; who edited is unattributed, which a notice explains."""
    scene = _edited(stage())
    _without_log(scene)
    found = scene.drift()
    assert found.lines() == "".join(
        line.partition("  eve")[0].partition("  bob")[0]
        + ("  unattributed #-" if "drift" in line else "")
        + "\n"
        for line in IN_FULL.splitlines()
    )
    assert found.code == 2
    assert "live edits have no author, because the change log cannot be read" in _notices(found)


def test_neither_commit_nor_log_counts_as_drift(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was applied last is known from a version at best: what is not known counts as drift, and says so."""
    scene = _edited(stage())
    _shallow(scene, monkeypatch)
    _without_log(scene)
    found = scene.drift()
    alarming = {item["address"].removeprefix("support-desk/") for item in found.items if item["alarming"]}
    assert alarming >= {
        "evaluationExpectations/is-kind",
        "examples/gift-for-a-cook",
        "guardrails/card-numbers",
        "tools/lookup-order",
    }
    assert found.code == 2
    assert "git fetch origin" in _notices(found)


def test_a_log_that_lost_its_beginning_claims_no_author_it_does_not_know(stage: Stage) -> None:
    """Two entries are left: the edits before them are unattributed, and none is given to a later author."""
    found = _edited(stage(change_log_kept=2)).drift()
    assert found.lines() == IN_FULL.replace("enabled  eve #3", "enabled  unattributed #-").replace(
        "timeout  eve #2", "timeout  unattributed #-"
    )


def test_a_log_that_lost_its_beginning_is_no_base(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    """In a shallow clone the oldest entry left is no base: live was edited before it. A version is one."""
    scene = stage(change_log_kept=1)
    for number, edit in enumerate(EDITS[:2], 1):
        scene.edit(number, edit)
    scene.change_tree({"file": "tools/lookup-order.yaml", "replace": "timeout: 10s", "by": "timeout: 25s"})
    scene.commit()
    _shallow(scene, monkeypatch)
    found = scene.drift()
    assert [item["drift_class"] for item in found.items if item["address"].endswith("lookup-order")] == [
        "conflict"
    ]


def test_a_log_that_lags_attributes_what_it_shows(stage: Stage) -> None:
    """The newest entry is not there yet: its edit is unattributed, all others have their author."""
    found = _edited(stage(change_log_lag=1)).drift()
    wanted = IN_FULL.replace("eve #5", "unattributed #-")
    assert re.sub(r"#[0-9]", "#", found.lines()) == re.sub(r"#[0-9]", "#", wanted)


def test_a_copied_app_was_not_applied_to(stage: Stage) -> None:
    """A copy carries the stamp of the original, which counts for none: two sides, and no drift is claimed."""
    scene = stage()
    content = scene.call("POST", ":exportApp", {"exportFormat": "JSON"})["response"]["appContent"]
    place = APP.rpartition("/apps/")[0]
    made = scene.call(
        "POST", f"{place}/apps:importApp", {"appContent": content, "displayName": "Copy", "appId": "the-copy"}
    )["response"]["name"]
    copied = scene.call("GET", made)
    assert any(key.startswith("cesplan-") for key in copied.get("metadata", {}))
    path = scene.app / "app.yaml"
    path.write_text(f"$id: {made.rpartition('/')[2]}\n{path.read_text()}")
    scene.commit()
    found = scene.drift()
    assert {item["drift_class"] for item in found.items} <= {"pending"}
    assert found.code == 0
    assert "no complete apply left a stamp" in _notices(found)


def test_an_app_that_does_not_exist_is_one_pending_line(stage: Stage) -> None:
    """Deleted live, or never applied: nothing is left that could say, and it is told once."""
    scene = stage()
    scene.call("DELETE", "")
    found = scene.drift()
    assert (
        found.lines().splitlines()[0].startswith("pending    support-desk  (created)  the app does not exist")
    )
    assert (found.code, len(found.app["items"]), found.app["name"]) == (0, 1, "")


def test_another_trees_app_is_told_apart(stage: Stage) -> None:
    """What another environment applied is not judged: differences are pending, and it says where from."""
    scene = _edited(stage())
    project = scene.root / "cesplan.yaml"
    project.write_text(project.read_text().replace("apps: [apps/*]", "tree: another\napps: [apps/*]"))
    scene.commit()
    found = scene.drift()
    assert {item["drift_class"] for item in found.items} == {"pending"}
    assert found.code == 0
    assert "live was applied from elsewhere" in _notices(found)
