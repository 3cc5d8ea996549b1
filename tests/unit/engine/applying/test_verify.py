"""A resource is recognized by what it says, not by how the server spells it today."""

from typing import Any

from cesplan.domain.field_path import mask_path
from cesplan.engine.applying.verify import changed_since
from cesplan.engine.comparing.resource_names import Target
from cesplan.model.kinds import kind_of
from tests.unit.engine.builders import NAMING, name


def target(kind: str) -> Target:
    return Target(kind=kind_of(kind), name=name(f"{kind}/any"), parent=name(), resource_id="any", naming=NAMING)


def changed(kind: str, seen: dict[str, Any], found: dict[str, Any], *mask: str) -> tuple[str, ...]:
    return changed_since(target(kind), seen, found, [*map(mask_path, mask)])


def test_noise_is_no_difference() -> None:
    seen = {"etag": "1", "updateTime": "2026-01-01T00:00:00Z", "tools": ["tools/a", "tools/b"]}
    found = {"etag": "2", "updateTime": "2026-02-02T00:00:00Z", "tools": [name("tools/b"), name("tools/a")]}
    assert changed("agents", seen, found) == ()


def test_changed_added_and_cleared_fields_are_named() -> None:
    seen = {"instruction": "old", "description": "gone"}
    found = {"instruction": "new", "displayName": "added"}
    assert changed("agents", seen, found) == ("description", "displayName", "instruction")


def test_a_field_that_the_server_may_fill_in_counts_in_both_directions() -> None:
    """What someone set or cleared by hand is an edit, whatever the server would put there."""
    with_it = {"loggingSettings": {"conversationLoggingSettings": {"retentionWindow": "60s"}}}
    assert changed("apps", with_it, {}) != ()
    assert changed("apps", {}, with_it) != ()


def test_what_is_newer_than_the_models_counts_where_the_write_replaces_it() -> None:
    seen = {"etag": "1", "variableDeclarations": [{"name": "a", "novelty": 1}]}
    found = {"etag": "2", "variableDeclarations": [{"name": "a", "novelty": 2}]}
    assert changed("apps", seen, found, "displayName") == ()
    assert changed("apps", seen, found, "variableDeclarations") == ("variableDeclarations[0].novelty",)
    assert changed("apps", seen, found) == ("variableDeclarations[0].novelty",)


def test_an_etag_that_stood_still_vouches_for_what_is_newer_than_the_models() -> None:
    assert changed("agents", {"etag": "1", "counter": 1}, {"etag": "1", "counter": 2}) == ()


def test_fields_that_lists_leave_out_are_no_difference() -> None:
    assert changed("versions", {"etag": "1"}, {"etag": "2", "snapshot": {"app": {}}}) == ()
