"""What the tools answer: the reports of the command line, within bounds, and of this tree only."""

import json
import re
import subprocess
from dataclasses import replace

import anyio
import pytest
from mcp import Client

from cesplan.mcp.catalog import tools_for
from cesplan.mcp.inputs import SCHEMA_KINDS
from cesplan.mcp.server import server_of
from tests.desks import PIN
from tests.mcp.conftest import Desk, text_of

TOOL = "help-desk/tools/lookup-order"


def _at_no_time(report):
    """A report without the second in which its plan was made."""
    return {**report, "made": {**report["made"], "at": ""}} if "made" in report else report


def test_the_reports_are_those_of_the_command_line(desk: Desk):
    """What a person gets with `--format json` is what an agent gets; the text beside it is what people read."""
    for tool, arguments, words in (
        ("validate", {}, ["validate"]),
        ("plan", {}, ["plan"]),
        ("graph", {}, ["graph"]),
        ("graph", {"address": TOOL, "live": True}, ["graph", TOOL, "--live"]),
        ("show_resources", {"addresses": ["agents/*"]}, ["render", "agents/*"]),
        ("explain", {"code": "ces021"}, ["explain", "CES021"]),
        ("list_codes", {}, ["explain"]),
    ):  # fmt: skip
        told = desk.typed(*words, "--format", "json").json
        assert _at_no_time(desk.answer(tool, **arguments)["report"]) == _at_no_time(told), tool
    plan = desk.answer("plan")
    assert "~ agents/front-desk" in plan["text"]
    assert f"--expect {plan['report']['plan_digest']}" in plan["text"]
    assert plan["left_out"] == []
    drift = desk.answer("drift")
    assert [
        (item["address"], item["drift_class"]) for app in drift["report"]["apps"] for item in app["items"]
    ] == [("help-desk/agents/front-desk", "pending")]


def test_results_of_evaluations_are_read_and_no_run_is_started(desk: Desk):
    """The newest run is reported unless another is named; what is not there is an error in words."""
    runs = desk.answer("evaluation_runs")
    assert (runs["app"], len(runs["runs"]), runs["runs"][0]["state"]) == ("help-desk", 1, "COMPLETED")
    newest = desk.answer("evaluation_results")["report"]
    assert newest["verdict"] == "passed"
    assert newest["run"].endswith(runs["runs"][0]["run"])
    assert desk.answer("evaluation_results", run=runs["runs"][0]["run"])["report"] == newest
    assert "no evaluation run `other`" in desk.error("evaluation_results", run="other")
    assert "The tree has no app `projects/p/locations/us/apps/x`" in desk.error(
        "evaluation_results", app="projects/p/locations/us/apps/x"
    )
    assert desk.writes == 0


def test_a_saved_plan_and_the_tree_at_a_commit(desk: Desk):
    """A plan file inside the tree is shown as it is; the tree is compared with a commit offline."""
    assert desk.typed("plan", "--out", "kept.json").code == 0
    assert (
        desk.answer("show_plan", file="kept.json")["report"]
        == desk.typed("show", "kept.json", "--format", "json").json
    )
    subprocess.run(["git", "init", "-q"], check=True)
    subprocess.run(["git", "-c", "user.name=a", "-c", "user.email=a@b", "add", "."], check=True)
    subprocess.run(["git", "-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "x"], check=True)
    desk.edit("apps/help-desk/agents/front-desk.yaml", "Be brief", "Be kind")
    since = desk.answer("plan_since", ref="HEAD", show=["agents/*"])
    assert [item["address"] for item in since["report"]["resource_changes"]] == ["help-desk/agents/front-desk"]
    assert since["left_out"] == ["report.resource_changes: 1 of 1, chosen by `show`"]


def test_nothing_outside_the_tree_is_read(desk: Desk):
    """Neither a path, nor a link, nor an environment leads out."""
    outside = desk.root.parent / "secret.json"
    outside.write_text("{}", encoding="utf-8")
    (desk.root / "link.json").symlink_to(outside)
    (desk.root / "folder.json").mkdir()
    for file in (
        "../secret.json",
        str(outside),
        "link.json",
        "folder.json",
        "/dev/stdin",
        "a\0b",
        "",
        "x" * 5000,
    ):
        assert "secret" not in desk.error("show_plan", file=file).replace("../secret.json", "").replace(
            str(outside), ""
        )
    assert "is not a file of the tree" in desk.error("show_plan", file="link.json")
    assert "The environment `prod` is not available here." in desk.error("validate", environment="prod")


def test_errors_are_those_of_the_command_line(desk: Desk):
    """A broken tree is a result of `validate`, and an error of what needs a tree, with every finding."""
    assert "Unknown code `CES999`" in desk.error("explain", code="CES999")
    assert "`targets`: Extra inputs are not permitted" in desk.error("plan", targets=["agents/*"])
    assert "`code`: is required" in desk.error("explain")
    assert "There is no tool `apply`" in desk.error("apply")
    assert "matches" in desk.error("plan", target=["agents/none"])
    assert "is not a kind of file" in desk.error("schema", kind="agent")
    assert "`since`: write a time" in desk.error("drift", since="yesterday")
    desk.edit("apps/help-desk/agents/front-desk.yaml", "tools:", "tolls:")
    assert desk.answer("validate")["report"]["valid"] is False
    errors = desk.answer("validate", errors_only=True)
    assert {item["severity"] for item in errors["report"]["diagnostics"]} == {"error"}
    assert errors["left_out"][0].endswith(", only errors")
    told = desk.error("plan")
    assert "did you mean `tools`?" in told
    assert "The configuration has errors." in told
    (desk.root / "cesplan.yaml").unlink()
    assert "cesplan.yaml" in desk.error("plan")


def test_a_defect_tells_the_client_nothing_but_its_kind(desk: Desk, monkeypatch: pytest.MonkeyPatch):
    """The traceback goes to the log of the server."""

    def broken(*arguments: object, **named: object) -> None:
        raise RuntimeError(PIN)

    monkeypatch.setattr("cesplan.mcp.reading.graphing.graph_of_tree", broken)
    assert "Unexpected RuntimeError: a bug in cesplan." in (told := desk.error("graph"))
    assert PIN not in told
    assert "Traceback" in "".join(desk.told)


def test_no_secret_is_in_any_result(desk: Desk):
    """A secret is the name of its variable, also where it is a part of a text."""
    assert "pin" in json.dumps(desk.answer("plan")["report"])
    for name in tools_for(desk.workspace):
        assert PIN not in text_of(desk.call(name)), name
    assert PIN not in text_of(desk.call("show_resources"))


def test_texts_of_others_do_nothing_to_a_terminal(desk: Desk):
    """A name with escape sequences is shown as text, in what people read and in the JSON of the content."""
    app = "projects/acme-dev/locations/us/apps/help-desk"
    desk.emulator.seed({"name": f"{app}/agents/evil-agent", "displayName": "\x1b]0;owned\x07Evil\u202e"})
    for tool in ("plan", "drift"):
        result = desk.call(tool)
        assert result.structured_content is not None
        assert "Evil" in text_of(result)
        assert not re.search("[\x00-\x09\x0b-\x1f\x7f\u202e]", result.structured_content["text"])
        assert not re.search("[\x00-\x09\x0b-\x1f\x7f\u202e]", text_of(result))


def test_a_large_result_is_shortened_and_says_so(desk: Desk):
    """Within the bounds of the server, whatever is planned; by `show` each part can be read whole."""
    for number in range(120):
        (desk.root / f"apps/help-desk/agents/agent-{number:03}.yaml").write_text(
            f"displayName: Agent {number}\ninstruction: {'Say hello. ' * 200}\n", encoding="utf-8"
        )
    result = desk.call("plan")
    assert len(text_of(result).encode()) < desk.workspace.most_bytes * 1.05
    plan = result.structured_content
    assert plan is not None
    assert plan["report"]["summary"]["create"] == 120
    assert plan["left_out"][0].startswith("report.resource_changes: ")
    assert "of 122" in plan["left_out"][0]  # with the agent that was edited, and the stamp
    part = desk.answer("plan", show=["agents/agent-119"])
    assert part["report"]["plan_digest"] == plan["report"]["plan_digest"]
    (change,) = part["report"]["resource_changes"]
    assert change["change"]["after"]["instruction"] == ("Say hello. " * 200).strip()


def test_each_tool_says_what_it_is(desk: Desk):
    """Typed in and out, described, read-only; the tool that writes says so, and is there only if approved."""

    async def listed():
        async with Client(server_of(desk.workspace, desk.told.append)) as client:
            return (await client.list_tools()).tools

    tools = anyio.run(listed)
    assert {item.name for item in tools} == {
        "validate", "plan", "plan_since", "show_plan", "show_resources", "drift", "evaluation_runs",
        "evaluation_results", "graph", "schema", "explain", "list_codes",
    }  # fmt: skip
    for item in tools:
        assert item.annotations is not None
        assert item.annotations.read_only_hint
        assert not item.annotations.destructive_hint
        assert item.input_schema["additionalProperties"] is False
        assert all("description" in field for field in item.input_schema.get("properties", {}).values()), (
            item.name
        )
        assert item.output_schema is not None
        assert item.output_schema["type"] == "object"
    desk.approve("sha256:" + "0" * 64)
    (apply,) = [item for item in anyio.run(listed) if item.name == "apply"]
    assert apply.annotations is not None
    assert (apply.annotations.read_only_hint, apply.annotations.destructive_hint) == (False, True)


def test_the_schema_of_a_kind_is_the_published_one(desk: Desk):
    """Whole, or an error: half a schema would be wrong."""
    assert desk.typed("schema", "--out", "schemas").code == 0
    for kind in SCHEMA_KINDS:
        published = json.loads((desk.root / f"schemas/{kind}.schema.json").read_text(encoding="utf-8"))
        assert desk.answer("schema", kind=kind)["json_schema"] == published
    desk.workspace = replace(desk.workspace, most_bytes=10_000)
    assert "The result is larger than 10,000 bytes." in desk.error("schema", kind="tools")
