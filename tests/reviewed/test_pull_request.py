"""
A pull request, as a pipeline lives it: real git, a process for each command, an emulator instead of the
service.

Branch, plan kept as an artifact, a foreign edit between review and merge, the refusal that names the editor,
a new plan, the apply on merge, a clean plan; and once an edit beside the plan, which lets it through.
"""

import json
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

import pytest

from cesplan.emulator import EmbeddedEmulator
from tests.cli.conftest import FILES
from tests.warm import Warm

_APP = "projects/acme-dev/locations/us/apps/help-desk"
_AGENT = "apps/help-desk/agents/front-desk"
_ALICE = "alice@acme.example"


class Pipeline:
    """A clone of the repository on a machine of the pipeline, and the service."""

    def __init__(self, root: Path, service: EmbeddedEmulator, path: str) -> None:
        self.root = root
        self._path = path
        self._service = service
        for path, text in FILES.items():
            self.write(path, text)
        self.git("init", "--quiet", "--initial-branch=main")
        self.commit("Start")

    def write(self, path: str, text: str) -> None:
        target = self.root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")

    def git(self, *arguments: str) -> str:
        who = ("-c", "user.name=Bob", "-c", "user.email=bob@acme.example", "-c", "commit.gpgsign=false")
        return self._run("git", *who, *arguments).stdout

    def commit(self, message: str) -> str:
        self.git("add", "--all")
        self.git("commit", "--quiet", "--message", message)
        return self.git("rev-parse", "HEAD").strip()

    def cesplan(self, *arguments: str, code: int = 0) -> subprocess.CompletedProcess[str]:
        """Run cesplan in a process of its own and insist on its exit code."""
        done = self._run("bash", "-c", 'exec cesplan "$@"', "--", *arguments, check=False)
        assert done.returncode == code, done.stdout + done.stderr
        return done

    def edit(self, path: str, mask: str, body: dict[str, Any], author: str = _ALICE) -> None:
        """Someone's edit in the console."""
        url = f"http://{self._service.address}/v1beta/{path}?updateMask={mask}"
        headers = {"Content-Type": "application/json", "x-emulator-author": author}
        request = Request(url, json.dumps(body).encode(), headers, method="PATCH")
        with urlopen(request, timeout=10) as answer:
            assert answer.status == 200

    def live(self, path: str) -> dict[str, Any]:
        with urlopen(f"http://{self._service.address}/v1beta/{path}", timeout=10) as answer:
            found: dict[str, Any] = json.load(answer)
        return found

    @property
    def writes(self) -> int:
        return sum(entry.method != "GET" for entry in self._service.journal.entries)

    def _run(self, *words: str, check: bool = True) -> subprocess.CompletedProcess[str]:
        environ = {**os.environ, "CES_EMULATOR_HOST": self._service.address, "PATH": self._path}
        return subprocess.run(
            words, cwd=self.root, env=environ, capture_output=True, text=True, check=check, timeout=60
        )


@pytest.fixture
def pipeline(tmp_path: Path, warm: Warm) -> Iterator[Pipeline]:
    """A tree that has been applied from main."""
    with EmbeddedEmulator() as service:
        made = Pipeline(tmp_path / "tree", service, warm.install(tmp_path / "bin"))
        made.cesplan("apply", "--auto-approve")
        yield made


def _propose(pipeline: Pipeline, text: str) -> None:
    """A branch with one edit, and its plan, which reviewers read."""
    pipeline.git("switch", "--quiet", "--create", "shorter")
    pipeline.write(f"{_AGENT}.md", f"{text}\n")
    pipeline.commit("Shorter")


def _merge(pipeline: Pipeline) -> str:
    pipeline.git("switch", "--quiet", "main")
    pipeline.git("merge", "--quiet", "--ff-only", "shorter")
    return pipeline.git("rev-parse", "HEAD").strip()


def test_an_edit_between_review_and_merge_is_not_overwritten(pipeline: Pipeline) -> None:
    """The merge applies nothing, says who edited what, and after a new plan goes on."""
    _propose(pipeline, "Be brief.")
    comment = pipeline.cesplan("plan", "--out", ".git/plan.json").stdout
    assert "Plan: 0 to create, 1 to update, 0 to delete" in comment
    assert pipeline.cesplan("show", ".git/plan.json").stdout == comment

    pipeline.edit(f"{_APP}/agents/front-desk", "instruction", {"instruction": "Alice knows better."})
    merged = _merge(pipeline)
    writes = pipeline.writes
    refused = pipeline.cesplan("apply", ".git/plan.json", code=4)
    assert pipeline.writes == writes
    assert f"by {_ALICE}, 20" in refused.stderr
    assert "Alice knows better." in refused.stderr
    assert "Be brief." in refused.stderr
    document = json.loads(pipeline.cesplan("apply", ".git/plan.json", "--format", "json", code=4).stdout)
    assert [item["edited_by"] for item in document["stale"]] == [_ALICE]
    assert pipeline.live(f"{_APP}/agents/front-desk")["instruction"] == "Alice knows better."

    again = pipeline.cesplan("plan", "--out", ".git/plan.json").stdout
    assert "Alice" in again
    pipeline.cesplan("apply", ".git/plan.json")
    assert pipeline.live(f"{_APP}/agents/front-desk")["instruction"] == "Be brief."
    assert pipeline.live(_APP)["metadata"]["cesplan-commit"] == merged
    pipeline.cesplan("plan", "--detailed-exitcode")


def test_an_edit_beside_the_plan_lets_it_through(pipeline: Pipeline) -> None:
    """The etag has moved, the change is the same: what was approved is made, and the edit stays."""
    _propose(pipeline, "Be brief.")
    pipeline.cesplan("plan", "--out", ".git/plan.json")
    pipeline.edit(f"{_APP}/agents/front-desk", "description", {"description": "Alice's note."})
    _merge(pipeline)
    ran = pipeline.cesplan("apply", ".git/plan.json")
    assert "the planned change to it is the same" in ran.stderr
    live = pipeline.live(f"{_APP}/agents/front-desk")
    assert (live["instruction"], live["description"]) == ("Be brief.", "Alice's note.")
