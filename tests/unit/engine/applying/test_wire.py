"""A body on the wire has full names, filled-in places and clear secrets; nothing is guessed from texts."""

from cesplan.domain.field_path import mask_path
from cesplan.domain.naming import Naming
from cesplan.domain.value import Secret
from cesplan.engine.applying.wire import to_wire
from cesplan.model.kinds import kind_of
from tests.unit.engine.builders import NAMING, PLACE, name


def test_references_become_names_wherever_they_stand() -> None:
    body = {
        "tools": ["tools/lookup", "projects/other/locations/us/apps/x/tools/y"],
        "toolsets": [{"toolset": "toolsets/crm", "toolIds": ["tools/not-a-reference"]}],
        "transferRules": [{"childAgent": "agents/billing"}],
        "instruction": "tools/lookup",
    }
    assert to_wire(kind_of("agents").spec, body, NAMING) == {
        "tools": [name("tools/lookup"), "projects/other/locations/us/apps/x/tools/y"],
        "toolsets": [{"toolset": name("toolsets/crm"), "toolIds": ["tools/not-a-reference"]}],
        "transferRules": [{"childAgent": name("agents/billing")}],
        "instruction": "tools/lookup",
    }


def test_a_key_whose_id_is_another_is_sent_by_its_id() -> None:
    naming = Naming(place=PLACE, app_id="a-b-c", ids={("agents", "front-desk"): "1b2c"})
    assert to_wire(kind_of("apps").spec, {"rootAgent": "agents/front-desk"}, naming) == {
        "rootAgent": "projects/acme/locations/us/apps/a-b-c/agents/1b2c"
    }


def test_words_that_stand_for_a_reference_stay() -> None:
    body = {"languageSettings": {"fallbackAction": "escalate"}}
    assert to_wire(kind_of("apps").spec, body, NAMING) == body


def test_parts_of_an_app_get_their_own_names() -> None:
    body = {"evaluationPersonas": [{"name": "angry"}, {"name": "evaluationPersonas/calm"}]}
    assert to_wire(kind_of("apps").spec, body, NAMING)["evaluationPersonas"] == [
        {"name": name("evaluationPersonas/angry")},
        {"name": name("evaluationPersonas/calm")},
    ]


def test_references_to_the_parts_of_an_app_are_names_too() -> None:
    body = {"request": {"personaRunConfigs": [{"persona": "evaluationPersonas/calm"}]}}
    sent = to_wire(kind_of("scheduledEvaluationRuns").spec, body, NAMING)
    assert sent["request"]["personaRunConfigs"] == [{"persona": name("evaluationPersonas/calm")}]


def test_a_create_fills_in_the_place() -> None:
    sent = to_wire(kind_of("scheduledEvaluationRuns").spec, {"request": {"runCount": 2}}, NAMING)
    assert sent == {"request": {"app": name(), "runCount": 2}}


def test_an_update_fills_in_the_place_only_where_its_mask_says_so() -> None:
    spec, body = kind_of("scheduledEvaluationRuns").spec, {"request": {"runCount": 2}}
    assert to_wire(spec, body, NAMING, [mask_path("request.runCount")]) == {"request": {"runCount": 2}}
    assert to_wire(spec, body, NAMING, [mask_path("request")]) == {"request": {"app": name(), "runCount": 2}}


def test_secrets_stay_wrapped_until_they_are_sent() -> None:
    """Anyone who takes an error of the service apart must know what it may have quoted."""
    secret = Secret(("token",), "s3cret")
    body = {"displayName": secret, "novelty": {"deep": [secret]}, "tools": [secret]}
    assert to_wire(kind_of("agents").spec, body, NAMING) == {
        "displayName": secret,
        "novelty": {"deep": [secret]},
        "tools": [secret],
    }
