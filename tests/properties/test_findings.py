"""What the generators found, each as small as it gets; the laws that found them are in the other modules."""

from typing import Any

import pytest

from cesplan.domain.naming import Naming
from cesplan.domain.plan import steps_of
from cesplan.domain.settings import MaskDepth
from cesplan.domain.value import Body, Secret
from cesplan.engine.comparing.normalize import normalize, references
from cesplan.engine.comparing.scalars import canonical_scalar
from cesplan.model.element_keys import element_key
from cesplan.model.kinds import kind_of
from cesplan.model.scalars import Scalar
from tests.properties.small import live, planned
from tests.properties.trees import APP, APP_NAME, WHERE

NAMING = Naming(place=WHERE, app_id=APP)


@pytest.mark.parametrize(
    ("kind", "body"),
    [
        ("deployments", {"displayName": "Web", "channelProfile": {}}),
        ("scheduledEvaluationRuns", {"displayName": "Nightly", "request": {}}),
        ("tools", {"connectorTool": {"name": "pay", "connection": "projects/p/x/y", "action": {}}}),
        ("examples", {"displayName": "e", "messages": [{"chunks": [{"toolResponse": {"response": {}}}]}]}),
    ],
)
def test_a_required_object_is_kept_when_it_is_empty(kind: str, body: Body) -> None:
    """The service refuses a body that lacks a required message or Struct, and accepts an empty one."""
    assert normalize(kind_of(kind).spec, body, NAMING).body == body


@pytest.mark.parametrize("value", [1 / 3, 0.3333333333, 0.33333334, 16777217.0, 1e-45])
def test_a_32_bit_number_has_one_spelling(value: float) -> None:
    """The canonical spelling of a float is its own canonical spelling, however many digits were written."""
    once = canonical_scalar(Scalar.FLOAT, value)
    assert canonical_scalar(Scalar.FLOAT, once) == once
    assert canonical_scalar(Scalar.FLOAT, 0.3333333333) == 0.33333334


@pytest.mark.parametrize("value", [Secret(("crmKey",), "s3cret"), {"entityId": Secret(("crmKey",), "s3cret")}])
def test_a_secret_is_no_key_of_a_list(value: Any) -> None:
    """Keys are in field paths, and paths are shown; live holds the secret in clear, so they never match."""
    actions = kind_of("toolsets").spec.fields["connectorToolset"].message.fields["connectorActions"]
    name = "connectionActionId" if isinstance(value, Secret) else "entityOperation"
    assert element_key(actions, {name: value}) is None


def test_after_a_switch_of_a_oneof_the_old_member_is_gone() -> None:
    """What will be live holds one member of a oneof, and refers to nothing through another."""
    state = live(
        {
            "tools/ask-agent": {"agentTool": {"name": "ask", "agent": f"{APP_NAME}/agents/old-agent"}},
            "agents/old-agent": {"displayName": "Old"},
        }
    )
    made = planned({"tools/ask-agent": {"clientFunction": {"name": "ask"}}}, state)
    assert made.refusals == ()
    assert made.operations[0].after == {"clientFunction": {"name": "ask"}}


def test_a_nested_oneof_switches_under_top_level_masks() -> None:
    state = live({"guardrails/no-attack": {"displayName": "g", "llmPromptSecurity": {"defaultSettings": {}}}})
    policy = {"customPolicy": {"prompt": "p", "policyScope": "USER_QUERY"}}
    tree = {"guardrails/no-attack": {"displayName": "g", "llmPromptSecurity": policy}}
    made = planned(tree, state, mask_depth=MaskDepth.TOP)
    step = steps_of(made)[0]
    assert (list(map(str, step.mask)), step.body) == (["llmPromptSecurity"], {"llmPromptSecurity": policy})


def test_a_cut_that_is_linked_later_names_top_level_fields_where_masks_go_no_deeper() -> None:
    ring = {
        "tools/ask-agent": {"agentTool": {"name": "ask", "agent": "agents/old-agent", "description": "d"}},
        "agents/old-agent": {"displayName": "Old", "guardrails": ["guardrails/hand-over"]},
        "guardrails/hand-over": {
            "displayName": "g",
            "action": {"transferAgent": {"agent": "agents/old-agent"}},
        },
        "tools/show-cart": {
            "widgetTool": {"name": "cart", "dataMapping": {"sourceToolName": "tools/show-cart"}}
        },
    }
    made = planned(ring, live({}), mask_depth=MaskDepth.TOP)
    links = {str(step.id): (list(map(str, step.mask)), step.body) for step in steps_of(made) if step.mask}
    assert links["shop-desk/tools/show-cart (link)"] == (
        ["widgetTool"],
        {"widgetTool": {"name": "cart", "dataMapping": {"sourceToolName": "tools/show-cart"}}},
    )


def test_a_ring_that_goes_is_opened_by_top_level_fields_where_masks_go_no_deeper() -> None:
    name = f"{APP_NAME}/tools/show-cart"
    cart = {"widgetTool": {"name": "cart", "dataMapping": {"sourceToolName": name, "mode": "FIELD_MAPPING"}}}
    made = planned({}, live({"tools/show-cart": cart}), mask_depth=MaskDepth.TOP)
    opened = steps_of(made)[0]
    assert str(opened.id) == "shop-desk/tools/show-cart (unlink)"
    assert list(map(str, opened.mask)) == ["widgetTool"]
    assert opened.body == {"widgetTool": {"name": "cart", "dataMapping": {"mode": "FIELD_MAPPING"}}}


def test_a_schedule_may_take_up_the_new_version_and_drop_what_is_deleted() -> None:
    """The version waits for the delete; so the delete cannot wait for the schedule, which needs the version."""
    when = {"frequency": "DAILY", "startTime": "2026-03-01T09:00:00Z"}
    state = live(
        {
            "evaluationDatasets/old-set": {"displayName": "Old"},
            "scheduledEvaluationRuns/nightly": {
                "displayName": "Nightly",
                "schedulingConfig": when,
                "request": {"app": APP_NAME, "evaluationDataset": f"{APP_NAME}/evaluationDatasets/old-set"},
            },
        }
    )
    tree = {
        "scheduledEvaluationRuns/nightly": {
            "displayName": "Nightly",
            "schedulingConfig": when,
            "request": {"appVersion": "versions/release-1"},
        },
        "versions/release-1": {"displayName": "Release 1"},
    }
    made = planned(tree, state)
    assert [str(item.address.within_app) for item in made.shown] == [
        "evaluationDatasets/old-set",
        "versions/release-1",
        "scheduledEvaluationRuns/nightly",
    ]


def test_nulls_refer_to_nothing() -> None:
    """A message that a file clears is walked like any other body."""
    body = {"displayName": "Nightly", "request": None, "schedulingConfig": None}
    assert list(references(kind_of("scheduledEvaluationRuns").spec, body)) == []


def test_a_project_number_means_our_project() -> None:
    """A body may name its own app by the project's number, where the app's own name has the project's id."""
    numbered = "projects/123456789012/locations/us/apps/shop-desk/versions/release-1"
    assert NAMING.to_reference(numbered) == "versions/release-1"
    assert NAMING.to_reference(numbered.replace("shop-desk", "other")) != "versions/release-1"
    assert NAMING.to_reference(numbered.replace("123456789012", "rival")) != "versions/release-1"


@pytest.mark.parametrize("depth", list(MaskDepth))
def test_null_is_a_value_where_any_json_may_stand(depth: MaskDepth) -> None:
    """`default: null` in a schema is sent as null; a field that is only cleared would differ for ever."""

    def tool(**default: Any) -> dict[str, Body]:
        function = {"name": "f", "parameters": {"type": "STRING", **default}}
        return {"tools/the-one": {"clientFunction": function}}

    for there in (tool(), tool(default=3)):
        step = steps_of(planned(tool(default=None), live(there), mask_depth=depth))[0]
        assert step.body["clientFunction"]["parameters"]["default"] is None
    gone = steps_of(planned(tool(), live(tool(default=None)), mask_depth=depth))[0]
    assert "default" not in gone.body.get("clientFunction", {}).get("parameters", {})
