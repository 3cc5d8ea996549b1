"""Tests of keys for live resources."""

import pytest

from cesplan.domain.address import KindName
from cesplan.domain.live import LiveResource
from cesplan.engine.pulling.keys import app_key, key_resources
from tests.unit.engine.builders import NAMING, name

UUID = "1b2c3d4e-5f60-4718-8293-a4b5c6d7e8f9"
OTHER = "9f8e7d6c-5b4a-4938-8271-605f4e3d2c1b"


def live(resource_id: str, display_name: str = "", created: str = "", kind: str = "agents") -> LiveResource:
    body = {"name": name(f"{kind}/{resource_id}"), "displayName": display_name, "createTime": created}
    return LiveResource(kind=KindName(kind), body=body)


def keys(*items: LiveResource, taken: tuple[str, ...] = ()) -> dict[str, str]:
    """The key of each id."""
    naming = key_resources(NAMING, items, {"agents": taken})
    return {item.id: naming.key_of(item.kind, item.id) for item in items}


def test_a_machine_made_id_gives_way_to_the_display_name() -> None:
    assert keys(live(UUID, "Front Desk")) == {UUID: "front-desk"}


@pytest.mark.parametrize("chosen", ["front-desk", "agents-2", "Front_Desk", "release_1", "v42-hotfix"])
def test_an_id_that_somebody_chose_is_the_key(chosen: str) -> None:
    """No `$id` is needed then, and a renamed display name changes no file name."""
    assert keys(live(chosen, "Something Else")) == {chosen: chosen}


def test_of_two_with_one_name_the_older_keeps_it_and_the_other_gets_the_beginning_of_its_id() -> None:
    found = keys(live(OTHER, "Desk", created="2026-02-01T00:00:00Z"), live(UUID, "Desk", created="2026-01-01"))
    assert found == {UUID: "desk", OTHER: "desk-9f8e"}


def test_the_order_of_the_answer_does_not_matter() -> None:
    items = [live(UUID, "Desk"), live(OTHER, "Desk"), live("desk", "Desk")]
    assert keys(*items) == keys(*reversed(items)) == {"desk": "desk", UUID: "desk-1b2c", OTHER: "desk-9f8e"}


def test_a_key_of_the_tree_is_never_given_away_again() -> None:
    assert keys(live(UUID, "Desk"), taken=("desk",)) == {UUID: "desk-1b2c"}


def test_case_does_not_tell_keys_apart_as_some_file_systems_do_not() -> None:
    assert keys(live(UUID, "Desk"), taken=("DESK",)) == {UUID: "desk-1b2c"}


def test_a_name_without_a_letter_of_the_alphabet_falls_back_to_the_kind() -> None:
    expectations = live(UUID, "東京", kind="evaluationExpectations")
    naming = key_resources(NAMING, [expectations], {})
    assert naming.key_of("evaluationExpectations", UUID) == "evaluation-expectation-1b2c"


def test_ids_that_begin_alike_get_longer_suffixes_until_they_differ() -> None:
    twin = UUID.replace("a4b5", "ffff")
    assert keys(live(UUID, "Desk"), live(twin, "Desk"), taken=("desk", "desk-1b2c")) == {
        UUID: "desk-1b2c3",
        twin: "desk-1b2c3d",
    }


def test_the_naming_translates_references_by_the_new_keys() -> None:
    naming = key_resources(NAMING, [live(UUID, "Front Desk")], {})
    assert naming.to_reference(name(f"agents/{UUID}")) == "agents/front-desk"
    assert naming.to_name("agents/front-desk") == name(f"agents/{UUID}")


def test_an_app_gets_a_key_that_no_other_app_has() -> None:
    app = LiveResource(
        kind=KindName("apps"), body={"name": name().replace("shop-desk", UUID), "displayName": "Shop"}
    )
    assert app_key(app) == "shop"
    assert app_key(app, ["shop"]) == "shop-1b2c"
