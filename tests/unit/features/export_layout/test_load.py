"""Reading an export: what its files mean, and what is carried along."""

import json
from pathlib import Path
from typing import Any

from cesplan.domain.desired import DesiredResource
from cesplan.domain.diagnostic import has_errors
from cesplan.domain.field_path import FieldPath
from cesplan.features.export_layout.load import Destination, ReadExport, read_export

APP = {"displayName": "Shop", "rootAgent": "Front desk"}
CODE = "def look_up(): pass"
FRONT = {"displayName": "Front desk", "instruction": "agents/Front_desk/instruction.txt"}


def read(root: Path, files: dict[str, Any], **to: str) -> ReadExport:
    basic = {
        "app.json": APP,
        "agents/Front_desk/Front_desk.json": FRONT,
        "agents/Front_desk/instruction.txt": "Hi.\n",
    }
    for path, content in (basic | files).items():
        target = root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
    return read_export(root, Destination(**{"project": "acme", "location": "us", **to}))


def resources(found: ReadExport) -> dict[str, DesiredResource]:
    desired = found.loaded.desired
    assert desired is not None, found.loaded.diagnostics
    return {str(item.address): item for item in desired.apps[0].all()}


def test_a_text_is_the_whole_file_wherever_it_stands(tmp_path: Path) -> None:
    """The last line break belongs to the value; a text that is plainly no path is itself."""
    found = resources(
        read(
            tmp_path,
            {
                "agents/Back/Back.json": {"displayName": "Back", "instruction": "Wait and see."},
                "agents/Odd/Odd.json": {"displayName": "Odd", "instruction": "shared/texts/odd one.md"},
                "shared/texts/odd one.md": "Odd\r\n",
            },
        )
    )
    bodies = {key: item.body for key, item in found.items()}
    assert bodies["shop/agents/front-desk"]["instruction"] == "Hi.\n"
    assert bodies["shop/agents/back"]["instruction"] == "Wait and see."
    assert bodies["shop/agents/odd"]["instruction"] == "Odd\r\n"
    assert found["shop/agents/odd"].files == {"instruction": "shared/texts/odd one.md"}


def test_ids_do_not_bind_and_keys_come_from_names(tmp_path: Path) -> None:
    """`name` is the id it had; without one an id is made from the display name, always the same."""
    found = resources(
        read(
            tmp_path,
            {
                "agents/A/A.json": {
                    "name": "77aa9c1e-0000-4000-8000-000000000002",
                    "displayName": "Zürich & Co.",
                },
                "tools/faq/faq.json": {"clientFunction": {"name": "faq"}},
                "agents/X/X.json": {
                    "name": "projects/p/locations/l/apps/a/agents/agent-x",
                    "displayName": "東京",
                },
            },
        )
    )
    ids = {key: (item.resource_id, item.new_id) for key, item in found.items()}
    assert ids == {
        "shop": (None, "shop-app"),
        "shop/agents/agent-1300": ("agent-x", "agent-x"),
        "shop/agents/front-desk": (None, "front-desk"),
        "shop/agents/zurich-co": ("77aa9c1e-0000-4000-8000-000000000002",) * 2,
        "shop/tools/faq": (None, "faq-tool"),
    }


def test_the_app_id_binds(tmp_path: Path) -> None:
    found = resources(read(tmp_path, {}, app_id="shop-live"))
    app = found["shop-live"]
    assert (app.resource_id, app.new_id) == ("shop-live", "")


def test_references_are_display_names_or_ids_or_system_tools(tmp_path: Path) -> None:
    """What the service alone makes is referred to by its id, and never managed."""
    front = FRONT | {
        "tools": [
            "look_up",
            "end_session",
            "tool-two",
            "odd_system_tool",
            "projects/p/locations/l/apps/a/tools/tool-two",
        ],
        "toolsets": [{"toolset": "Orders API", "toolIds": ["getOrder"]}],
    }
    found = read(
        tmp_path,
        {
            "agents/Front_desk/Front_desk.json": front,
            "tools/look_up/look_up.json": {"displayName": "look_up", "clientFunction": {"name": "look_up"}},
            "tools/two/two.json": {"name": "tool-two", "clientFunction": {"name": "two"}},
            "tools/odd/odd.json": {"name": "odd-id", "systemTool": {"name": "odd_system_tool"}},
            "toolsets/Orders_API/Orders_API.json": {
                "displayName": "Orders API",
                "openApiToolset": {
                    "openApiSchema": "openapi: 3.0.3\npaths:\n  /o:\n    get: {operationId: getOrder}\n"
                },
            },
        },
    )
    body = resources(found)["shop/agents/front-desk"].body
    assert body["tools"] == ["tools/look-up", "tools/end_session", "tools/two", "tools/odd-id", "tools/two"]
    assert body["toolsets"] == [{"toolset": "toolsets/orders-api", "toolIds": ["getOrder"]}]
    assert "shop/tools/odd-system-tool" not in resources(found)


def test_values_of_the_environment_are_found_however_they_are_nested(tmp_path: Path) -> None:
    """By display name or folder; nested, or with a path as key; in lists by place."""
    auth = {
        "apiKeyConfig": {"keyName": "$env_var", "apiKeySecretVersion": "$env_var", "requestLocation": "HEADER"}
    }
    found = read(
        tmp_path,
        {
            "toolsets/Orders_API/Orders_API.json": {
                "displayName": "Orders API",
                "openApiToolset": {"openApiSchema": "schema.yaml", "apiAuthentication": auth},
            },
            "schema.yaml": "openapi: 3.0.3\nservers:\n- url: $env_var\npaths: {}\n",
            "environment.json": {
                "app": {},
                "toolsets": {
                    "Orders API": {
                        "openApiToolset.url": "https://o.example",
                        "openApiToolset": {
                            "apiAuthentication": {
                                "apiKeyConfig": {"keyName": "K"},
                                "apiKeyConfig.apiKeySecretVersion": "projects/p/secrets/s/versions/1",
                            }
                        },
                    }
                },
            },
        },
    )
    toolset = resources(found)["shop/toolsets/orders-api"].body["openApiToolset"]
    assert "url: https://o.example" in toolset["openApiSchema"]
    assert toolset["apiAuthentication"]["apiKeyConfig"] == {
        "keyName": "K", "apiKeySecretVersion": "projects/p/secrets/s/versions/1", "requestLocation": "HEADER"
    }  # fmt: skip
    (values,) = (item.values for item in found.resources if item.file.address.kind == "toolsets")
    assert values[FieldPath(("openApiToolset", "apiAuthentication", "apiKeyConfig", "keyName"))] == "K"


def test_yaml_wins_notes_are_kept_leaks_are_not(tmp_path: Path) -> None:
    found = read(
        tmp_path,
        {
            "app.yaml": "displayName: Shop\nrootAgent: Front desk\n_comment_why: by hand\ndeploymentCount: 3\n",
            "app.json": "nonsense",
            "notes/todo.md": "tea",
        },
    )
    app = resources(found)["shop"]
    assert app.body == {"displayName": "Shop", "rootAgent": "agents/front-desk"}
    assert found.resources[0].comments == ("why: by hand",)
    assert found.carried == {"notes/todo.md": b"tea"}


def test_dollars_and_braces_mean_nothing_here(tmp_path: Path) -> None:
    """Neither variables nor directives: an export has its own ways."""
    schema = {"type": "OBJECT", "default": {"$ref": "x", "$$y": "${z}"}}
    declared = [{"name": "tier", "description": "$file ${x}", "schema": schema}]
    found = resources(read(tmp_path, {"app.json": APP | {"variableDeclarations": declared}}))
    assert found["shop"].body["variableDeclarations"] == declared


def test_v1_leaves_out_what_it_does_not_have(tmp_path: Path) -> None:
    found = read(
        tmp_path,
        {
            "evaluations/E/E.json": {
                "displayName": "E",
                "scenario": {"task": "Buy", "rubrics": ["r"], "scenarioExpectations": []},
            }
        },
        api_version="v1",
    )
    assert "shop/evaluations/e" not in resources(found)
    assert not has_errors(found.loaded.diagnostics)
    assert "CES032" in {item.code for item in found.loaded.diagnostics}


def told(found: ReadExport) -> list[str]:
    return [f"{item.severity} {item.code} {item.place}: {item.summary}" for item in found.loaded.diagnostics]


def test_unknown_fields_are_dropped_with_a_warning(tmp_path: Path) -> None:
    """As an import of the service does: a tool with a `description`, an app with `tools`; nothing is sent."""
    found = read(
        tmp_path,
        {
            "app.json": APP | {"tools": ["look_up"], "variableDeclarations": [{"name": "v", "typ": "STRING"}]},
            "tools/look_up/look_up.json": {"clientFunction": {"name": "look_up"}, "description": "Looks."},
        },
    )
    assert [line for line in told(found) if "CES095" in line] == [
        "warning CES095 app.json:1:52: unknown field `tools` is dropped",
        "warning CES095 app.json:1:113: unknown field `variableDeclarations[0].typ` is dropped",
        "warning CES095 tools/look_up/look_up.json:1:41: unknown field `description` is dropped",
    ]
    made = resources(found)
    assert made["shop"].body == {
        "displayName": "Shop",
        "rootAgent": "agents/front-desk",
        "variableDeclarations": [{"name": "v"}],
    }
    assert made["shop/tools/look-up"].body == {"clientFunction": {"name": "look_up"}}
    assert {key: dict(item.extra) for key, item in made.items()} == {key: {} for key in made}


def test_enum_values_that_are_not_known_are_dropped_and_left_alone(tmp_path: Path) -> None:
    """Enums grow, and an export may be newer than this: nothing is refused, sent or put back to a default."""
    found = read(
        tmp_path,
        {
            "app.json": APP
            | {
                "toolExecutionMode": "SPECULATIVE",
                "languageSettings": {"fallbackAction": "escalate"},
                "audioProcessingConfig": {"ambientSoundConfig": {"prebuiltAmbientSound": "office"}},
                "variableDeclarations": [{"name": "v", "schema": {"type": "TENSOR"}}],
            },
            "tools/look_up/look_up.json": {"clientFunction": {"name": "look_up"}, "executionType": "ASYNC"},
        },
    )
    assert [line for line in told(found) if "CES095" in line] == [
        "warning CES095 app.json:1:73: unknown value `SPECULATIVE` of `toolExecutionMode` is dropped",
        (
            "warning CES095 app.json:1:283: unknown value `TENSOR` of `variableDeclarations[0].schema.type` is "
            "dropped"
        ),
        "warning CES095 tools/look_up/look_up.json:1:58: unknown value `ASYNC` of `executionType` is dropped",
    ]
    made = resources(found)
    assert [*map(str, made["shop"].ignore)] == ["toolExecutionMode"]
    assert "toolExecutionMode" not in made["shop"].body
    assert [*map(str, made["shop/tools/look-up"].ignore)] == ["executionType"]


def test_names_may_be_in_snake_case(tmp_path: Path) -> None:
    """At every depth, display names and ids too; what is free of form keeps its keys."""
    found = read(
        tmp_path,
        {
            "app.json": {
                "display_name": "Shop",
                "root_agent": "Front desk",
                "variable_declarations": [
                    {"name": "v", "schema": {"type": "OBJECT", "default": {"max_turns": 1}, "properties": {}}}
                ],
                "evaluation_personas": [{"name": "calm-one", "display_name": "Calm", "personality": "Calm."}],
            },
            "evaluations/Buy/Buy.json": {
                "display_name": "Buy",
                "scenario": {
                    "task": "Buy.",
                    "scenario_expectations": [
                        {"tool_expectation": {"expected_tool_call": {"tool": "look_up", "args": {"a_b": 1}}}}
                    ],
                },
            },
            "tools/look_up/look_up.json": {"python_function": {"name": "look_up", "python_code": CODE}},
        },
    )
    made = resources(found)
    assert made["shop"].body["variableDeclarations"][0]["schema"]["default"] == {"max_turns": 1}
    assert made["shop"].body["evaluationPersonas"][0]["displayName"] == "Calm"
    (expectation,) = made["shop/evaluations/buy"].body["scenario"]["scenarioExpectations"]
    assert expectation["toolExpectation"]["expectedToolCall"] == {"tool": "tools/look-up", "args": {"a_b": 1}}
    assert "shop/tools/look-up" in made


def test_a_field_in_both_spellings_is_an_error(tmp_path: Path) -> None:
    """Parsers of ProtoJSON refuse it: neither value is the one that was meant."""
    found = read(tmp_path, {"app.json": APP | {"display_name": "Store"}})
    assert (
        "error CES003 app.json:1:52: duplicate field: `display_name` is another spelling of `displayName`"
        in told(found)
    )


def test_strays_are_notices_and_refuse_nothing(tmp_path: Path) -> None:
    """
    A stray folder is not a resource, one outside its folder is reported with its place; nothing counts as gone.
    """
    found = read(
        tmp_path,
        {
            "tools/shared/helper.pyc": "\x00",
            "evaluations/flat.json": {"displayName": "flat"},
            "guardrails/Polite/Polite.json": {"displayName": "Polite", "enabled": True},
            "guardrails/notes.yaml": "a: b",
        },
    )
    alone = "is ignored: it is not in the folder of a resource"
    strays = "files that do not belong to a resource are ignored, in `evaluations`, `guardrails`, `tools`"
    assert [line for line in told(found) if "CES083" not in line] == [
        f"notice CES035 None: {strays}",
        f"notice CES035 evaluations/flat.json:1:1: `evaluations/flat.json` {alone}",
        f"notice CES035 guardrails/notes.yaml:1:1: `guardrails/notes.yaml` {alone}",
    ]
    details = [item.detail for item in found.loaded.diagnostics]
    assert "In an export, each resource has its own folder: evaluations/flat/flat.json." in details
    desired = found.loaded.desired
    assert desired is not None
    assert desired.apps[0].folders == {"agents"}


def test_notes_are_said_once_for_each_file(tmp_path: Path) -> None:
    found = read(tmp_path, {"app.json": APP | {"_comment": "x", "_comment_2": ["y", "z"]}})
    assert [line for line in told(found) if "_comment" in line] == [
        "notice CES035 app.json:1:1: `_comment…` keys are comments and are not sent"
    ]


BUCKET = {"loggingSettings": {"audioRecordingConfig": {"gcsBucket": "$env_var"}}}


def test_a_file_that_only_looks_like_an_environment_refuses_nothing(tmp_path: Path) -> None:
    """Broken, or a link out of the export: a notice, unless it is the one that was chosen."""
    (tmp_path / "environments").mkdir()
    (tmp_path / "environments" / "evil.json").symlink_to("/etc/hostname")
    values = {"app": {"loggingSettings": {"audioRecordingConfig": {"gcsBucket": "gs://calls"}}}}
    files = {"app.json": APP | BUCKET, "environment.json": values, "environment.broken.json": "{"}
    found = read(tmp_path, files)
    assert not has_errors(found.loaded.diagnostics)
    alone = "is ignored: it is not an environment file"
    assert [line for line in told(found) if alone in line] == [
        f"notice CES035 environment.broken.json:1:1: `environment.broken.json` {alone}",
        f"notice CES035 environments/evil.json:1:1: `environments/evil.json` {alone}",
    ]
    chosen = read(tmp_path, files, environment="broken")
    assert "error CES002" in "".join(told(chosen))


def test_a_missing_value_names_the_other_environments(tmp_path: Path) -> None:
    """Without an environment.json, the message says which names can be chosen."""
    found = read(tmp_path, {"app.json": APP | BUCKET, "environments/prod.json": {}, "environment.qa.json": {}})
    (detail,) = (item.detail for item in found.loaded.diagnostics if item.code == "CES037")
    assert detail.endswith("Other environments have their own files: -e prod, -e qa.")
