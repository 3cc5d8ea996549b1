"""Origins: which side of a difference has moved since the base, field by field."""

from collections import Counter
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from cesplan.domain.change import FieldChange, Origin
from cesplan.domain.field_path import FieldPath
from cesplan.engine.comparing.diff import Scope, diff
from cesplan.engine.comparing.origins import field_origins, together
from cesplan.model.kinds import kind_of

_AGENT = kind_of("agents").spec
_APP = kind_of("apps").spec


def _changes(base: Any, tree: Any, live: Any, spec: Any = _AGENT) -> list[tuple[FieldChange, Origin]]:
    changes = diff(spec, tree, live, Scope())
    origins = field_origins(changes, diff(spec, base, live, Scope()), diff(spec, tree, base, Scope()))
    return [*zip(changes, origins, strict=True)]


def _origins(base: Any, tree: Any, live: Any, spec: Any = _AGENT) -> dict[str, str]:
    return {f"{item.path} {item.action}": str(origin) for item, origin in _changes(base, tree, live, spec)}


def _callback(code: str) -> dict[str, Any]:
    return {"pythonCode": code}


def test_what_one_side_changed_has_its_name_and_what_both_changed_has_both() -> None:
    base = {"displayName": "A", "instruction": "old", "description": "old"}
    tree = {"displayName": "B", "instruction": "old", "description": "tree"}
    live = {"displayName": "A", "instruction": "new", "description": "live"}
    assert _origins(base, tree, live) == {
        "displayName modified": "tree",
        "instruction modified": "live",
        "description modified": "both",
    }


def test_both_changed_to_the_same_is_no_difference() -> None:
    assert _origins({"displayName": "A"}, {"displayName": "B"}, {"displayName": "B"}) == {}


def test_a_field_that_live_lost_or_gained() -> None:
    base = {"displayName": "A", "description": "text"}
    assert _origins(base, base, {"displayName": "A"}) == {"description added": "live"}
    assert _origins({"displayName": "A"}, {"displayName": "A"}, base) == {"description removed": "live"}


def test_elements_of_an_ordered_list_are_told_apart_although_positions_shift() -> None:
    """The tree took out the last callback, live has a new first one."""
    one, two, new = _callback("one"), _callback("two"), _callback("new")
    found = _origins(
        {"beforeModelCallbacks": [one, two]},
        {"beforeModelCallbacks": [one]},
        {"beforeModelCallbacks": [new, one, two]},
    )
    assert found == {"beforeModelCallbacks[0] removed": "live", "beforeModelCallbacks[2] removed": "tree"}


def test_two_edits_of_one_list_in_different_elements() -> None:
    one, two = _callback("one"), _callback("two")
    found = _origins(
        {"beforeModelCallbacks": [one, two]},
        {"beforeModelCallbacks": [_callback("one of the tree"), two]},
        {"beforeModelCallbacks": [one, _callback("two of live")]},
    )
    assert found == {
        "beforeModelCallbacks[0].pythonCode modified": "tree",
        "beforeModelCallbacks[1].pythonCode modified": "live",
    }


def test_elements_of_a_keyed_list_go_by_their_key() -> None:
    def declared(**descriptions: str) -> dict[str, Any]:
        return {
            "variableDeclarations": [{"name": name, "description": text} for name, text in descriptions.items()]
        }

    found = _origins(
        declared(tier="a", city="b"),
        declared(city="of the tree", tier="a"),
        declared(street="new", tier="of live", city="b"),
        _APP,
    )
    assert found == {
        "variableDeclarations[name=city].description modified": "tree",
        "variableDeclarations[name=tier].description modified": "live",
        "variableDeclarations[name=street] removed": "live",
    }


def test_an_element_that_live_removed_and_the_tree_changed_has_both() -> None:
    one, two = _callback("one"), _callback("two")
    found = _origins(
        {"beforeModelCallbacks": [one, two]},
        {"beforeModelCallbacks": [one, _callback("two of the tree")]},
        {"beforeModelCallbacks": [one]},
    )
    assert found == {"beforeModelCallbacks[1] added": "both"}


def test_what_the_tree_has_taken_in_is_reverted_by_nothing() -> None:
    """After a merge the tree holds the edit of live beside its own: nothing is lost when it is applied."""
    base = {"instruction": "one\ntwo\nthree\nfour\n", "tools": ["tools/a", "tools/b"]}
    live = {"instruction": "ONE\ntwo\nthree\nfour\n", "tools": ["tools/a", "tools/c"]}
    merged = {"instruction": "ONE\ntwo\nthree\nFOUR\n", "tools": ["tools/a", "tools/c", "tools/d"]}
    assert set(_origins(base, merged, live).values()) == {"tree"}
    lost = {"instruction": "one\ntwo\nthree\nFOUR\n", "tools": ["tools/a", "tools/b", "tools/c"]}
    assert set(_origins(base, lost, live).values()) == {"both"}


def test_the_origin_of_a_whole_resource() -> None:
    tree, live, both, unknown = Origin.TREE, Origin.LIVE, Origin.BOTH, Origin.UNKNOWN
    assert together([tree, tree]) is tree
    assert together([live]) is live
    assert together([tree, live]) is both
    assert together([tree, both]) is both
    assert together([tree, unknown]) is unknown
    assert together([]) is tree


_TEXTS = st.sampled_from(["a", "b", "c"])
_LISTS = st.lists(st.sampled_from(["w", "x", "y", "z"]).map(_callback), max_size=4)
_AGENTS = st.fixed_dictionaries(
    {},
    optional={
        "displayName": _TEXTS,
        "description": _TEXTS,
        "modelSettings": st.fixed_dictionaries(
            {}, optional={"model": _TEXTS, "temperature": st.sampled_from([0.1, 0.5])}
        ),
        "beforeModelCallbacks": _LISTS,
        "tools": st.lists(st.sampled_from(["tools/a", "tools/b", "tools/c"]), max_size=3, unique=True),
    },
)


_LEAVES = (
    "displayName",
    "description",
    "modelSettings.model",
    "modelSettings.temperature",
    "beforeModelCallbacks",
    "tools",
)


@given(_AGENTS, _AGENTS, _AGENTS)
def test_no_edit_of_live_goes_untold_and_none_is_invented(base: Any, tree: Any, live: Any) -> None:
    """
    For each field: where live is the base, everything comes from the tree; where the tree is the base,
    all comes from live; and where live did something that the tree did not do as well, some change tells of it.
    """
    base, tree, live = ({k: v for k, v in side.items() if v not in ({}, [])} for side in (base, tree, live))
    found = _changes(base, tree, live)
    for leaf in _LEAVES:
        origins = {origin for change, origin in found if str(change.path).startswith(leaf)}
        ours, theirs, before = (_at(side, leaf) for side in (tree, live, base))
        if theirs == before:
            assert origins <= {Origin.TREE}
        elif ours == before:
            assert origins <= {Origin.LIVE}
            assert origins
        elif ours != theirs and not _is_part_of(theirs, ours, before):
            assert {Origin.LIVE, Origin.BOTH} & origins


def _at(body: Any, leaf: str) -> Any:
    """What a body has there; a set of tools is equal in any order."""
    found = FieldPath.parse(leaf).get(body)
    return sorted(found) if leaf == "tools" and found else found


def _is_part_of(theirs: Any, ours: Any, before: Any) -> bool:
    """Whether all that live added to a list and removed from it was added and removed by the tree as well."""
    if not all(isinstance(side, list | None) for side in (theirs, ours, before)):
        return False
    live, tree, base = (Counter(map(str, side or [])) for side in (theirs, ours, before))
    return live - base <= tree - base and base - live <= base - tree
