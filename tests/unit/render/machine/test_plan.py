"""Plans for machines."""

import json
from typing import Any

import jsonpatch
import pytest

from cesplan.render.machine.digests import change_digest, plan_digest
from cesplan.render.machine.formats.plan import PlanReport
from tests.unit.render.builders import (
    FRONT_DESK,
    LIVE_TOKEN,
    MIXED,
    NOTHING,
    SECRET,
    TOKEN,
    TOOLSET,
    change,
    plan,
    update,
)
from tests.unit.render.golden import assert_golden


def _resource(address: str) -> dict[str, Any]:
    document = json.loads(PlanReport.of(MIXED).text())
    return next(item for item in document["resource_changes"] if item["address"] == address)


def test_the_document_is_kept_whole() -> None:
    """Everything a program may rely on, in one golden file."""
    assert_golden("plan-mixed.json", PlanReport.of(MIXED).text())


def test_changes_have_the_shape_that_policy_tools_read() -> None:
    """Address, type, name, and what changes, as Terraform writes them."""
    found = _resource("support-desk/agents/front-desk")
    assert (found["type"], found["name"]) == ("agents", "front-desk")
    assert found["change"]["actions"] == ["update"]
    assert found["change"]["after"]["modelSettings"]["temperature"] == 0.2
    assert found["action_reason"] == "field_changed"
    assert found["etag"] == "etag-1"


def test_the_patch_leads_from_before_to_after() -> None:
    """RFC 6902: applied to `before` it gives `after`."""
    found = _resource("support-desk/agents/front-desk")
    before, after = found["change"]["before"], found["change"]["after"]
    assert jsonpatch.apply_patch(before, found["json_patch"]) == after


def test_secrets_are_names_and_marked() -> None:
    """No value, no digest of one; what live holds there is hidden too."""
    text = PlanReport.of(MIXED).text()
    assert TOKEN not in text
    assert LIVE_TOKEN not in text
    found = _resource("support-desk/toolsets/crm")["change"]
    place = ("mcpToolset", "apiAuthentication", "bearerTokenConfig", "token")
    assert _at(found["after"], place) == {"$var": "crmKey"}
    assert _at(found["before"], place) == "(sensitive)"
    assert _at(found["after_sensitive"], place) is True
    assert _at(found["before_sensitive"], place) is True


@pytest.mark.parametrize("operation", [FRONT_DESK, TOOLSET])
def test_a_change_digest_does_not_depend_on_the_etag(operation: Any) -> None:
    """The same change to a resource that moved elsewhere is the same change."""
    moved = update(
        str(operation.address), *operation.changes, before=operation.before, after=operation.after, etag="other"
    )
    assert change_digest(moved) == change_digest(operation)
    assert plan_digest(plan(moved)) != plan_digest(plan(operation))


def test_a_change_digest_covers_what_is_written() -> None:
    """Another value after, or before, is another change; what the mask leaves alone is not."""
    one = update("d/agents/a", change("x", 1, 2), before={"x": 1, "y": 1}, after={"x": 2, "y": 1})
    same = update("d/agents/a", change("x", 1, 2), before={"x": 1, "y": 9}, after={"x": 2, "y": 9})
    other = update("d/agents/a", change("x", 1, 3), before={"x": 1, "y": 1}, after={"x": 3, "y": 1})
    assert change_digest(one) == change_digest(same)
    assert change_digest(one) != change_digest(other)


def test_a_digest_holds_no_trace_of_a_secret() -> None:
    """Two secrets of one variable have one digest: it could be guessed from it otherwise."""
    one = update("d/tools/t", change("x", None, SECRET), before={}, after={"x": SECRET})
    changed = type(SECRET)(SECRET.variables, "another text")
    other = update("d/tools/t", change("x", None, changed), before={}, after={"x": changed})
    assert change_digest(one) == change_digest(other)


def test_an_empty_plan_has_all_members() -> None:
    """Programs need no special case."""
    assert {*json.loads(PlanReport.of(NOTHING).text())} == {*json.loads(PlanReport.of(plan(FRONT_DESK)).text())}


def _at(value: Any, path: tuple[str, ...]) -> Any:
    for name in path:
        value = value[name]
    return value
