"""OpenAPI documents: which operations they hold, and what each takes and gives."""

import json

import pytest
from ruamel.yaml import YAML

from cesplan.emulator.errors import Refused
from cesplan.emulator.openapi.arguments import input_of, output_of
from cesplan.emulator.openapi.operations import operations_in
from tests.unit.emulator.orders import DOCUMENT


def named(tool_id):
    return next(one for one in operations_in(DOCUMENT) if one.tool_id == tool_id)


def test_each_operation_is_a_tool():
    """By operationId, or by verb and path where there is none; the summary replaces a missing description."""
    found = [(one.tool_id, one.description) for one in operations_in(DOCUMENT)]
    assert found == [("getOrder", "Read an order."), ("noteOrder", "Leave a note."), ("get_orders", "")]


def test_inputs_are_parameters_and_the_body():
    """Parameters of the path and of the operation, with what the body holds."""
    assert input_of(named("noteOrder")) == {
        "type": "OBJECT",
        "properties": {
            "id": {"type": "STRING", "description": "The order."},
            "loud": {"type": "BOOLEAN"},
            "note": {
                "type": "STRING",
                "anyOf": [{"type": "STRING"}, {"type": "NUMBER", "nullable": True}],
            },
        },
        "required": ["id", "note"],
    }


def test_outputs_are_what_a_success_answers():
    """References and allOf are resolved; a schema inside itself ends."""
    found = output_of(named("getOrder"))
    assert found["required"] == ["id"]
    assert found["properties"]["state"] == {"type": "STRING", "default": "open", "enum": ["open", "sent"]}
    lines = found["properties"]["lines"]
    assert (lines["type"], lines["minItems"]) == ("ARRAY", "1")
    assert lines["items"]["properties"]["count"] == {"type": "INTEGER", "minimum": 1}
    assert output_of(named("noteOrder")) == {"type": "OBJECT"}


def test_an_operation_alone_keeps_its_format():
    """The document of one tool has one operation, in the format of the whole; its references lead on."""
    alone = YAML(typ="safe", pure=True).load(named("getOrder").alone(DOCUMENT))
    assert list(alone["paths"]) == ["/orders/{id}"]
    assert list(alone["paths"]["/orders/{id}"]) == ["parameters", "get"]
    as_json = json.dumps(YAML(typ="safe", pure=True).load(DOCUMENT))
    assert json.loads(named("getOrder").alone(as_json)) == alone


def one(paths, **components):
    """Return the one operation of a document."""
    document = {"openapi": "3.1.0", "paths": paths, "components": components}
    (found,) = operations_in(json.dumps(document))
    return found


def taking(schema, **schemas):
    """Return the schema of a parameter `a` that has this schema, in a document with these others."""
    parameter = {"name": "a", "in": "query", "schema": schema}
    return input_of(one({"/x": {"get": {"parameters": [parameter]}}}, schemas=schemas))["properties"]["a"]


def body(schema, **more):
    """Return an operation whose body has this schema."""
    return {"requestBody": {"content": {"application/json": {"schema": schema}}, **more}}


def test_a_parameter_of_the_operation_goes_before_that_of_its_path():
    """One of the same name and place replaces it whole, whether it is required as well."""
    shared = {"name": "q", "in": "query", "required": True, "schema": {"type": "string"}}
    header = {"name": "h", "in": "header", "required": True, "schema": {"type": "string"}}
    own = {"name": "q", "in": "query", "schema": {"type": "integer"}}
    found = input_of(one({"/x": {"parameters": [shared, header], "get": {"parameters": [own]}}}))
    assert found["properties"] == {"h": {"type": "STRING"}, "q": {"type": "INTEGER"}}
    assert found["required"] == ["h"]


def test_a_parameter_can_have_a_content():
    """In place of a schema (OpenAPI 3); behind a $ref as well."""
    parameter = {"name": "a", "in": "query", "content": {"application/json": {"schema": {"type": "integer"}}}}
    path = {"get": {"parameters": [{"$ref": "#/components/parameters/A~1B"}]}}
    found = input_of(one({"/x": path}, parameters={"A/B": parameter}))
    assert found["properties"] == {"a": {"type": "INTEGER"}}


@pytest.mark.parametrize(("more", "required"), [({}, None), ({"required": True}, ["body"])])
def test_a_body_that_is_no_object_is_one_argument(more, required):
    """A list or a text has no properties to stand among the parameters."""
    found = input_of(one({"/x": {"put": body({"type": "array", "items": {"type": "string"}}, **more)}}))
    assert found["properties"] == {"body": {"type": "ARRAY", "items": {"type": "STRING"}}}
    assert found.get("required") == required


def test_paths_bodies_and_responses_lie_behind_references():
    """Each of them can be a $ref to a component; the operation alone has its path in full."""
    ref = "#/components/{}/C"
    found = one(
        {"/x": {"$ref": ref.format("pathItems")}},
        pathItems={
            "C": {
                "post": {
                    "operationId": "post1",
                    "requestBody": {"$ref": ref.format("requestBodies")},
                    "responses": {"200": {"$ref": ref.format("responses")}},
                }
            }
        },
        requestBodies={"C": body({"properties": {"n": {"type": "integer"}}})["requestBody"]},
        responses={"C": body({"type": "object", "properties": {"ok": {"type": "boolean"}}})["requestBody"]},
    )
    assert input_of(found)["properties"] == {"n": {"type": "INTEGER"}}
    assert output_of(found)["properties"] == {"ok": {"type": "BOOLEAN"}}
    assert json.loads(found.alone("{"))["paths"]["/x"]["post"]["operationId"] == "post1"


def test_all_of_adds_at_any_depth():
    """What an allOf adds has its own allOf; what a schema says itself goes before it."""
    base = {"properties": {"id": {"type": "string"}, "n": {"type": "string"}}, "required": ["id"]}
    middle = {"allOf": [{"$ref": "#/components/schemas/Base"}], "description": "middle"}
    found = taking(
        {"allOf": [{"$ref": "#/components/schemas/Middle"}], "properties": {"n": {"type": "integer"}}},
        Base=base,
        Middle=middle,
    )
    assert found == {
        "type": "OBJECT",
        "description": "middle",
        "properties": {"id": {"type": "STRING"}, "n": {"type": "INTEGER"}},
        "required": ["id"],
    }


def test_a_schema_inside_itself_is_cut_off_there():
    """However often it names itself, also by allOf: with its type, and no further."""
    me = {"$ref": "#/components/schemas/Node"}
    node = {"type": "object", "properties": {"left": me, "right": me, "all": {"type": "array", "items": me}}}
    inner = {"left": {"type": "OBJECT"}, "right": {"type": "OBJECT"}}
    inner["all"] = {"type": "ARRAY", "items": {"type": "OBJECT"}}
    assert taking(me, Node=node) == {"type": "OBJECT", "properties": inner}
    assert taking(me, Node={"type": "object", "allOf": [me]}) == {"type": "OBJECT"}


@pytest.mark.parametrize("word", ["properties", "allOf"])
def test_a_small_document_is_no_endless_work(word):
    """References that double at each of forty levels are refused, not followed to the end."""
    refs = {f"S{n}": {"$ref": f"#/components/schemas/S{n + 1}"} for n in range(40)}
    schemas = {
        f"S{n}": {word: {"a": ref, "b": ref} if word == "properties" else [ref, dict(ref)]}
        for n, ref in enumerate(refs.values())
    }
    with pytest.raises(Refused, match="more than 5000 parts"):
        taking({"$ref": "#/components/schemas/S0"}, **schemas, S40={"type": "string"})


@pytest.mark.parametrize(
    ("path", "why"),
    [
        ({"get": []}, "/x.get: an object"),
        ({"get": {"parameters": {}}}, "/x.get.parameters: a list"),
        ({"get": {"parameters": [1]}}, "/x.get.parameters: an object"),
        ({"parameters": 1, "get": {}}, "/x.parameters: a list"),
        ({"get": {"requestBody": []}}, "/x.get.requestBody: an object"),
        ({"get": {"requestBody": {"content": []}}}, "/x.get.requestBody.content: an object"),
        ({"get": body({"required": "a"})}, "/x.get.requestBody.required: a list"),
        ({"get": body({"properties": []})}, "/x.get.requestBody.properties: an object"),
        ({"get": body({"enum": 1})}, "/x.get.requestBody.enum: a list"),
        ({"get": body({"$ref": "#/components/gone"})}, "'#/components/gone' points to nothing"),
        ({"get": body({"$ref": "other.yaml#/a"})}, "'other.yaml#/a' points outside the document"),
        ({"$ref": "#/paths/~1x"}, "'#/paths/~1x' refers back to itself"),
    ],
)
def test_a_document_of_another_form_is_refused_with_the_place(path, why):
    """Whatever is there, the answer says where; nothing is passed over."""
    with pytest.raises(Refused) as caught:
        input_of(one({"/x": path}))
    assert caught.value.code == "INVALID_ARGUMENT"
    assert why in caught.value.message


def test_nulls_stand_for_nothing():
    """A key without a value, as YAML has it, is as none."""
    found = one(
        {"/x": {"parameters": None, "get": {"parameters": None, "requestBody": None, "responses": None}}}
    )
    assert (input_of(found), output_of(found)) == ({"type": "OBJECT"}, {"type": "OBJECT"})
