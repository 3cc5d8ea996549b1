"""Display names, and resources that no file may hold."""

from cesplan.config.checks.display_names import check_display_names
from cesplan.config.checks.letter_case import check_letter_case
from cesplan.config.checks.refused_resources import check_draft_deployments, check_refused_tools
from cesplan.config.checks.tool_names import display_name, offered_names
from cesplan.config.checks.version_files import check_version_files
from tests.unit.config.checks.builders import app, found, resource

DOCUMENT = "openapi: 3.0.3\npaths: {/a: {get: {operationId: listA}}}\n"


def test_names_that_must_be_unique_are_errors_and_others_warnings() -> None:
    """Case tells names apart; names that are absent are not equal."""
    same = {
        "x": {"displayName": "Same"},
        "y": {"displayName": "Same"},
        "z": {"displayName": "same"},
        "w": {},
        "v": {},
    }
    tree = app(agents=same, guardrails=same, examples=same, toolsets=same, evaluations=same, deployments=same)

    assert found(check_display_names, tree) == [
        "CES085 toolsets/y displayName: the name `Same` is already used by toolsets/x",
        "CES085 evaluations/y displayName: the name `Same` is already used by evaluations/x",
        "CES086 agents/y displayName: the name `Same` is already used by agents/x",
        "CES086 guardrails/y displayName: the name `Same` is already used by guardrails/x",
        "CES086 examples/y displayName: the name `Same` is already used by examples/x",
    ]


def test_tools_are_named_by_their_types() -> None:
    """Given or derived: two tools of one name are found across types."""
    code = 'def find():\n    """Find."""\n'
    tree = app(
        tools={
            "a": {"clientFunction": {"name": "find"}},
            "b": {"pythonFunction": {"pythonCode": code}},
            "c": {"openApiTool": {"openApiSchema": DOCUMENT}},
            "d": {"googleSearchTool": {"name": "listA"}},
        }
    )

    assert found(check_display_names, tree) == [
        "CES086 tools/b pythonFunction.name: the name `find` is already used by tools/a",
        "CES086 tools/d googleSearchTool.name: the name `listA` is already used by tools/c",
    ]


def test_a_tool_without_any_name_has_none() -> None:
    """Nothing is made up."""
    assert display_name(resource("tools", "t", {"connectorTool": {}})) == ""


def test_toolsets_offer_operations_and_overridden_tools() -> None:
    """Each bare, and with the display name of the toolset before it."""
    made = resource("toolsets", "s", {"displayName": "api", "openApiToolset": {"openApiSchema": DOCUMENT}})
    overrides = [{"tool": "a.get", "nameOverride": "get_a"}, {"tool": "b"}]
    served = resource("toolsets", "m", {"mcpToolset": {"toolOverrides": overrides}})

    assert list(offered_names(made)) == [("listA", "listA"), ("api_listA", "listA")]
    assert list(offered_names(served)) == [("get_a", "get_a"), ("b", "b")]


def test_mcp_and_system_tools_are_not_written() -> None:
    """The one comes from a server, the other from the service."""
    tree = app(tools={"m": {"mcpTool": {"name": "x"}}, "s": {"systemTool": {}}, "n": {"mcpTool": None}})

    assert found(check_refused_tools, tree) == [
        "CES091 tools/m mcpTool: an MCP tool cannot be a resource",
        "CES092 tools/s systemTool: a system tool cannot be a resource",
    ]


def test_the_draft_is_not_deployed() -> None:
    """By its short name or its full one, alone or as a share of traffic; a run may take it."""
    shares = [{"appVersion": "versions/v1"}, {"appVersion": "projects/p/locations/us/apps/a/versions/-"}]
    tree = app(
        deployments={
            "a": {"appVersion": "versions/-"},
            "b": {
                "appVersion": "versions/v-",
                "experimentConfig": {"versionRelease": {"trafficAllocations": shares}},
            },
        },
        scheduledEvaluationRuns={"r": {"request": {"appVersion": "versions/-"}}},
    )

    assert found(check_draft_deployments, tree) == [
        "CES093 deployments/a appVersion: the draft cannot be deployed as a version",
        (
            "CES093 deployments/b experimentConfig.versionRelease.trafficAllocations[1].appVersion: "
            "the draft cannot be deployed as a version"
        ),
    ]


def test_file_names_that_differ_in_case_only() -> None:
    """They are one file on some machines, however an accent is encoded; other kinds have other folders."""
    tree = app(agents={"Orders": {}, "orders": {}, "caf\u00e9": {}, "CAFE\u0301": {}}, tools={"ORDERS": {}})

    assert [item.split(" ")[:2] for item in found(check_letter_case, tree)] == [
        ["CES094", "agents/caf\u00e9:"],
        ["CES094", "agents/orders:"],
    ]


def test_several_version_files_are_told_once() -> None:
    """A fresh environment has none of the versions, and one apply makes one."""
    one, two = {"displayName": "One"}, {"displayName": "Two"}

    assert found(check_version_files, app(versions={"one-one": one})) == []
    assert found(check_version_files, app(versions={"one-one": one, "two-two": two})) == [
        "CES098 versions/two-two: shop has 2 version files, but one apply creates at most one version"
    ]
