"""Tests of merging whole resources: which are merged, come, go, or are a conflict as a whole."""

from typing import Any

import pytest

from cesplan.domain.address import app_address
from cesplan.domain.features.merge import Fate, MergeResult, ResourceFate, Side
from cesplan.domain.value import Secret
from cesplan.engine.comparing.match import match_resources
from cesplan.engine.comparing.value_redactor import NOTHING_SECRET, ValueRedactor
from cesplan.engine.pulling.keys import everything
from cesplan.features.history.base import BaseApp, base_of_live, base_of_tree
from cesplan.features.merge.resources import MergedApp, Merging
from tests.unit.engine.builders import APP, NAMING, PLACE, address, desired, live

OLD = {"displayName": "Desk", "instruction": "old"}
TREE = {"displayName": "Desk", "instruction": "by tree"}
LIVE = {"displayName": "Desk", "instruction": "by live"}
AT = "agents/front-desk"


def test_a_live_text_with_the_value_of_a_secret_is_neither_shown_nor_written() -> None:
    """Someone pasted it into the console: a person decides what the file says."""
    redactor = ValueRedactor((Secret(("crmKey",), "hunter2-hunter2"),))
    pasted = {**OLD, "instruction": "the key is hunter2-hunter2"}
    (found,) = merged(OLD, OLD, pasted, redactor=redactor).merged
    (field,) = found.fields
    assert (field.result, field.why) == (
        MergeResult.BY_HAND,
        "live contains the value of the secret variable `crmKey`",
    )
    assert found.body == OLD
    assert "hunter2" not in repr(found)


def merged(
    base: dict[str, Any] | None, tree: dict[str, Any] | None, there: dict[str, Any] | None, **more: Any
) -> MergedApp:
    """One resource in three states; None if it does not exist."""
    old, new = (desired({AT: body} if body else {}).apps[0] for body in (base, tree))
    state = live({AT: there} if there else {"guardrails/other": {"displayName": "o"}}).apps[APP]
    matched = match_resources(new, state, PLACE)
    fresh = {address(f"{item.kind}/{item.id}"): item for item in matched.live_only if item.kind == "agents"}
    known = base_of_tree(old, new, state, matched.naming) if more.pop("known", True) else BaseApp()
    return Merging(
        tree=new,
        matched=matched,
        fresh=fresh,
        naming=matched.naming,
        base=known,
        listed=frozenset({"agents"}),
        chosen=lambda item: item.kind == "agents",
        winner=more.pop("winner", Side.NEITHER),
        redactor=more.pop("redactor", NOTHING_SECRET),
    ).merge()


NINE = [
    (OLD, OLD, None),
    (OLD, LIVE, "taken"),
    (OLD, None, Fate.DELETED),
    (TREE, OLD, "kept"),
    (TREE, LIVE, "conflict"),
    (TREE, None, Fate.DELETED_LIVE),
    (None, OLD, Fate.ONLY_LIVE),
    (None, LIVE, Fate.DELETED_IN_TREE),
    (None, None, None),
]


@pytest.mark.parametrize(("tree", "there", "outcome"), NINE)
def test_the_nine_combinations_of_a_whole_resource(tree: Any, there: Any, outcome: Any) -> None:
    found = merged(OLD, tree, there)
    fields = {item.result.value for resource in found.merged for item in resource.fields}
    fates = {item.fate for item in found.fates}
    assert fields | fates == ({outcome} if outcome else set())


@pytest.mark.parametrize(
    ("tree", "there", "fate"), [(TREE, None, Fate.ONLY_IN_TREE), (None, LIVE, Fate.CREATED)]
)
@pytest.mark.parametrize("known", [True, False])
def test_what_was_never_applied_is_new_on_its_side(tree: Any, there: Any, fate: Fate, known: bool) -> None:
    (found,) = merged(None, tree, there, known=known).fates
    assert found == ResourceFate(address=address(AT), fate=fate)


def test_whoever_wins_decides_over_whole_resources_too() -> None:
    """Nothing of the loser's is lost without having been shown: a fate says what happened."""
    (written,) = merged(OLD, None, LIVE, winner=Side.LIVE).fates
    (removed,) = merged(OLD, TREE, None, winner=Side.LIVE).fates
    (kept,) = merged(OLD, TREE, None, winner=Side.TREE).fates
    assert (written.writes_file, removed.removes_file, kept.removes_file) == (True, True, False)
    assert not any(item.is_open for item in (written, removed, kept))


def test_a_kind_that_was_not_read_says_nothing_about_what_is_gone() -> None:
    tree = desired({"versions/release-1": {"displayName": "1"}}).apps[0]
    state = live({}).apps[APP]
    matched = match_resources(tree, state, PLACE)
    found = Merging(
        tree=tree,
        matched=matched,
        fresh={},
        naming=matched.naming,
        base=BaseApp(),
        listed=frozenset({"agents"}),
        chosen=lambda item: True,
    ).merge()
    assert found.fates == ()


def test_the_base_speaks_of_renamed_files_by_their_names_of_today() -> None:
    """The id on the server says that it is the same resource; references follow."""
    old = desired({AT: OLD, "agents/boss": {"childAgents": [AT]}}).apps[0]
    more = {"agents/reception": {"resource_id": "front-desk"}}
    tree = desired(
        {"agents/reception": OLD, "agents/boss": {"childAgents": ["agents/reception"]}}, more=more
    ).apps[0]
    state = live({AT: OLD, "agents/boss": {}}).apps[APP]
    naming = match_resources(tree, state, PLACE).naming
    base = base_of_tree(old, tree, state, naming)
    assert base.found[address("agents/reception")].body == OLD
    assert base.found[address("agents/boss")].body == {"childAgents": ["agents/reception"]}
    assert address(AT) not in base.found


def test_the_base_of_a_snapshot_is_what_it_holds() -> None:
    state = live({AT: OLD}).apps[APP]
    base = base_of_live(everything(state), state.app, NAMING, desired({}).apps[0])
    assert base.found[address(AT)].body == OLD
    assert set(base.found) == {app_address(APP), address(AT)}
