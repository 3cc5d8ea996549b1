"""Bodies: every fault is reported at once, and stored forms are one spelling."""

import pytest

from cesplan.emulator.errors import Refused
from cesplan.emulator.schema.messages import Checker


@pytest.fixture
def checker():
    return Checker()


def faults(checker, message, body, **more):
    with pytest.raises(Refused) as caught:
        checker.check(message, body, **more)
    return [violation.field for violation in caught.value.violations]


def test_every_fault_is_told(checker):
    """One refusal names all faults by their paths."""
    body = {
        "x": 1,
        "tools": [1, "two"],
        "modelSettings": {"temperature": "hot", "y": None},
        "toolsets": [{"toolset": 5}],
    }
    assert faults(checker, "Agent", body) == [
        "x",
        "tools[0]",
        "modelSettings.temperature",
        "modelSettings.y",
        "toolsets[0].toolset",
    ]


@pytest.mark.parametrize("body", [None, [], "text", 3])
def test_a_body_is_an_object(checker, body):
    """Anything else is refused."""
    assert faults(checker, "Agent", body) == [""]


def test_null_is_absence(checker):
    """null of a field is as if it were not there; null in a list is a fault."""
    assert checker.check("Agent", {"displayName": "A", "tools": None}) == {"displayName": "A"}
    assert faults(checker, "Agent", {"tools": [None]}) == ["tools[0]"]


def test_two_names_of_one_field_exclude_each_other(checker):
    """agent and rootAgent in one AgentTool is a field set twice."""
    body = {"agentTool": {"name": "n", "agent": "a", "rootAgent": "b"}}
    assert faults(checker, "Tool", body, version="v1") == ["agentTool.rootAgent"]


def test_a_seeded_body_teaches(checker):
    """What learn() meets is accepted by check() from then on, in that message only."""
    assert faults(checker, "Agent", {"later": 1}) == ["later"]
    checker.learn("Agent", {"later": 1, "modelSettings": {"topK": 2}})
    assert checker.check("Agent", {"later": 3, "modelSettings": {"topK": 4}}) == {
        "later": 3,
        "modelSettings": {"topK": 4},
    }
    assert faults(checker, "Agent", {"topK": 1}) == ["topK"]


def test_a_seeded_enum_value_teaches(checker):
    """A value newer than the contract is known once it was seeded."""
    assert faults(checker, "App", {"toolExecutionMode": "LATER"}) == ["toolExecutionMode"]
    checker.learn("App", {"toolExecutionMode": "LATER"})
    assert checker.check("App", {"toolExecutionMode": "LATER"}) == {"toolExecutionMode": "LATER"}


def test_elements_that_are_empty_messages_are_kept(checker):
    """{} in a list and as a map's value is an element and a value."""
    body = {"messages": [{}], "displayName": "E"}
    assert checker.check("Example", body)["messages"] == [{}]
    schema = {"type": "OBJECT", "properties": {"a": {}}}
    assert checker.check("Schema", schema)["properties"] == {"a": {}}
