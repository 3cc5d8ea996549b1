"""What the client promises on a bad day, over HTTP to an emulator with scripted faults."""

import json
import threading
from pathlib import Path
from typing import Any

import pytest

from cesplan.cli.running import run
from cesplan.domain.errors import Unavailable
from cesplan.domain.options import ApplyOptions
from cesplan.domain.outcome import Applied, Failed, Skipped
from cesplan.engine.applying.run import apply
from cesplan.remote.clock import Clock
from cesplan.remote.connecting import assemble
from cesplan.remote.credentials import Credentials
from cesplan.remote.endpoints import emulator_endpoint
from cesplan.remote.pools import direct_pool
from cesplan.remote.transport import WRITING, Answer, Transport
from tests.faults.desk import Worlds, acknowledged, apply_over, settled, state
from tests.faults.scenes import at_first, new
from tests.faults.wire import nothing, refusal
from tests.properties.trees import APP_NAME, desired
from tests.properties.world import World, insist

AGENTS = {f"agents/agent-{number:02}": {"displayName": f"Agent {number}"} for number in range(16)}


def applied(world: World, **options: Any) -> list[Any]:
    """Carry out the new scene over the faults of the emulator; nothing waits."""
    return apply_over(world, world.plan(new()), nothing, **options)[0]


class TestLostAnswers:
    @pytest.mark.parametrize("effect", [{"reset": {"after": True}}, {"truncate": {"bytes": 1}}])
    @pytest.mark.parametrize(
        ("method", "resource", "looks"),
        [
            ("CreateTool", "tools/new-lookup", "GetTool"),
            ("UpdateAgent", "agents/front-desk", "GetAgent"),
            ("DeleteTool", "tools/old-lookup", "GetTool"),
        ],
    )
    def test_a_look_at_the_resource_resolves_it(
        self, worlds: Worlds, effect: dict[str, Any], method: str, resource: str, looks: str
    ) -> None:
        """A create by reading its id, an update by comparing, a delete by its absence: sent once, and done."""
        world = worlds()
        at_first(world)
        world.forget()
        world.emulator.break_with({"method": method, "resource": resource, **effect})
        insist(applied(world))
        assert [item["consumed"] for item in world.emulator.faults.report()] == [True]
        journal = [(entry.rpc, entry.path) for entry in world.emulator.journal.entries]
        sent = [place for place, (rpc, _) in enumerate(journal) if rpc == method]
        assert len(sent) == 1
        assert any(rpc == looks and path.endswith(resource) for rpc, path in journal[sent[0] + 1 :])
        assert world.plan(new()).is_empty

    @pytest.mark.parametrize("method", ["CreateTool", "UpdateAgent", "DeleteTool"])
    def test_what_never_arrived_is_sent_again(self, worlds: Worlds, method: str) -> None:
        world = worlds()
        at_first(world)
        world.emulator.break_with({"method": method, "reset": {"after": False}})
        insist(applied(world))
        assert world.plan(new()).is_empty

    def test_an_edit_by_somebody_else_meanwhile_is_not_taken_for_ours(self, worlds: Worlds) -> None:
        """The create took effect, its answer was lost, and the resource was changed before we looked."""
        world = worlds()
        at_first(world)
        world.emulator.break_with(
            {"method": "CreateTool", "reset": {"after": True}},
            {
                "method": "CreateTool",
                "edit": {
                    "after": True,
                    "name": "tools/new-lookup",
                    "body": {"clientFunction": {"name": "theirs"}},
                },
            },
        )
        outcomes = applied(world)
        assert settled(outcomes)["shop-desk/tools/new-lookup"] == "failed"
        assert world.bodies()[f"{APP_NAME}/tools/new-lookup"]["clientFunction"] == {"name": "theirs"}

    def test_an_operation_that_fails_late_is_a_failure(self, worlds: Worlds) -> None:
        """The create of the app was accepted and then failed: nothing else is sent, and a re-run does it."""
        world = worlds()
        world.emulator.break_with(
            {"method": "CreateApp", "late": {"code": "RESOURCE_EXHAUSTED", "message": "No."}}
        )
        tree = desired(AGENTS, {"displayName": "Shop desk"})
        outcomes = apply_over(world, world.plan(tree), nothing)[0]
        assert [type(item) for item in outcomes].count(Failed) == 1
        assert [type(item) for item in outcomes].count(Skipped) == len(outcomes) - 1
        insist(world.apply(world.plan(tree)))
        assert world.plan(tree).is_empty


def test_one_429_slows_the_whole_run(worlds: Worlds) -> None:
    """Eight writes are in flight, one gets Retry-After 30 s: no later request of any worker goes sooner."""
    world = worlds()
    tree = desired(AGENTS, {"displayName": "Shop desk"})
    insist(world.apply(world.plan(desired({}, {"displayName": "Shop desk"}))))
    made = world.plan(tree)
    now, paused, lock = [1000.0], threading.Event(), threading.Lock()
    together = threading.Barrier(8)
    begun: list[tuple[str, float]] = []

    def sleep(seconds: float) -> None:
        with lock:
            now[0] += seconds
        paused.set()

    class RateLimited(Transport):
        def send(self, call: Any, headers: Any) -> Answer:
            with lock:
                begun.append((call.method, now[0]))
                number = sum(1 for method, _ in begun if method == "POST")
            if call.method == "POST" and number <= 8:
                together.wait(60)
                if number == 1:
                    return Answer(status=429, headers={"retry-after": "30"}, data=b"{}")
                assert paused.wait(60)
            return super().send(call, headers)

    transport = RateLimited(
        endpoint=emulator_endpoint(world.emulator.address),
        pool=direct_pool(),
        methods=WRITING,
        api_version="v1beta",
    )
    clock = Clock(monotonic=lambda: now[0], wall=lambda: now[0], sleep=sleep, chance=lambda: 0.0)
    with assemble(transport, credentials=None, api_version="v1beta", clock=clock) as client:
        insist([event for event in apply(made, client, ApplyOptions(workers=8)) if isinstance(event, Applied)])
    first, later = begun[:8], begun[8:]
    assert {moment for _, moment in first} == {1000.0}
    assert len(later) >= 9
    assert all(moment >= 1030.0 for _, moment in later)


class Login:
    """Google's credentials with a token that can be renewed; the first one has been revoked."""

    def __init__(self) -> None:
        self.refreshed = 0
        self.valid = True

    def refresh(self, request: Any) -> None:
        self.refreshed += 1

    def apply(self, headers: dict[str, str]) -> None:
        headers["authorization"] = f"Bearer token-{self.refreshed}"


def test_401_renews_the_token_once_for_all_workers(worlds: Worlds) -> None:
    """Eight requests are refused together; one token is fetched, and all of them go through with it."""
    world = worlds()
    insist(world.apply(world.plan(desired({}, {"displayName": "Shop desk"}))))
    made = world.plan(desired(AGENTS, {"displayName": "Shop desk"}))
    together, login = threading.Barrier(8), Login()

    class Revoked(Transport):
        def send(self, call: Any, headers: Any) -> Answer:
            if headers["authorization"] == "Bearer token-0":
                together.wait(60)
                return refusal(401, "UNAUTHENTICATED")(lambda: super(Revoked, self).send(call, headers))
            return super().send(call, headers)

    transport = Revoked(
        endpoint=emulator_endpoint(world.emulator.address),
        pool=direct_pool(),
        methods=WRITING,
        api_version="v1beta",
    )
    with assemble(
        transport,
        credentials=Credentials(login, http=direct_pool()),
        api_version="v1beta",
        clock=Clock(),
    ) as client:
        outcomes = [
            event for event in apply(made, client, ApplyOptions(workers=8)) if isinstance(event, Applied)
        ]
    assert (login.refreshed, len(outcomes)) == (1, len(made.operations))


class TestReports:
    """The same from outside: exit codes, words and JSON."""

    @pytest.fixture
    def shop(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, worlds: Worlds) -> World:
        world = worlds()
        (tmp_path / "apps/my-shop/agents").mkdir(parents=True)
        (tmp_path / "apps/my-shop/tools").mkdir()
        (tmp_path / "cesplan.yaml").write_text("cesplan: 1\nproject: acme-dev\nlocation: us\napps: [apps/*]\n")
        (tmp_path / "apps/my-shop/app.yaml").write_text("displayName: Shop\nrootAgent: front-desk\n")
        (tmp_path / "apps/my-shop/agents/front-desk.yaml").write_text(
            "displayName: Front\ntools: [lookup-order]\n"
        )
        (tmp_path / "apps/my-shop/agents/other-desk.yaml").write_text("displayName: Other\n")
        (tmp_path / "apps/my-shop/tools/lookup-order.yaml").write_text("clientFunction: {name: lookup_order}\n")
        monkeypatch.chdir(tmp_path)
        monkeypatch.setenv("CES_EMULATOR_HOST", world.emulator.address)
        return world

    def test_partial_failure_tells_done_failed_and_skipped(
        self, shop: World, capsys: pytest.CaptureFixture[str]
    ) -> None:
        shop.emulator.break_with(
            {"method": "CreateTool", "status": {"code": "INVALID_ARGUMENT", "message": "No."}}
        )
        assert run(["apply", "--auto-approve", "--format", "json"]) == 3
        told = json.loads(capsys.readouterr().out)
        outcomes = {(item["address"], item["action_reason"]): item for item in told["outcomes"]}
        assert told["exit_code"] == 3
        assert {"/".join(key): item["outcome"] for key, item in outcomes.items()} == {
            "my-shop/not_in_live": "skipped",
            "my-shop/tools/lookup-order/not_in_live": "failed",
            "my-shop/agents/front-desk/not_in_live": "skipped",
            "my-shop/agents/other-desk/not_in_live": "applied",
            "my-shop/stamp": "skipped",
        }
        assert outcomes["my-shop/tools/lookup-order", "not_in_live"]["error"]["status"] == "INVALID_ARGUMENT"
        records = [item for item in shop.sent() if item.mask == "metadata"]
        assert len(records) == 1  # bookkeeping, as a lease is: no report counts it
        assert sum(item["writes"] for item in told["outcomes"]) == acknowledged(shop) - len(records) == 2

    def test_what_nobody_knows_is_told_as_unknown(
        self, shop: World, capsys: pytest.CaptureFixture[str]
    ) -> None:
        """The answer is lost, and so is every look: neither done nor failed, exit code 3."""
        shop.emulator.break_with(
            {"method": "CreateTool", "reset": {"after": True}},
            {"method": "GetTool", "times": 50, "status": {"code": "PERMISSION_DENIED", "message": "No."}},
        )
        assert run(["apply", "--auto-approve", "--format", "json"]) == 3
        told = json.loads(capsys.readouterr().out)
        assert {item["outcome"] for item in told["outcomes"] if "tools" in item["address"]} == {"unknown"}
        assert told["summary"]["unknown"] == 1
        shop.emulator.faults.clear()
        assert run(["apply", "--auto-approve"]) == 0

    def test_403_names_the_missing_permission(self, shop: World, capsys: pytest.CaptureFixture[str]) -> None:
        shop.emulator.break_with(
            {"method": "CreateApp", "status": {"code": "PERMISSION_DENIED", "message": "No."}}
        )
        assert run(["apply", "--auto-approve"]) == 6
        err = " ".join(capsys.readouterr().err.split())
        assert "The permission ces.apps.create on projects/acme-dev/locations/us is required." in err

    def test_a_rollback_tells_what_it_took_back(self, shop: World, capsys: pytest.CaptureFixture[str]) -> None:
        before = state(shop)
        fault = {"method": "UpdateApp", "status": {"code": "INVALID_ARGUMENT", "message": "No."}}
        shop.emulator.break_with(fault, fault)
        assert run(["apply", "--auto-approve", "--on-error", "rollback", "--format", "json"]) == 3
        told = json.loads(capsys.readouterr().out)
        assert told["rollback"]["complete"] is True
        assert {item["outcome"] for item in told["rollback"]["outcomes"]} == {"rolled_back"}
        assert state(shop) == before
        assert run(["apply", "--auto-approve", "--on-error", "rollback"]) == 3
        out = capsys.readouterr().out
        assert "Rolled back: everything undone, in 4 writes. Read back: live is as it was before." in out
        assert state(shop) == before

    def test_a_rollback_that_could_not_be_whole_says_what_is_left(
        self, shop: World, capsys: pytest.CaptureFixture[str]
    ) -> None:
        no = {"code": "INVALID_ARGUMENT", "message": "No."}
        shop.emulator.break_with({"method": "UpdateApp", "status": no}, {"method": "DeleteTool", "status": no})
        assert run(["apply", "--auto-approve", "--on-error", "rollback"]) == 3
        out = " ".join(capsys.readouterr().out.split())
        assert "Rolled back in part: 2 of 4 undone, in 2 writes." in out
        assert (
            "not undone tools/lookup-order: Could not delete tools/lookup-order: No. (INVALID_ARGUMENT)" in out
        )
        assert "not undone app: It contains resources that this run did not create: tools/lookup-order" in out


def test_a_location_that_is_out_of_reach_stops_the_plan(worlds: Worlds) -> None:
    """Half a list is an error: what was not read would be created again."""
    world = worlds(unreachable=("us",))
    with pytest.raises(Unavailable, match="some locations could not be reached"):
        world.plan(desired(AGENTS, {"displayName": "Shop desk"}))
