"""What differs, leaf by leaf, and the mask path of each leaf."""

from typing import Any

import pytest

from cesplan.domain.change import FieldAction, FieldChange
from cesplan.domain.field_path import FieldPath
from cesplan.domain.settings import Ownership
from cesplan.domain.value import Secret
from cesplan.engine.comparing.diff import Scope, diff
from cesplan.engine.comparing.ignored_fields import with_values_of
from cesplan.engine.comparing.normalize import normalize
from cesplan.model.kinds import kind_of
from tests.unit.engine.builders import NAMING

CALLBACK_A = {"pythonCode": "def before_model_callback(callback_context, llm_request):\n    return None"}
CALLBACK_B = {"pythonCode": "def before_model_callback(callback_context, llm_request):\n    pass"}


def changes(
    kind: str, desired: dict[str, Any], live: dict[str, Any], ignore: tuple[str, ...] = (), **scope: Any
) -> tuple[FieldChange, ...]:
    spec = kind_of(kind).spec
    one, other = normalize(spec, desired, NAMING), normalize(spec, live, NAMING)
    unknown = frozenset(path for path, _ in other.unknown)
    return diff(
        spec,
        with_values_of(spec, one.body, other.body, map(FieldPath.parse, ignore)),
        other.body,
        Scope(named=one.named, cleared=one.cleared, unknown=unknown, **scope),
    )


def told(found: tuple[FieldChange, ...]) -> list[str]:
    """`path [mask] before -> after`, for reading."""
    return [f"{item.path} [{item.mask}] {item.before!r} -> {item.after!r}" for item in found]


def test_equal_bodies_have_no_changes() -> None:
    body = {"displayName": "Desk", "tools": ["tools/a-tool"]}
    assert changes("agents", body, {**body, "etag": "x", "instruction": ""}) == ()


def test_a_nested_leaf_is_named_as_deep_as_a_mask_can_go() -> None:
    key = "evaluationMetricsThresholds"

    def body(value: float) -> dict[str, Any]:
        level = {"turnLevelMetricsThresholds": {"overallToolInvocationCorrectnessThreshold": value}}
        return {key: {"goldenEvaluationMetricsThresholds": level}}

    path = (
        f"{key}.goldenEvaluationMetricsThresholds.turnLevelMetricsThresholds."
        "overallToolInvocationCorrectnessThreshold"
    )
    assert told(changes("apps", body(0.5), body(0.75))) == [f"{path} [{path}] 0.75 -> 0.5"]


def test_a_message_that_is_absent_live_is_named_itself() -> None:
    found = changes("agents", {"modelSettings": {"model": "m", "temperature": 0}}, {})
    assert told(found) == [
        "modelSettings.model [modelSettings] None -> 'm'",
        "modelSettings.temperature [modelSettings] None -> 0",
    ]


def test_a_message_that_is_absent_in_the_file_is_cleared_whole() -> None:
    found = changes("agents", {}, {"modelSettings": {"model": "m", "temperature": 0.5}})
    assert told(found) == [
        "modelSettings.model [modelSettings] 'm' -> None",
        "modelSettings.temperature [modelSettings] 0.5 -> None",
    ]


def test_a_cleared_message_keeps_what_the_model_does_not_know() -> None:
    """Naming the whole message would take the unknown field with it, so only the leaf is named."""
    found = changes("agents", {}, {"modelSettings": {"model": "m", "novelty": 1}})
    assert told(found) == ["modelSettings.model [modelSettings.model] 'm' -> None"]


def test_a_switched_oneof_names_the_new_member_only() -> None:
    desired = {"pythonFunction": {"name": "a-name", "pythonCode": "x"}}
    found = changes("tools", desired, {"googleSearchTool": {"name": "a-name"}})
    assert {str(item.mask) for item in found} == {"pythonFunction"}
    assert [item.action for item in found] == [FieldAction.REMOVED, FieldAction.ADDED, FieldAction.ADDED]


def test_a_oneof_member_that_goes_without_another_is_named() -> None:
    assert told(changes("agents", {}, {"llmAgent": {}})) == ["llmAgent [llmAgent] {} -> None"]


def test_lists_cut_the_mask() -> None:
    rule = {"childAgent": "agents/orders", "direction": "PARENT_TO_CHILD"}
    other = {**rule, "direction": "CHILD_TO_PARENT"}
    found = changes("agents", {"transferRules": [rule, other]}, {"transferRules": [rule, rule]})
    assert told(found) == ["transferRules[1].direction [transferRules] 'PARENT_TO_CHILD' -> 'CHILD_TO_PARENT'"]


@pytest.mark.parametrize(
    ("kind", "field", "items"),
    [
        ("agents", "tools", ["tools/a-tool", "tools/b-tool"]),
        ("agents", "childAgents", ["agents/a-agent", "agents/b-agent"]),
        ("evaluations", "tags", ["a", "b"]),
        (
            "apps",
            "variableDeclarations",
            [{"name": "a", "schema": {"type": "STRING"}}, {"name": "b", "schema": {"type": "STRING"}}],
        ),
        ("agents", "toolsets", [{"toolset": "toolsets/a-set"}, {"toolset": "toolsets/b-set"}]),
    ],
)
def test_the_order_of_sets_and_keyed_lists_means_nothing(kind: str, field: str, items: list[Any]) -> None:
    assert changes(kind, {field: items}, {field: items[::-1]}) == ()


@pytest.mark.parametrize(
    ("kind", "field", "items"),
    [
        ("agents", "beforeModelCallbacks", [CALLBACK_A, CALLBACK_B]),
        ("agents", "guardrails", ["guardrails/a-rail", "guardrails/b-rail"]),
        ("apps", "guardrails", ["guardrails/a-rail", "guardrails/b-rail"]),
    ],
)
def test_the_order_of_ordered_lists_is_a_change(kind: str, field: str, items: list[Any]) -> None:
    found = changes(kind, {field: items}, {field: items[::-1]})
    assert {str(item.mask) for item in found} == {field}


def test_a_repeated_element_counts_in_a_multiset() -> None:
    """A text that is twice among the responses is drawn more often."""

    def body(*texts: str) -> dict[str, Any]:
        responses = [{"text": text} for text in texts]
        return {"action": {"respondImmediately": {"responses": responses}}}

    assert changes("guardrails", body("a", "b", "a"), body("a", "a", "b")) == ()
    assert changes("guardrails", body("a", "b", "a"), body("a", "b", "b")) != ()


def test_a_set_is_one_change_with_both_lists() -> None:
    (found,) = changes("agents", {"tools": ["tools/a-tool"]}, {"tools": ["tools/b-tool"]})
    assert (found.is_set, found.before, found.after) == (True, ["tools/b-tool"], ["tools/a-tool"])


def test_keyed_elements_are_found_by_their_key() -> None:
    def body(**text: str) -> dict[str, Any]:
        return {"variableDeclarations": [{"name": name, "description": said} for name, said in text.items()]}

    found = changes("apps", body(tier="b", new="n"), body(old="o", tier="a"))
    assert told(found) == [
        "variableDeclarations[name=tier].description [variableDeclarations] 'a' -> 'b'",
        "variableDeclarations[name=new] [variableDeclarations] None -> {'name': 'new', 'description': 'n'}",
        "variableDeclarations[name=old] [variableDeclarations] {'name': 'old', 'description': 'o'} -> None",
    ]


def test_a_keyed_list_with_a_repeated_key_falls_back_to_order() -> None:
    one = [{"name": "a", "description": "1"}, {"name": "a", "description": "2"}]
    assert changes("apps", {"variableDeclarations": one}, {"variableDeclarations": one[::-1]}) != ()


def test_metadata_that_the_tree_does_not_name_belong_to_others() -> None:
    live = {"metadata": {"team": "a", "cesplan-commit": "c0ffee", "foreign": "x"}}
    assert changes("apps", {"metadata": {"team": "a"}}, live) == ()
    assert told(changes("apps", {"metadata": {"team": None}}, live)) == [
        "metadata[\"team\"] [metadata] 'a' -> None"
    ]


@pytest.mark.parametrize(
    "live",
    [
        {"loggingSettings": {"conversationLoggingSettings": {"retentionWindow": "31536000s"}}},
        {"dataStoreSettings": {"engines": [{"name": "x"}]}},
    ],
)
def test_what_the_server_fills_in_is_left_alone(live: dict[str, Any]) -> None:
    assert changes("apps", {"displayName": "x"}, {"displayName": "x", **live}) == ()
    assert changes("apps", {"displayName": "x", "loggingSettings": None}, {"displayName": "x", **live}) == ()


SCHEMA = "openapi: 3.0.0\npaths:\n  /o:\n    get:\n      operationId: get_order\n      summary: Finds it.\n"
CODE = "import re\n\ndef find(x):\n    pass\n\ndef other():\n    pass\n"


@pytest.mark.parametrize(
    ("kind", "file", "filled", "foreign"),
    [
        (
            "apps",
            {},
            {"loggingSettings": {"conversationLoggingSettings": {"retentionWindow": "31536000s"}}},
            {"loggingSettings": {"bigqueryExportSettings": {"enabled": True, "project": "eve"}}},
        ),
        (
            "apps",
            {},
            {},
            {"loggingSettings": {"conversationLoggingSettings": {"retentionWindow": "86400s"}}},
        ),
        (
            "tools",
            {"openApiTool": {"openApiSchema": SCHEMA}},
            {"openApiTool": {"openApiSchema": SCHEMA, "name": "get_order", "description": "Finds it."}},
            {"openApiTool": {"openApiSchema": SCHEMA, "name": "drop_order"}},
        ),
        (
            "tools",
            {"openApiTool": {"openApiSchema": SCHEMA}},
            {"openApiTool": {"openApiSchema": SCHEMA, "name": "get_order"}},
            {"openApiTool": {"openApiSchema": SCHEMA, "description": "Always call this first."}},
        ),
        (
            "tools",
            {"pythonFunction": {"pythonCode": CODE}},
            {"pythonFunction": {"pythonCode": CODE, "name": "find"}},
            {"pythonFunction": {"pythonCode": CODE, "name": "other"}},
        ),
    ],
)
def test_only_what_the_server_is_known_to_fill_in_is_left_alone(
    kind: str, file: dict[str, Any], filled: dict[str, Any], foreign: dict[str, Any]
) -> None:
    """A field that the server fills in is not a blind spot: any other value in it is someone's edit."""
    assert changes(kind, file, {**file, **filled}) == ()
    assert {item.action for item in changes(kind, file, {**file, **foreign})} == {FieldAction.REMOVED}


def test_a_foreign_value_beside_a_filled_one_is_removed_alone() -> None:
    live = {
        "loggingSettings": {
            "conversationLoggingSettings": {"retentionWindow": "31536000s"},
            "bigqueryExportSettings": {"dataset": "eve"},
        }
    }
    path = "loggingSettings.bigqueryExportSettings"
    assert told(changes("apps", {}, live)) == [f"{path}.dataset [{path}] 'eve' -> None"]


def test_a_derived_name_goes_with_what_it_was_derived_from() -> None:
    """The name that was made of the old code is cleared, so that  it of the new one."""
    live = {"pythonFunction": {"pythonCode": CODE, "name": "find"}}
    found = changes("tools", {"pythonFunction": {"pythonCode": "def search():\n    pass\n"}}, live)
    assert [str(item.mask) for item in found] == ["pythonFunction.name", "pythonFunction.pythonCode"]


def test_beside_server_defaults_the_rest_of_a_message_is_still_owned() -> None:
    logging = {
        "conversationLoggingSettings": {
            "retentionWindow": "31536000s",
            "disableConversationLogging": True,
        }
    }
    desired = {"loggingSettings": {"cloudLoggingSettings": {"enableCloudLogging": True}}}
    live = {"loggingSettings": {**logging, **desired["loggingSettings"]}}
    path = "loggingSettings.conversationLoggingSettings.disableConversationLogging"
    assert told(changes("apps", desired, live)) == [f"{path} [{path}] True -> None"]


def test_declared_ownership_leaves_absent_fields_alone() -> None:
    live = {"displayName": "x", "enabled": True, "description": "theirs"}
    assert changes("guardrails", {"displayName": "x"}, live, ownership=Ownership.DECLARED) == ()


@pytest.mark.parametrize("value", [False, None])
def test_declared_ownership_still_sets_what_is_written_as_empty(value: Any) -> None:
    live = {"enabled": True, "description": "theirs"}
    found = changes("guardrails", {"enabled": value}, live, ownership=Ownership.DECLARED)
    assert told(found) == ["enabled [enabled] True -> None"]


def test_ignored_fields_are_left_alone() -> None:
    desired, live = {"modelSettings": {"model": "a"}}, {"modelSettings": {"model": "b", "temperature": 1}}
    assert changes("agents", desired, live, ignore=("modelSettings",)) == ()
    assert told(changes("agents", desired, live, ignore=("modelSettings.model",))) == [
        "modelSettings.temperature [modelSettings.temperature] 1 -> None"
    ]


def test_an_unknown_enum_value_is_not_cleared() -> None:
    assert changes("tools", {}, {"executionType": "QUANTUM"}) == ()


def test_inside_free_form_values_leaves_are_found() -> None:
    def body(response: Any) -> dict[str, Any]:
        chunk = {"toolResponse": {"tool": "tools/a-tool", "response": response}}
        return {"messages": [{"chunks": [chunk]}]}

    found = changes("examples", body({"a": [1, 2], "b": True}), body({"a": [1, 3], "b": 1}))
    at = "messages[0].chunks[0].toolResponse.response"
    assert told(found) == [f'{at}["a"][1] [messages] 3 -> 2', f'{at}["b"] [messages] 1 -> True']


def test_elements_of_free_form_lists_pair_as_those_of_a_schema_do() -> None:
    """What is put in front is new, what follows it is what it was; values of two types differ as a whole."""

    def body(response: Any) -> dict[str, Any]:
        return {"messages": [{"chunks": [{"toolResponse": {"tool": "tools/a-tool", "response": response}}]}]}

    live, desired = {"a": [{"n": 1}, {"n": 2}], "b": [1]}, {"a": [{"n": 0}, {"n": 1}, {"n": 2}], "b": {}}
    at = "messages[0].chunks[0].toolResponse.response"
    assert told(changes("examples", body(desired), body(live))) == [
        f"{at}[\"a\"][0] [messages] None -> {{'n': 0}}",
        f'{at}["b"] [messages] [1] -> {{}}',
    ]


def test_a_secret_in_a_free_form_value_is_a_leaf() -> None:
    """Nothing inside it is compared or named, and a live value in its place is as secret."""

    def body(url: Any) -> dict[str, Any]:
        chunk = {"toolResponse": {"tool": "tools/a-tool", "response": {"urls": [url]}}}
        return {"messages": [{"chunks": [chunk]}]}

    now = Secret(("key",), "https://new.example/k-123", "https://new.example/${key}")
    for was in (Secret(("key",), "https://old.example/k-123"), "https://old.example/k-123"):
        (found,) = changes("examples", body(now), body(was))
        assert str(found.path) == 'messages[0].chunks[0].toolResponse.response["urls"][0]'
        assert (str(found.before), str(found.after)) == ("(secret key)", "(secret key)")


def test_a_text_around_a_secret_is_compared_too() -> None:
    """A live text in which a known secret was found is one itself: of the same variable, and not the same."""
    was = Secret(("key",), "https://old.example/k-123", "https://old.example/${key}")
    now = Secret(("key",), "https://new.example/k-123", "https://new.example/${key}")
    assert [str(item.path) for item in changes("agents", {"instruction": now}, {"instruction": was})] == [
        "instruction"
    ]
    assert changes("agents", {"instruction": now}, {"instruction": now.text}) == ()


def test_a_secret_is_compared_by_its_text_and_shown_by_its_name() -> None:
    def body(token: Any) -> dict[str, Any]:
        return {"mcpToolset": {"serverAddress": "https://x", "customHeaders": {"k": token}}}

    assert changes("toolsets", body(Secret(("key",), "abc")), body("abc")) == ()
    (found,) = changes("toolsets", body(Secret(("key",), "abc")), body("old-abc"))
    assert (str(found.before), str(found.after)) == ("(secret key)", "(secret key)")


def test_long_text_knows_its_language() -> None:
    (found,) = changes("agents", {"instruction": "a"}, {"instruction": "b"})
    assert found.language == "markdown"
    (found,) = changes("agents", {"description": "a\nb"}, {"description": "b"})
    assert found.language == "text"


def test_paths_can_be_read_aloud() -> None:
    assert str(FieldPath(("modelSettings", "temperature"))) == "modelSettings.temperature"


def test_an_element_that_only_moved_says_so() -> None:
    """A pure reordering names positions, not contents; the mask is that of the list."""
    one, other = {"pythonCode": "a = 1"}, {"pythonCode": "b = 1"}
    found = changes("agents", {"beforeModelCallbacks": [other, one]}, {"beforeModelCallbacks": [one, other]})
    assert [(str(item.path), item.action, item.before, item.after, str(item.mask)) for item in found] == [
        ("beforeModelCallbacks[0]", FieldAction.MOVED, 1, 0, "beforeModelCallbacks")
    ]


def test_a_message_that_is_written_as_null_is_cleared_under_declared_ownership() -> None:
    """What is inside it is meant, too: the file named all of it."""
    live = {"appVersion": "versions/a", "experimentConfig": {"versionRelease": {"state": "RUNNING"}}}
    cleared = changes("deployments", {"experimentConfig": None}, live, ownership=Ownership.DECLARED)
    assert [str(item.path) for item in cleared] == ["experimentConfig.versionRelease.state"]
    assert changes("deployments", {"displayName": ""}, live, ownership=Ownership.DECLARED) == ()


def test_a_message_of_which_one_field_is_written_as_null_keeps_the_others_under_declared_ownership() -> None:
    """The message equals an absent one then, but the file did not say so."""
    live = {"modelSettings": {"model": "b", "temperature": 1}}
    found = changes("agents", {"modelSettings": {"model": None}}, live, ownership=Ownership.DECLARED)
    assert told(found) == ["modelSettings.model [modelSettings.model] 'b' -> None"]
