"""The script of sessions: entries, patterns, mistakes."""

import pytest

from cesplan.emulator.errors import Refused
from cesplan.emulator.sessions.script import Moment, SessionScript, holds


def moment(**more):
    found = {"text": "Hi", "event": None, "agent": ("front",), "version": ("draft",), "deployment": ()}
    return Moment(**(found | {"fakes": False} | more))


@pytest.mark.parametrize(
    ("entry", "given", "fits"),
    [
        ({}, {}, True),
        ({"input": "h?"}, {}, True),
        ({"input": "ho"}, {}, False),
        ({"input": "*"}, {"text": None, "event": "welcome"}, False),
        ({"event": "welcome"}, {"text": None, "event": "welcome"}, True),
        ({"event": "welcome"}, {}, False),
        ({"agent": "f*"}, {}, True),
        ({"agent": "back"}, {}, False),
        ({"version": "draft"}, {}, True),
        ({"version": "v*"}, {"version": ("v1", "uuid")}, True),
        ({"version": "v*"}, {}, False),
        ({"deployment": "*"}, {}, False),
        ({"deployment": "web*"}, {"deployment": ("web-chat",)}, True),
        ({"fakes": True}, {}, False),
        ({"fakes": False}, {}, True),
    ],
)
def test_an_entry_fits_where_all_of_it_does(entry, given, fits):
    script = SessionScript.parse({"sessions": [entry | {"steps": []}]})
    assert (script.entry_of(moment(**given)) is not None) is fits


@pytest.mark.parametrize(
    ("value", "pattern", "held"),
    [
        ({"a": 1, "b": 2}, {"a": 1}, True),
        ({"a": {"b": 1, "c": 2}}, {"a": {"c": 2}}, True),
        ({}, {"a": None}, False),
        ({"a": 1.0}, {"a": 1}, True),
        ({"a": True}, {"a": 1}, False),
        ({"a": [1, 2]}, {"a": [1]}, False),
        ({"a": "1"}, {"a": 1}, False),
    ],
)
def test_arguments_hold_a_pattern(value, pattern, held):
    assert holds(value, pattern) is held


@pytest.mark.parametrize(
    "document",
    [
        None,
        {},
        {"more": []},
        {"sessions": {}},
        {"sessions": ["x"]},
        {"sessions": [{}]},
        {"sessions": [{"steps": {}}]},
        {"sessions": [{"steps": [{}]}]},
        {"sessions": [{"steps": [{"say": "a", "end": {}}]}]},
        {"sessions": [{"steps": [{"say": 1}]}]},
        {"sessions": [{"steps": [{"end": "now"}]}]},
        {"sessions": [{"steps": [{"sing": "la"}]}]},
        {"sessions": [{"steps": [{"call": {"args": {}}}]}]},
        {"sessions": [{"steps": [{"call": {"tool": "t", "args": []}}]}]},
        {"sessions": [{"steps": [{"error": {"code": "OH_NO"}}]}]},
        {"sessions": [{"steps": [], "input": 1}]},
        {"sessions": [{"steps": [], "fakes": "no"}]},
        {"sessions": [{"steps": [], "input": "a", "event": "b"}]},
        {"tools": [{}]},
        {"tools": [{"tool": "t", "response": []}]},
        {"tools": [{"tool": "t", "calls": {}}]},
        {"tools": [{"tool": "t", "error": {}}]},
    ],
)
def test_what_is_no_script_is_refused(document):
    """Mistakes are INVALID_ARGUMENT and name their place."""
    with pytest.raises(Refused) as caught:
        SessionScript.parse(document)
    assert caught.value.code == "INVALID_ARGUMENT"
