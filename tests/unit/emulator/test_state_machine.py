"""The emulator and a plain model are of one mind after any sequence of writes."""

import json
from typing import Any
from urllib.parse import urlencode

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test

from cesplan.emulator.server.application import Application
from cesplan.emulator.storage.store import Store
from cesplan.emulator.switches import Switches
from tests.unit.emulator.plain_model import GONE, OK, Model

LOCATION = "projects/acme/locations/us"
APP = f"{LOCATION}/apps/desk1"
ID_PARAMETERS = {
    "agents": "agentId",
    "tools": "toolId",
    "deployments": "deploymentId",
    "versions": "appVersionId",
}
REFERENCES = {"tools": "tools", "childAgents": "agents", "rootAgent": "agents", "appVersion": "versions"}
FIELDS = ("displayName", "description", "instruction", "tools", "childAgents", "modelSettings")

agent_keys = st.sampled_from(["alpha", "bravo", "charl", "delta"])
tool_keys = st.sampled_from(["look_up", "beep_it", "ask_me"])
version_keys = st.sampled_from(["v0001", "v0002", "v0003"])
deployment_keys = st.sampled_from(["phone", "webby"])
texts = st.sampled_from(["", "one", "two"])
agent_bodies = st.fixed_dictionaries(
    {},
    optional={
        "displayName": st.sampled_from(["A", "B", ""]),
        "description": texts,
        "instruction": texts,
        "tools": st.lists(tool_keys, max_size=2, unique=True),
        "childAgents": st.lists(agent_keys, max_size=2, unique=True),
        "modelSettings": st.fixed_dictionaries(
            {}, optional={"model": st.just("m"), "temperature": st.just(0.5)}
        ),
    },
)
masks = st.lists(
    st.sampled_from([*FIELDS, "modelSettings.model", "modelSettings.temperature"]),
    min_size=1,
    max_size=3,
    unique=True,
).filter(lambda paths: not ("modelSettings" in paths and any("." in path for path in paths)))
app_bodies = st.fixed_dictionaries(
    {}, optional={"description": texts, "rootAgent": agent_keys, "locked": st.booleans()}
)
app_masks = st.lists(st.sampled_from(["description", "rootAgent"]), max_size=2, unique=True)


class Machine(RuleBasedStateMachine):
    """Every rule asks both and compares; the invariant compares everything that can be read."""

    def __init__(self) -> None:
        super().__init__()
        self.store = Store()
        self.application = Application(self.store, Switches())
        self.model = Model()
        self.etags: dict[str, list[str]] = {}

    @initialize()
    def begin(self) -> None:
        self.send("POST", f"{LOCATION}/apps", {"displayName": "Desk"}, appId="desk1")
        self.model.app = {"displayName": "Desk"}

    @rule(key=agent_keys, body=agent_bodies)
    def create_agent(self, key: str, body: Any) -> None:
        self.agree(self.post("agents", key, sent(body)), self.model.create("agents", key, kept(body)))

    @rule(key=tool_keys)
    def create_tool(self, key: str) -> None:
        body = {"displayName": key, "clientFunction": {"name": key}}
        code, _ = self.post("tools", key, {"clientFunction": {"name": key}})
        self.agree((code, {}), self.model.create("tools", key, body))

    @rule(key=deployment_keys, version=version_keys)
    def create_deployment(self, key: str, version: str) -> None:
        body = {"displayName": "D", "channelProfile": {"channelType": "API"}, "appVersion": version}
        self.agree(self.post("deployments", key, sent(body)), self.model.create("deployments", key, body))

    @rule(key=agent_keys, body=agent_bodies, mask=st.none() | masks, etag=st.sampled_from(["", "now", "stale"]))
    def update_agent(self, key: str, body: Any, mask: list[str] | None, etag: str) -> None:
        tag = self.etag_of("agents", key, etag)
        query = {"updateMask": ",".join(mask)} if mask else {}
        answer = self.send("PATCH", f"{APP}/agents/{key}", sent(body) | ({"etag": tag} if tag else {}), **query)
        self.agree(answer, self.model.update("agents", key, kept(body), mask, stale=etag == "stale"))

    @rule(body=app_bodies, mask=app_masks)
    def update_app(self, body: Any, mask: list[str]) -> None:
        paths = [*mask, *(["locked"] if "locked" in body else [])]
        if paths:
            answer = self.send("PATCH", APP, sent(body), updateMask=",".join(paths))
            self.agree(answer, self.model.update_app(kept(body), paths))

    @rule(
        name=st.tuples(st.just("agents"), agent_keys)
        | st.tuples(st.just("tools"), tool_keys)
        | st.tuples(st.just("deployments"), deployment_keys)
        | st.tuples(st.just("versions"), version_keys),
        force=st.booleans(),
        etag=st.sampled_from(["", "now", "stale"]),
    )
    def delete(self, name: tuple[str, str], force: bool, etag: str) -> None:
        kind, key = name
        tag = self.etag_of(kind, key, etag)
        query = {"force": "true"} if force and kind in ("agents", "tools") else {}
        answer = self.send("DELETE", f"{APP}/{kind}/{key}", None, **query, **({"etag": tag} if tag else {}))
        self.agree(answer, self.model.delete(kind, key, force=force, stale=etag == "stale"))

    @rule(key=version_keys)
    def create_version(self, key: str) -> None:
        self.agree(self.post("versions", key, {}), self.model.create_version(key))

    @rule(key=version_keys)
    def restore(self, key: str) -> None:
        code, _ = self.send("POST", f"{APP}/versions/{key}:restore", {})
        saved = ""
        if code == OK:
            newest = self.send("GET", f"{APP}/versions", None, orderBy="create_time desc", pageSize=1)[1]
            saved = newest["appVersions"][0]["name"].rpartition("/")[2]
        self.agree((code, {}), self.model.restore(key, saved))

    @rule(
        order=st.sampled_from(["name", "name desc", "create_time", "create_time desc"]), size=st.integers(1, 3)
    )
    def walk_pages(self, order: str, size: int) -> None:
        found: list[str] = []
        query: dict[str, Any] = {"orderBy": order, "pageSize": size}
        while True:
            _, page = self.send("GET", f"{APP}/agents", None, **query)
            keys = [item["name"].rpartition("/")[2] for item in page.get("agents", [])]
            assert len(keys) <= size
            found += keys
            if "nextPageToken" not in page:
                break
            query["pageToken"] = page["nextPageToken"]
        by_birth = sorted(self.model.agents, key=lambda key: self.model.born["agents", key])
        wanted = by_birth if "create_time" in order else sorted(self.model.agents)
        assert found == (wanted[::-1] if order.endswith("desc") else wanted)

    @invariant()
    def everything_agrees(self) -> None:
        if not self.model.app:
            return
        app = self.read(APP, ("displayName", "description", "rootAgent", "locked"))
        assert app == self.model.app
        for kind, fields in (("agents", FIELDS), ("tools", ("displayName", "clientFunction"))):
            _, page = self.send("GET", f"{APP}/{kind}", None, pageSize=1000)
            shown = {item["name"].rpartition("/")[2]: _only(item, fields) for item in page.get(kind, [])}
            assert shown == self.model.of(kind)
        _, page = self.send("GET", f"{APP}/versions", None, fields="appVersions(name)")
        names = [item["name"].rpartition("/")[2] for item in page.get("appVersions", [])]
        assert names == list(self.model.versions)

    def teardown(self) -> None:
        self.store.close()

    def agree(self, answer: tuple[str, Any], code: str) -> None:
        assert answer[0] == code

    def post(self, kind: str, key: str, body: Any) -> tuple[str, Any]:
        return self.send("POST", f"{APP}/{kind}", body, **{ID_PARAMETERS[kind]: key})

    def read(self, name: str, fields: tuple[str, ...]) -> Any:
        return _only(self.send("GET", name, None)[1], fields)

    def etag_of(self, kind: str, key: str, which: str) -> str:
        if which != "now":
            return "c3RhbGU=" if which else ""
        code, found = self.send("GET", f"{APP}/{kind}/{key}", None)
        return "" if code == GONE else str(found["etag"])

    def send(self, verb: str, path: str, body: Any, **query: Any) -> tuple[str, Any]:
        """Ask the emulator; the code of a refusal ('' for none), and the body."""
        scope = {
            "method": verb,
            "path": f"/v1beta/{path}",
            "query_string": urlencode(query).encode(),
            "headers": [],
        }
        reply = self.application.respond(scope, b"" if body is None else json.dumps(body).encode())
        value = json.loads(reply.data)
        return (OK, value) if reply.status == 200 else (value["error"]["status"], value)


def sent(body: Any) -> Any:
    """Return a body of keys as it is sent: with names."""
    out = dict(body)
    for field, kind in REFERENCES.items():
        if isinstance(out.get(field), list):
            out[field] = [f"{APP}/{kind}/{key}" for key in out[field]]
        elif field in out:
            out[field] = f"{APP}/{kind}/{out[field]}"
    return out


def kept(body: Any) -> Any:
    """Return a body without what is the same as absent."""
    return {key: value for key, value in body.items() if value not in ("", [], False)}


def _only(item: Any, fields: tuple[str, ...]) -> Any:
    """Return the fields of an answer that the model has, with keys instead of names."""
    found = {field: item[field] for field in fields if field in item}
    for field in REFERENCES:
        if isinstance(found.get(field), list):
            found[field] = [name.rpartition("/")[2] for name in found[field]]
        elif field in found:
            found[field] = found[field].rpartition("/")[2]
    return found


def run(examples: int, steps: int) -> None:
    checks = (HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much)
    profile = settings(
        max_examples=examples, stateful_step_count=steps, deadline=None, suppress_health_check=checks
    )
    run_state_machine_as_test(Machine, settings=profile)


def test_emulator_and_model_agree():
    """Create, update by masks, delete, force, restore, lock and paging, in any order."""
    run(examples=20, steps=40)


@pytest.mark.slow
def test_emulator_and_model_agree_for_long():
    """The same, for thousands of steps."""
    run(examples=300, steps=60)
