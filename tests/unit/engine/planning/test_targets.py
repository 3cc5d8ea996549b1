"""What `--target` and `--exclude` leave of a plan."""

from typing import Any

import pytest

from cesplan.domain.choice import Choice
from cesplan.domain.options import PlanOptions
from cesplan.domain.plan import Plan, Reason
from cesplan.engine.planning.plan import plan
from tests.unit.engine.builders import APP, desired, live

_TOOL = {"pythonFunction": {"name": "a_tool", "pythonCode": "def a_tool(): ..."}}


def _pairs() -> dict[str, Any]:
    """Two agents, each with a tool of its own."""
    return {
        "agents/one": _agent("first"),
        "agents/two": _agent("other"),
        "tools/first": _TOOL,
        "tools/other": _TOOL,
    }


def _agent(*tools: str, **more: Any) -> dict[str, Any]:
    return {
        "displayName": "Agent",
        "instruction": "Help.",
        "tools": [f"tools/{item}" for item in tools],
        **more,
    }


def _narrowed(
    tree: dict[str, Any], there: dict[str, Any] | None = None, only: str = "", exclude: str = ""
) -> Plan:
    choice = Choice(only=tuple(only.split()), exclude=tuple(exclude.split()))
    state = live(there) if there is not None else live({})
    return plan(desired(tree), state, PlanOptions(choice=choice, adopt=True))


def _written(made: Plan) -> list[str]:
    return sorted(item.address.within_app for item in made.shown)


def test_a_target_brings_the_creates_that_it_refers_to() -> None:
    """And nothing else: not what is beside it, and no stamp."""
    made = _narrowed(_pairs(), only="agents/one")
    assert _written(made) == ["agents/one", "tools/first"]
    assert [str(item) for item in made.left_out] == [f"{APP}/agents/two", f"{APP}/tools/other"]
    assert Reason.STAMP not in {item.reason for item in made.operations}


def test_what_is_excluded_goes_with_what_needs_it() -> None:
    assert _written(_narrowed(_pairs(), exclude="tools/first")) == ["agents/two", "tools/other"]


def test_an_exclusion_wins_over_a_target_that_needs_it() -> None:
    tree = {"agents/one": _agent("first"), "tools/first": _TOOL}
    assert _written(_narrowed(tree, only="agents/*", exclude="tools/first")) == []


def test_a_delete_brings_the_update_that_drops_the_reference_to_it() -> None:
    """And is left out where that update is."""
    tree = {"agents/one": _agent(), "agents/two": _agent(instruction="New.")}
    there = {"agents/one": _agent("old-tool"), "agents/two": _agent(), "tools/old-tool": _TOOL}
    assert _written(_narrowed(tree, there, only="tools/old-tool")) == ["agents/one", "tools/old-tool"]
    assert _written(_narrowed(tree, there, exclude="agents/one")) == ["agents/two"]


def test_who_takes_a_unique_name_brings_who_gives_it_up() -> None:
    """The service would refuse the second resource of that name."""
    server = {"mcpToolset": {"serverAddress": "https://x"}}
    tree = {
        "toolsets/new-one": {**server, "displayName": "Taken"},
        "toolsets/old-one": {**server, "displayName": "Other"},
    }
    there = {"toolsets/old-one": {**server, "displayName": "Taken"}}
    more = {text: {"resource_id": text.partition("/")[2]} for text in tree}
    choice = Choice(only=("toolsets/new-one",))
    made = plan(desired(tree, more=more), live(there), PlanOptions(choice=choice))
    assert _written(made) == ["toolsets/new-one", "toolsets/old-one"]


def test_a_version_brings_everything_that_it_is_a_snapshot_of() -> None:
    tree = {"agents/one": _agent(), "versions/release-1": {"displayName": "One"}}
    made = _narrowed(tree, only="versions/release-1")
    assert _written(made) == ["agents/one", "versions/release-1"]
    assert _written(_narrowed(tree, only="agents/one")) == ["agents/one"]
    assert _written(_narrowed(tree, exclude="agents/one")) == []


@pytest.mark.parametrize("pattern", ["agents", f"{APP}/agents", "agents/*", f"{APP}/agents/o*", "*/*/one"])
def test_forms_of_patterns(pattern: str) -> None:
    tree = {"agents/one": _agent(), "tools/first": _TOOL}
    assert _written(_narrowed(tree, only=pattern)) == ["agents/one"]


def test_no_choice_leaves_nothing_out() -> None:
    made = _narrowed({"agents/one": _agent()})
    assert (made.left_out, made.choice.is_everything) == ((), True)
