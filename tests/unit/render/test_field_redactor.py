"""What must not be read leaves every value before it is shown."""

import json

import pytest

from cesplan.domain.change import FieldAction, FieldChange
from cesplan.domain.field_path import Element, Entry, FieldPath, Index, MaskPath
from cesplan.domain.value import Secret
from cesplan.model.kinds import kind_of
from cesplan.render.field_redactor import HIDDEN, FieldRedactor, redactor_of, sensitive_parts, shown
from tests.unit.render.builders import SECRET, change, update

_TOOLSET = FieldRedactor(kind_of("toolsets").spec, frozenset())


def test_live_is_hidden_where_a_secret_will_be_written() -> None:
    """The place counts, not the value: what is there now may be the old secret."""
    operation = update(
        "desk/tools/x",
        change("description", "old token", SECRET),
        before={"description": "old token"},
        after={"description": SECRET},
    )
    assert redactor_of(operation).body({"description": "old token"}) == {"description": HIDDEN}


def test_every_element_of_a_list_is_hidden_where_one_is_secret() -> None:
    """Lists are matched by their field: positions may have shifted."""
    operation = update(
        "desk/tools/x", after={"list": [{"key": "plain"}, {"key": SECRET}]}, before={"list": [{"key": "was"}]}
    )
    assert redactor_of(operation).body({"list": [{"key": "was"}]}) == {"list": [{"key": HIDDEN}]}


def test_sensitive_fields_of_the_model_are_hidden_without_any_variable() -> None:
    """A header in clear is a token that someone left in the console."""
    body = {"mcpToolset": {"customHeaders": {"X-Key": "clear", "X-Ok": "$context.variables.key"}}}
    assert _TOOLSET.body(body) == {
        "mcpToolset": {"customHeaders": {"X-Key": HIDDEN, "X-Ok": "$context.variables.key"}}
    }


def test_a_value_is_hidden_by_its_path_alone() -> None:
    """A single changed entry goes through the same gate as a whole body."""
    path = FieldPath(("mcpToolset", "customHeaders", Entry("X-Key")))
    assert _TOOLSET.value(path, "clear") == HIDDEN
    assert _TOOLSET.value(FieldPath(("displayName",)), "clear") == "clear"


def test_paths_lead_through_lists_of_messages() -> None:
    """The field behind an element of a list of messages is found."""
    redactor = FieldRedactor(kind_of("apps").spec, frozenset())
    found = redactor.field(FieldPath(("variableDeclarations", Element("name", "tier"), "description")))
    assert found is not None
    assert found.name == "description"
    inner = redactor.field(FieldPath(("guardrails", Index(0))))
    assert inner is not None
    assert inner.name == "guardrails"


def test_json_names_the_variable_and_nothing_else() -> None:
    """A secret is the reference a tree would hold; one of several variables names them all."""
    value = {"a": Secret(("one",), "x"), "b": [Secret(("one", "two"), "y")], "c": HIDDEN}
    assert (
        json.dumps(shown(value))
        == '{"a": {"$var": "one"}, "b": [{"$var": ["one", "two"]}], "c": "(sensitive)"}'
    )


def test_sensitive_parts_keep_the_shape_and_only_true_leaves() -> None:
    """The form policy tools know: objects without a sensitive leaf are left out."""
    value = {"a": SECRET, "b": {"c": 1}, "d": [1, SECRET]}
    assert sensitive_parts(value) == {"a": True, "d": [False, True]}


def test_a_body_without_anything_sensitive_is_not_copied() -> None:
    """Most bodies have neither a secret nor a field that the model marks: they cost one look."""
    body = {"displayName": "Desk", "childAgents": ["agents/other"], "modelSettings": {"temperature": 0.5}}
    assert FieldRedactor(kind_of("guardrails").spec, frozenset()).body(body) is body


def test_a_mark_deep_inside_a_body_is_found_by_every_way_that_leads_there() -> None:
    """Messages, lists and free-form maps on the way to a header hide nothing from the walk."""
    body = {"mcpToolset": {"customHeaders": {"X-Key": "clear"}}, "displayName": "CRM"}
    assert _TOOLSET.body(body)["mcpToolset"] == {"customHeaders": {"X-Key": HIDDEN}}
    assert _TOOLSET.value(FieldPath(("mcpToolset", "customHeaders", Entry("X-Key"))), "clear") == HIDDEN
    assert _TOOLSET.value(FieldPath(("mcpToolset",)), body["mcpToolset"]) == {
        "customHeaders": {"X-Key": HIDDEN}
    }


@pytest.mark.parametrize(
    ("path", "mask", "sides", "readable"),
    [
        (("enabled",), ("enabled",), (None, True), (False, True)),
        (("enabled",), ("enabled",), (True, None), (True, False)),
        (("description",), ("description",), (None, "Off."), (None, "Off.")),  # a text: `not set` reads better
        (("llmPromptSecurity", "failOpen"), ("llmPromptSecurity", "failOpen"), (None, True), (False, True)),
        # Live may not have the message.
        (("llmPromptSecurity", "failOpen"), ("llmPromptSecurity",), (None, True), (None, True)),
    ],
)
def test_an_absent_boolean_reads_as_false(
    path: tuple[str, ...], mask: tuple[str, ...], sides: tuple[object, object], readable: tuple[object, object]
) -> None:
    """Where there is no presence, absent and default are one value; `not set` would hide that it was off."""
    found = FieldChange(
        path=FieldPath(path),
        mask=MaskPath(mask),
        action=FieldAction.MODIFIED,
        before=sides[0],
        after=sides[1],
    )
    redactor = FieldRedactor(kind_of("guardrails").spec, frozenset())
    assert redactor.readable_sides(found) == readable


def test_an_absent_number_with_presence_is_not_zero() -> None:
    """The temperature of a model that nobody set is not 0."""
    path = FieldPath(("modelSettings", "temperature"))
    found = FieldChange(path=path, mask=path.mask, action=FieldAction.ADDED, after=0.5)
    assert FieldRedactor(kind_of("agents").spec, frozenset()).readable_sides(found) == (None, 0.5)
