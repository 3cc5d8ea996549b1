"""Conversations are read, listed by source, and deleted one by one or many at once."""

import pytest

APP = "projects/acme/locations/us/apps/desk1"
SOURCES = {"live1": "LIVE", "simu1": "SIMULATOR", "eval1": "EVAL", "open1": None}


def name(key):
    return f"{APP}/conversations/{key}"


def fill(server):
    server.app()
    said = {"messages": [{"role": "user", "chunks": [{"text": "hi"}]}]}
    for key, source in SOURCES.items():
        body = {"name": name(key), "turns": [said], "turnCount": 1, "languageCode": "en-US"}
        server.emulator.seed(body | ({"source": source} if source else {}))
    return server


@pytest.fixture
def talks(server):
    return fill(server)


def keys(answer):
    return [one["name"].rpartition("/")[2] for one in answer.body.get("conversations", [])]


@pytest.mark.parametrize("version", ["v1", "v1beta"])
def test_a_conversation_is_read_with_its_turns(talks, version):
    """Get answers turns and messages; there is no etag and no createTime on a conversation."""
    found = talks.get(name("live1"), version=version).body
    assert found["turns"][0]["messages"][0]["chunks"] == [{"text": "hi"}]
    assert {"etag", "createTime", "updateTime"}.isdisjoint(found)


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ({"source": "SIMULATOR"}, ["simu1"]),
        ({"source": "2"}, ["simu1"]),
        ({"sources": "EVAL"}, ["eval1"]),
        ({"source": "LIVE"}, ["live1", "open1"]),
    ],
)
def test_lists_by_source(talks, query, found):
    """A source limits a list, by name or number; a conversation without one is live."""
    assert keys(talks.get(f"{APP}/conversations", **query)) == found


def test_several_sources(talks):
    """`sources` can be repeated."""
    path = f"{APP}/conversations?sources=EVAL&sources=SIMULATOR"
    assert keys(talks.get(path)) == ["simu1", "eval1"]


@pytest.mark.parametrize(("switch", "found"), [("all", list(SOURCES)), ("live", ["live1", "open1"])])
def test_lists_without_a_source(serving, switch, found):
    """Without a source the reference says both LIVE and all: a switch."""
    server = fill(serving(conversations_without_source=switch))
    assert keys(server.get(f"{APP}/conversations")) == found


def test_lists_have_pages(talks):
    """Pages as everywhere."""
    first = talks.get(f"{APP}/conversations", pageSize=3)
    token = first.body["nextPageToken"]
    assert keys(first) + keys(talks.get(f"{APP}/conversations", pageToken=token)) == list(SOURCES)


def test_a_get_searches_all_sources_and_a_delete_the_live_ones(talks):
    """Without a source get finds any, delete only what is live (reference)."""
    assert talks.get(name("eval1")).status == 200
    assert talks.get(name("eval1"), source="LIVE").code == "NOT_FOUND"
    assert talks.delete(name("eval1")).code == "NOT_FOUND"
    assert talks.delete(name("eval1"), source="EVAL").body == {}
    assert talks.delete(name("live1")).body == {}
    assert keys(talks.get(f"{APP}/conversations")) == ["simu1", "open1"]


def test_many_are_deleted_at_once(talks):
    """batchDelete is an operation that tells what went and what was not there, and why."""
    asked = [name("live1"), name("nobody"), f"{APP}/agents/front"]
    answer = talks.send("POST", f"{APP}/conversations:batchDelete", {"conversations": asked}).body["response"]
    assert answer["deletedConversations"] == asked[:1]
    assert answer["failedConversations"] == asked[1:]
    assert len(answer["errorMessages"]) == 2
    assert talks.send("POST", f"{APP}/conversations:batchDelete", {}).fields == ["conversations"]


@pytest.mark.parametrize(
    "query", [{"source": "MARS"}, {"sources": "9"}, {"orderBy": "name"}, {"filter": "colour:LIVE"}]
)
def test_what_a_list_does_not_take(talks, query):
    """Unknown sources, an order and a filter that is documented nowhere are refused."""
    assert talks.get(f"{APP}/conversations", **query).code == "INVALID_ARGUMENT"


def test_views(talks):
    """Get takes a view of the enum, and no other."""
    assert talks.get(name("live1"), view="CONVERSATION_VIEW_FULL").status == 200
    assert talks.get(name("live1"), view="WIDE").code == "INVALID_ARGUMENT"


def test_deleting_conversations_is_no_change_of_the_app(talks):
    """The change log tells of resources of the app, not of what was said."""
    before = talks.get(f"{APP}/changelogs").body
    talks.delete(name("live1"))
    assert talks.get(f"{APP}/changelogs").body == before


def test_conversations_are_found_by_time_and_by_what_was_said(serving):
    """Filters as Google's cxas sends them; the reference names no field of these lists: a switch."""
    for switch, status in (("any", 200), ("documented", 400)):
        server = serving(filter_fields=switch)
        server.app()
        turn = {"messages": [{"role": "user", "chunks": [{"text": "Where is order 7?"}]}]}
        found = [
            {"name": name("early"), "startTime": "2026-01-01T00:00:00Z", "source": "LIVE", "turns": [turn]},
            {"name": name("later"), "startTime": "2026-03-01T00:00:00Z", "source": "LIVE"},
        ]
        server.emulator.seed(*found)
        for text, expected in (
            ('start_time > "2026-02-01T00:00:00Z"', ["later"]),
            ('start_time < "2026-02-01T00:00:00Z" AND (ces_transcript.search("ORDER 7"))', ["early"]),
            ('(customer_conversation_id="x" OR ces_transcript.search("order 8"))', []),
            ('NOT ces_transcript.search("order")', ["later"]),
        ):
            answer = server.get(f"{APP}/conversations", filter=text)
            assert answer.status == status, answer.body
            if status == 200:
                listed = answer.body.get("conversations", [])
                assert [one["name"].rpartition("/")[2] for one in listed] == expected
        for text in (
            'turns.search("x")',
            "ces_transcript.search(x)",
            'ces_transcript="x"',
            "ces_transcript.search()",
        ):
            assert server.get(f"{APP}/conversations", filter=text).code == "INVALID_ARGUMENT"
        assert server.get(f"{APP}/agents", filter='ces_transcript.search("x")').code == "INVALID_ARGUMENT"
