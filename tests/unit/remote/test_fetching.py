"""Collections, page by page: whole or an error."""

import pytest

from cesplan.domain import errors
from cesplan.model.kinds import kind_of
from cesplan.remote.fetching import Fetching

PLACE = "projects/acme-dev/locations/us"
APP = f"{PLACE}/apps/support-desk"


@pytest.fixture
def fetching(calling, hourglass):
    def make(*replies, api_version="v1beta"):
        made, sender = calling(*replies)
        return Fetching(calling=made, api_version=api_version, clock=hourglass.clock), sender

    return make


def _names(resources):
    return [resource.id for resource in resources]


def test_the_change_log_is_followed_as_far_as_it_is_wanted(fetching, answered):
    """No page more than it takes, and each asks for no more than is missing."""
    made, sender = fetching(
        answered(200, {"changelogs": [{"name": "c/3"}, {"name": "c/2"}], "nextPageToken": "t1"}),
        answered(200, {"changelogs": [{"name": "c/1"}], "nextPageToken": "t2"}),
    )
    assert [entry["name"] for entry in made.changes(APP, "", 3)] == ["c/3", "c/2", "c/1"]
    assert [(call.query["pageSize"], call.query.get("pageToken")) for call in sender.sent] == [
        ("3", None),
        ("1", "t1"),
    ]
    assert sender.sent[0].query["orderBy"] == "create_time desc"


def test_evaluation_runs_are_read_newest_first(fetching, answered):
    """In one request, without what each evaluation found."""
    made, sender = fetching(
        answered(200, {"evaluationRuns": [{"name": "r/2"}, {"name": "r/1"}], "nextPageToken": "t1"})
    )
    assert [run["name"] for run in made.runs(APP, 2)] == ["r/2", "r/1"]
    (call,) = sender.sent
    assert (call.collection, call.query["pageSize"], call.query["orderBy"]) == (
        "evaluationRuns",
        "2",
        "create_time desc",
    )
    assert "evaluationResults" not in call.query["fields"]


def test_pages_are_followed(fetching, answered):
    """Until there is no token; each page costs one request."""
    made, sender = fetching(
        answered(200, {"agents": [{"name": "a/1"}, {"name": "a/2"}], "nextPageToken": "t1"}),
        answered(200, {"agents": [{"name": "a/3"}], "nextPageToken": "t2"}),
        answered(200, {}),
    )
    assert _names(made.all(kind_of("agents"), APP)) == ["1", "2", "3"]
    assert [call.query.get("pageToken", "") for call in sender.sent] == ["", "t1", "t2"]
    assert all(call.query["orderBy"] == "name" for call in sender.sent)


def test_an_empty_page_with_a_token_is_not_the_end(fetching, answered):
    """AIP-158: only a missing token ends a list."""
    made, _ = fetching(answered(200, {"nextPageToken": "t"}), answered(200, {"agents": [{"name": "a/1"}]}))
    assert _names(made.all(kind_of("agents"), APP)) == ["1"]


def test_the_result_is_sorted_by_name_whatever_the_server_does(fetching, answered):
    """The same resources make the same plan."""
    made, _ = fetching(answered(200, {"agents": [{"name": "a/2"}, {"name": "a/10"}, {"name": "a/1"}]}))
    assert _names(made.all(kind_of("agents"), APP)) == ["1", "10", "2"]


def test_a_resource_on_two_pages_is_one_resource(fetching, answered):
    """Someone wrote between two pages; what was read last is nearer to the truth."""
    made, _ = fetching(
        answered(200, {"agents": [{"name": "a/1", "etag": "old"}], "nextPageToken": "t"}),
        answered(200, {"agents": [{"name": "a/1", "etag": "new"}]}),
    )
    [found] = made.all(kind_of("agents"), APP)
    assert found.etag == "new"


def test_unreachable_parts_are_an_error(fetching, answered):
    """A failed read is never "deleted"."""
    reply = {"apps": [{"name": "a/1"}], "unreachable": [f"{PLACE}/apps/-"]}
    made, _ = fetching(answered(200, reply))
    with pytest.raises(errors.Unavailable, match="could not be reached") as caught:
        made.all(kind_of("apps"), PLACE)
    assert f"{PLACE}/apps/-" in caught.value.detail


def test_a_list_that_does_not_end_is_an_error(fetching, answered):
    """The same token twice would go on for ever."""
    made, _ = fetching(*[answered(200, {"agents": [], "nextPageToken": "t"})] * 2)
    with pytest.raises(errors.ApiError, match="does not end"):
        made.all(kind_of("agents"), APP)


@pytest.mark.parametrize("items", [[{"displayName": "x"}], {"name": "n"}, ["n"], [{"name": ""}]])
def test_items_without_names_are_an_error(fetching, answered, items):
    """An answer that is not what the API promises is not read as "nothing there"."""
    made, _ = fetching(answered(200, {"agents": items}))
    with pytest.raises(errors.ApiError, match="not a list of named resources"):
        made.all(kind_of("agents"), APP)


def test_the_list_key_of_versions_is_their_own(fetching, answered):
    """`versions` answer under `appVersions`."""
    made, _ = fetching(answered(200, {"appVersions": [{"name": "v/1"}]}))
    assert _names(made.all(kind_of("versions"), APP)) == ["1"]


def test_expensive_fields_are_left_out(fetching, answered):
    """The snapshot of a version is a whole app, and nobody compares it."""
    made, sender = fetching(answered(200, {}), api_version="v1")
    made.all(kind_of("versions"), APP)
    fields = sender.sent[0].query["fields"]
    assert fields.startswith("nextPageToken,appVersions(")
    assert "etag" in fields
    assert "snapshot" not in fields


def test_a_refused_selector_costs_the_economy_and_nothing_else(fetching, refused, answered):
    """A service that lacks one of our fields is asked for all of them."""
    made, sender = fetching(
        refused(400, "INVALID_ARGUMENT", "Invalid field selection x"),
        answered(200, {"evaluations": [{"name": "e/1"}]}),
    )
    assert _names(made.all(kind_of("evaluations"), APP)) == ["1"]
    assert "fields" not in sender.sent[1].query


def test_a_list_that_is_refused_without_a_selector_too_is_an_error(fetching, refused):
    """Then it was not the selector."""
    made, _ = fetching(refused(400, "INVALID_ARGUMENT", "a"), refused(400, "INVALID_ARGUMENT", "b"))
    with pytest.raises(errors.InvalidRequest):
        made.all(kind_of("evaluations"), APP)


def test_a_oneof_that_looks_unset_is_read_again_in_full(fetching, answered):
    """Its member may be newer than our model, and then the selector hid it."""
    made, sender = fetching(
        answered(200, {"evaluations": [{"name": "e/1", "golden": {}}, {"name": "e/2", "tags": ["x"]}]}),
        answered(200, {"name": "e/2", "tags": ["x"], "brandNew": {}}),
    )
    found = made.all(kind_of("evaluations"), APP)
    assert [resource.body for resource in found] == [
        {"name": "e/1", "golden": {}},
        {"name": "e/2", "tags": ["x"], "brandNew": {}},
    ]
    assert [call.resource for call in sender.sent] == [APP, "e/2"]
