"""Tests of live bodies in the files' own terms."""

from typing import Any

import pytest

from cesplan.domain.address import AppKey
from cesplan.domain.live import LiveApp
from cesplan.domain.settings import Ownership
from cesplan.engine.pulling.extract import ExtractedResource, extract, extract_resource, extractable
from tests.unit.engine.builders import APP, NAMING, address, live, live_resource, name

UUID = "1b2c3d4e-5f60-4718-8293-a4b5c6d7e8f9"


def extracted(text: str, body: dict[str, Any], **more: Any) -> ExtractedResource:
    return extract_resource(address(text), live_resource(text, body), NAMING, **more)


def test_what_the_service_makes_of_a_resource_is_left_out() -> None:
    body = {
        "displayName": "Desk",
        "generatedSummary": "…",
        "createTime": "2026-01-01T00:00:00Z",
        "validationErrors": ["x"],
        "description": "",
        "modelSettings": {},
        "tools": [],
    }
    found = extracted("agents/front-desk", body)
    assert found.resource.body == {"displayName": "Desk"}
    assert found.notices == ()


def test_an_id_is_there_only_where_it_is_not_the_key() -> None:
    assert extracted("agents/front-desk", {}).resource.resource_id is None
    other = live_resource("agents/front-desk", {"name": name(f"agents/{UUID}")})
    assert extract_resource(address("agents/front-desk"), other, NAMING).resource.resource_id == UUID


def test_references_are_keys() -> None:
    found = extracted("agents/front-desk", {"tools": [name("tools/look-up"), name("tools/gone")]})
    assert found.resource.body == {"tools": ["tools/look-up", "tools/gone"]}


def test_a_value_that_the_service_is_known_to_fill_in_is_left_out_and_any_other_is_kept() -> None:
    filled = {"conversationLoggingSettings": {"retentionWindow": "31536000s"}}
    assert extracted("", {"displayName": "Shop", "loggingSettings": filled}).resource.body == {
        "displayName": "Shop"
    }
    chosen = {"conversationLoggingSettings": {"retentionWindow": "86400s"}}
    assert extracted("", {"loggingSettings": chosen}).resource.body == {"loggingSettings": chosen}


def test_fields_newer_than_the_models_become_extra_with_their_path() -> None:
    found = extracted("agents/front-desk", {"modelSettings": {"newKnob": 3}, "brandNew": {"a": [1]}})
    assert found.resource.extra == {"brandNew": {"a": [1]}, "modelSettings.newKnob": 3}
    assert found.resource.body == {}


def test_fields_newer_than_the_models_inside_lists_stay_on_the_server_and_that_is_said() -> None:
    callback = {"pythonCode": "def before_agent_callback(callback_context): ...", "brandNew": 1}
    found = extracted("agents/front-desk", {"beforeAgentCallbacks": [callback]})
    assert found.resource.extra == {}
    (notice,) = found.notices
    assert notice.startswith("shop-desk/agents/front-desk: `beforeAgentCallbacks[0].brandNew` is unknown")


def test_an_enum_value_newer_than_the_models_is_left_out_and_left_alone() -> None:
    found = extracted("", {"displayName": "Shop", "toolExecutionMode": "TELEPATHIC"})
    assert found.resource.body == {"displayName": "Shop"}
    assert found.resource.ignore == ()
    assert found.notices == (
        "shop-desk: the value is unknown to this version and is left unchanged: `toolExecutionMode`",
    )


def test_a_newer_enum_value_inside_a_list_takes_the_list_out_and_ignores_it() -> None:
    rules = [{"childAgent": name("agents/front-desk"), "direction": "SIDEWAYS"}]
    found = extracted("agents/front-desk", {"displayName": "Desk", "transferRules": rules})
    assert found.resource.body == {"displayName": "Desk"}
    assert [*map(str, found.resource.ignore)] == ["transferRules"]


def test_a_list_that_cannot_be_said_leaves_the_type_of_its_resource() -> None:
    """A guardrail type without what the API describes as required is accepted, and says what it is."""
    settings = [{"category": "BRAND_NEW", "threshold": "BLOCK_NONE"}]
    found = extracted("guardrails/safety", {"displayName": "S", "modelSafety": {"safetySettings": settings}})
    assert found.resource.body == {"displayName": "S", "modelSafety": {}}
    assert [*map(str, found.resource.ignore)] == ["modelSafety.safetySettings"]
    assert found.resource.ownership is Ownership.FULL
    (notice,) = found.notices
    assert notice.endswith("so `modelSafety.safetySettings` is left alone")


@pytest.mark.parametrize(
    ("headers", "ignore"),
    [
        ({"X-Key": "$context.variables.key"}, []),
        ({"X-Key": "s3cret"}, ["mcpToolset.customHeaders"]),
    ],
)
def test_a_secret_in_clear_is_never_written_down(headers: dict[str, str], ignore: list[str]) -> None:
    found = extracted(
        "toolsets/mcp-set", {"mcpToolset": {"serverAddress": "https://a.example", "customHeaders": headers}}
    )
    assert [*map(str, found.resource.ignore)] == ignore
    assert "s3cret" not in repr(found)


def test_a_text_where_a_reference_belongs_is_left_out() -> None:
    found = extracted("agents/front-desk", {"displayName": "D", "childAgents": ["some text"]})
    assert found.resource.body == {"displayName": "D"}
    assert [*map(str, found.resource.ignore)] == ["childAgents"]


def test_metadata_belong_to_others_until_the_tree_names_their_keys() -> None:
    body = {"metadata": {"team": "care", "cesplan-commit": "c0ffee", "cost": "7"}}
    first = extracted("", body)
    assert first.resource.body == {}
    assert first.notices == (
        "shop-desk: `metadata` has `cost`, `team`, which are not managed until the file names them",
    )
    assert extracted("", body, metadata=frozenset({"team"})).resource.body == {"metadata": {"team": "care"}}


def test_system_tools_and_versions_that_nothing_names_get_no_file() -> None:
    state = live(
        {
            "tools/end_session": {"systemTool": {"name": "end_session"}},
            "tools/from-mcp": {"mcpTool": {"name": "x"}},
            "tools/look-up": {"pythonFunction": {"name": "look_up"}},
            "versions/release-1": {"displayName": "1"},
            "versions/release-2": {"displayName": "2"},
            "deployments/web-chat": {"appVersion": name("versions/release-2")},
        }
    ).apps[APP]
    found = [f"{item.kind}/{item.id}" for item in extractable(state, NAMING)]
    assert found == ["deployments/web-chat", "tools/look-up", "versions/release-2"]


def test_an_app_comes_with_its_resources_in_the_order_of_addresses_and_the_folders_of_their_kinds() -> None:
    state = live({"tools/zoo-tool": {}, "agents/front-desk": {}}).apps[APP]
    assert isinstance(state, LiveApp)
    found = extract(AppKey("shop-desk"), state.app, extractable(state, NAMING), NAMING).app
    assert [str(item.address) for item in found.all()] == [
        "shop-desk",
        "shop-desk/agents/front-desk",
        "shop-desk/tools/zoo-tool",
    ]
    assert found.folders == {"agents", "tools"}
