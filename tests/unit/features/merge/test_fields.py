"""
Tests of merging three states field by field.

Every field is unchanged, changed or deleted on each side: nine combinations, for every sort of field.
"""

from typing import Any

import pytest

from cesplan.domain.desired import DesiredResource
from cesplan.domain.features.merge import MergedResource, MergeResult, Side
from cesplan.domain.field_path import FieldPath
from cesplan.domain.settings import Ownership
from cesplan.domain.value import Secret
from cesplan.features.history.base import Base
from cesplan.features.merge.fields import merge_resource
from cesplan.model.kinds import kind_of
from tests.unit.engine.builders import NAMING, address, name

GONE: Any = object()


def merge(
    base: dict[str, Any], tree: dict[str, Any], live: dict[str, Any], *, at: str = "agents/desk", **more: Any
) -> MergedResource:
    winner, markers = more.pop("winner", Side.NEITHER), more.pop("markers", False)
    file = DesiredResource(address=address(at), body=tree, file="x.yaml", **more)
    return merge_resource(
        kind_of(file.address.kind).spec, Base(body=base), file, live, NAMING, winner, markers=markers
    )


def verdicts(merged: MergedResource) -> dict[str, str]:
    return {str(item.path): item.result.value for item in merged.fields}


def body(field: str, value: Any) -> dict[str, Any]:
    return {} if value is GONE else {field: value}


TEXT = "one\ntwo\nthree"
RULES = [
    {"childAgent": "agents/a", "direction": "PARENT_TO_CHILD"},
    {"childAgent": "agents/b", "direction": "PARENT_TO_CHILD"},
]
LONGER = [*RULES, {"childAgent": "agents/c", "direction": "PARENT_TO_CHILD"}]
SHORTER = RULES[:1]

SORTS = {
    "scalar": ("description", "old", "by tree", "by live"),
    "long text": ("instruction", TEXT, TEXT.replace("two", "2"), TEXT.replace("two", "II")),
    "ordered list": ("transferRules", RULES, LONGER, SHORTER),
}
"""A field, its base, and how each side changes it."""

# tree, live, verdict, which value the file has afterwards
NINE = [
    ("same", "same", "", "base"),
    ("same", "changed", "taken", "live"),
    ("same", "gone", "taken", "gone"),
    ("changed", "same", "kept", "tree"),
    ("changed", "changed", "conflict", "tree"),
    ("changed", "gone", "conflict", "tree"),
    ("gone", "same", "kept", "gone"),
    ("gone", "changed", "conflict", "gone"),
    ("gone", "gone", "", "gone"),
]


@pytest.mark.parametrize("sort", SORTS)
@pytest.mark.parametrize(("tree", "live", "verdict", "outcome"), NINE)
def test_the_nine_combinations_of_one_field(
    sort: str, tree: str, live: str, verdict: str, outcome: str
) -> None:
    field, base, by_tree, by_live = SORTS[sort]
    ours = {"same": base, "changed": by_tree, "gone": GONE}[tree]
    theirs = {"same": base, "changed": by_live, "gone": GONE}[live]
    merged = merge(body(field, base), body(field, ours), body(field, theirs))
    found = set(verdicts(merged).values())
    assert found == ({verdict} if verdict else set())
    assert merged.body == body(field, {"base": base, "tree": by_tree, "live": by_live, "gone": GONE}[outcome])


def variable(name_: str, text: str) -> dict[str, Any]:
    return {"name": name_, "description": text, "schema": {"type": "STRING"}}


@pytest.mark.parametrize(("tree", "live", "verdict", "outcome"), NINE)
def test_the_nine_combinations_of_one_element_of_a_keyed_list(
    tree: str, live: str, verdict: str, outcome: str
) -> None:
    """The elements beside it are not concerned."""
    values = {"base": "old", "tree": "by tree", "live": "by live"}
    other = variable("tier", "of the customer")

    def declared(text: Any) -> dict[str, Any]:
        return {"variableDeclarations": [other, *([] if text is GONE else [variable("city", text)])]}

    ours = {"same": "old", "changed": "by tree", "gone": GONE}[tree]
    theirs = {"same": "old", "changed": "by live", "gone": GONE}[live]
    merged = merge(declared("old"), declared(ours), declared(theirs), at="")
    whole = "gone" in (tree, live)
    path = "variableDeclarations[name=city]" + ("" if whole else ".description")
    assert verdicts(merged) == ({path: verdict} if verdict else {})
    assert merged.body == declared(values.get(outcome, GONE))


def test_a_conflict_is_decided_by_whoever_is_said_to_win() -> None:
    sides = ({"description": "old"}, {"description": "tree"}, {"description": "live"})
    ours, theirs = merge(*sides, winner=Side.TREE), merge(*sides, winner=Side.LIVE)
    assert (ours.body, ours.is_changed, ours.is_open) == ({"description": "tree"}, False, False)
    assert (theirs.body, theirs.is_changed, theirs.is_open) == ({"description": "live"}, True, False)


def test_without_a_base_what_only_one_side_has_is_its_own_and_the_rest_are_conflicts() -> None:
    merged = merge(
        {}, {"description": "d", "instruction": "tree"}, {"instruction": "live", "tools": [name("tools/x")]}
    )
    assert verdicts(merged) == {"description": "kept", "instruction": "conflict", "tools": "taken"}
    assert merged.body == {"description": "d", "instruction": "tree", "tools": ["tools/x"]}


def test_what_did_not_change_keeps_the_spelling_of_the_tree() -> None:
    tree = {
        "modelSettings": {"temperature": 1.0, "model": None},
        "tools": ["tools/b", "tools/a"],
        "description": "",
    }
    live = {
        "modelSettings": {"temperature": 1},
        "tools": [name("tools/a"), name("tools/b")],
        "instruction": "new",
    }
    merged = merge({**tree}, tree, live)
    assert merged.body == {**tree, "instruction": "new"}
    assert repr(merged.body["modelSettings"]) == "{'temperature': 1.0, 'model': None}"


def test_sets_never_conflict() -> None:
    """What each side added and removed is added and removed."""
    merged = merge(
        {"tools": ["tools/a", "tools/b", "tools/c"]},
        {"tools": ["tools/a", "tools/c", "tools/mine"]},
        {"tools": [name("tools/theirs"), name("tools/a"), name("tools/b")]},
    )
    assert merged.body == {"tools": ["tools/a", "tools/mine", "tools/theirs"]}
    assert verdicts(merged) == {"tools": "taken"}


def test_ordered_lists_changed_inside_different_elements_merge_element_by_element() -> None:
    base = [{"pythonCode": f"def before_agent_callback(callback_context): {n}"} for n in range(3)]
    tree, live = [dict(item) for item in base], [dict(item) for item in base]
    tree[0]["description"], live[2]["description"] = "tree", "live"
    merged = merge(
        {"beforeAgentCallbacks": base}, {"beforeAgentCallbacks": tree}, {"beforeAgentCallbacks": live}
    )
    assert verdicts(merged) == {
        "beforeAgentCallbacks[0].description": "kept",
        "beforeAgentCallbacks[2].description": "taken",
    }
    assert merged.body == {"beforeAgentCallbacks": [tree[0], base[1], live[2]]}


def test_ordered_lists_that_were_changed_in_different_places_get_both_changes() -> None:
    """As lines of a text: an unchanged element between them holds two changes apart."""
    base = [*RULES, *LONGER[2:]]
    new = {"childAgent": "agents/new", "direction": "PARENT_TO_CHILD"}
    tree, live = [new, *base], [*base[:2]]
    merged = merge({"transferRules": base}, {"transferRules": tree}, {"transferRules": live})
    assert verdicts(merged) == {"transferRules": "merged"}
    assert merged.body == {"transferRules": [new, *base[:2]]}
    again = merge({"transferRules": base}, {"transferRules": [new, *base[:2]]}, {"transferRules": live})
    assert verdicts(again) == {"transferRules": "kept"}
    beside = merge({"transferRules": base}, {"transferRules": [*base, new]}, {"transferRules": live})
    assert verdicts(beside) == {"transferRules": "conflict"}


def test_a_list_of_both_sides_takes_nothing_that_no_file_can_say() -> None:
    base = [*RULES, *LONGER[2:]]
    odd = {"childAgent": "agents/odd", "direction": "UP"}
    merged = merge({"transferRules": base}, {"transferRules": base[1:]}, {"transferRules": [*base, odd]})
    assert (verdicts(merged), merged.body) == ({"transferRules": "conflict"}, {"transferRules": base[1:]})


def test_an_element_that_moved_in_an_ordered_list_is_taken_over() -> None:
    merged = merge({"transferRules": RULES}, {"transferRules": RULES}, {"transferRules": [*reversed(RULES)]})
    assert merged.body == {"transferRules": [*reversed(RULES)]}


def test_maps_merge_entry_by_entry() -> None:
    def messages(**texts: str) -> dict[str, Any]:
        return {"errorHandlingSettings": {"fallbackResponseConfig": {"customFallbackMessages": texts}}}

    merged = merge(
        messages(en="a", fr="b"), messages(en="tree", fr="b"), messages(en="a", fr="live", de="c"), at=""
    )
    assert merged.body == messages(en="tree", fr="live", de="c")


def test_a_member_of_a_oneof_is_decided_as_a_whole() -> None:
    """Half of each would be two members."""
    python = {"pythonFunction": {"name": "f", "pythonCode": "def f(): ..."}}
    client = {"clientFunction": {"name": "f", "description": "on the page"}}
    changed = {"pythonFunction": {"name": "f", "pythonCode": "def f(): return 1"}}
    taken = merge(python, python, client, at="tools/f")
    assert (taken.body, verdicts(taken)) == (client, {"clientFunction": "taken"})
    conflict = merge(python, changed, client, at="tools/f")
    assert (conflict.body, verdicts(conflict)) == (changed, {"clientFunction": "conflict"})
    assert merge(python, changed, client, at="tools/f", winner=Side.LIVE).body == client


def test_a_switch_that_was_turned_off_says_so() -> None:
    merged = merge({"enabled": True}, {"enabled": True}, {}, at="guardrails/g")
    assert merged.body == {"enabled": False}


def test_a_message_out_of_which_everything_went_goes_too() -> None:
    tree = {"modelSettings": {"temperature": 0.5}, "description": "d"}
    assert merge(tree, tree, {"description": "d"}).body == {"description": "d"}


@pytest.mark.parametrize(
    ("tree", "more"),
    [
        ({}, {"ownership": Ownership.DECLARED}),
        ({"description": "d"}, {"ignore": (FieldPath(("description",)),)}),
    ],
)
def test_what_a_file_leaves_alone_is_left_alone(tree: dict[str, Any], more: dict[str, Any]) -> None:
    merged = merge({}, tree, {"description": "live"}, **more)
    assert (merged.body, merged.fields) == (tree, ())


def test_what_the_service_fills_in_is_not_taken_for_an_edit() -> None:
    live = {"loggingSettings": {"conversationLoggingSettings": {"retentionWindow": "31536000s"}}}
    assert merge({}, {}, live, at="").fields == ()


def test_metadata_of_others_stay_with_others() -> None:
    live = {"metadata": {"team": "new", "theirs": "1", "cesplan-commit": "c0ffee"}}
    merged = merge({"metadata": {"team": "old"}}, {"metadata": {"team": "old"}}, live, at="")
    assert merged.body == {"metadata": {"team": "new"}}


def test_a_value_that_comes_from_a_secret_variable_is_changed_by_hand() -> None:
    """Neither the old nor the new value is in anything that is shown."""
    tree = {"description": Secret(("crmKey",), "old-secret")}
    merged = merge(tree, tree, {"description": "new-secret"})
    (found,) = merged.fields
    assert found.result is MergeResult.BY_HAND
    assert "`crmKey`" in found.why
    assert merged.body == tree
    assert "new-secret" not in repr(found)


def test_a_live_value_that_no_file_can_say_is_left_to_people() -> None:
    rule = {"childAgent": "agents/a", "direction": "PARENT_TO_CHILD"}
    merged = merge(
        {"transferRules": [rule]}, {"transferRules": [rule]}, {"transferRules": [{**rule, "direction": "UP"}]}
    )
    assert verdicts(merged) == {"transferRules[0].direction": "by_hand"}
    assert merged.body == {"transferRules": [rule]}


LONG = "\n".join(f"line {number}" for number in range(1, 11))


def instructions(base: str, tree: str, live: str, **more: Any) -> MergedResource:
    return merge({"instruction": base}, {"instruction": tree}, {"instruction": live}, **more)


def test_a_text_that_both_sides_edited_in_different_places_gets_both_edits() -> None:
    tree, live = LONG.replace("line 2", "tree"), LONG.replace("line 9", "live")
    merged = instructions(LONG, tree, live)
    assert merged.body == {"instruction": tree.replace("line 9", "live")}
    assert verdicts(merged) == {"instruction": "merged"}
    assert (merged.is_changed, merged.is_open) == (True, False)


def test_a_text_that_has_the_edit_of_the_other_side_already_is_that_sides() -> None:
    some, more = LONG.replace("line 2", "both"), LONG.replace("line 2", "both").replace("line 9", "one")
    assert verdicts(instructions(LONG, more, some)) == {"instruction": "kept"}
    assert verdicts(instructions(LONG, some, more)) == {"instruction": "taken"}
    assert instructions(LONG, some, more).body == {"instruction": more}


@pytest.mark.parametrize(
    ("winner", "fifth", "ninth", "is_open"),
    [
        (Side.NEITHER, "tree", "line 9", True),
        (Side.TREE, "tree", "live too", False),
        (Side.LIVE, "live", "live too", False),
    ],
)
def test_a_text_that_collides_is_decided_there_and_merged_elsewhere(
    winner: Side, fifth: str, ninth: str, is_open: bool
) -> None:
    """Until it is decided the text stays as the tree has it."""
    tree, live = LONG.replace("line 5", "tree"), LONG.replace("line 5", "live").replace("line 9", "live too")
    merged = instructions(LONG, tree, live, winner=winner)
    assert merged.body == {"instruction": LONG.replace("line 5", fifth).replace("line 9", ninth)}
    assert (verdicts(merged), merged.is_open) == ({"instruction": "conflict"}, is_open)
    assert merged.is_changed is not is_open
    ((line, ours, theirs),) = [(item.line, item.ours, item.theirs) for item in merged.fields[0].collisions]
    assert (line, ours, theirs) == (5, "tree", "live")


def test_markers_go_only_into_texts_that_are_in_files_of_their_own() -> None:
    tree, live = LONG.replace("line 5", "tree"), LONG.replace("line 5", "live")
    marks = "<<<<<<< tree\ntree\n||||||| base\nline 5\n=======\nlive\n>>>>>>> live"
    in_a_file = instructions(LONG, tree, live, markers=True, files={"instruction": "desk.md"})
    assert in_a_file.body == {"instruction": LONG.replace("line 5", marks)}
    assert (in_a_file.is_open, in_a_file.is_changed, in_a_file.fields[0].file) == (True, True, "desk.md")
    in_the_yaml = instructions(LONG, tree, live, markers=True)
    assert (in_the_yaml.body, in_the_yaml.is_changed) == ({"instruction": tree}, False)


def test_edits_of_code_that_are_not_code_together_are_a_conflict_that_says_so() -> None:
    """Each side is valid Python: the tree made a text of all lines, live put the quotes of a text into it."""

    def tool(code: str) -> dict[str, Any]:
        return {"pythonFunction": {"name": "f", "pythonCode": code}}

    base = "def f():\n    a = 1\n    c = 1\n    b = 2\n    c = 2\n    return a\n"
    tree = base.replace("a = 1", 'a = """').replace("return a", '"""\n    return a')
    live = base.replace("b = 2", 'b = """2"""\n    b = (b)')
    merged = merge(tool(base), tool(tree), tool(live), at="tools/f")
    (found,) = merged.fields
    assert (found.result, found.why) == (MergeResult.CONFLICT, "both edits together are not valid Python")
    assert (merged.body, merged.is_open) == (tool(tree), True)
    assert merge(tool(base), tool(tree), tool(live), at="tools/f", winner=Side.LIVE).body == tool(live)


@pytest.mark.parametrize(
    ("at", "wrapped"),
    [
        ("agents/desk", lambda text: {"modelSettings": {"model": text}}),
        ("toolsets/t", lambda text: {"mcpToolset": {"serverAddress": text}}),
        ("agents/desk", lambda text: {"displayName": text}),
    ],
)
def test_short_texts_are_never_mixed(at: str, wrapped: Any) -> None:
    """Half a model name of each side would be a third model."""
    merged = merge(wrapped("a b c d e f g"), wrapped("A b c d e f g"), wrapped("a b c d e f G"), at=at)
    assert set(verdicts(merged).values()) == {"conflict"}


def test_a_text_of_a_secret_is_never_taken_apart() -> None:
    tree = {"instruction": Secret(("crmKey",), LONG)}
    merged = merge(
        {"instruction": Secret(("crmKey",), LONG.replace("line 1\n", "x\n"))},
        tree,
        {"instruction": LONG.replace("line 9", "live")},
    )
    assert (merged.body, merged.fields[0].collisions, merged.fields[0].merged) == (tree, (), None)
    assert "live" not in repr(merged.fields[0].live)


def test_extra_fields_of_the_file_are_merged_and_others_are_not_taken_in() -> None:
    merged = merge({}, {}, {"brandNew": 2, "newer": 1}, extra={"brandNew": 1})
    assert merged.extra == {"brandNew": 1}
    assert verdicts(merged) == {"brandNew": "conflict"}
    file = DesiredResource(address=address("agents/desk"), body={}, file="x", extra={"brandNew": 1})
    known = merge_resource(
        kind_of("agents").spec, Base(extra={"brandNew": 1}), file, {"brandNew": 2}, NAMING, Side.NEITHER
    )
    assert known.extra == {"brandNew": 2}


def test_a_new_entry_of_a_map_that_no_file_can_say_is_left_to_people() -> None:
    def declared(**properties: Any) -> dict[str, Any]:
        schema = {"type": "OBJECT", "properties": {"known": {"type": "STRING"}, **properties}}
        return {"variableDeclarations": [{"name": "city", "description": "d", "schema": schema}]}

    merged = merge(declared(), declared(), declared(new={"type": "FROM_THE_FUTURE"}), at="")
    assert verdicts(merged) == {'variableDeclarations[name=city].schema.properties["new"]': "by_hand"}
    assert merged.body == declared()


@pytest.mark.parametrize(
    ("at", "wrapped"),
    [
        ("agents/desk", lambda entries: {"remoteDialogflowAgent": {"inputVariableMapping": entries}}),
        ("toolsets/t", lambda entries: {"mcpToolset": {"customHeaders": entries}}),
        (
            "",
            lambda entries: {
                "errorHandlingSettings": {"fallbackResponseConfig": {"customFallbackMessages": entries}}
            },
        ),
        ("", lambda entries: {"metadata": entries}),
    ],
)
def test_map_keys_that_differ_in_letter_case_are_two_entries(at: str, wrapped: Any) -> None:
    """An edit of one never ends in the other."""
    old = {"Id": "$context.variables.a", "ID": "$context.variables.b", "id": "$context.variables.c"}
    new = {**old, "ID": "$context.variables.x"}
    assert merge(wrapped(old), wrapped(old), wrapped(new), at=at).body == wrapped(new)
    only_one = {"Id": "$context.variables.a"}
    merged = merge(
        wrapped(only_one), wrapped(only_one), wrapped({"id": "$context.variables.c", **only_one}), at=at
    )
    expected = only_one if "metadata" in wrapped({}) else {**only_one, "id": "$context.variables.c"}
    assert merged.body == wrapped(expected)


def test_a_language_code_keeps_the_case_that_the_tree_gave_it() -> None:
    def body(key: str, voice: str) -> dict[str, Any]:
        return {"audioProcessingConfig": {"synthesizeSpeechConfigs": {key: {"voice": voice}}}}

    merged = merge(body("EN-us", "old"), body("EN-us", "old"), body("en-US", "new"), at="")
    assert merged.body == body("EN-us", "new")
