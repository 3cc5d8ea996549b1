"""An update carries what its mask names, in the shape that keeps what is not ours."""

from typing import Any

from cesplan.domain.field_path import mask_path
from cesplan.domain.settings import MaskDepth
from cesplan.engine.composing import Update, compose_update
from cesplan.engine.normalizing import normalize
from cesplan.model.kinds import kind_of
from tests.unit.engine.builders import NAMING


def composed(
    kind: str, desired: dict[str, Any], live: dict[str, Any], *mask: str, depth: MaskDepth = MaskDepth.NESTED
) -> Update:
    spec = kind_of(kind).spec
    one, other = normalize(spec, desired, NAMING), normalize(spec, live, NAMING)
    return compose_update(spec, one, other, map(mask_path, mask), depth)


def test_the_body_holds_exactly_what_the_mask_names() -> None:
    desired = {"displayName": "new", "instruction": "i", "modelSettings": {"model": "m", "temperature": 1}}
    update = composed("agents", desired, {"displayName": "old"}, "modelSettings.model", "instruction")
    assert update.body == {"instruction": "i", "modelSettings": {"model": "m"}}
    assert [str(path) for path in update.mask] == ["instruction", "modelSettings.model"]


def test_a_cleared_field_is_named_and_left_out_of_the_body() -> None:
    update = composed("agents", {}, {"instruction": "i"}, "instruction")
    assert (update.body, [str(path) for path in update.mask]) == ({}, ["instruction"])


def test_sets_keep_the_live_order_and_append_what_is_new() -> None:
    desired = {"tools": ["tools/new-a", "tools/stay-a", "tools/new-b", "tools/stay-b"]}
    live = {"tools": ["tools/stay-b", "tools/gone-a", "tools/stay-a"]}
    assert composed("agents", desired, live, "tools").body["tools"] == [
        "tools/stay-b",
        "tools/stay-a",
        "tools/new-a",
        "tools/new-b",
    ]


def test_keyed_elements_keep_order_and_what_the_model_does_not_know() -> None:
    desired = {"variableDeclarations": [{"name": "a", "description": "new"}, {"name": "b"}]}
    live = {
        "variableDeclarations": [
            {"name": "b", "novelty": 1},
            {"name": "a", "description": "old", "schema": {"type": "STRING", "novelty": 2}},
        ]
    }
    update = composed("apps", desired, live, "variableDeclarations")
    assert update.body["variableDeclarations"] == [
        {"name": "b", "novelty": 1},
        {"name": "a", "description": "new"},
    ]
    assert update.lost == ()


def test_equal_elements_of_ordered_lists_keep_what_the_model_does_not_know() -> None:
    desired = {"messages": [{"role": "new"}, {"role": "user"}]}
    update = composed("examples", desired, {"messages": [{"role": "user", "novelty": 1}]}, "messages")
    assert update.body["messages"] == [{"role": "new"}, {"novelty": 1, "role": "user"}]
    assert update.lost == ()


def test_what_a_replaced_element_would_lose_is_named() -> None:
    desired = {"messages": [{"role": "agent"}]}
    update = composed("examples", desired, {"messages": [{"role": "user", "novelty": 1}]}, "messages")
    assert update.body["messages"] == [{"role": "agent"}]
    assert [str(path) for path in update.lost] == ["messages[0].novelty"]


def test_an_element_that_is_removed_on_purpose_loses_nothing() -> None:
    live = {"variableDeclarations": [{"name": "a"}, {"name": "gone", "novelty": 1}]}
    assert composed("apps", {"variableDeclarations": [{"name": "a"}]}, live, "variableDeclarations").lost == ()


def test_metadata_of_others_travel_along() -> None:
    live = {"metadata": {"theirs": "x", "gone": "y", "cesplan-commit": "c"}}
    update = composed("apps", {"metadata": {"ours": "1", "gone": None}}, live, "metadata")
    assert update.body == {"metadata": {"theirs": "x", "cesplan-commit": "c", "ours": "1"}}


def test_top_level_masks_carry_the_live_rest_of_the_message() -> None:
    desired = {"modelSettings": {"model": "new"}}
    live = {"modelSettings": {"model": "old", "temperature": 0.5, "novelty": 1}}
    update = composed("agents", desired, live, "modelSettings.model", depth=MaskDepth.TOP)
    assert [str(path) for path in update.mask] == ["modelSettings"]
    assert update.body == {"modelSettings": {"model": "new", "temperature": 0.5, "novelty": 1}}
