"""
The laws of pull on apps that cesplan did not write: Google's own client did, in its own spelling of values.

What is made, and in which order, is planned by the engine; every write then goes through `google-cloud-ces`
over REST, and no stamp of ours is left.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
from google.protobuf import field_mask_pb2

from cesplan.domain.address import KindName
from cesplan.domain.desired import Desired, DesiredResource
from cesplan.domain.field_path import MaskPath
from cesplan.domain.live import LiveResource
from cesplan.domain.options import ApplyOptions, PlanOptions
from cesplan.domain.outcome import Applied, Failed, Skipped, Started, Unknown, Waiting
from cesplan.domain.value import Body, reveal
from cesplan.engine.applying import ports
from cesplan.engine.applying.run import apply
from cesplan.model.kinds import Kind, app_kinds, kind_of
from cesplan.remote.client import Client
from cesplan.workflow.connecting import Connection
from cesplan.workflow.planning import plan
from cesplan.workflow.pulling import pull
from tests.conformance.emulator.conftest import Google, library
from tests.properties.dice import seeded
from tests.properties.trees import APP_NAME, tree
from tests.properties.world import World, world

STAMP = "cesplan-"
SEEDS = range(200, 208)


@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    """The port of an apply: writes through Google's client, reads through ours; `kinds` were created."""

    google: Google
    ours: Client
    kinds: set[str]

    def get(self, kind: Kind, name: str) -> Body:
        return self.ours.get(kind, name)

    def list_children(
        self, app_name: str, kinds: Sequence[Kind]
    ) -> Mapping[KindName, tuple[LiveResource, ...]]:
        return self.ours.list_children(app_name, kinds)

    def create(self, kind: Kind, parent: str, resource_id: str, body: Body, waiting: ports.OnProgress) -> Body:
        word = _snake(kind.singular)
        request = {"parent": parent, word: self._message(kind, body), f"{word}_id": resource_id}
        made = self._call(f"create_{word}", request, "create" in kind.long_running)
        self.kinds.add(kind.name)
        return self.get(kind, made.name)

    def update(
        self,
        kind: Kind,
        name: str,
        body: Body,
        mask: tuple[MaskPath, ...],
        verify: ports.Verify | None = None,
    ) -> Body:
        word = _snake(kind.singular)
        paths = field_mask_pb2.FieldMask(paths=[_snake(str(path)) for path in mask])
        message = self._message(kind, {**body, "name": name})
        self._call(f"update_{word}", {word: message, "update_mask": paths}, "update" in kind.long_running)
        return self.get(kind, name)

    def delete(
        self,
        kind: Kind,
        name: str,
        etag: str,
        force: bool,
        waiting: ports.OnProgress,
        verify: ports.Verify | None = None,
    ) -> None:
        raise AssertionError(f"nothing is there to be deleted: {name}")

    def _message(self, kind: Kind, body: Body) -> Any:
        message = getattr(self.google.ces, kind.class_name)
        return message.from_json(json.dumps(_unstamped(kind, reveal(body))), ignore_unknown_fields=True)

    def _call(self, method: str, request: dict[str, Any], long_running: bool) -> Any:
        clients = (self.google.agents, self.google.evaluations)
        client = next(item for item in clients if hasattr(item, method))
        answer = getattr(client, method)(request=request)
        return answer.result(timeout=20) if long_running else answer


@pytest.fixture(scope="module")
def here() -> Iterator[World]:
    with world() as made:
        yield made


@pytest.fixture(scope="module")
def google(here: World) -> Google:
    return library(here.emulator, "v1beta", APP_NAME)


@pytest.fixture(autouse=True)
def _no_checks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Generated texts are neither Python nor OpenAPI; what checks say of them is not the question here."""
    monkeypatch.setattr("cesplan.config.tree.load.run_checks", lambda *_: None)


@pytest.mark.parametrize("seed", SEEDS)
def test_what_googles_client_wrote_is_pulled_and_plans_to_nothing(
    seed: int, here: World, google: Google, tmp_path: Path
) -> None:
    """Into an empty folder; a plan of it is empty, and pulling again changes no file."""
    seed_through(google, here.fresh(), tree(seeded(seed), plain=seed % 2 == 0))
    connection = Connection(emulator=here.emulator.address)
    first = pull(tmp_path, APP_NAME, new_tree=True, connection=connection)
    assert [item for item in first.diagnostics if item.severity == "error"] == []
    written = files(tmp_path)
    for adopt in (False, True):
        made = plan(tmp_path, connection=connection, options=PlanOptions(adopt=adopt)).plan
        assert [(str(item.address), item.changes) for item in made.shown] == []
        assert made.would_remove == ()
    again = pull(tmp_path, APP_NAME, connection=connection)
    assert (again.written, again.differing, again.equal) == ((), (), first.resources)
    assert files(tmp_path) == written


def test_the_seeds_have_every_kind(here: World, google: Google) -> None:
    """Otherwise a kind would be written by nobody but us."""
    kinds = set().union(*(seed_through(google, here.fresh(), tree(seeded(seed))) for seed in SEEDS))
    assert kinds == {"apps", *(kind.name for kind in app_kinds("v1beta"))}


def seed_through(google: Google, world: World, desired: Desired) -> set[str]:
    """Make a tree live by Google's client, and return the kinds of what was created."""
    service = Written(google=google, ours=world.client(desired.settings, read_only=True), kinds=set())
    made = world.plan(sayable(google, desired))
    assert not made.blockers
    google.called.clear()
    outcomes = [
        item for item in apply(made, service, ApplyOptions()) if not isinstance(item, Started | Waiting)
    ]
    assert [item for item in outcomes if isinstance(item, Failed | Skipped | Unknown)] == []
    assert all(isinstance(item, Applied) for item in outcomes)
    assert google.called
    live = world.bodies()[APP_NAME]
    assert not [key for key in live.get("metadata", {}) if key.startswith(STAMP)]
    return service.kinds


def sayable(google: Google, desired: Desired) -> Desired:
    """A tree without the fields that this version of Google's client does not have."""

    def cut(item: DesiredResource) -> DesiredResource:
        message = getattr(google.ces, kind_of(item.address.kind).class_name)
        return replace(item, body=_known(message.pb(message()).DESCRIPTOR, item.body))

    apps = [
        replace(app, app=cut(app.app), resources=tuple(cut(item) for item in app.resources))
        for app in desired.apps
    ]
    return replace(desired, apps=tuple(apps), location_resources=())


def files(root: Path) -> dict[str, bytes]:
    return {str(path.relative_to(root)): path.read_bytes() for path in root.rglob("*") if path.is_file()}


def _known(descriptor: Any, body: Any) -> Any:
    if descriptor is None or descriptor.full_name.startswith("google.protobuf.") or not isinstance(body, dict):
        return body
    fields = descriptor.fields_by_camelcase_name
    return {name: _value(fields[name], value) for name, value in body.items() if name in fields}


def _value(field: Any, value: Any) -> Any:
    inner = field.message_type
    if isinstance(value, list):
        return [_known(inner, item) for item in value]
    if inner is not None and inner.GetOptions().map_entry and isinstance(value, dict):
        entry = inner.fields_by_name["value"].message_type
        return {key: _known(entry, item) for key, item in value.items()}
    return _known(inner, value)


def _unstamped(kind: Kind, body: Body) -> Body:
    stamped = body.get(kind.stamp_field) if kind.stamp_field else None
    if not isinstance(stamped, dict):
        return body
    kept = {key: value for key, value in stamped.items() if not key.startswith(STAMP)}
    return {**body, kind.stamp_field: kept}


def _snake(text: str) -> str:
    return re.sub(r"(?<=[a-z0-9])([A-Z])", lambda found: f"_{found[1].lower()}", text)
