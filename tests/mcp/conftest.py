"""A desk that is applied, and a server of its tree: in this process, or in one of its own."""

import hashlib
import os
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp import Client
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp_types import CallToolResult

from cesplan.emulator import EmbeddedEmulator
from cesplan.mcp.server import server_of
from cesplan.mcp.workspace import Approval, Workspace
from cesplan.workflow.connecting import Connection
from tests.desks import applied_once, copied
from tests.evaluation.conftest import FILES, PASS
from tests.typed import Run, typing


@dataclass(kw_only=True)
class Desk:
    """A tree, the service that has it, and what a server of it tells people."""

    root: Path
    emulator: EmbeddedEmulator
    typed: Run
    workspace: Workspace
    told: list[str] = field(default_factory=list)

    def call(self, name: str, /, **arguments: Any) -> CallToolResult:
        """Call a tool of a server in this process; the client checks its result against the schema."""

        async def called() -> CallToolResult:
            async with Client(server_of(self.workspace, self.told.append)) as client:
                return await client.call_tool(name, arguments)

        return anyio.run(called)

    def answer(self, name: str, /, **arguments: Any) -> Any:
        """The structured result of a call that must succeed."""
        result = self.call(name, **arguments)
        assert not result.is_error, result.content
        return result.structured_content

    def error(self, name: str, /, **arguments: Any) -> str:
        """The text of a call that must fail."""
        result = self.call(name, **arguments)
        assert result.is_error
        return text_of(result)

    def approve(self, checksum: str) -> None:
        self.workspace = replace(self.workspace, approval=Approval(checksum))

    @property
    def writes(self) -> int:
        """How many requests the service got that do not only read."""
        return sum(entry.method != "GET" for entry in self.emulator.journal.entries)

    def edit(self, path: str, old: str, new: str) -> None:
        text = (self.root / path).read_text(encoding="utf-8")
        assert old in text
        (self.root / path).write_text(text.replace(old, new), encoding="utf-8")


def text_of(result: CallToolResult) -> str:
    """The text of a result."""
    return "".join(getattr(item, "text", "") for item in result.content)


def fingerprint_of(folder: Path) -> dict[str, tuple[str, int]]:
    """Every file below a folder, with the digest of its bytes and the time of its last change."""
    return {
        str(path): (hashlib.sha256(path.read_bytes()).hexdigest(), path.stat().st_mtime_ns)
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


applied = applied_once(FILES, then=("evaluate", "--all", "--auto-approve"))


@pytest.fixture
def desk(
    applied: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Iterator[Desk]:
    """Applied, evaluated once, and then edited: an instruction differs."""
    root = tmp_path / "tree"
    monkeypatch.setattr("cesplan.workflow.evaluation.evaluating.sleep", lambda seconds: None)
    typed = typing(capsys)
    with copied(applied, root, monkeypatch) as emulator:
        emulator.play(PASS)
        workspace = Workspace(
            root=root.resolve(),
            environments=("",),
            variables={},
            connection=Connection(emulator=emulator.address),
            most_bytes=100_000,
        )
        made = Desk(root=root, emulator=emulator, typed=typed, workspace=workspace)
        agent = root / "apps/help-desk/agents/front-desk.yaml"
        agent.write_text(f"{agent.read_text()}instruction: Be brief. The pin is ${{pin}}.\n", encoding="utf-8")
        yield made


def served(program: str, *words: str) -> Any:
    """The transport to a server in a process of its own."""
    return stdio_client(
        StdioServerParameters(command=program, args=["mcp", *words], env=dict(os.environ), cwd=Path.cwd())
    )
