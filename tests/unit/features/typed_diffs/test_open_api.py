"""OpenAPI: breaking or not, for the agent that calls the operations."""

import json
import random
from copy import deepcopy
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from ruamel.yaml import YAML
from ruamel.yaml.compat import StringIO

from cesplan.domain.text.typed_diff import Meaning, TypedDiff
from cesplan.features.typed_diffs.codes import RULES
from cesplan.features.typed_diffs.verdicts import verdict

DOCUMENT: dict[str, Any] = {
    "openapi": "3.0.3",
    "info": {"title": "Shop", "version": "1"},
    "servers": [{"url": "https://api.acme.example"}],
    "security": [{"key": []}],
    "paths": {
        "/orders/{id}": {
            "parameters": [{"name": "id", "in": "path", "required": True, "schema": {"type": "string"}}],
            "get": {
                "operationId": "getOrder",
                "description": "One order.",
                "parameters": [
                    {"name": "verbose", "in": "query", "schema": {"type": "integer", "maximum": 3}},
                    {"$ref": "#/components/parameters/Kind"},
                ],
                "responses": {
                    "200": {
                        "description": "ok",
                        "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Order"}}},
                    },
                    "404": {"description": "unknown"},
                },
            },
            "delete": {"operationId": "dropOrder", "responses": {"204": {"description": "gone"}}},
        },
        "/orders": {
            "post": {
                "operationId": "addOrder",
                "requestBody": {
                    "content": {"application/json": {"schema": {"$ref": "#/components/schemas/NewOrder"}}}
                },
                "responses": {"201": {"description": "added"}},
            }
        },
    },
    "components": {
        "securitySchemes": {"key": {"type": "apiKey", "name": "X-Key", "in": "header"}},
        "parameters": {
            "Kind": {"name": "kind", "in": "query", "schema": {"type": "string", "enum": ["web", "shop"]}}
        },
        "schemas": {
            "Order": {
                "type": "object",
                "required": ["id", "lines"],
                "properties": {
                    "id": {"type": "string"},
                    "state": {"type": "string", "enum": ["open", "sent"]},
                    "lines": {"type": "array", "items": {"$ref": "#/components/schemas/Line"}},
                },
            },
            "Line": {
                "type": "object",
                "properties": {
                    "count": {"type": "integer"},
                    "order": {"$ref": "#/components/schemas/Order"},
                    "extra": {"allOf": [{"$ref": "#/components/schemas/Extra"}]},
                },
            },
            "Extra": {"type": "object", "additionalProperties": {"$ref": "#/components/schemas/Note"}},
            "Note": {"type": "string", "maxLength": 100},
            "NewOrder": {
                "type": "object",
                "required": ["item"],
                "properties": {"item": {"type": "string"}, "count": {"type": "integer", "minimum": 1}},
            },
            "Unused": {"type": "string"},
        },
    },
}
GET = ("paths", "/orders/{id}", "get")
POST = ("paths", "/orders", "post")
ORDER = ("components", "schemas", "Order")
NEW = ("components", "schemas", "NewOrder")
KIND = ("components", "parameters", "Kind")
GONE = object()


def _with(*edits: tuple[tuple[Any, ...], Any]) -> dict[str, Any]:
    made = deepcopy(DOCUMENT)
    for path, value in edits:
        at: Any = made
        for part in path[:-1]:
            at = at[part]
        if value is GONE:
            del at[path[-1]]
        elif isinstance(at, list) and path[-1] == "+":
            at.append(value)
        else:
            at[path[-1]] = value
    return made


def _diff(before: Any, after: Any) -> TypedDiff:
    found = verdict("yaml", json.dumps(before, indent=1), json.dumps(after))
    assert found is not None
    return found


EDITS: list[tuple[tuple[Any, ...], Any, list[str]]] = [
    (("paths", "/orders/{id}", "delete"), GONE, ["OAS001"]),
    (("paths", "/orders", "put"), {"operationId": "x", "responses": {}}, ["OAS002"]),
    ((*GET, "operationId"), "readOrder", ["OAS003"]),
    ((*GET, "parameters", "+"), {"name": "a", "in": "query", "required": True}, ["OAS010"]),
    ((*GET, "parameters", "+"), {"name": "a", "in": "query"}, ["OAS011"]),
    ((*GET, "parameters"), [{"$ref": "#/components/parameters/Kind"}], ["OAS012"]),
    ((*GET, "parameters", 0, "in"), "header", ["OAS012", "OAS011"]),
    ((*KIND, "required"), True, ["OAS013"]),
    (("paths", "/orders/{id}", "parameters", 0, "required"), False, ["OAS014", "OAS014"]),
    ((*GET, "requestBody"), {"required": True, "content": {}}, ["OAS020"]),
    ((*GET, "requestBody"), {"content": {}}, ["OAS021"]),
    ((*POST, "requestBody"), GONE, ["OAS022"]),
    ((*POST, "requestBody", "required"), True, ["OAS023"]),
    ((*POST, "requestBody", "content", "text/csv"), {}, ["OAS026"]),
    ((*POST, "requestBody", "content", "application/json"), GONE, ["OAS025"]),
    ((*NEW, "properties", "when"), {"type": "string"}, ["OAS031"]),
    ((*NEW, "properties", "count"), GONE, ["OAS032"]),
    ((*NEW, "required"), ["item", "count"], ["OAS033"]),
    ((*NEW, "required"), [], ["OAS034"]),
    ((*NEW, "properties", "item", "type"), "integer", ["OAS035"]),
    ((*NEW, "properties", "count", "type"), "number", ["OAS036"]),
    ((*NEW, "properties", "count", "nullable"), True, ["OAS036"]),
    ((*KIND, "schema", "enum"), ["web"], ["OAS037"]),
    ((*KIND, "schema", "enum"), ["web", "shop", "phone"], ["OAS038"]),
    ((*KIND, "schema", "enum"), GONE, ["OAS038"]),
    ((*NEW, "properties", "count", "minimum"), 2, ["OAS039"]),
    ((*NEW, "properties", "count", "minimum"), 0, ["OAS040"]),
    ((*NEW, "properties", "count", "minimum"), GONE, ["OAS040"]),
    ((*NEW, "properties", "item", "pattern"), "a+", ["OAS039"]),
    ((*GET, "parameters", 0, "schema", "maximum"), 2, ["OAS039"]),
    ((*GET, "responses", "200"), GONE, ["OAS050"]),
    ((*GET, "responses", "404"), GONE, ["OAS051"]),
    ((*GET, "responses", "202"), {"description": "later"}, ["OAS051"]),
    ((*GET, "responses", "200", "content"), {"text/csv": {}}, ["OAS052", "OAS053"]),
    ((*ORDER, "properties", "state"), GONE, ["OAS054"]),
    ((*ORDER, "properties", "note"), {"type": "string"}, ["OAS055"]),
    ((*ORDER, "required"), ["lines"], ["OAS056"]),
    ((*ORDER, "required"), ["id", "lines", "state"], ["OAS057"]),
    ((*ORDER, "properties", "id", "type"), "integer", ["OAS058"]),
    (("components", "schemas", "Line", "properties", "count", "type"), "string", ["OAS058"]),
    ((*ORDER, "properties", "id", "nullable"), True, ["OAS058"]),
    ((*ORDER, "properties", "state", "enum"), ["open", "sent", "lost"], ["OAS060"]),
    ((*ORDER, "properties", "state", "enum"), ["open"], ["OAS061"]),
    ((*ORDER, "properties", "id", "maxLength"), 9, ["OAS062"]),
    (("servers", 0, "url"), "https://evil.example", ["OAS070"]),
    (("servers", "+"), {"url": "https://b.example"}, ["OAS071"]),
    ((*GET, "security"), [], ["OAS073"]),
    (("security"), [{}], ["OAS073"] * 3),
    ((*GET, "security"), [{"key": [], "other": []}], ["OAS074"]),
    (("components", "securitySchemes", "key", "in"), "query", ["OAS074"] * 3),
    ((*GET, "security"), [{"key": []}, {"other": []}], ["OAS075"]),
    ((*GET, "deprecated"), True, ["OAS080"]),
    ((*GET, "description"), "Reads an order.", ["OAS090"]),
    ((*ORDER, "properties", "id", "example"), "A-1", ["OAS090"]),
    ((*GET, "parameters", 0, "style"), "form", ["OAS098"]),
    (("components", "schemas", "Note", "maxLength"), 99, ["OAS062"]),
    (("openapi"), "3.1.0", ["OAS098"]),
]


@pytest.mark.parametrize(("path", "value", "codes"), EDITS)
def test_each_rule_has_a_case(path: Any, value: Any, codes: list[str]) -> None:
    """What happens to callers follows from one edit of a document, references followed."""
    after = _with(((path,) if isinstance(path, str) else path, value))
    found = _diff(DOCUMENT, after)
    assert sorted(item.code for item in found.details) == sorted(codes)
    assert found.breaking == any(RULES[code].severity == "warning" for code in codes)
    assert found.meaning is Meaning.CHANGED


def test_authentication_that_is_new_is_breaking() -> None:
    open_ = _with((("security",), []))
    assert {item.code for item in _diff(open_, DOCUMENT).details} == {"OAS072"}


def test_a_new_property_that_is_required_is_breaking() -> None:
    after = _with(((*NEW, "properties", "when"), {"type": "string"}), ((*NEW, "required"), ["item", "when"]))
    assert [item.code for item in _diff(DOCUMENT, after).details] == ["OAS030"]


_S, _N = {"type": "string"}, {"type": "number"}
SHAPES: list[tuple[str, Any, Any, str, str]] = [
    ("anyOf", [_S], [_N, _S], "OAS042", "OAS064"),
    ("anyOf", [_S, _N], [_S], "OAS043", "OAS065"),
    ("additionalProperties", False, _S, "OAS044", "OAS067"),
    ("additionalProperties", _S, True, "OAS044", "OAS066"),
    ("additionalProperties", True, _S, "OAS045", "OAS067"),
    ("additionalProperties", {}, False, "OAS045", "OAS067"),
    ("anyOf", [_S, _N], [{"type": "boolean"}], "OAS098", "OAS098"),
]


@pytest.mark.parametrize(("key", "one", "other", "request_code", "response_code"), SHAPES)
def test_alternatives_and_undeclared_properties(
    key: str, one: Any, other: Any, request_code: str, response_code: str
) -> None:
    """What is wider for who sends a value is more than expected for who reads it, and the reverse."""
    for place, code in (
        ((*NEW, "properties", "x"), request_code),
        ((*ORDER, "properties", "x"), response_code),
    ):
        found = _diff(_with((place, {key: one})), _with((place, {key: other})))
        assert [item.code for item in found.details] == [code]


def test_every_rule_of_open_api_has_a_case() -> None:
    """A rule that no case shows might never fire."""
    shown = {code for _, _, codes in EDITS for code in codes} | {"OAS072", "OAS030"}
    shown |= {code for *_, one, other in SHAPES for code in (one, other)}
    assert {code for code in RULES if code.startswith("OAS")} - shown == {"OAS024", "OAS059"}


def test_what_no_operation_uses_breaks_nobody() -> None:
    found = _diff(DOCUMENT, _with((("components", "schemas", "Unused", "type"), "integer")))
    assert found.verdict == "no operation changed; other parts of the document did"
    assert not found.breaking


def _shuffled(value: Any, dice: random.Random, key: str = "") -> Any:
    """An equal document: members in another order, and elements of lists whose order means nothing."""
    if isinstance(value, dict):
        members = [(name, _shuffled(item, dice, name)) for name, item in value.items()]
        dice.shuffle(members)
        return dict(members)
    if isinstance(value, list):
        items = [_shuffled(item, dice) for item in value]
        if key in ("required", "enum", "parameters"):
            dice.shuffle(items)
        return items
    return value


@given(st.randoms(use_true_random=True), st.booleans(), st.integers(0, 3))
def test_a_rearranged_document_is_formatting_and_order_only(
    dice: random.Random, flow: bool, indent: int
) -> None:
    """In YAML or JSON, with any indentation, with references or not."""
    other = _shuffled(DOCUMENT, dice)
    stream = StringIO()
    yaml = YAML(typ="safe")
    yaml.default_flow_style = flow
    yaml.dump(other, stream)
    for text in (json.dumps(other, indent=indent), stream.getvalue()):
        found = verdict("yaml", json.dumps(DOCUMENT), text)
        assert found is not None
        assert found.meaning is Meaning.SAME, text


@given(st.randoms(use_true_random=True))
def test_no_edit_of_a_leaf_is_called_formatting(dice: random.Random) -> None:
    """One value of the document is another one, wherever it is."""
    other = deepcopy(DOCUMENT)
    at: Any = other
    while True:
        key = dice.choice(list(at) if isinstance(at, dict) else range(len(at)))
        if not isinstance(at[key], dict | list) or not at[key]:
            at[key] = f"{at[key]}!" if dice.random() < 0.5 else 7
            break
        at = at[key]
    assert _diff(DOCUMENT, other).meaning is not Meaning.SAME


YAML_TEXT = """
openapi: 3.0.3
paths:
  /a:
    get:
      parameters:
      - {name: a, in: query, schema: {default: X}}
"""
_BOMB = "".join(f"a{n + 1}: &a{n + 1} [{','.join([f'*a{n}'] * 9)}]\n" for n in range(9))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("no", "'no'"),
        ("1", "'1'"),
        ("1", "1.0"),
        ("2026-01-01", "'2026-01-01'"),
        ("010", "10"),
        ("1:30", "'1:30'"),
    ],
)
def test_quotes_that_change_a_type_are_not_formatting(one: str, other: str) -> None:
    """Readers of YAML 1.1 take `no`, `010`, `1:30` and dates for other things than texts."""
    found = verdict("yaml", YAML_TEXT.replace("X", one), YAML_TEXT.replace("X", other))
    assert found is not None
    assert found.meaning is not Meaning.SAME


@pytest.mark.parametrize(
    "text",
    [
        f"a0: &a0 [x,x,x,x,x,x,x,x,x]\n{_BOMB}",
        "[" * 5_000,
        "openapi: 3.0.0\n? [a]\n: b\n",
        "openapi: 3.0.0\nopenapi: 3.0.1\n",
        "a: !!python/object:os.system x",
        "openapi: 3.0.0\npaths: {/a: {$ref: '#/paths/~1a'}}",
        "openapi: 3.0.0\npaths: [1]\nservers: 7\nsecurity: x\ncomponents: []",
        '{"openapi": "3.0.0", "paths": {"/a": {"get": 7, "post": {"parameters": [7, null], "responses": []}}}}',
        "",
        "\0",
    ],
)  # fmt: skip
def test_hostile_documents_end_in_a_verdict(text: str) -> None:
    """Aliases that explode, nesting, cycles, tags, wrong types: nothing is raised, nothing is called equal."""
    for pair in ((json.dumps(DOCUMENT), text), (text, json.dumps(DOCUMENT)), (text, f"{text}\nx-new: 1")):
        found = verdict("yaml", *pair)
        assert found is None or found.meaning is not Meaning.SAME


def test_a_document_of_entangled_schemas_is_compared_as_text() -> None:
    """Work is counted: schemas that each refer to all others would take for ever."""
    names = [f"S{number}" for number in range(60)]
    schemas = {
        name: {"properties": {other: {"$ref": f"#/components/schemas/{other}"} for other in names}}
        for name in names
    }
    content = {"application/json": {"schema": {"$ref": "#/components/schemas/S0"}}}
    paths = {"/a": {"get": {"responses": {"200": {"content": content}}}}}
    before = {"openapi": "3.0.0", "paths": paths, "components": {"schemas": schemas}}
    after = deepcopy(before)
    after["components"]["schemas"]["S59"]["type"] = "object"
    assert _diff(before, after).verdict == ("compared as text (its parts refer to each other in too many ways)")
