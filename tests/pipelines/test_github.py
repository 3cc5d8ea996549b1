"""The workflow of GitHub Actions, run step by step: a pull request, its merge, and what can go wrong."""

import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from cesplan.workflow.pipelining import Service, write_pipeline
from tests.pipelines.conftest import Ran, Repository
from tests.pipelines.fakes import written_by
from tests.pipelines.reading import filled, read

WORKFLOW = ".github/workflows/cesplan.yaml"
RUN, MERGED = 900, 901


class Runner:
    """Runs the steps of one run of the workflow."""

    def __init__(self, repository: Repository, event: str, run: int, commit: str = "") -> None:
        self.repository = repository
        self.workflow = read(repository.root / WORKFLOW)
        self.run_id = run
        self.is_request = event == "pull_request"
        self.environ = {
            "GITHUB_EVENT_NAME": event,
            "GITHUB_REPOSITORY": "acme/desk",
            "GITHUB_RUN_ID": str(run),
            "GITHUB_SHA": commit or repository.git("rev-parse", "HEAD"),
            "GITHUB_WORKFLOW_REF": f"acme/desk/{WORKFLOW}@refs/heads/main",
        }
        self.values = {
            "github.token": "t0ken",
            "github.event.pull_request.number": "7",
            "github.server_url": "https://github.example",
            "github.repository": "acme/desk",
            "github.run_id": str(run),
            "secrets.CESPLAN_VAR_CRMKEY": "s3cr3t-of-the-crm",
            "github.event.pull_request.head.sha || github.sha": commit or repository.git("rev-parse", "HEAD"),
            "vars.CESPLAN_PACKAGE || 'cesplan==0.1.0'": "cesplan==0.1.0",
        }

    def job(self, job: str, *, name: str = "", outputs: Mapping[str, str] = {}) -> dict[str, Ran]:
        """Run a job's steps until one fails; then only those that run all the same."""
        body = self.workflow["jobs"][job]
        temporary = self.repository.temporary / f"runner-{self.run_id}-{job}-{name}"
        temporary.mkdir(exist_ok=True)
        values = {**self.values, "matrix.name": name, "runner.temp": str(temporary), **outputs}
        done: dict[str, Ran] = {}
        for step in body["steps"]:
            failed = any(ran.code for ran in done.values())
            if failed and "!cancelled()" not in str(step.get("if", "")):
                continue
            if "upload-artifact" in step.get("uses", ""):
                self._upload(step["with"], values)
            if "run" not in step:
                continue
            if "'pull_request'" in str(step.get("if", "")) and not self.is_request:
                continue
            done[step["name"]] = self._step(body, step, values, temporary)
            values |= self._outputs(step, temporary)
        return done

    def _step(self, job: Any, step: Any, values: Mapping[str, str], temporary: Path) -> Ran:
        environ = {
            name: filled(text, values)
            for level in (self.workflow, job, step)
            for name, text in level.get("env", {}).items()
        }
        environ |= {
            "RUNNER_TEMP": str(temporary),
            "GITHUB_OUTPUT": str(temporary / "outputs"),
            "GITHUB_STEP_SUMMARY": str(temporary / "summary.md"),
        }
        folder = self.repository.root / self.workflow["defaults"]["run"]["working-directory"]
        return self.repository.run(step["run"], {**self.environ, **environ}, folder=folder)

    def _outputs(self, step: Any, temporary: Path) -> dict[str, str]:
        file = temporary / "outputs"
        if "id" not in step or not file.exists():
            return {}
        rows = (row.partition("=") for row in file.read_text(encoding="utf-8").splitlines())
        return {f"steps.{step['id']}.outputs.{name}": value for name, _, value in rows}

    def _upload(self, words: Mapping[str, str], values: Mapping[str, str]) -> None:
        target = self.repository.world.artifact(self.run_id, filled(words["name"], values))
        target.mkdir(parents=True, exist_ok=True)
        shutil.copy(filled(words["path"], values), target)


@pytest.fixture
def repository(repository: Repository) -> Repository:
    """With the pipeline and a first state live in both environments."""
    write_pipeline(Service.GITHUB, repository.tree)
    repository.commit("the pipeline")
    for environment in ("staging", "prod"):
        ran = repository.cesplan("apply", "-e", environment, "--auto-approve")
        assert ran.code == 0, ran.out
    repository.git("switch", "--quiet", "--create", "kinder")
    repository.edit("Be kind. Be brief.")
    repository.commit("Kinder")
    return repository


def _plan(
    repository: Repository, run: int = RUN, names: Sequence[str] = ("staging", "prod")
) -> dict[str, dict[str, Ran]]:
    head = repository.git("rev-parse", "HEAD")
    runner = Runner(repository, "pull_request", run, head)
    assert {*names} <= {*runner.workflow["jobs"]["plan"]["strategy"]["matrix"]["name"]}
    with _trial_merge(repository):
        ran = {name: runner.job("plan", name=name) for name in names}
    status = "success" if all(not step.code for job in ran.values() for step in job.values()) else "failure"
    made = {"id": run, "commit": head, "event": "pull_request", "status": status, "workflow": "cesplan.yaml"}
    repository.world.change(runs=[made])
    return ran


@contextmanager
def _trial_merge(repository: Repository) -> Iterator[None]:
    """What GitHub checks out for a pull request: its merge into main, a commit of that run alone."""
    branch = repository.git("rev-parse", "--abbrev-ref", "HEAD")
    repository.git("switch", "--quiet", "--detach", "main")
    repository.git("merge", "--quiet", "--no-ff", "--message", "Trial", branch)
    yield
    repository.git("switch", "--quiet", branch)


def _merge(repository: Repository) -> str:
    head = repository.git("rev-parse", "HEAD")
    repository.git("switch", "--quiet", "main")
    repository.git("merge", "--quiet", "--no-ff", "--message", "Merge", "kinder")
    merged = repository.git("rev-parse", "HEAD")
    other = {"merge_commit_sha": "0" * 40, "head": {"sha": "1" * 40}}
    repository.world.change(pulls=[other, {"merge_commit_sha": merged, "head": {"sha": head}}])
    return merged


def _apply(runner: Runner, run: int, name: str) -> Ran:
    return runner.job(f"apply-{name}", outputs={"needs.find.outputs.run": str(run)})["Apply"]


def _good(ran: Mapping[str, Ran]) -> None:
    assert {name: step.out for name, step in ran.items() if step.code} == {}


@pytest.mark.parametrize("folder", [".", "voice/agents"])
def test_a_pull_request_is_planned_and_what_was_planned_is_applied(repository: Repository) -> None:
    """Plan, comment, merge, the same plan in staging and then in prod, and a plan that is empty."""
    for ran in _plan(repository).values():
        _good(ran)
    staging, prod = repository.world.bodies()
    assert staging.startswith("<!-- cesplan:plan:staging -->\n")
    assert prod.startswith("<!-- cesplan:plan:prod -->\n")
    assert "agents/greeter" in prod
    assert repository.instruction("prod") != "Be kind. Be brief."

    runner = Runner(repository, "push", MERGED, _merge(repository))
    found = runner.job("find")
    _good(found)
    assert "agents/greeter" in (repository.temporary / f"runner-{MERGED}-find-" / "summary.md").read_text()
    for name in ("staging", "prod"):
        ran = _apply(runner, RUN, name)
        assert ran.code == 0, ran.out
        assert repository.instruction(name) == "Be kind. Be brief."
        assert repository.cesplan("plan", "-e", name, "--detailed-exitcode").code == 0


def test_the_stamp_names_the_commit_that_was_reviewed(repository: Repository) -> None:
    """Not the merge that was made for the run alone; the tree is that of the commit, so it is not dirty."""
    head = repository.git("rev-parse", "HEAD")
    _plan(repository, names=["staging"])
    assert _apply(Runner(repository, "push", MERGED, _merge(repository)), RUN, "staging").code == 0
    stamp = repository.stamp("staging")
    assert (stamp["cesplan-commit"], "cesplan-dirty" in stamp) == (head, False)


def test_a_branch_that_is_behind_is_told_and_stamped_as_such(repository: Repository) -> None:
    """What was planned is a tree that no commit has: the plan of the merge, not that of the branch."""
    repository.git("switch", "--quiet", "main")
    app = repository.tree / "apps/hello-shop/app.yaml"
    app.write_text(f"{app.read_text(encoding='utf-8')}# Meanwhile\n", encoding="utf-8")
    repository.commit("Meanwhile")
    repository.git("switch", "--quiet", "kinder")
    head = repository.git("rev-parse", "HEAD")
    _plan(repository, names=["staging"])
    assert f"The tree is not that of the commit {head[:12]}" in repository.world.bodies()[0]
    assert _apply(Runner(repository, "push", MERGED, _merge(repository)), RUN, "staging").code == 0
    stamp = repository.stamp("staging")
    assert (stamp["cesplan-commit"], stamp["cesplan-dirty"]) == (head, "true")


def test_the_comment_is_kept_up_to_date(repository: Repository) -> None:
    """A second push edits the comment of each environment, and never one of somebody else's."""
    mine = {"id": 1, **written_by("eve", 5), "body": "<!-- cesplan:plan:prod -->\nAll is well."}
    repository.world.change(comments=[mine])
    _plan(repository)
    repository.edit("Be kinder still.")
    repository.commit()
    _plan(repository, RUN + 1)
    assert len(repository.world.bodies()) == 3
    assert repository.world.bodies()[0] == mine["body"]
    assert "Be kinder still." in repository.world.bodies()[2]


def test_a_plan_that_fails_takes_back_the_comment_and_leaves_nothing_to_apply(repository: Repository) -> None:
    """Nobody approves what is no longer planned."""
    _plan(repository)
    (repository.tree / "apps/hello-shop/app.yaml").write_text("displayname: Oops\n", encoding="utf-8")
    repository.commit()
    ran = _plan(repository, RUN + 1)
    assert ran["prod"]["Plan"].code == 7
    assert ran["prod"]["Comment"].code == 0
    assert "**No plan for prod**" in repository.world.bodies()[1]
    assert [body.partition("\n")[0] for body in repository.world.bodies()] == [
        "<!-- cesplan:plan:staging -->",
        "<!-- cesplan:plan:prod -->",
    ]
    found = Runner(repository, "push", MERGED, _merge(repository)).job("find")
    assert found["Find the plans"].code == 1
    assert "has no plan" in found["Find the plans"].out


def test_a_push_without_a_pull_request_is_not_applied(repository: Repository) -> None:
    """What nobody reviewed waits for a person."""
    found = Runner(repository, "push", MERGED).job("find")
    assert found["Find the plans"].code == 1
    assert "is not the merge of a pull request" in found["Find the plans"].out


def test_a_stale_plan_writes_nothing_and_a_new_one_can_be_asked_for(repository: Repository) -> None:
    """An edit between review and merge stays; run by hand, the workflow plans the branch anew."""
    _plan(repository, names=["staging"])
    merged = _merge(repository)
    repository.emulator.break_with(
        {
            "method": "GetAgent",
            "edit": {"body": {"instruction": "Mine."}, "author": "bob@acme.example"},
        }
    )
    ran = _apply(Runner(repository, "push", MERGED, merged), RUN, "staging")
    assert ran.code == 4, ran.out
    assert "bob@acme.example" in ran.out
    assert "::error::Somebody changed" in ran.out
    assert repository.instruction("staging") == "Mine."

    again = Runner(repository, "workflow_dispatch", MERGED + 1, merged)
    _good(again.job("plan", name="staging"))
    _good(again.job("plan", name="prod"))
    _good(again.job("find"))
    assert _apply(again, MERGED + 1, "staging").code == 0
    assert repository.instruction("staging") == "Be kind. Be brief."


def test_no_text_of_a_plan_is_a_command_to_the_runner(repository: Repository) -> None:
    """The runner takes lines that begin with `::`, indented ones too; long lines are broken anywhere."""
    nasty = (
        "A long line that is broken where nobody who reads it would think that it could be "
        + "::warning::x " * 20
    )
    repository.edit(nasty)
    repository.commit("Nasty")
    planned = _plan(repository, names=["staging"])["staging"]["Plan"]
    repository.emulator.break_with({"method": "GetAgent", "edit": {"body": {"instruction": f"{nasty}!"}}})
    applied = _apply(Runner(repository, "push", MERGED, _merge(repository)), RUN, "staging")
    for ran, code in ((planned, 0), (applied, 4)):
        assert (ran.code, "\n             ::warning::x" in ran.out) == (code, True), ran.out
        assert [row for row in _commands(ran.out) if "warning" in row] == []
    assert [row[:9] for row in _commands(applied.out)] == ["::error::"]


def _commands(log: str) -> list[str]:
    """The lines that the runner would obey."""
    obeyed, stopped = [], ""
    for row in map(str.strip, log.splitlines()):
        if stopped:
            stopped = "" if row == f"::{stopped}::" else stopped
        elif row.startswith("::stop-commands::"):
            stopped = row.removeprefix("::stop-commands::")
        elif row.startswith("::"):
            obeyed.append(row)
    return obeyed


def test_a_run_leaves_no_secret_and_no_change_of_the_tree(repository: Repository) -> None:
    """Neither in logs, comments and artifacts; and the stamp of an apply names a commit, not a dirty tree."""
    ran = _plan(repository, names=["prod"])
    (repository.root / "gha-creds-1234.json").write_text("{}", encoding="utf-8")
    assert repository.git("status", "--porcelain") == ""
    texts = [step.out for step in ran["prod"].values()]
    texts += [path.read_text() for path in repository.world.folder.rglob("*") if path.is_file()]
    assert [text for text in texts if "s3cr3t" in text] == []
