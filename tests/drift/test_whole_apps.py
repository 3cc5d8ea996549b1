"""Edits that touch a whole app at once: a lock, an import over it, a version restored."""

from tests.drift.conftest import APP, Stage


def test_a_lock_that_somebody_set_is_drift(stage: Stage) -> None:
    """The lock is a field like any other, beside what was edited before it."""
    scene = stage()
    scene.edit(1, {"by": "bob", "patch": "tools/lookup-order", "mask": "timeout", "body": {"timeout": "25s"}})
    scene.edit(2, {"by": "eve", "patch": "", "mask": "locked", "body": {"locked": True}})
    assert scene.drift().lines() == (
        "drift      support-desk  locked  eve #2\ndrift      tools/lookup-order  timeout  bob #1\n"
    )


def test_an_import_over_the_app_is_no_drift_but_for_what_it_changes(stage: Stage) -> None:
    """Every resource has a new id and is the same; what the archive changed is told, and only that."""
    scene = stage()
    scene.edit(1, {"by": "bob", "patch": "tools/lookup-order", "mask": "timeout", "body": {"timeout": "25s"}})
    content = scene.call("POST", ":exportApp", {"exportFormat": "JSON"})["response"]["appContent"]
    place = APP.rpartition("/apps/")[0]
    options = {"conflictResolutionStrategy": "OVERWRITE"}
    scene.call(
        "POST",
        f"{place}/apps:importApp",
        {"appContent": content, "appId": "support-desk", "importOptions": options},
        "eve@acme.example",
    )
    found = scene.drift()
    assert [line.partition("#")[0] for line in found.lines().splitlines()] == [
        "drift      tools/lookup-order  timeout  eve ",
        # The service leaves these references to what has another id now.
        "drift      tools/order-card  widgetTool.dataMapping.sourceToolName  eve ",
        "drift      tools/product-carousel  widgetTool.dataMapping.sourceToolName  eve ",
    ]
    assert any("re-created under another id" in text for text in found.app["notices"])
    code, out, _ = scene.say("drift")
    assert (code, out.count("Notice: ")) == (2, 8)
    assert "more notices" in out


def test_a_restored_version_tells_what_it_took_back(stage: Stage) -> None:
    """What differs from the last apply is drift by the one who restored it."""
    scene = stage()
    scene.change_tree(
        {"file": "agents/billing.yaml", "replace": "displayName: Billing", "by": "displayName: B"}
    )
    scene.commit()
    scene.apply()
    scene.edit(1, {"by": "eve", "call": "versions/release-1:restore"})
    found = scene.drift()
    assert found.lines() == "drift      agents/billing  displayName  eve #1\n"
    assert "live has lost the stamp of the last apply (eve@acme.example, 20" in found.app["notices"][0]
