"""An update carries what its mask names, in the shape that keeps what is not ours."""

from typing import Any

import pytest

from cesplan.domain.field_path import mask_path
from cesplan.domain.settings import MaskDepth
from cesplan.domain.value import ABSENT
from cesplan.engine.comparing.bodies import Update, compose_update, replaced, take
from cesplan.engine.comparing.normalize import normalize
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
    assert [*map(str, update.lost)] == ["variableDeclarations[1].schema.novelty"]


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


NOVEL = {"novelty": {"deep": [1]}}


@pytest.mark.parametrize("depth", MaskDepth)
@pytest.mark.parametrize(
    ("kind", "live", "desired", "mask"),
    [
        pytest.param(
            "apps",
            {"audioProcessingConfig": {"synthesizeSpeechConfigs": {"en-US": {"voice": "old", **NOVEL}}}},
            {"audioProcessingConfig": {"synthesizeSpeechConfigs": {"en-US": {"voice": "new"}}}},
            "audioProcessingConfig.synthesizeSpeechConfigs",
            id="in an entry of a map",
        ),
        pytest.param(
            "apps",
            {"variableDeclarations": [{"name": "a", "schema": {"type": "STRING", **NOVEL}}]},
            {"variableDeclarations": [{"name": "a", "description": "d", "schema": {"type": "STRING"}}]},
            "variableDeclarations",
            id="below an element",
        ),
        pytest.param(
            "agents",
            {"transferRules": [{"childAgent": "agents/a", **NOVEL}, {"childAgent": "agents/b"}]},
            {"transferRules": [{"childAgent": "agents/b"}, {"childAgent": "agents/a"}]},
            "transferRules",
            id="in an element that moves",
        ),
        pytest.param(
            "evaluations",
            {"golden": {"turns": [{"steps": [{"expectation": {"note": "n", "agentResponse": {**NOVEL}}}]}]}},
            {"golden": {"turns": [{"steps": [{"expectation": {"note": "n", "agentResponse": {}}}]}, {}]}},
            "golden.turns",
            id="in an element that is equal otherwise",
        ),
        pytest.param(
            "tools",
            {"pythonFunction": {"pythonCode": "old", "serviceDirectoryConfig": {"service": "s", **NOVEL}}},
            {"pythonFunction": {"pythonCode": "new", "serviceDirectoryConfig": {"service": "s"}}},
            "pythonFunction.pythonCode",
            id="in a message with presence beside what changes",
        ),
        pytest.param(
            "apps",
            {
                "audioProcessingConfig": {
                    "synthesizeSpeechConfigs": {"en-US": {"voice": "v", **NOVEL}},
                    "bargeInConfig": {"bargeInAwareness": True},
                }
            },
            {"audioProcessingConfig": {"synthesizeSpeechConfigs": {"en-US": {"voice": "v"}}}},
            "audioProcessingConfig.bargeInConfig",
            id="in a map beside what changes",
        ),
    ],
)
def test_what_the_model_does_not_know_survives_an_update(
    kind: str, live: dict[str, Any], desired: dict[str, Any], mask: str, depth: MaskDepth
) -> None:
    """Law 5 in either depth: after the PATCH live holds the unknown field where it held it before."""
    update = composed(kind, desired, live, mask, depth=depth)
    after = dict(live)
    for path in update.mask:
        after = replaced(kind_of(kind).spec, after, path, take(update.body, path.fields, ABSENT))
    assert str(after).count("novelty") == 1
    assert update.lost == ()


@pytest.mark.parametrize("depth", MaskDepth)
@pytest.mark.parametrize(
    ("live", "desired", "lost"),
    [
        ({"agentTool": {"agent": "agents/a", **NOVEL}}, {}, "agentTool.novelty"),
        (
            {"pythonFunction": {"pythonCode": "x", **NOVEL}},
            {"clientFunction": {"name": "x"}},
            "pythonFunction.novelty",
        ),
    ],
)
def test_what_a_message_with_presence_takes_along_is_named(
    live: dict[str, Any], desired: dict[str, Any], lost: str, depth: MaskDepth
) -> None:
    """An empty one would say something else than none, so nothing of it can stay."""
    mask = next(iter(desired), next(iter(live)))
    assert [*map(str, composed("tools", desired, live, mask, depth=depth).lost)] == [lost]


def test_a_newer_enum_value_in_an_element_stays() -> None:
    """Live's own place counts, not the key by which the element is found."""
    live = {"evaluationPersonas": [{"name": "a/p", "speechConfig": {"environment": "NEWER"}}]}
    desired = {"evaluationPersonas": [{"name": "a/p", "personality": "kind"}]}
    body = composed("apps", desired, live, "evaluationPersonas").body
    assert body["evaluationPersonas"][0]["speechConfig"] == {"environment": "NEWER"}


def test_extra_fields_are_part_of_a_top_level_mask() -> None:
    spec = kind_of("agents").spec
    live = normalize(spec, {"modelSettings": {"model": "m", "novelty": 1}}, NAMING)
    desired = normalize(spec, {"modelSettings": {"model": "m"}}, NAMING)
    new = {mask_path("modelSettings.novelty"): 2}
    update = compose_update(spec, desired, live, (), MaskDepth.TOP, new)
    assert [str(path) for path in update.mask] == ["modelSettings"]
    assert update.body == {"modelSettings": {"model": "m", "novelty": 2}}
