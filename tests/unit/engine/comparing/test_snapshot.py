"""A snapshot is held against what the run applied, and against nothing else."""

from typing import Any

from cesplan.domain.plan import Operation
from cesplan.engine.comparing.resource_names import target_of
from cesplan.engine.comparing.snapshot import Answered, is_in_snapshots, snapshot_of, unlike_snapshot
from tests.unit.engine.builders import name
from tests.unit.engine.plans import create, delete, plan, stamp, update


def unlike(snapshot: dict[str, Any], operation: Operation, answer: dict[str, Any] | None) -> tuple[str, ...]:
    target = target_of(plan(operation), operation)
    return unlike_snapshot(snapshot, [Answered(operation=operation, target=target, answer=answer)])


def agents(*bodies: dict[str, Any]) -> dict[str, Any]:
    return {"agents": [{"name": name("agents/desk"), **body} for body in bodies]}


DESK = create("agents/desk", {"displayName": "Desk"})


def test_what_was_created_must_be_there() -> None:
    assert unlike(agents({"displayName": "Desk"}), DESK, {"displayName": "Desk"}) == ()
    assert unlike({}, DESK, {"displayName": "Desk"}) == ("agents/desk is missing",)


def test_what_was_deleted_must_not() -> None:
    gone = delete("agents/desk", {"displayName": "Desk"})
    assert unlike({}, gone, None) == ()
    assert unlike(agents({}), gone, None) == ("agents/desk is still there",)


def test_what_the_server_filled_in_is_no_difference_but_what_nobody_was_shown_is() -> None:
    filled = {"displayName": "Desk", "description": "by the server"}
    assert unlike(agents(filled), DESK, filled) == ()
    assert unlike(agents(filled), DESK, {"displayName": "Desk"}) == ("agents/desk description",)


def test_the_lock_is_open_in_a_snapshot() -> None:
    app = update("", {"displayName": "Shop", "locked": True}, {"displayName": "New"}, "displayName")
    snapshot = {"app": {"name": name(), "displayName": "New"}}
    assert unlike(snapshot, app, {"displayName": "New", "locked": False}) == ()


def test_only_what_snapshots_hold_is_looked_for() -> None:
    assert is_in_snapshots(create("")) is True
    assert is_in_snapshots(create("toolsets/crm")) is True
    assert is_in_snapshots(create("evaluations/smoke")) is False
    assert is_in_snapshots(create("deployments/web")) is False
    assert is_in_snapshots(stamp()) is False


def test_an_empty_snapshot_is_none() -> None:
    assert snapshot_of({"snapshot": {}}) is None
    assert snapshot_of({}) is None
    assert snapshot_of({"snapshot": {"app": {}}}) == {"app": {}}
