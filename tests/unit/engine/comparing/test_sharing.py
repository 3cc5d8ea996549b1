"""What live says as the tree says it is one value; nothing else about live changes."""

import copy
from typing import Any

import pytest

from cesplan.domain.address import KindName
from cesplan.engine.comparing.sharing import share, sharing_with
from tests.unit.engine.builders import desired, name

TEXT = "Answer questions about orders. " * 3


def test_equal_parts_are_the_values_of_the_tree() -> None:
    """A whole field, the fields of a message that differs elsewhere, the elements of a list that differs."""
    mine: dict[str, Any] = {
        "instruction": "".join([TEXT, "!"]),
        "golden": {"turns": [{"text": "".join([TEXT, "?"]), "n": 1}], "name": "a"},
        "steps": [{"a": {"b": "".join([TEXT, "."])}}, {"c": "old"}],
    }
    live: dict[str, Any] = copy.deepcopy(mine)
    live = {"etag": "e", **live, "golden": {"name": "b", "turns": [{"n": 1, "text": f"{TEXT}?"}]}}
    live["steps"] = [{"a": {"b": f"{TEXT}."}}, {"c": "new"}]
    before = copy.deepcopy(live)
    share(live, mine)
    assert live == before
    assert live["instruction"] is mine["instruction"]
    assert live["golden"]["turns"] is mine["golden"]["turns"]
    assert live["steps"][0] is mine["steps"][0]
    assert live["steps"][1] == {"c": "new"}


@pytest.mark.parametrize(
    ("mine", "live"),
    [
        ({"n": True}, {"n": 1}),
        ([1.0], [1]),
        ([{"a": [True]}], [{"a": [1]}]),
        ("x", None),
        ({}, []),
        ([1], [1, 2]),
    ],
)
def test_what_is_not_the_same_stays_as_it_was_read(mine: Any, live: Any) -> None:
    """`==` takes true for 1, and 1 for 1.0."""
    body = {"value": copy.deepcopy(live)}
    share(body, {"value": mine})
    assert repr(body) == repr({"value": live})


def test_inside_a_list_that_differs_the_order_of_members_stays() -> None:
    """A change shows such an element as a whole."""
    live = {"rules": [{"b": TEXT, "a": {"y": 1, "x": 2}}, "new"]}
    share(live, {"rules": [{"a": {"x": 2, "y": 1}, "b": TEXT}, "old"]})
    assert repr(live) == repr({"rules": [{"b": TEXT, "a": {"y": 1, "x": 2}}, "new"]})


def test_a_file_is_found_by_any_id_it_may_mean() -> None:
    files = {"agents/front-desk": {"instruction": TEXT}, "agents/with-id": {"instruction": TEXT}}
    tree = desired(files, more={"agents/with-id": {"resource_id": "4f2c9e1a"}})
    keep = sharing_with(tree.apps[0])
    for text, is_shared in (("front-desk", True), ("4f2c9e1a", True), ("another", False)):
        body = {"name": name(f"agents/{text}"), "instruction": "".join([TEXT[:9], TEXT[9:]])}
        kept = keep(KindName("agents"), body)
        assert (
            any(kept["instruction"] is item.body["instruction"] for item in tree.apps[0].resources) is is_shared
        )
