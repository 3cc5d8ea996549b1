"""The maker of the contract merges what protos and discovery say."""

import json
import sys
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace

import pytest

ROOT = Path(__file__).parents[3]


@pytest.fixture(scope="module")
def maker():
    """What the tool's three files hold; a script finds those beside it, a test has to be told."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "path", [str(ROOT / "tools"), *sys.path])
        modules = [import_module(name) for name in ("contract_messages", "contract_routes", "make_contract")]
    return SimpleNamespace(**{name: value for module in modules for name, value in vars(module).items()})


def field(name, type_name="string", *behavior, **more):
    return {"name": name, "type": type_name, "behavior": list(behavior), **more}


def merged(maker, v1, v1beta, schemas):
    """Merge two versions of protos and one set of schemas, given to both discovery documents."""
    merge = maker.Merge()
    for version, fields in (("v1beta", v1beta), ("v1", v1)):
        messages = {"Agent.Tool": {"fields": fields}}
        merge.add_protos(version, {"enums": {}, "messages": messages})
    for version in ("v1beta", "v1"):
        merge.add_discovery(version, schemas)
    return merge.reachable(["Agent.Tool"])


def test_fields_known_to_either_are_in(maker):
    """A field that only discovery has is added to the message, whose name discovery writes flat."""
    properties = {
        "name": {"type": "string"},
        "when": {"type": "string", "format": "google-datetime", "readOnly": True},
        "mode": {"type": "string", "enum": ["MODE_UNSPECIFIED", "FAST"]},
        "extra": {"$ref": "Extra"},
        "tags": {"type": "array", "items": {"type": "string"}, "description": "Required. Tags."},
        "labels": {"type": "object", "additionalProperties": {"type": "string"}},
        "free": {"type": "object", "additionalProperties": {"type": "any"}},
    }
    schemas = {"AgentTool": {"properties": properties}, "Extra": {"properties": {"on": {"type": "boolean"}}}}
    found = merged(maker, [field("name")], [field("name")], schemas)
    assert found == {
        "Agent.Tool": {
            "name": {"t": "string"},
            "when": {"t": "google.protobuf.Timestamp", "f": "x"},
            "mode": {"t": "Agent.Tool.Mode"},
            "extra": {"t": "Extra"},
            "tags": {"t": "string", "f": "rq"},
            "labels": {"t": "map", "v": "string"},
            "free": {"t": "google.protobuf.Struct"},
        },
        "Extra": {"on": {"t": "bool"}},
    }


def test_a_field_of_one_version_says_so(maker):
    """What only one version has is marked with it."""
    found = merged(maker, [field("a"), field("old")], [field("a"), field("new")], {})
    marks = {name: row.get("in") for name, row in found["Agent.Tool"].items()}
    assert marks == {"a": None, "new": "v1beta", "old": "v1"}


def test_a_field_is_required_where_both_say_so(maker):
    """Optional in discovery outweighs REQUIRED in the protos."""
    both = [field("a", "string", "REQUIRED"), field("b", "string", "REQUIRED")]
    properties = {"a": {"type": "string", "description": "Required. A."}, "b": {"description": "Optional. B."}}
    found = merged(maker, both, both, {"AgentTool": {"properties": properties}})
    flags = {name: row.get("f", "") for name, row in found["Agent.Tool"].items()}
    assert flags == {"a": "q", "b": ""}


def test_a_newer_document_adds_and_takes_nothing_away(maker):
    """Fields and enum values; what it lacks stays, and a value that it adds counts on from the last."""
    merge = maker.Merge()
    merge.enums["Agent.Mode"] = {"MODE_UNSPECIFIED": 0, "FAST": 7}
    merge.messages["Agent"] = {"mode": {"t": "Agent.Mode", "in": {"v1"}}, "old": {"t": "string", "in": {"v1"}}}
    newer = {
        "mode": {"type": "string", "enum": ["MODE_UNSPECIFIED", "SLOW", "FAST"]},
        "tag": {"type": "string"},
    }
    newer["remoteA2aAgent"] = {"type": "string"}
    merge.add_discovery("v1", {"Agent": {"properties": newer}})
    found = merge.reachable(["Agent"])["Agent"]
    assert found == {
        "mode": {"t": "Agent.Mode"},
        "old": {"t": "string"},
        "tag": {"t": "string"},
        "remoteA2aAgent": {"t": "string", "o": "agent_type"},
    }
    assert merge.enums["Agent.Mode"] == {"MODE_UNSPECIFIED": 0, "FAST": 7, "SLOW": 8}


@pytest.mark.parametrize(
    ("verb", "path", "action", "kind"),
    [
        ("GET", "projects/*/locations/*/apps/*", "get", "apps"),
        ("GET", "projects/*/locations/*/apps", "list", "apps"),
        ("POST", "projects/*/locations/*/apps", "create", "apps"),
        ("PATCH", "projects/*/locations/*/apps/*", "update", "apps"),
        ("DELETE", "projects/*/locations/*/apps/*", "delete", "apps"),
        ("POST", "projects/*/locations/*/apps/*:exportApp", "custom", "apps"),
        ("POST", "projects/*/locations/*/apps:importApp", "custom", "apps"),
        ("GET", "projects/*/locations/*/securitySettings", "get", "securitySettings"),
        ("PATCH", "projects/*/locations/*/securitySettings", "update", "securitySettings"),
    ],
)
def test_what_a_route_does_follows_from_its_form(maker, verb, path, action, kind):
    """Standard methods are known by verb and path, the one singleton included."""
    assert maker.action_of(verb, path) == {"action": action, "kind": kind}


def test_the_contract_is_written_one_fact_a_line(maker):
    """The rendering is JSON of the same value, and short lines make its changes readable."""
    text = ROOT.joinpath("cesplan/emulator/contract.json").read_text()
    value = json.loads(text)
    assert maker.rendering(value) == text


def test_query_parameters_are_known_from_either(maker):
    """Those of discovery that the protos lack come behind those of the request message."""
    rpc = {"verb": "GET", "path": "apps/*", "request": "GetAppRequest", "body": ""}
    messages = {"GetAppRequest": {"fields": [{"name": "name"}, {"name": "source"}]}}
    parameters = {"name": {"location": "path"}, "source": {"location": "query"}, "view": {"location": "query"}}
    method = {
        "id": "ces.apps.get",
        "httpMethod": "GET",
        "flatPath": "v1/apps/{appsId}",
        "parameters": parameters,
    }
    assert maker.query_names(messages, rpc, {"methods": {"get": method}}) == ["source", "view"]


@pytest.mark.parametrize(
    ("rpc", "action", "names"),
    [
        ("ExportApp", "custom", ["ExportAppRequest", "App", "Done", "Going"]),
        ("GetApp", "get", ["Done", "Going"]),
        ("GenerateChatToken", "custom", []),
    ],
)
def test_messages_that_only_methods_carry(maker, rpc, action, names):
    """Custom methods bring their messages, operations theirs; what is not served brings none."""
    row = {"rpc": rpc, "action": action, "request": f"{rpc}Request", "response": "App"}
    row["operation"] = {"response": "Done", "metadata": "Going"}
    assert maker.carried(row) == names
