"""Masks and etags of updates."""

import base64

import pytest

LOCATION = "projects/acme/locations/us"
APP = f"{LOCATION}/apps/desk1"
FRONT = f"{APP}/agents/front"


def test_a_mask_limits_what_changes(server):
    """Only what the mask names is updated."""
    server.app()
    server.agent("front", description="d", instruction="i")
    server.update(FRONT, {"description": "new", "instruction": "new"}, updateMask="description")
    now = server.get(FRONT).body
    assert (now["description"], now["instruction"]) == ("new", "i")


def test_masks_are_comma_lists(server):
    """A mask is a comma list of camelCase paths."""
    server.app()
    server.agent("front")
    sent = {"description": "d", "modelSettings": {"model": "m"}}
    now = server.update(FRONT, sent, updateMask="description,modelSettings").body
    assert (now["description"], now["modelSettings"]) == ("d", {"model": "m"})


@pytest.mark.parametrize("mask", ["displayname", "nothing", "modelSettings.nothing", "description,", "tools.0"])
def test_a_path_that_is_not_one_is_refused(server, mask):
    """Unknown names and paths below a list are INVALID_ARGUMENT; nothing is written."""
    server.app()
    before = server.agent("front")
    sent = server.update(FRONT, {"displayName": "n"}, updateMask=mask)
    assert (sent.code, sent.fields) == ("INVALID_ARGUMENT", ["updateMask"])
    assert server.get(FRONT).body == before


@pytest.mark.parametrize("mask", [{}, {"updateMask": "*"}])
def test_without_a_mask_all_fields_are_updated(server, mask):
    """No mask: the body is the resource, and what it lacks is cleared."""
    server.app()
    server.agent("front", description="d", instruction="i")
    now = server.update(FRONT, {"displayName": "F", "instruction": "j"}, **mask).body
    assert (now["displayName"], now["instruction"]) == ("F", "j")
    assert not {"description", "llmAgent"} & set(now)


def test_named_and_missing_is_cleared(server):
    """A field that the mask names and the body lacks is cleared; null says the same."""
    server.app()
    server.agent("front", description="d", instruction="i", modelSettings={"model": "m"})
    now = server.update(FRONT, {"instruction": None}, updateMask="description,instruction,modelSettings")
    assert not {"description", "instruction", "modelSettings"} & set(now.body)


def test_lists_are_replaced(server):
    """A list is replaced whole, never merged."""
    server.app()
    one, two, three = (server.tool(key)["name"] for key in ("tool_1", "tool_2", "tool_3"))
    server.agent("front", tools=[one, two])
    assert server.update(FRONT, {"tools": [three]}, updateMask="tools").body["tools"] == [three]


def test_maps_are_replaced(server):
    """A map is replaced whole: anyone who writes metadata must send the keys of others too."""
    server.app(metadata={"theirs": "1"})
    now = server.update(APP, {"metadata": {"ours": "2"}}, updateMask="metadata").body
    assert now["metadata"] == {"ours": "2"}


def test_nested_paths_merge_where_the_server_takes_them(serving):
    """mask_depth=nested: a path below a message sets that field and leaves its neighbors."""
    server = serving(mask_depth="nested")
    server.app()
    server.agent("front", modelSettings={"model": "m", "temperature": 0.5})
    sent = {"modelSettings": {"temperature": 0.75}}
    now = server.update(FRONT, sent, updateMask="modelSettings.temperature").body
    assert now["modelSettings"] == {"model": "m", "temperature": 0.75}
    now = server.update(FRONT, {}, updateMask="modelSettings.temperature").body
    assert now["modelSettings"] == {"model": "m"}


def test_nested_paths_are_refused_where_it_takes_top_level_ones_only(serving):
    """mask_depth=top: a nested path is INVALID_ARGUMENT, a top-level one replaces the message."""
    server = serving(mask_depth="top")
    server.app()
    server.agent("front", modelSettings={"model": "m", "temperature": 0.5})
    sent = {"modelSettings": {"temperature": 0.75}}
    assert server.update(FRONT, sent, updateMask="modelSettings.temperature").code == "INVALID_ARGUMENT"
    now = server.update(FRONT, sent, updateMask="modelSettings").body
    assert now["modelSettings"] == {"temperature": 0.75}


def test_no_message_is_made_to_clear_a_field_in_it(server):
    """Clearing below a message that is absent leaves it absent."""
    server.app()
    server.agent("front")
    assert "modelSettings" not in server.update(FRONT, {}, updateMask="modelSettings.model").body


@pytest.mark.parametrize("mask", ["scenario", "scenario.task", None])
def test_setting_a_member_of_a_oneof_clears_the_other(server, mask):
    """Another member of a oneof, named by mask or sent without one, takes the place of the old."""
    server.app()
    made = server.made("evaluations", {"displayName": "V", "golden": {"turns": [{"steps": [{}]}]}})
    query = {} if mask is None else {"updateMask": mask}
    now = server.update(made["name"], {"displayName": "V", "scenario": {"task": "t"}}, **query).body
    assert now["scenario"] == {"task": "t"}
    assert "golden" not in now


def test_clearing_the_unset_member_of_a_oneof_leaves_the_set_one(server):
    """Named and missing clears that member only."""
    server.app()
    made = server.made("evaluations", {"displayName": "V", "scenario": {"task": "t"}})
    assert server.update(made["name"], {}, updateMask="golden").body["scenario"] == {"task": "t"}


def test_a_name_or_etag_in_a_mask_changes_nothing(server):
    """name and etag are transport: naming them is not an update of them."""
    server.app()
    server.agent("front")
    now = server.update(FRONT, {"name": "x", "description": "d"}, updateMask="name,etag,description")
    assert (now.body["name"], now.body["description"]) == (FRONT, "d")


def test_etags_look_like_32_bytes_and_move_with_every_write(server):
    """etags are base64 of 32 bytes; each write gives a new one, also one that changes nothing."""
    server.app()
    first = server.agent("front", description="d")["etag"]
    second = server.update(FRONT, {"description": "d"}, updateMask="description").body["etag"]
    assert [len(base64.b64decode(etag)) for etag in (first, second)] == [32, 32]
    assert first != second
    assert server.get(FRONT).body["etag"] == second


@pytest.mark.parametrize(("switch", "status"), [("enforce", 409), ("ignore", 200)])
def test_a_stale_body_etag(serving, switch, status):
    """What a mismatch on PATCH does is not documented: ABORTED, or nothing, by switch."""
    server = serving(etag_on_update=switch)
    server.app()
    stale = server.agent("front")["etag"]
    server.update(FRONT, {"description": "theirs"}, updateMask="description")
    sent = server.update(FRONT, {"description": "ours", "etag": stale}, updateMask="description")
    assert (sent.status, sent.code) == (status, "ABORTED" if status == 409 else "")
    left = "theirs" if status == 409 else "ours"
    assert server.get(FRONT).body["description"] == left


@pytest.mark.parametrize("switch", ["enforce", "ignore"])
@pytest.mark.parametrize("etag", [{}, {"etag": ""}])
def test_an_empty_body_etag_overwrites(serving, switch, etag):
    """Without an etag, or with an empty one, an update overwrites."""
    server = serving(etag_on_update=switch)
    server.app()
    server.agent("front")
    server.update(FRONT, {"description": "theirs"}, updateMask="description")
    assert server.update(FRONT, {"description": "ours", **etag}, updateMask="description").status == 200


@pytest.mark.parametrize("switch", ["enforce", "ignore"])
def test_the_current_body_etag_is_accepted(serving, switch):
    """An update with the etag that was read goes through, without a mask too."""
    server = serving(etag_on_update=switch)
    server.app()
    agent = server.agent("front")
    assert server.update(FRONT, agent | {"description": "d"}).status == 200


@pytest.mark.parametrize("switch", [True, False])
def test_a_deployment_may_come_without_an_etag(serving, switch):
    """A live deployment was seen without one."""
    server = serving(deployment_etags=switch)
    server.app()
    body = {"displayName": "D", "channelProfile": {"channelType": "API"}}
    made = server.made("deployments", body)
    assert ("etag" in made, "etag" in server.get(made["name"]).body) == (switch, switch)


@pytest.mark.parametrize("kind", ["versions", "evaluations"])
def test_a_version_or_an_evaluation_leaves_the_apps_etag(server, kind):
    """Creating one does not move the app's etag."""
    before = server.app()["etag"]
    server.made(kind, {"displayName": "x"} | ({"scenario": {"task": "t"}} if kind == "evaluations" else {}))
    assert server.get(APP).body["etag"] == before


def test_a_data_store_tool_moves_the_apps_etag(server):
    """Creating a data-store tool changes dataStoreSettings and with it the app's etag."""
    before = server.app()
    store = {"name": "projects/acme/locations/us/collections/c/dataStores/faq"}
    body = {"dataStoreTool": {"name": "faq", "dataStoreSource": {"dataStore": store}}}
    server.made("tools", body)
    after = server.get(APP).body
    assert after["etag"] != before["etag"]
    assert after["dataStoreSettings"] != before["dataStoreSettings"]


def test_the_root_agent_is_cleared_by_mask_and_by_an_update_without_one(server):
    """Masked null clears rootAgent; so does an update without a mask that lacks it."""
    server.app()
    front = server.agent("front")["name"]
    assert server.update(APP, {"rootAgent": front}, updateMask="rootAgent").body["rootAgent"] == front
    assert "rootAgent" not in server.update(APP, {"rootAgent": None}, updateMask="rootAgent").body
    server.update(APP, {"rootAgent": front}, updateMask="rootAgent")
    assert "rootAgent" not in server.update(APP, {"displayName": "Desk"}).body


def test_required_fields_are_looked_for_in_the_merged_result(server):
    """A masked update need not repeat them; clearing one is refused."""
    server.app()
    server.agent("front")
    assert server.update(FRONT, {"description": "d"}, updateMask="description").status == 200
    sent = server.update(FRONT, {}, updateMask="displayName")
    assert (sent.code, sent.fields) == ("INVALID_ARGUMENT", ["displayName"])
    assert server.update(FRONT, {"description": "d"}).code == "INVALID_ARGUMENT"
