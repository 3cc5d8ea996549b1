"""Reading an export: what its files mean, and what is carried along."""

import json
from pathlib import Path
from typing import Any

from cesplan.domain.desired import DesiredResource
from cesplan.domain.diagnostic import has_errors
from cesplan.domain.field_path import FieldPath
from cesplan.features.export_layout.load import Destination, ReadExport, read_export

APP = {"displayName": "Shop", "rootAgent": "Front desk"}
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
