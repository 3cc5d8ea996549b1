"""
Schemas of tools: verdicts that other tools publish, equal schemas in other words, and where they are in a plan.

The published verdicts are those of a schema registry's backward compatibility: whether a reader of the new
schema takes what was written by the old one, as the `parameters` of a tool are. Names of changes are its own.
"""

import copy
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cesplan.domain.change import FieldAction, FieldChange
from cesplan.domain.field_path import FieldPath
from cesplan.domain.plan import Plan
from cesplan.domain.text.typed_diff import Meaning
from cesplan.features.typed_diffs.codes import RULES
from cesplan.features.typed_diffs.schemas import Direction
from cesplan.features.typed_diffs.tool_schemas import json_schema_diff, schema_diff
from cesplan.features.typed_diffs.verdicts import verdict, with_typed_diffs
from cesplan.render.text.layout import View
from cesplan.render.text.plan import plan_text
from tests.unit.render.builders import plan, update

REQUEST, RESPONSE = Direction.REQUEST, Direction.RESPONSE
S, N = {"type": "string"}, {"type": "number"}


def _object(**properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties}


@pytest.mark.parametrize(
    ("name", "old", "new", "breaks"),
    [
        ("TITLE_CHANGED", {**S, "title": "a"}, {**S, "title": "b"}, False),
        ("DESCRIPTION_CHANGED", {**S, "description": "a"}, {**S, "description": "b"}, False),
        ("TYPE_CHANGED", S, N, True),
        ("TYPE_NARROWED", {"type": ["string", "number"]}, S, True),
        ("TYPE_EXTENDED", S, {"type": ["string", "number"]}, False),
        ("TYPE_EXTENDED (integer to number)", {"type": "integer"}, N, False),
        ("TYPE_NARROWED (number to integer)", N, {"type": "integer"}, True),
        ("MAX_LENGTH_ADDED", S, {**S, "maxLength": 3}, True),
        ("MAX_LENGTH_REMOVED", {**S, "maxLength": 3}, S, False),
        ("MAX_LENGTH_INCREASED", {**S, "maxLength": 3}, {**S, "maxLength": 4}, False),
        ("MAX_LENGTH_DECREASED", {**S, "maxLength": 4}, {**S, "maxLength": 3}, True),
        ("MIN_LENGTH_ADDED", S, {**S, "minLength": 3}, True),
        ("MIN_LENGTH_INCREASED", {**S, "minLength": 3}, {**S, "minLength": 4}, True),
        ("MIN_LENGTH_DECREASED", {**S, "minLength": 4}, {**S, "minLength": 3}, False),
        ("PATTERN_ADDED", S, {**S, "pattern": "a"}, True),
        ("PATTERN_REMOVED", {**S, "pattern": "a"}, S, False),
        ("PATTERN_CHANGED", {**S, "pattern": "a"}, {**S, "pattern": "b"}, True),
        ("MAXIMUM_DECREASED", {**N, "maximum": 9}, {**N, "maximum": 8}, True),
        ("MAXIMUM_INCREASED", {**N, "maximum": 8}, {**N, "maximum": 9}, False),
        ("MINIMUM_INCREASED", {**N, "minimum": 8}, {**N, "minimum": 9}, True),
        ("MINIMUM_REMOVED", {**N, "minimum": 8}, N, False),
        ("MULTIPLE_OF_ADDED", N, {**N, "multipleOf": 2}, True),
        ("MULTIPLE_OF_REMOVED", {**N, "multipleOf": 2}, N, False),
        ("MIN_ITEMS_ADDED", {"type": "array"}, {"type": "array", "minItems": 1}, True),
        ("MAX_ITEMS_INCREASED", {"type": "array", "maxItems": 1}, {"type": "array", "maxItems": 2}, False),
        ("UNIQUE_ITEMS_ADDED", {"type": "array"}, {"type": "array", "uniqueItems": True}, True),
        ("UNIQUE_ITEMS_REMOVED", {"type": "array", "uniqueItems": True}, {"type": "array"}, False),
        ("ENUM_ARRAY_EXTENDED", {"enum": ["a"]}, {"enum": ["a", "b"]}, False),
        ("ENUM_ARRAY_NARROWED", {"enum": ["a", "b"]}, {"enum": ["a"]}, True),
        ("ENUM_ARRAY_CHANGED", {"enum": ["a", "b"]}, {"enum": ["a", "c"]}, True),
        ("SUM_TYPE_EXTENDED", {"anyOf": [S]}, {"anyOf": [S, N]}, False),
        ("SUM_TYPE_NARROWED", {"anyOf": [S, N]}, {"anyOf": [N]}, True),
        ("REQUIRED_ATTRIBUTE_ADDED", _object(a=S), {**_object(a=S), "required": ["a"]}, True),
        ("REQUIRED_ATTRIBUTE_REMOVED", {**_object(a=S), "required": ["a"]}, _object(a=S), False),
        ("REQUIRED_PROPERTY_ADDED", _object(), {**_object(a=S), "required": ["a"]}, True),
        ("ADDITIONAL_PROPERTIES_REMOVED", _object(), {**_object(), "additionalProperties": False}, True),
        ("ADDITIONAL_PROPERTIES_ADDED", {**_object(), "additionalProperties": False}, _object(), False),
        ("ADDITIONAL_PROPERTIES_NARROWED", _object(), {**_object(), "additionalProperties": S}, True),
        ("ADDITIONAL_PROPERTIES_EXTENDED", {**_object(), "additionalProperties": S}, _object(), False),
        ("NOT_TYPE_EXTENDED", {"not": S}, {"not": {"type": ["string", "number"]}}, True),
    ],
    ids=lambda item: item if isinstance(item, str) else "",
)
def test_published_verdicts(name: str, old: Any, new: Any, breaks: bool) -> None:
    """At the root, inside a property, and in the elements of a list."""
    for wrap in (
        lambda item: item,
        lambda item: _object(x=item),
        lambda item: {"type": "array", "items": item},
    ):
        found = json_schema_diff(wrap(old), wrap(new), REQUEST)
        assert (found.meaning, found.breaking) == (Meaning.CHANGED, breaks), name
        assert all(item.code.startswith("JSC") and item.code in RULES for item in found.details)


def test_an_answer_is_judged_the_other_way_round() -> None:
    """What the agent reads: fewer values are safe, more are not; a variable is written and read."""
    wide, narrow = {"enum": ["a", "b"]}, {"enum": ["a"]}
    assert [json_schema_diff(wide, narrow, item).breaking for item in (REQUEST, RESPONSE)] == [True, False]
    assert [json_schema_diff(narrow, wide, item).breaking for item in (REQUEST, RESPONSE)] == [False, True]
    assert json_schema_diff(wide, narrow).breaking
    assert json_schema_diff(narrow, wide).breaking


_NAMES = st.sampled_from(["a", "b", "c d", "required", "enum", "type"])
_LEAVES = st.fixed_dictionaries(
    {"type": st.sampled_from(["STRING", "INTEGER", "NUMBER", "BOOLEAN"])},
    optional={
        "description": st.sampled_from(["x", "y"]),
        "nullable": st.booleans(),
        "enum": st.lists(st.sampled_from(["p", "q", "r"]), unique=True, min_size=1),
        "minimum": st.integers(0, 3),
        "default": st.sampled_from(["p", 1, None, ["z", "y"]]),
    },
)


def _nested(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    whole = st.fixed_dictionaries(
        {"type": st.just("OBJECT"), "properties": st.dictionaries(_NAMES, inner, max_size=3)},
        optional={"additionalProperties": inner},
    )
    return st.one_of(
        st.builds(lambda item: {**item, "required": sorted(item["properties"])[:2]}, whole),
        st.fixed_dictionaries({"type": st.just("ARRAY"), "items": inner}, optional={"minItems": st.just("2")}),
        st.fixed_dictionaries({"type": st.just("OBJECT"), "anyOf": st.lists(inner, min_size=1, max_size=3)}),
    )


_SCHEMAS = st.recursive(_LEAVES, _nested, max_leaves=8)


def _rearranged(schema: Any) -> Any:
    """The same schema with keys, names and sets in another order."""
    if isinstance(schema, list):
        return [_rearranged(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    made = {key: _rearranged(schema[key]) for key in reversed(schema)}
    for key in ("required", "enum"):
        if isinstance(made.get(key), list):
            made[key] = made[key][::-1]
    if "default" in schema:
        made["default"] = schema["default"]
    return made


@given(_SCHEMAS)
def test_a_rearranged_schema_is_the_same(schema: Any) -> None:
    found = schema_diff(schema, _rearranged(copy.deepcopy(schema)))
    assert found is not None
    assert (found.meaning, found.details) == (Meaning.SAME, ())


def _places(schema: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The paths of all shapes inside a schema."""
    found = [path]
    for key in ("properties",):
        for name, item in (schema.get(key) or {}).items():
            found += _places(item, (*path, key, name))
    for key in ("items", "additionalProperties"):
        if isinstance(schema.get(key), dict):
            found += _places(schema[key], (*path, key))
    for place, item in enumerate(schema.get("anyOf") or ()):
        found += _places(item, (*path, "anyOf", place))
    return found


@given(_SCHEMAS, st.data())
def test_a_mutation_is_never_called_formatting(schema: Any, data: st.DataObject) -> None:
    """At any depth another type, limit, value or text."""
    changed = copy.deepcopy(schema)
    node = changed
    for step in data.draw(st.sampled_from(_places(schema))):
        node = node[step]
    was = copy.deepcopy(node)
    mutation = data.draw(
        st.sampled_from([{"type": "MUTANT"}, {"enum": ["other"]}, {"maximum": 7}, {"description": "z"}])
    )
    node.update(mutation)
    if node == was:
        return
    for direction in Direction:
        found = schema_diff(schema, changed, direction)
        assert found is not None
        assert found.meaning is Meaning.CHANGED
        if mutation != {"description": "z"} or "anyOf" in str(schema):
            assert found.details
        if mutation == {"type": "MUTANT"}:
            assert found.breaking


def _plan(before: Any, after: Any, *changes: FieldChange) -> Plan:
    return with_typed_diffs(plan(update("shop/tools/quote", *changes, before=before, after=after)))


def _change(path: str, before: Any, after: Any, *, is_set: bool = False) -> FieldChange:
    action = FieldAction.MODIFIED if before and after else FieldAction.ADDED
    return FieldChange(
        path=FieldPath.parse(path),
        mask=FieldPath.parse(path).mask,
        action=action,
        before=before,
        after=after,
        is_set=is_set,
    )


def test_the_verdict_is_at_the_first_change_of_its_schema() -> None:
    """Once for a schema, with its codes, also where the first change is that of a set; nothing elsewhere."""
    old = {"type": "OBJECT", "properties": {"id": {"type": "STRING"}}}
    new = {**old, "properties": {"id": {"type": "INTEGER"}, "n": {"type": "STRING"}}, "required": ["n"]}
    made = _plan(
        {"clientFunction": {"parameters": old}},
        {"clientFunction": {"parameters": new}},
        _change("clientFunction.parameters.required", [], ["n"], is_set=True),
        _change('clientFunction.parameters.properties["id"].type', "STRING", "INTEGER"),
        _change("clientFunction.description", "a", "b"),
    )
    typed = [item.typed for item in made.operations[0].changes]
    assert typed[0] is not None
    assert typed[1:] == [None, None]
    assert [item.code for item in typed[0].details] == ["JSC035", "JSC030"]
    text = plan_text(made, View(width=110))
    assert "schema: 2 breaking changes" in text
    assert "! id: type string → integer (JSC035)" in text


def test_references_are_followed_and_definitions_count_where_they_are_used() -> None:
    """`#/defs/…` as the API has it; a cycle ends."""
    old = {
        "type": "OBJECT",
        "properties": {"a": {"ref": "#/defs/A"}},
        "defs": {"A": {"type": "STRING"}, "B": {}},
    }
    moved = {"type": "OBJECT", "properties": {"a": {"type": "STRING"}}}
    found = schema_diff(old, moved, REQUEST)
    assert found is not None
    assert not found.breaking
    assert found.verdict == "no value is affected; other parts of the schema changed"
    changed = {**old, "defs": {"A": {"type": "INTEGER"}}}
    found = schema_diff(old, changed, REQUEST)
    assert found is not None
    assert [item.text for item in found.details] == ["a: type string → integer"]
    circle = {"type": "OBJECT", "properties": {"next": {"ref": "#/defs/N"}}, "defs": {"N": {"ref": "#/defs/N"}}}
    assert schema_diff(circle, {**circle, "description": "x"}, REQUEST) is not None


def test_a_text_that_is_a_json_schema() -> None:
    """A document that names its schema is judged as both written and read."""
    one = '{"$schema": "https://json-schema.org/draft/2020-12/schema", "type": "string"}'
    for language in ("", "yaml"):
        found = verdict(language, one, one.replace("string", "integer"))
        assert found is not None
        assert (found.breaking, found.details[0].code) == (True, "JSC058")
        same = verdict(language, one, one.replace(", ", ",\n  "))
        assert same is not None
        assert same.meaning is Meaning.SAME
