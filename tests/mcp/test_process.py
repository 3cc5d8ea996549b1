"""The server as a client starts it: a process, its streams, its signals, its end."""

import json
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic
from typing import Any

import anyio
import pytest
from mcp import Client

from cesplan.mcp.command import command
from cesplan.mcp.workspace import Workspace
from tests.mcp.conftest import Desk, served, text_of

HELLO = {
    "jsonrpc": "2.0",
    "id": 0,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "t", "version": "1"},
    },
}
READY = {"jsonrpc": "2.0", "method": "notifications/initialized"}


def call(number: int, name: str, **arguments: Any) -> dict[str, Any]:
    params = {"name": name, "arguments": arguments}
    return {"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": params}


class Spoken:
    """A server, spoken to by hand: each line that comes back must be the protocol's."""

    def __init__(self, process: "subprocess.Popen[str]") -> None:
        self.process = process

    def say(self, *messages: dict[str, Any]) -> None:
        assert self.process.stdin is not None
        for message in messages:
            self.process.stdin.write(json.dumps(message) + "\n")
        self.process.stdin.flush()

    def hear(self) -> dict[str, Any]:
        assert self.process.stdout is not None
        heard: dict[str, Any] = json.loads(self.process.stdout.readline())
        assert heard["jsonrpc"] == "2.0"
        return heard

    def end(self) -> tuple[int, str]:
        """End the input; the exit code and the log. Nothing but the protocol was said until then."""
        out, err = self.process.communicate(timeout=30)
        assert all(json.loads(line)["jsonrpc"] == "2.0" for line in out.splitlines())
        return self.process.returncode, err


@contextmanager
def spoken(*words: str, program: tuple[str, ...] = (sys.executable, "-m", "cesplan")) -> Iterator[Spoken]:
    process = subprocess.Popen(
        [*program, "mcp", *words],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
    )
    try:
        made = Spoken(process)
        made.say(HELLO)
        assert made.hear()["result"]["serverInfo"]["name"] == "cesplan"
        made.say(READY)
        yield made
    finally:
        process.kill()
        process.communicate(timeout=30)


def test_a_client_of_an_older_protocol_is_served_until_its_input_ends(desk: Desk):
    """Stdout has the protocol only, messages go to stderr, and the end of the input is the end: exit code 0."""
    with spoken("--debug") as server:
        server.say(call(1, "validate"), call(2, "plan"))
        answers = {item["id"]: item["result"] for item in (server.hear(), server.hear())}
        assert answers[1]["structuredContent"]["report"]["valid"] is True
        assert answers[2]["structuredContent"]["report"]["summary"]["update"] == 1
        code, log = server.end()
    assert code == 0
    assert f"Serving {desk.root.resolve()} over MCP" in log
    assert "GET" in log  # --debug shows requests


def test_a_slow_plan_keeps_nothing_waiting_and_can_be_cancelled(desk: Desk):
    """A ping is answered while a plan reads; a plan that is cancelled stops asking; Ctrl-C ends the server."""
    desk.emulator.break_with({"method": "ListAgents", "latency": {"seconds": 1.5}})
    with spoken() as server:
        server.say(call(1, "plan"), {"jsonrpc": "2.0", "id": 2, "method": "ping"})
        assert server.hear() == {"jsonrpc": "2.0", "id": 2, "result": {}}
        server.say({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}})
        server.say(call(3, "explain", code="CES021"))
        assert (heard := server.hear())["id"] == 3, heard
        server.process.send_signal(signal.SIGINT)
        code, log = server.end()
    assert code == 130
    assert "Traceback" not in log


def test_the_approved_plan_is_applied_once_and_no_other(desk: Desk, forked: str):
    """Another plan than the approved one writes nothing; the approved one is applied; then no more."""
    approved = desk.typed("plan", "--checksum").out.strip()

    async def scene() -> None:
        async with Client(served(forked, "--allow-apply", approved)) as client:
            desk.edit("apps/help-desk/agents/front-desk.yaml", "Be brief", "Be evil")
            result = await client.call_tool("apply", {})
            assert result.is_error
            assert "the plan does not have the expected checksum" in text_of(result)
            assert desk.writes == 0
            desk.edit("apps/help-desk/agents/front-desk.yaml", "Be evil", "Be brief")
            result = await client.call_tool("apply", {})
            assert not result.is_error, text_of(result)
            assert result.structured_content is not None
            assert result.structured_content["report"]["exit_code"] == 0
            assert "Applied: 0 created, 1 updated" in result.structured_content["text"]
            written = desk.writes
            assert written > 0
            desk.edit("apps/help-desk/agents/front-desk.yaml", "Be brief", "Be kind")
            for _ in range(2):
                assert (await client.call_tool("apply", {})).is_error
            assert desk.writes == written

    anyio.run(scene)
    assert desk.typed("plan", "--detailed-exitcode").code == 2


def test_an_approval_is_used_up_by_the_first_apply(desk: Desk):
    """Even if the same plan comes up again: a person approved one apply, not a state to be kept forever."""
    approved = desk.typed("plan", "--checksum").out.strip()
    old = (desk.root / "apps/help-desk/agents/front-desk.yaml").read_text(encoding="utf-8")
    desk.approve(approved)
    assert "Applied: 0 created, 1 updated" in desk.answer("apply")["text"]
    desk.edit("apps/help-desk/agents/front-desk.yaml", "Be brief", "Be kind")
    assert desk.typed("apply", "--auto-approve").code == 0
    (desk.root / "apps/help-desk/agents/front-desk.yaml").write_text(old, encoding="utf-8")
    again = desk.typed("plan", "--checksum").out.strip()
    space = desk.workspace
    assert space.approval is not None
    space.approval.checksum = again
    written = desk.writes
    assert "was already applied" in desk.error("apply")
    assert desk.writes == written


def test_an_apply_that_could_not_begin_leaves_the_approval(desk: Desk):
    """Another apply has the app: nothing was written, so a person need not approve again."""
    desk.edit("cesplan.yaml", "project:", "lease: true\nproject:")
    desk.approve(desk.typed("plan", "--checksum").out.strip())
    desk.emulator.break_with({"method": "UpdateApp", "status": {"code": "PERMISSION_DENIED", "message": "no"}})
    assert desk.call("apply").is_error
    assert "Applied: " in desk.answer("apply")["text"]


def test_the_guard_and_the_policy_are_not_approved_by_a_checksum(desk: Desk):
    """A plan that apply refuses is refused here, in the same words."""
    (desk.root / "cesplan.yaml").write_text(
        (desk.root / "cesplan.yaml").read_text(encoding="utf-8") + "protect: [help-desk/tools/*]\n",
        encoding="utf-8",
    )
    desk.edit("apps/help-desk/agents/front-desk.yaml", "tools: [lookup-order]", "tools: []")
    desk.edit("apps/help-desk/evaluations/late-order.yaml", '  - steps:\n    - userInput: {text: "7"}\n', "")
    desk.edit(
        "apps/help-desk/evaluations/late-order.yaml",
        '    - expectation: {toolCall: {tool: lookup-order, args: {order: "7"}}}\n',
        "",
    )
    (desk.root / "apps/help-desk/tools/lookup-order.yaml").unlink()
    desk.approve(desk.typed("plan", "--checksum").out.strip())
    told = desk.error("apply")
    assert "would be deleted, but `protect` in cesplan.yaml lists" in told
    assert "--allow-mass-delete" in told
    assert desk.writes == 0


def test_an_apply_whose_client_is_gone_ends_as_after_ctrl_c(desk: Desk, forked: str):
    """Requests in flight finish, the lease is given back, the report is in the log, and the process ends."""
    for number in range(30):
        (desk.root / f"apps/help-desk/agents/agent-{number:02}.yaml").write_text(
            f"displayName: Agent {number}\n", encoding="utf-8"
        )
    approved = desk.typed("plan", "--checksum").out.strip()
    desk.emulator.break_with({"method": "CreateAgent", "latency": {"seconds": 1}, "times": 99})
    with spoken("--allow-apply", approved, program=(forked,)) as server:
        server.say(call(1, "apply"))
        deadline = monotonic() + 30
        while not any(item.rpc == "CreateAgent" for item in desk.emulator.journal.entries):
            assert monotonic() < deadline
            anyio.run(anyio.sleep, 0.02)
        code, log = server.end()
    assert code == 0
    assert "Applied in part: " in log
    assert "interrupted" in log
    assert "Traceback" not in log
    written = sum(item.rpc == "CreateAgent" for item in desk.emulator.journal.entries)
    assert 0 < written < 30
    desk.emulator.faults.clear()
    assert desk.typed("apply", "--auto-approve").code == 0  # nothing is left that holds the app
    assert desk.typed("plan", "--detailed-exitcode").code == 0


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (("--allow-apply", "yes"), 64, "`yes` is not the checksum of a plan."),
        (("--max-bytes", "1"), 64, "1 is not in the range"),
        (("-C", ".."), 64, "There is no cesplan.yaml here."),
    ],
)
def test_what_a_person_gives_is_checked_at_the_start(desk: Desk, words: tuple[str, ...], code: int, said: str):
    """Before anything is served."""
    ran = desk.typed("mcp", *words)
    assert (ran.code, ran.out) == (code, "")
    assert said in ran.err


def test_closed_streams_are_said(desk: Desk):
    """A service manager may start programs so; there is nobody to serve."""
    script = 'exec "$0" -m cesplan mcp <&-'
    done = subprocess.run(["bash", "-c", script, sys.executable], capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stdout) == (64, "")
    assert "Stdin and stdout are closed" in done.stderr


def test_the_configurations_of_the_docs_start_it():
    """Each JSON of the page names this command with options that it has, in the folder of a tree."""
    page = (Path(__file__).parents[2] / "docs/mcp.md").read_text(encoding="utf-8")
    found = [json.loads(text) for text in re.findall(r"```json\n(.*?)```", page, re.DOTALL)]
    assert len(found) == 3
    context = command.make_context("mcp", [], resilient_parsing=True)
    known = {name for item in command.get_params(context) for name in item.opts}
    for document in found:
        ((key, servers),) = document.items()
        assert key in ("mcpServers", "servers")
        (server,) = servers.values()
        assert (server["command"], server["args"][0]) == ("cesplan", "mcp")
        assert {word for word in server["args"] if word.startswith("-")} <= known


def test_without_the_extra_it_says_what_to_install(desk: Desk, monkeypatch: pytest.MonkeyPatch):
    """One command to paste."""
    monkeypatch.setattr("cesplan.mcp.command.find_spec", lambda name: None)
    ran = desk.typed("mcp")
    assert (ran.code, ran.out) == (1, "")
    assert "pip install 'cesplan[mcp]'" in ran.err


def test_environments_are_those_of_the_start(desk: Desk, monkeypatch: pytest.MonkeyPatch):
    """The first is the default; CESPLAN_ENVIRONMENT names one where no option does; others are errors."""
    (desk.root / "cesplan.yaml").write_text(
        (desk.root / "cesplan.yaml").read_text(encoding="utf-8")
        + "environments: {dev: {}, prod: {project: acme-prod}, other: {project: acme-other}}\n",
        encoding="utf-8",
    )

    started: list[Workspace] = []
    monkeypatch.setattr("cesplan.mcp.serving.serve", lambda space, log: bool(started.append(space)))
    monkeypatch.setenv("CESPLAN_ENVIRONMENT", "other")
    assert desk.typed("mcp", "-e", "prod", "-e", "dev").code == 0
    assert desk.typed("mcp").code == 0
    for space, given, found in (
        (started[0], {}, "acme-prod"),
        (started[0], {"environment": "dev"}, "acme-dev"),
        (started[1], {}, "acme-other"),
    ):
        desk.workspace = space
        assert desk.answer("show_resources", **given)["report"]["project"] == found
    assert "This server was started for: other." in desk.error("plan", environment="prod")
