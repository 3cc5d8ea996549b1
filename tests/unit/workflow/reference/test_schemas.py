"""The schemas for editors: current, valid, and of one mind with what files may hold."""

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from ruamel.yaml import YAML

from cesplan.model.editor_schemas.files import schema_text
from cesplan.model.kinds import KINDS
from cesplan.workflow.reference.schemas import REPORTS, schemas, write_schemas

ROOT = Path(__file__).parents[4]
NAMES = sorted(str(path.relative_to(ROOT / "schemas")) for path in (ROOT / "schemas").rglob("*.json"))
SCHEMAS = cache(schemas)


def _errors(kind: str, body: Any) -> list[str]:
    validator = Draft202012Validator(SCHEMAS()[f"{kind}.schema.json"])
    return [error.message for error in validator.iter_errors(body)]


def _accepts(kind: str, body: Any) -> bool:
    return not _errors(kind, body)


@pytest.mark.parametrize("name", NAMES)
def test_the_committed_schemas_are_current(name: str) -> None:
    """A change of a model comes with its schemas: run `cesplan schema --out schemas`."""
    assert (ROOT / "schemas" / name).read_text(encoding="utf-8") == schema_text(SCHEMAS()[name])


def test_nothing_else_is_committed_beside_the_schemas() -> None:
    """And none is missing."""
    assert sorted(SCHEMAS()) == NAMES


def test_every_schema_is_a_schema() -> None:
    """With its definitions, most of which are in many files and looked at once."""
    parts: dict[str, Any] = {}
    for schema in SCHEMAS().values():
        for part in ({**schema, "$defs": {}}, *schema.get("$defs", {}).values()):
            parts[json.dumps(part)] = part
    for part in parts.values():
        Draft202012Validator.check_schema(part)


def test_there_is_one_schema_for_each_kind_of_file() -> None:
    """Of a kind, whole and laid over another; of what is not a resource; and of each report."""
    by_kind = {f"{folder}{kind}.schema.json" for kind in KINDS for folder in ("", "environments/")}
    reports = {f"reports/{name}.schema.json" for name in (*REPORTS, "events")}
    others = {
        f"{name}.schema.json"
        for name in ("cesplan", "patch", "policy_test", "releases", "environments/releases")
    }
    assert set(SCHEMAS()) == by_kind | others | reports


def test_writing_makes_the_folder_and_every_file(tmp_path: Path) -> None:
    paths = write_schemas(tmp_path / "new" / "schemas")
    assert sorted(str(path.relative_to(tmp_path / "new" / "schemas")) for path in paths) == NAMES
    assert all(path.is_file() for path in paths)


def _example_files() -> list[tuple[str, Path]]:
    paths = sorted((ROOT / "examples").glob("**/*.yaml"))
    return [(_schema_of(path), path) for path in paths if ".openapi" not in path.name]


def _schema_of(path: Path) -> str:
    if path.name.endswith(".patch.yaml"):
        return "patch"
    alone = {"app": "apps"} | {name: name for name in ("cesplan", "policy_test", "securitySettings")}
    kind = alone.get(path.stem, path.parent.name)
    return f"environments/{kind}" if "environments" in path.parts else kind


@pytest.mark.parametrize(
    ("kind", "path"), _example_files(), ids=lambda item: item.name if isinstance(item, Path) else item
)
def test_every_file_of_the_examples_fits_its_schema(kind: str, path: Path) -> None:
    """What `cesplan validate` accepts, editors accept."""
    assert _errors(kind, YAML(typ="safe", pure=True).load(path)) == []


def test_an_agent_needs_a_name_unless_it_is_only_declared() -> None:
    """With declared ownership a file may leave out anything."""
    assert _errors("agents", {}) == ["'displayName' is a required property"]
    assert _accepts("agents", {"$ownership": "declared"})
    assert not _accepts("agents", {"$ownership": "full"})


@pytest.mark.parametrize(
    "field", ["name", "etag", "createTime", "generatedSummary", "validationErrors", "displayname"]
)
def test_files_hold_neither_transport_nor_output_nor_misspellings(field: str) -> None:
    assert not _accepts("agents", {"displayName": "A", field: "x"})


def test_what_the_place_of_a_file_says_stands_in_no_file() -> None:
    """The app of a scheduled run is the one that it is in."""
    times = {"frequency": "DAILY", "startTime": "2026-01-31T03:00:00Z"}
    run: dict[str, Any] = {"displayName": "R", "request": {"displayName": "x"}, "schedulingConfig": times}
    assert _accepts("scheduledEvaluationRuns", run)
    run["request"]["app"] = "support-desk"
    assert not _accepts("scheduledEvaluationRuns", run)


@pytest.mark.parametrize(
    "instruction",
    ["Be kind.", "Use ${tone}.", {"$file": "a.md"}, {"$file": "a.md", "$expand": True}, {"$var": "x"}, None],
)
def test_a_text_may_come_from_a_file_or_a_variable_or_be_cleared(instruction: Any) -> None:
    assert _accepts("agents", {"displayName": "A", "instruction": instruction})


@pytest.mark.parametrize("instruction", [3, ["x"], {"$files": "a.md"}, {"$file": 1}, {"$ref": "tools/x"}])
def test_a_text_is_nothing_else(instruction: Any) -> None:
    assert not _accepts("agents", {"displayName": "A", "instruction": instruction})


@pytest.mark.parametrize("tools", [["a"], [{"$ref": "tools/a"}], {"$var": "tools"}, [], None])
def test_references_are_keys_or_say_so(tools: Any) -> None:
    assert _accepts("agents", {"displayName": "A", "tools": tools})


@pytest.mark.parametrize("tools", [[None], [{"$file": "a"}], "a", [3]])
def test_a_list_of_references_holds_nothing_else(tools: Any) -> None:
    assert not _accepts("agents", {"displayName": "A", "tools": tools})


def test_a_oneof_has_one_member_or_none() -> None:
    assert _accepts("tools", {"pythonFunction": {"pythonCode": "def f(): pass"}})
    assert _accepts("tools", {"timeout": "3.5s"})
    both = {"pythonFunction": {}, "clientFunction": {"name": "f"}}
    assert not _accepts("tools", both)
    assert _accepts("tools", {**both, "pythonFunction": None})


@pytest.mark.parametrize(
    ("rate", "good"),
    [(0, True), (0.25, True), (2, True), ({"$var": "rate"}, True), (0.2, False), (2.1, False), ("1", False)],
)
def test_a_range_leaves_room_for_zero_where_zero_is_unset(rate: Any, good: bool) -> None:
    """speakingRate has no presence: 0 is the same as absent."""
    configs = {"en-US": {"speakingRate": rate}}
    app = {"displayName": "A", "audioProcessingConfig": {"synthesizeSpeechConfigs": configs}}
    assert _accepts("apps", app) is good


@pytest.mark.parametrize(("day", "good"), [(1, True), (7, True), (0, False), (8, False)])
def test_elements_of_a_list_are_never_unset(day: int, good: bool) -> None:
    times = {"frequency": "WEEKLY", "startTime": "2026-01-31T03:00:00Z", "daysOfWeek": [day]}
    run = {"displayName": "R", "request": {}, "schedulingConfig": times}
    assert _accepts("scheduledEvaluationRuns", run) is good


@pytest.mark.parametrize(
    ("token", "good"),
    [("$context.variables.crm_token", True), ("${token}", True), ("ya29.abcdef", False), ("", True)],
)
def test_a_token_in_clear_is_refused(token: str, good: bool) -> None:
    auth = {"bearerTokenConfig": {"token": token}}
    toolset = {"mcpToolset": {"serverAddress": "https://mcp.example/", "apiAuthentication": auth}}
    assert _accepts("toolsets", toolset) is good


@pytest.mark.parametrize(("pin", "good"), [({"$var": "pin"}, True), ("${pin}", True), ("123456", False)])
def test_a_secret_comes_from_a_variable(pin: Any, good: bool) -> None:
    credentials = {"authCode": {"$var": "code"}, "pin": pin, "phoneNumber": "+14155550100"}
    credentials |= {"businessAccountId": "1", "wabaId": "2"}
    deployment = {"displayName": "D", "channelProfile": {}, "whatsappCredentials": credentials}
    assert _accepts("deployments", deployment) is good


def test_enums_are_closed_but_may_come_from_a_variable() -> None:
    assert _accepts("apps", {"displayName": "A", "toolExecutionMode": "SEQUENTIAL"})
    assert _accepts("apps", {"displayName": "A", "toolExecutionMode": {"$var": "mode"}})
    assert not _accepts("apps", {"displayName": "A", "toolExecutionMode": "BOTH"})


def test_limits_on_lists_are_kept() -> None:
    tool = {"googleSearchTool": {"name": "s", "contextUrls": ["https://a.example"] * 21}}
    assert not _accepts("tools", tool)


def test_directives_stand_at_the_root() -> None:
    directives = {
        "$id": {"prod": "1b2c3d4e"},
        "$protect": True,
        "$ignore": ["modelSettings.temperature"],
        "$extra": {"remoteA2aAgent.contextId": "x"},
        "$silence": {"CES041": "kept for the old app"},
    }
    assert _accepts("agents", {"displayName": "A", **directives})
    assert not _accepts("agents", {"displayName": "A", "$silence": {"041": "x"}})
    assert not _accepts("agents", {"displayName": "A", "modelSettings": {"$protect": True}})


def test_a_location_has_its_settings_once_so_they_have_no_id() -> None:
    assert _accepts("securitySettings", {"$protect": True})
    assert not _accepts("securitySettings", {"$id": "settings"})


@pytest.mark.parametrize(
    ("name", "good"), [("hurried", True), ("evaluationPersonas/hurried", True), ("a/b", False)]
)
def test_a_persona_has_a_key(name: str, good: bool) -> None:
    persona = {"name": name, "displayName": "Hurried", "personality": "Short of time."}
    assert _accepts("apps", {"displayName": "A", "evaluationPersonas": [persona]}) is good


def test_deprecated_fields_say_what_to_use() -> None:
    scenario = SCHEMAS()["evaluations.schema.json"]["$defs"]["Evaluation.Scenario"]["properties"]
    old = scenario["taskCompletionBehavior"]
    assert old["deprecated"] is True
    assert old["description"].endswith("Deprecated: use `userGoalBehavior`.")


def test_hover_texts_are_the_docs_of_the_models() -> None:
    agent = SCHEMAS()["agents.schema.json"]["properties"]
    assert agent["transferRules"]["description"] == "Transfer rules. The first matching rule applies."


def test_free_form_values_stay_free() -> None:
    """A default may be anything, null and structures included."""
    for default in (None, 3, "x", {"$$ref": "kept"}, [1]):
        variable = {"name": "v", "schema": {"type": "OBJECT", "default": default}}
        assert _accepts("apps", {"displayName": "A", "variableDeclarations": [variable]})


def test_what_is_laid_over_a_file_may_leave_out_anything() -> None:
    """The file below has it; what is there must fit anyway."""
    assert _accepts("environments/agents", {})
    assert _accepts("environments/agents", {"modelSettings": {"temperature": None}})
    assert _accepts("environments/guardrails", {"$exclude": True})
    assert not _accepts("guardrails", {"displayName": "A", "$exclude": True})
    assert not _accepts("environments/agents", {"displayname": "A"})


@pytest.mark.parametrize(
    ("operation", "fits"),
    [
        ({"op": "add", "path": "/tools/-", "value": "x"}, True),
        ({"op": "replace", "path": "/description", "value": None}, True),
        ({"op": "move", "from": "/a", "path": "/b"}, True),
        ({"op": "remove", "path": "tools"}, False),
        ({"op": "add", "path": "/tools/-"}, False),
        ({"op": "drop", "path": "/tools"}, False),
    ],
)
def test_a_patch_is_operations_with_what_each_needs(operation: dict[str, Any], fits: bool) -> None:
    assert _accepts("patch", [operation]) == fits


def test_a_case_of_the_policy_names_an_address() -> None:
    """What else it says of the operation is up to the rules."""
    case: dict[str, Any] = {"name": "n", "operation": {"address": "a/b/c"}, "expect": {"rule": "deny"}}
    assert _accepts("policy_test", [case])
    assert not _accepts("policy_test", [{**case, "operation": {}}])
    assert not _accepts("policy_test", [{**case, "expect": {"rule": "perhaps"}}])
