"""The models as Python types: good bodies go in and come out as they were, and nothing else goes in."""

import json
from typing import Any

import pytest
from pydantic import ValidationError

from cesplan.model.base import Message
from cesplan.model.derive import all_enums, all_models
from cesplan.model.editor_schemas.documentation import documentation_of
from cesplan.model.messages.agent import Agent, AgentToolset
from cesplan.model.messages.app import App, VariableDeclaration
from cesplan.model.messages.schema import Schema, SchemaType
from cesplan.model.messages.tool import Tool
from cesplan.model.scalars import Scalar
from cesplan.model.spec import Cardinality, FieldSpec, MessageSpec, message_spec

MODELS = all_models()
_SAMPLES: dict[Scalar, Any] = {
    Scalar.STRING: "text",
    Scalar.BOOL: True,
    Scalar.INT32: 3,
    Scalar.INT64: "9007199254740993",
    Scalar.FLOAT: 0.25,
    Scalar.DOUBLE: 0.1,
    Scalar.BYTES: "AAECAw==",
    Scalar.DURATION: "3.5s",
    Scalar.TIMESTAMP: "2026-01-31T03:00:00Z",
    Scalar.STRUCT: {"a": [1, None, {"b": True}]},
    Scalar.VALUE: {"any": [None]},
    Scalar.OPAQUE: {"whatever": ["the server", 1]},
}


def _body(spec: MessageSpec, depth: int = 2) -> dict[str, Any]:
    """A body in which every field is set, down to a depth at which recursion ends."""
    return {
        field.name: _value(field, depth)
        for field in spec.fields.values()
        if depth or field.scalar is not Scalar.MESSAGE
    }


def _value(field: FieldSpec, depth: int) -> Any:
    match field.scalar:
        case Scalar.MESSAGE:
            one: Any = _body(field.message, depth - 1)
        case Scalar.ENUM:
            one = field.enum[-1]
        case scalar:
            one = _SAMPLES[scalar]
    return {Cardinality.ONE: one, Cardinality.LIST: [one], Cardinality.MAP: {"key": one}}[field.cardinality]


@pytest.mark.parametrize("name", sorted(MODELS))
def test_a_model_has_the_fields_of_its_message_and_no_other(name: str) -> None:
    """
    What goes in comes out: same fields, same spelling, same types. Each is documented for hover texts.

    Models say nothing about what is required: an update holds a part of a resource.
    """
    body = _body(message_spec(name))
    model = MODELS[name].model_validate_json(json.dumps(body))
    assert model.model_dump(mode="json", by_alias=True, exclude_unset=True) == body
    assert MODELS[name].model_validate({}).model_dump(exclude_unset=True) == {}
    with pytest.raises(ValidationError, match="Extra inputs are not permitted"):
        MODELS[name].model_validate({"noSuchField": 1})
    documentation = documentation_of(MODELS[name])
    assert documentation.summary
    assert sorted(documentation.members) == sorted(message_spec(name).fields)


def test_every_model_is_built_on_first_use_only() -> None:
    """163 classes built at import would cost every command a tenth of a second."""
    assert all(model.model_config.get("defer_build") is True for model in MODELS.values())


def test_python_code_uses_python_names() -> None:
    """Attributes are snake_case, JSON names are camelCase."""
    agent = Agent(display_name="Front desk", toolsets=[AgentToolset(toolset="crm", tool_ids=["find"])])
    assert agent.model_dump(by_alias=True, exclude_unset=True) == {
        "displayName": "Front desk",
        "toolsets": [{"toolset": "crm", "toolIds": ["find"]}],
    }


def test_a_name_that_python_reserves_keeps_its_name_in_json() -> None:
    """`schema` is taken in pydantic, so the attribute is `schema_`."""
    variable = VariableDeclaration(name="v", schema_=Schema(type=SchemaType.STRING))
    assert variable.model_dump(mode="json", by_alias=True, exclude_unset=True) == {
        "name": "v",
        "schema": {"type": "STRING"},
    }


@pytest.mark.parametrize(
    ("model", "body"),
    [
        (Agent, {"displayName": 3}),
        (Agent, {"tools": "lookup-order"}),
        (Agent, {"llmAgent": {"surprise": 1}}),
        (App, {"toolExecutionMode": "BOTH"}),
        (App, {"metadata": {"key": 1}}),
        (Tool, {"timeout": 3}),
    ],
)
def test_wrong_types_are_refused(model: type[Message], body: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        model.model_validate(body)


def test_models_are_values() -> None:
    """A change is a new value."""
    agent = Agent(display_name="A")
    with pytest.raises(ValidationError, match="frozen"):
        agent.display_name = "B"  # type: ignore[misc]


def test_every_enum_is_documented() -> None:
    assert [name for name, enum in all_enums().items() if not documentation_of(enum).summary] == []
