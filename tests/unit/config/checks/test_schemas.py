"""Shapes of variables and parameters."""

from typing import Any

from cesplan.config.checks.schemas import check_schemas
from tests.unit.config.checks.builders import app, found, suggestions


def _variable(schema: dict[str, Any]) -> Any:
    return app({"variableDeclarations": [{"name": "v", "schema": schema}]})


def test_references_lead_to_the_definitions_of_the_root() -> None:
    """From any depth, and from definitions too."""
    schema = {
        "type": "OBJECT",
        "properties": {"a": {"ref": "#/defs/Line"}, "b": {"items": {"anyOf": [{"ref": "#/defs/Lines"}]}}},
        "defs": {"Line": {"properties": {"next": {"ref": "#/defs/Nothing"}}}},
    }

    assert found(check_schemas, _variable(schema)) == [
        (
            'CES070 apps/shop variableDeclarations[0].schema.properties["b"].items.anyOf[0].ref: '
            "`defs` at the root of this schema has no `Lines`"
        ),
        (
            'CES070 apps/shop variableDeclarations[0].schema.defs["Line"].properties["next"].ref: '
            "`defs` at the root of this schema has no `Nothing`"
        ),
    ]
    assert suggestions(check_schemas, _variable(schema)) == ["#/defs/Line", ""]


def test_definitions_stand_at_the_root() -> None:
    """An empty `defs` elsewhere says nothing."""
    inner = {"type": "ARRAY", "items": {"defs": {"A": {}}}, "prefixItems": [{"defs": {}}]}
    tree = app(tools={"t": {"clientFunction": {"parameters": {"properties": {"p": inner}}}}})

    assert found(check_schemas, tree) == [
        (
            'CES070 tools/t clientFunction.parameters.properties["p"].items.defs: '
            "`defs` is not at the root of the schema"
        )
    ]


def test_required_keys_are_properties() -> None:
    """Where there are no properties they may come from elsewhere."""
    schema = {
        "properties": {"street": {}, "more": {"ref": "#/defs/X", "required": ["anything"]}},
        "required": ["street", "stret", None],
        "anyOf": [{"required": ["street"]}],
        "defs": {"X": {}},
    }

    assert found(check_schemas, _variable(schema)) == [
        (
            "CES072 apps/shop variableDeclarations[0].schema.required[1]: "
            "`stret` is required but is not a property of this schema"
        )
    ]
    assert suggestions(check_schemas, _variable(schema)) == ["street"]
