"""Pages, orders and filters of lists; the order of lists inside a resource."""

import pytest

LOCATION = "projects/acme/locations/us"
APP = f"{LOCATION}/apps/desk1"


def keys(answer, kind):
    """Return the last parts of the names in a list answer."""
    return [item["name"].rsplit("/", 1)[1] for item in answer.body.get(kind, [])]


@pytest.fixture
def agents(server):
    """A server with five agents, created in an order that is not that of their names."""
    server.app()
    for key in ("echo1", "alpha", "delta", "bravo", "charl"):
        server.agent(key)
    return server


def walk(server, collection, kind, **query):
    """Return the keys of every page of a list."""
    pages, token = [], ""
    while True:
        more = {"pageToken": token} if token else {}
        answer = server.get(collection, **query, **more)
        pages.append(keys(answer, kind))
        token = answer.body.get("nextPageToken", "")
        if not token:
            return pages


def test_pages_follow_each_other_without_gap_or_repeat(agents):
    """pageSize and pageToken walk through the whole list; the last page has no token."""
    pages = walk(agents, f"{APP}/agents", "agents", pageSize=2, orderBy="name")
    assert pages == [["alpha", "bravo"], ["charl", "delta"], ["echo1"]]


def test_a_page_that_ends_the_list_has_no_token(agents):
    """A list that fits has no nextPageToken."""
    assert "nextPageToken" not in agents.get(f"{APP}/agents", pageSize=5).body


@pytest.mark.parametrize("cap", [2, 1000])
def test_the_server_may_return_fewer_than_asked(serving, cap):
    """Page sizes are unstated and may be smaller than asked: a client must follow the token."""
    server = serving(page_size_cap=cap)
    server.app()
    for key in ("alpha", "bravo", "charl"):
        server.agent(key)
    first = server.get(f"{APP}/agents", pageSize=1000)
    assert len(keys(first, "agents")) == min(cap, 3)
    pages = walk(server, f"{APP}/agents", "agents", pageSize=1000)
    assert [key for page in pages for key in page] == ["alpha", "bravo", "charl"]


def test_deployments_default_to_50_and_are_coerced_to_1000(server):
    """Deployments: 50 a page by default, at most 1000, and a larger number is coerced, not refused."""
    server.app()
    body = {"displayName": "D", "channelProfile": {"channelType": "API"}}
    seeds = [{"name": f"{APP}/deployments/web-{n:04}", **body} for n in range(1001)]
    server.emulator.seed(*seeds)
    assert len(server.get(f"{APP}/deployments").body["deployments"]) == 50
    assert len(server.get(f"{APP}/deployments", pageSize=5000).body["deployments"]) == 1000


def test_a_negative_page_size_is_refused(agents):
    """A page size below zero is an error."""
    assert agents.get(f"{APP}/agents", pageSize=-1).code == "INVALID_ARGUMENT"


def test_a_token_belongs_to_its_query(agents):
    """A pageToken is refused when the query changes, and when it is not one of the server's."""
    token = agents.get(f"{APP}/agents", pageSize=2, orderBy="name").body["nextPageToken"]
    for query in ({"orderBy": "create_time"}, {}):
        assert agents.get(f"{APP}/agents", pageToken=token, **query).code == "INVALID_ARGUMENT"
    assert agents.get(f"{APP}/tools", pageToken=token, orderBy="name").code == "INVALID_ARGUMENT"
    assert agents.get(f"{APP}/agents", pageToken="bm9uZQ").code == "INVALID_ARGUMENT"
    assert agents.get(f"{APP}/agents", pageToken=token, orderBy="name", pageSize=9).status == 200


def test_lists_are_ordered_by_name_or_create_time(agents):
    """orderBy takes name and create_time, and nothing else here."""
    by_name = agents.get(f"{APP}/agents", orderBy="name")
    by_time = agents.get(f"{APP}/agents", orderBy="create_time")
    assert keys(by_name, "agents") == ["alpha", "bravo", "charl", "delta", "echo1"]
    assert keys(by_time, "agents") == ["echo1", "alpha", "delta", "bravo", "charl"]
    assert agents.get(f"{APP}/agents", orderBy="update_time").code == "INVALID_ARGUMENT"
    assert agents.get(f"{APP}/agents", orderBy="displayName").code == "INVALID_ARGUMENT"


@pytest.fixture
def expectations(server):
    """Three expectations, the first of them updated last."""
    server.app()
    for key in ("alpha", "bravo", "charl"):
        body = {"displayName": key, "llmCriteria": {"prompt": "p"}}
        server.made("evaluationExpectations", body, evaluationExpectationId=key)
    name = f"{APP}/evaluationExpectations/alpha"
    server.update(name, {"tags": ["t"]}, updateMask="tags")
    return server


@pytest.mark.parametrize(
    ("query", "order"),
    [
        ({}, ["alpha", "charl", "bravo"]),
        ({"orderBy": "update_time"}, ["alpha", "charl", "bravo"]),
        ({"orderBy": "create_time"}, ["charl", "bravo", "alpha"]),
        ({"orderBy": "name"}, ["alpha", "bravo", "charl"]),
    ],
)
def test_evaluation_kinds_list_by_update_time_descending(expectations, query, order):
    """Their default is update_time, times descend, names ascend."""
    listed = expectations.get(f"{APP}/evaluationExpectations", **query)
    assert keys(listed, "evaluationExpectations") == order


@pytest.mark.parametrize(
    ("order", "found"),
    [
        ("next_scheduled_execution", ["bravo", "charl", "alpha"]),
        ("next_scheduled_execution desc", ["alpha", "charl", "bravo"]),
        ("last_completed_run.create_time", ["charl", "alpha", "bravo"]),
        ("last_completed_run.create_time asc", ["bravo", "alpha", "charl"]),
        ("create_time", ["charl", "bravo", "alpha"]),
        ("name desc", ["charl", "bravo", "alpha"]),
    ],
)
def test_scheduled_runs_sort_by_what_is_next_and_what_was_last(server, order, found):
    """next_scheduled_execution ascends, last_completed_run.create_time descends, unless said otherwise."""
    server.app()
    months = {"alpha": ("03", "02"), "bravo": ("01", ""), "charl": ("02", "03")}
    for key, (coming, last) in months.items():
        run = f"{APP}/evaluationRuns/run-{key}"
        done = {"lastCompletedRun": run} if last else {}
        schedule = {"name": f"{APP}/scheduledEvaluationRuns/{key}", "displayName": key, **done}
        server.emulator.seed(schedule | {"nextScheduledExecutionTime": f"2027-{coming}-01T00:00:00Z"})
        if last:
            server.emulator.seed({"name": run, "createTime": f"2026-{last}-01T00:00:00Z"})
    kind = "scheduledEvaluationRuns"
    assert keys(server.get(f"{APP}/{kind}", orderBy=order), kind) == found
    pages = walk(server, f"{APP}/{kind}", kind, orderBy=order, pageSize=1)
    assert [key for page in pages for key in page] == found


def test_an_item_moves_between_pages_while_somebody_writes(expectations):
    """By update_time an edit between two pages moves an item out of sight; orderBy=name does not."""
    collection = f"{APP}/evaluationExpectations"
    for order, seen in (("update_time", ["alpha", "charl"]), ("name", ["alpha", "bravo", "charl"])):
        first = expectations.get(collection, orderBy=order, pageSize=1)
        last = {"update_time": "bravo", "name": "charl"}[order]
        expectations.update(f"{collection}/{last}", {"tags": [order]}, updateMask="tags")
        token = first.body["nextPageToken"]
        rest = expectations.get(collection, orderBy=order, pageToken=token)
        assert keys(first, "evaluationExpectations") + keys(rest, "evaluationExpectations") == seen
        expectations.update(f"{collection}/alpha", {"tags": [order]}, updateMask="tags")


def test_deployments_have_no_filter(server):
    """The list of deployments has no `filter` parameter."""
    server.app()
    assert server.get(f"{APP}/deployments", filter="x").code == "INVALID_ARGUMENT"


def test_system_tools_are_hidden_unless_asked_for(server):
    """System tools exist in every app and are listed only with include_system_tools=true."""
    server.app()
    server.tool("lookup")
    assert keys(server.get(f"{APP}/tools"), "tools") == ["lookup"]
    all_of_them = server.get(f"{APP}/tools", filter="include_system_tools=true")
    assert sorted(keys(all_of_them, "tools")) == [
        "customize_response",
        "end_session",
        "lookup",
        "transfer_to_agent",
    ]


@pytest.mark.parametrize(
    ("text", "count"),
    [("include_system_tools = true", 4), ('include_system_tools="true"', 4), ("include_system_tools=false", 1)],
)
def test_system_tools_are_asked_for_in_any_spelling(server, text, count):
    """Spaces and quotes make no difference, and false asks for none."""
    server.app()
    server.tool("lookup")
    assert len(keys(server.get(f"{APP}/tools", filter=text), "tools")) == count


@pytest.mark.parametrize("order", ["name", "create_time", "name desc"])
def test_system_tools_share_the_pages_of_the_others(server, order):
    """With system tools asked for, pages keep their size and the walk finds each tool once."""
    server.app()
    for key in ("alpha", "lookup", "zebra"):
        server.tool(key)
    query = {"filter": "include_system_tools=true", "orderBy": order, "pageSize": 2}
    pages = walk(server, f"{APP}/tools", "tools", **query)
    assert [len(page) for page in pages] == [2, 2, 2]
    everyone = ["alpha", "customize_response", "end_session", "lookup", "transfer_to_agent", "zebra"]
    assert sorted(key for page in pages for key in page) == everyone


def test_the_filters_of_the_evaluation_kinds(server):
    """Scheduled runs by request.evaluations and .evaluation_dataset, evaluations by dataset."""
    server.app()
    bodies = {"displayName": "V1", "scenario": {"task": "t"}}, {"displayName": "V2", "scenario": {"task": "t"}}
    one, two = (server.made("evaluations", body)["name"] for body in bodies)
    dataset = server.made("evaluationDatasets", {"displayName": "DS", "evaluations": [one]})["name"]
    schedule = {"frequency": "DAILY", "startTime": "2027-01-01T00:00:00Z"}
    for key, request in (("byeval", {"evaluations": [one, two]}), ("bydata", {"evaluationDataset": dataset})):
        body = {"displayName": key, "request": {"app": APP, **request}, "schedulingConfig": schedule}
        server.made("scheduledEvaluationRuns", body, scheduledEvaluationRunId=key)
    runs, kind = f"{APP}/scheduledEvaluationRuns", "scheduledEvaluationRuns"
    evaluation_id, dataset_id = two.rpartition("/")[2], dataset.rpartition("/")[2]
    by_evaluation = server.get(runs, filter=f"request.evaluations:{evaluation_id}")
    by_dataset = server.get(runs, filter=f"request.evaluation_dataset:{dataset_id}")
    assert (keys(by_evaluation, kind), keys(by_dataset, kind)) == (["byeval"], ["bydata"])
    found = server.get(f"{APP}/evaluations", evaluationFilter=f"evaluation_datasets:{dataset_id}")
    assert [item["name"] for item in found.body["evaluations"]] == [one]


def test_other_filters_are_refused(server):
    """A filter that the emulator does not understand is an error, never ignored."""
    server.app()
    assert server.get(f"{APP}/agents", filter="colour:x").code == "INVALID_ARGUMENT"
    assert server.get(f"{APP}/tools", filter="include_system_tools=maybe").code == "INVALID_ARGUMENT"


def test_system_tools_are_referenced_and_not_managed(server):
    """A system tool can be read and used by an agent; it cannot be created, changed or deleted."""
    server.app()
    name = f"{APP}/tools/end_session"
    assert server.get(name).body["systemTool"]["name"] == "end_session"
    assert server.agent("front", tools=[name])["tools"] == [name]
    body = {"clientFunction": {"name": "beep"}}
    assert server.create(f"{APP}/tools", body, toolId="end_session").code == "ALREADY_EXISTS"
    assert server.update(name, body, updateMask="clientFunction").code == "INVALID_ARGUMENT"
    assert server.delete(name).code == "INVALID_ARGUMENT"


def test_a_list_below_no_location_is_no_empty_list(server):
    """An unknown location is refused in lists as in creates; `-` represents all that there are."""
    for place, key in (("us", "desk1"), ("eu", "desk2")):
        server.create(f"projects/acme/locations/{place}/apps", {"displayName": key}, appId=key)
    for collection in ("apps", "operations"):
        assert server.get(f"projects/acme/locations/mars/{collection}").code == "INVALID_ARGUMENT"
    assert keys(server.get("projects/acme/locations/-/apps", orderBy="name"), "apps") == ["desk2", "desk1"]
    assert server.create("projects/acme/locations/-/apps", {"displayName": "D"}).code == "INVALID_ARGUMENT"


def test_locations_are_a_switch_and_listed_in_pages(serving):
    """us and eu, or those of the switch; a filter is refused, a page token is of one project."""
    places = "projects/acme/locations"
    assert [one["locationId"] for one in serving().get(places).body["locations"]] == ["us", "eu"]
    server = serving(locations=("asia", "us", "mars"))
    first = server.get(places, pageSize=2).body
    rest = server.get(places, pageSize=2, pageToken=first["nextPageToken"]).body
    assert [one["name"] for one in first["locations"]] == [f"{places}/asia", f"{places}/us"]
    assert rest == {"locations": [{"name": f"{places}/mars", "locationId": "mars"}]}
    assert server.get(f"{places}/mars").status == 200
    assert server.create(f"{places}/mars/apps", {"displayName": "D"}).status == 200
    assert server.get(f"{places}/eu").code == "NOT_FOUND"
    assert server.get(places, filter="locationId=us").code == "INVALID_ARGUMENT"
    other = server.get("projects/other/locations", pageToken=first["nextPageToken"])
    assert other.code == "INVALID_ARGUMENT"


@pytest.mark.parametrize("size", [2, 50])
def test_the_size_of_a_page_that_nobody_asks_for(serving, size):
    """It is unstated, but for deployments: a switch."""
    server = serving(default_page_size=size)
    server.app()
    for key in ("alpha", "bravo", "charl"):
        server.agent(key)
    assert len(keys(server.get(f"{APP}/agents"), "agents")) == min(size, 3)


def test_lists_of_different_apps_are_apart(server):
    """A list holds what is under its parent, and no more."""
    server.app()
    server.agent("front")
    server.create(f"{LOCATION}/apps", {"displayName": "Other"}, appId="desk2")
    assert server.get(f"{LOCATION}/apps/desk2/agents").body == {}
    assert keys(server.get(f"{LOCATION}/apps"), "apps") == ["desk1", "desk2"]


def test_the_order_of_lists_is_kept(server):
    """Every list comes back in the order in which it was sent, guardrails included."""
    server.app()
    rails = [
        server.made("guardrails", {"displayName": "G", "codeCallback": {}}, guardrailId=f"rail{n}")["name"]
        for n in (3, 1, 2)
    ]
    code = "def before_agent_callback(callback_context):\n    return {}\n"
    callbacks = [{"pythonCode": f"{code}# {n}\n"} for n in (2, 1)]
    agent = server.agent("front", guardrails=rails, beforeAgentCallbacks=callbacks)
    assert server.get(agent["name"]).body["guardrails"] == rails
    assert server.get(agent["name"]).body["beforeAgentCallbacks"] == callbacks


def test_the_keys_of_schema_properties_are_sorted(server):
    """Schema properties come back sorted by key."""
    properties = {"b": {"type": "STRING"}, "a": {"type": "STRING"}}
    variable = {"name": "v", "schema": {"type": "OBJECT", "properties": properties}}
    app = server.app(variableDeclarations=[variable])
    assert list(app["variableDeclarations"][0]["schema"]["properties"]) == ["a", "b"]


def test_a_list_of_apps_may_say_what_it_could_not_reach(serving):
    """`unreachable` in a list of apps: the list is not whole, which is not a sign of a deletion."""
    assert "unreachable" not in serving().get(f"{LOCATION}/apps").body
    server = serving(unreachable=("projects/acme/locations/us",))
    assert server.get(f"{LOCATION}/apps").body == {"apps": [], "unreachable": [LOCATION]}
    assert "unreachable" in server.get(f"{LOCATION}/apps", version="v1", fields="unreachable").body
