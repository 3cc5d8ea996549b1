"""No tool can write: neither to the service nor to the tree, whatever it is asked."""

from typing import Any

import anyio
import pytest
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st
from mcp import Client

from cesplan.mcp.catalog import tools_for
from cesplan.mcp.server import server_of
from cesplan.model.kinds import kind_of
from cesplan.remote.calls import delete, run_evaluation
from cesplan.remote.transport import ForbiddenMethod, Transport
from tests.mcp.conftest import Desk, fingerprint_of

HOSTILE = (
    "", "help-desk", "help-desk/agents/front-desk", "agents/*", "@us/securitySettings", "../..", "/etc/passwd",
    "cesplan.yaml", "apps/help-desk/app.yaml", "--all", "-e", "$(touch x)", "`touch x`", "HEAD",
    "HEAD; touch x", "--output=x", "main", "prod", "CES021", "agents", "24h", "2026-11-20T17:40Z", "\0",
    "\x1b[31m", "'; DROP",
    "projects/acme-dev/locations/us/apps/help-desk",
    "projects/acme-dev/locations/us/apps/help-desk/evaluationRuns/x",
    "x" * 400, "\u202e", "*", "?", "[a-z]*", "../tree/cesplan.yaml", ".cesplan/plan.json", "plan.json",
)  # fmt: skip
TEXTS = st.sampled_from(HOSTILE) | st.text(max_size=20)
VALUES = (
    TEXTS
    | st.lists(TEXTS, max_size=3)
    | st.booleans()
    | st.none()
    | st.integers()
    | st.dictionaries(TEXTS, TEXTS)
)
NAMES = (
    "environment", "target", "exclude", "adopt", "show", "ref", "file", "addresses", "app", "since", "author",
    "quick", "address", "live", "all", "run", "code", "kind", "errors_only",
)  # fmt: skip


def typed(name: str) -> st.SearchStrategy[Any]:
    """Mostly of the type that the member has, so that calls get far."""
    if name in ("adopt", "quick", "live", "all", "errors_only"):
        return st.booleans()
    if name in ("target", "exclude", "show", "addresses", "author"):
        return st.lists(TEXTS, max_size=2)
    return TEXTS


@st.composite
def calls(draw: st.DrawFn, tools: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    name = draw(st.sampled_from(sorted(tools)))
    members = draw(
        st.lists(st.sampled_from(sorted(tools[name].input_type.model_fields) or ["x"]), max_size=4, unique=True)
    )
    if draw(st.integers(0, 9)) == 0:
        members.append(draw(st.sampled_from(NAMES)))
    wild = draw(st.integers(0, 4)) == 0
    return name, {member: draw(VALUES if wild else typed(member)) for member in members}


def test_no_tool_writes_whatever_it_is_asked(desk: Desk):
    """
    Many calls of all tools, plain and hostile: the service gets no request but reading ones, and the tree and
    everything around it stay the same, byte for byte.
    """
    assert desk.typed("plan", "--out", "plan.json").code == 0
    (desk.root / "cesplan.yaml").write_text(
        f"{(desk.root / 'cesplan.yaml').read_text()}environments: {{prod: {{project: acme-prod}}}}\n",
        encoding="utf-8",
    )
    tools = tools_for(desk.workspace)
    asked: set[str] = set()
    succeeded: set[str] = set()
    before = fingerprint_of(desk.root.parent)
    desk.emulator.journal.clear()

    @seed(20261122)
    @settings(
        max_examples=12,
        phases=[Phase.generate],
        database=None,
        suppress_health_check=[*HealthCheck],
        deadline=None,
    )
    @given(st.lists(calls(tools), min_size=6, max_size=10))
    def fuzz(made: list[tuple[str, dict[str, Any]]]) -> None:
        async def call_all() -> None:
            async with Client(server_of(desk.workspace, desk.told.append)) as client:
                for name, arguments in made:
                    asked.add(name)
                    result = await client.call_tool(name, arguments)
                    if not result.is_error:
                        succeeded.add(name)

        anyio.run(call_all)

    fuzz()
    for name in tools:
        desk.call(name)
    assert asked == set(tools)
    assert succeeded >= {"validate", "plan", "drift", "graph", "evaluation_runs", "evaluation_results"}
    assert desk.emulator.journal.count > 50
    assert desk.writes == 0
    assert fingerprint_of(desk.root.parent) == before
    assert "".join(desk.told) == ""  # no defect either


def test_no_connection_of_a_tool_could_write(desk: Desk, monkeypatch: pytest.MonkeyPatch):
    """By construction: whatever a tool does with it, its transport lets reading methods through only."""
    made: list[Transport] = []
    original = Transport.__init__

    def kept(self: Transport, **given: Any) -> None:
        made.append(self)
        original(self, **given)

    monkeypatch.setattr(Transport, "__init__", kept)
    arguments: dict[str, dict[str, Any]] = {"graph": {"live": True}}
    for name, tool in tools_for(desk.workspace).items():
        made.clear()
        desk.call(name, **arguments.get(name, {}))
        assert bool(made) is tool.uses_service, name
        for transport in made:
            app = "projects/p/locations/us/apps/a"
            for call in (run_evaluation(app, {}), delete(kind_of("apps"), app, "", False)):
                with pytest.raises(ForbiddenMethod):
                    transport.send(call, {})
    assert desk.writes == 0
