"""Masks: reading and merging, apart from HTTP."""

import pytest

from cesplan.emulator.errors import Refused
from cesplan.emulator.schema import masks


def parse(message, text, *, nested=True, learned=frozenset()):
    return masks.parse(message, text, nested=nested, learned=set(learned))


def merge(message, stored, body, text):
    return masks.merge(message, stored, body, parse(message, text))


def test_a_mask_is_a_list_of_paths():
    """A comma list gives one path each; name and etag are left out; neither an empty mask nor * is a mask."""
    assert parse("Agent", "modelSettings.model, tools,etag,name") == (("modelSettings", "model"), ("tools",))
    assert parse("Agent", "") is None
    assert parse("Agent", "*") is None


@pytest.mark.parametrize(
    "text",
    ["x", "model_settings", "tools.0", "toolsets.toolset", "modelSettings.model.x", "etag,", "a,,b"],
)
def test_what_is_not_a_path_is_refused(text):
    """Unknown fields, and anything below a list or a scalar, are refused."""
    with pytest.raises(Refused) as caught:
        parse("Agent", text)
    assert (caught.value.code, caught.value.violations[0].field) == ("INVALID_ARGUMENT", "updateMask")


def test_no_path_goes_below_a_map():
    """A map is named whole."""
    with pytest.raises(Refused, match="map"):
        parse("App", "metadata.team")


def test_both_names_of_an_alias_are_one_path():
    """AgentTool.rootAgent means agent."""
    assert parse("Tool", "agentTool.rootAgent") == (("agentTool", "agent"),)


def test_a_learned_field_can_be_named():
    """A field that was seeded is one of the server's."""
    assert parse("Agent", "remote", learned={("Agent", "remote")}) == (("remote",),)


def test_the_stored_body_is_not_touched():
    """Merging gives a new value."""
    stored = {"modelSettings": {"model": "a"}}
    merge("Agent", stored, {"modelSettings": {"model": "b"}}, "modelSettings.model")
    assert stored == {"modelSettings": {"model": "a"}}


@pytest.mark.parametrize(
    ("mask", "body", "merged"),
    [
        ("description", {"description": "n"}, {"displayName": "A", "description": "n", "tools": ["t"]}),
        ("description", {"displayName": "no"}, {"displayName": "A", "tools": ["t"]}),
        ("tools", {"tools": []}, {"displayName": "A", "description": "d", "tools": []}),
        ("", {"displayName": "B"}, {"displayName": "B"}),
    ],
)
def test_merging(mask, body, merged):
    """Named is set, named and missing is cleared, not named stays, no mask is everything."""
    stored = {"displayName": "A", "description": "d", "tools": ["t"]}
    assert merge("Agent", stored, body, mask) == merged


def test_output_only_fields_are_kept_in_replaced_messages():
    """Replacing a message keeps what only the server sets in it."""
    stored = {"pythonFunction": {"pythonCode": "a", "description": "server's"}}
    merged = merge("Tool", stored, {"pythonFunction": {"pythonCode": "b"}}, "pythonFunction")
    assert merged == {"pythonFunction": {"pythonCode": "b", "description": "server's"}}


def test_an_output_only_field_in_a_mask_changes_nothing():
    """It is not the caller's to set or clear."""
    assert merge("Agent", {"generatedSummary": "s"}, {}, "generatedSummary") == {"generatedSummary": "s"}


def test_fields_come_in_the_contracts_order():
    """Whatever order things were written in, a body has one order."""
    merged = merge("Agent", {"tools": ["t"], "displayName": "A"}, {"llmAgent": {}}, "llmAgent")
    assert list(merged) == ["llmAgent", "displayName", "tools"]
