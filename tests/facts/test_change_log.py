"""The change log."""

import pytest

LOCATION = "projects/acme/locations/us"
APP = f"{LOCATION}/apps/desk1"
FRONT = f"{APP}/agents/front"
ALICE = {"x-emulator-author": "alice@acme.example"}


def entries(server, **query):
    """Return the entries of the app's log, oldest first."""
    return server.get(f"{APP}/changelogs", orderBy="create_time", **query).body.get("changelogs", [])


@pytest.fixture
def logged(server):
    """A server with a create, an update by alice and a delete of one agent."""
    server.app()
    server.agent("front", description="old")
    server.update(FRONT, {"description": "new"}, updateMask="description", headers=ALICE)
    server.delete(FRONT)
    return server


def test_an_entry_says_who_did_what_to_which(logged):
    """author, action, resource, resourceType, displayName, createTime of each change."""
    found = entries(logged, filter="resource_type:agent")
    assert [(e["action"], e["author"]) for e in found] == [
        ("Create", "emulator@localhost"),
        ("Update", "alice@acme.example"),
        ("Delete", "emulator@localhost"),
    ]
    assert {(e["resource"], e["resourceType"], e["displayName"]) for e in found} == {(FRONT, "Agent", "front")}


@pytest.mark.parametrize("author", ["emulator@localhost", "robot@acme.example"])
def test_the_author_of_who_does_not_say(serving, author):
    """There is no authentication: without the header the author is that of a switch."""
    server = serving(author=author)
    server.app()
    server.update(APP, {"description": "d"}, updateMask="description", headers=ALICE)
    assert [entry["author"] for entry in entries(server)] == [author, ALICE["x-emulator-author"]]


@pytest.mark.parametrize(("sent", "author"), [("jörg".encode(), "jörg"), (b"j\xf6rg", "j\ufffdrg")])
def test_an_author_can_have_any_letters(server, sent, author):
    """The header is UTF-8; other bytes are not a failure."""
    server.app()
    server.update(APP, {"description": "d"}, updateMask="description", headers={"x-emulator-author": sent})
    assert entries(server)[-1]["author"] == author


def test_an_entry_holds_both_states(logged):
    """originalResource and newResource are the states before and after."""
    made, changed, gone = entries(logged, filter="resource_type:agent")
    assert "originalResource" not in made
    assert (changed["originalResource"]["description"], changed["newResource"]["description"]) == ("old", "new")
    assert "newResource" not in gone
    assert gone["originalResource"]["description"] == "new"


def test_the_sequence_number_grows(logged):
    """sequenceNumber is an int64 that grows with every entry."""
    numbers = [entry["sequenceNumber"] for entry in entries(logged)]
    assert all(isinstance(number, str) for number in numbers)
    assert [int(n) for n in numbers] == sorted({int(n) for n in numbers})


def test_a_forced_delete_names_its_dependents(server):
    """dependentResources are those that a change took along."""
    server.app()
    tool = server.tool("lookup")["name"]
    server.agent("front", tools=[tool])
    server.delete(tool, force="true")
    entry = entries(server, filter="action:delete")[-1]
    assert [resource["name"] for resource in entry["dependentResources"]] == [FRONT]


def test_a_description_names_the_changed_fields(server):
    """The description of an update tells which fields changed."""
    server.app()
    server.agent("front", description="old", instruction="Be kind.")
    server.update(FRONT, {"description": "new", "displayName": "F"}, updateMask="*")
    server.update(FRONT, {"displayName": "F"}, updateMask="displayName")
    found = [entry["description"] for entry in entries(server, filter="action:update")]
    assert found == ["Update Agent 'F': displayName, description, llmAgent, instruction", "Update Agent 'F'"]


def test_entries_are_read_by_name_and_in_v1(logged):
    """An entry has a name of its own and is served by both versions."""
    entry = entries(logged)[0]
    assert entry["name"].startswith(f"{APP}/changelogs/")
    assert logged.get(entry["name"], version="v1").body == entry


@pytest.mark.parametrize(
    ("text", "actions"),
    [
        ("action:upd", ["Update"]),
        ('action="Update"', ["Update"]),
        ('action="update"', []),
        ("author:ALICE", ["Update"]),
        ('author="alice"', []),
        ("resource_name:agents/front", ["Create", "Update", "Delete"]),
        ("resource_type:agent AND action:create", ["Create"]),
        ('create_time > "2999-01-01T00:00:00Z"', []),
        ('create_time <= "2999-01-01T00:00:00Z" AND resource_type:agent', ["Create", "Update", "Delete"]),
    ],
)
def test_filters(logged, text, actions):
    """`:` is partial and ignores case, `=` is exact; create_time is compared; AND joins."""
    assert [entry["action"] for entry in entries(logged, filter=text)] == actions


@pytest.mark.parametrize("text", ["colour:red", "action", "action>1", "create_time>yesterday"])
def test_what_is_no_filter_is_refused(logged, text):
    """A filter that is not understood is an error, never an empty list."""
    assert logged.get(f"{APP}/changelogs", filter=text).code == "INVALID_ARGUMENT"


def test_a_filtered_log_has_pages(logged):
    """Pages of a filtered log follow each other without gap or repeat."""
    query = {"filter": "resource_type:agent", "pageSize": 2, "orderBy": "create_time"}
    first = logged.get(f"{APP}/changelogs", **query).body
    rest = logged.get(f"{APP}/changelogs", pageToken=first["nextPageToken"], **query).body
    actions = [entry["action"] for page in (first, rest) for entry in page["changelogs"]]
    assert actions == ["Create", "Update", "Delete"]
    assert "nextPageToken" not in rest


@pytest.mark.parametrize(("switch", "count"), [(True, 1), (False, 0)])
def test_coverage_is_open(serving, switch, count):
    """Which changes are logged is not established: a switch turns the log off."""
    server = serving(change_log=switch)
    server.app()
    assert len(entries(server)) == count


def test_a_seeded_state_leaves_no_entry(server):
    """Resources that are stored past the rules appear in no change log."""
    server.app()
    server.emulator.seed({"name": FRONT, "displayName": "F"})
    assert [entry["resource"] for entry in entries(server)] == [APP]
